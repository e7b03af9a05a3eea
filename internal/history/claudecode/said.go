package claudecode

import (
	"fmt"
	"strings"

	"recollect/internal/history"
	"recollect/internal/history/voice"
)

// said gives who speaks in a record and what they say: the person's or the
// assistant's own words, cleaned, or "" where there are none of theirs. Here the
// fields are found; who spoke, and which words are whose, is for package voice to
// decide. before are the calls that a result in the record may answer.
func said(r *record, m *message, before *calls) (voice.Speaker, string) {
	c, ok := claimOf(r, m)
	if !ok {
		return voice.Client, ""
	}
	by := c.Speaker()
	switch by {
	case voice.Assistant:
		return by, bare(m.content)
	case voice.Person:
		content := m.content
		if c.Kind == queuedCommand {
			content = member(r.attachment, "prompt")
		}
		return personal(r, content, &c, before)
	}
	return by, ""
}

// roleOf gives the role of a speaker of whom there are words.
func roleOf(by voice.Speaker) history.Role {
	if by == voice.Person {
		return history.User
	}
	return history.Assistant
}

const queuedCommand = "queued_command"

// claimOf finds what a record says of who spoke; false: it is none in which
// anybody speaks.
func claimOf(r *record, m *message) (voice.Claim, bool) {
	c := voice.Claim{Beside: r.sidechain, Hidden: r.hidden}
	switch string(r.kind) {
	case "assistant":
		c.Kind, c.Made = "assistant", m.synthetic()
		return c, true
	case "user":
		c.Kind = "user"
	case "attachment":
		if string(text(member(r.attachment, "type"))) != queuedCommand {
			return c, false
		}
		c.Kind, c.Mode = queuedCommand, word(member(r.attachment, "commandMode"))
		c.Hidden = c.Hidden || isTrue(member(r.attachment, "isMeta"))
		c.Origin[1], c.Source[1] = kindOf(member(r.attachment, "origin")), word(member(r.attachment, "promptSource"))
	default:
		return c, false
	}
	c.Origin[0], c.Source[0] = kindOf(r.origin), word(r.source)
	return c, true
}

// noWord stands for a value that is of another shape than the format's.
const noWord = "?"

// kindOf gives the kind of an origin, "" if there is none.
func kindOf(v []byte) string {
	if !isObject(v) {
		return word(v)
	}
	if kind := word(member(v, "kind")); kind != "" {
		return kind
	}
	return noWord
}

// word gives a text that names something, "" if there is none.
func word(v []byte) string {
	switch {
	case len(v) == 0 || string(v) == "null":
		return ""
	case !isString(v):
		return noWord
	}
	return unquote(v)
}

// bare gives what an assistant says in a message's content.
func bare(content []byte) string {
	var parts []string
	eachBlock(content, func(b *block) { parts = b.add(parts, voice.Bare) })
	return strings.Join(parts, "\n")
}

// personal gives what a person says in a record: in its text, and in the result
// of a call that waited for them. What is said of one result counts for it
// alone, so that of a record with several nothing does. Where another speaks in
// the record, the person does not.
func personal(r *record, content []byte, c *voice.Claim, before *calls) (voice.Speaker, string) {
	var parts []string
	var answer block
	results, by := 0, voice.Person
	eachBlock(content, func(b *block) {
		if string(b.kind) == "tool_result" {
			answer = *b
			results++
			return
		}
		parts = b.add(parts, func(s string) string {
			if by == voice.Person && !c.Said() {
				by = voice.From(s)
			}
			return voice.Words(s)
		})
	})
	if by != voice.Person {
		return by, ""
	}
	if results == 1 {
		if s := answered(r, &answer, before.find(answer.answers)); s != "" {
			parts = append([]string{s}, parts...)
		}
	}
	return by, strings.Join(parts, "\n")
}

// block is what we read of one block of a message's content.
type block struct {
	kind    []byte
	text    []byte // quoted
	source  []byte // of an image or a document
	content []byte // of a result
	answers []byte // id of the call that a result answers
	failed  bool   // of a result
}

// eachBlock calls f with each block of a message's content. It may keep none.
func eachBlock(content []byte, f func(*block)) {
	if isString(content) {
		f(&block{kind: []byte("text"), text: content})
		return
	}
	if !isArray(content) {
		return
	}
	var b block
	set := b.set // once, and not for each of many blocks
	eachElement(content, 0, 0, func(v []byte) {
		if b = (block{}); isObject(v) {
			eachMember(v, 0, 0, set)
		} else {
			b.kind, b.text = []byte("text"), v
		}
		f(&b)
	})
}

func (b *block) set(key, v []byte) {
	switch string(key) {
	case "type":
		b.kind = text(v)
	case "text":
		b.text = v
	case "source":
		b.source = v
	case "content":
		b.content = v
	case "tool_use_id":
		b.answers = text(v)
	case "is_error":
		b.failed = isTrue(v)
	}
}

// add adds what a block says to parts: its text through f, or a placeholder.
func (b *block) add(parts []string, f func(string) string) []string {
	part := ""
	switch string(b.kind) {
	case "text":
		part = f(unquote(b.text))
	case "image", "document":
		part = placeholder(string(b.kind), b.source)
	}
	if part == "" {
		return parts
	}
	return append(parts, part)
}

// placeholder stands for an image or a document that a person pasted.
func placeholder(kind string, source []byte) string {
	media := unquote(member(source, "media_type"))
	size := len(member(source, "data")) * 3 / 4
	if media == "" || len(media) > 60 || strings.ContainsAny(media, "\r\n[]<>") {
		return "[" + kind + "]"
	}
	if size < 1024 {
		return fmt.Sprintf("[%s, %s]", kind, media)
	}
	return fmt.Sprintf("[%s, %s, %d KB]", kind, media, size/1024)
}

func isPlaceholder(line string) bool {
	return strings.HasSuffix(line, "]") && (strings.HasPrefix(line, "[image") || strings.HasPrefix(line, "[document"))
}
