package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"recollect/hostapi/guest"
)

var (
	//go:embed prompts/extract-system.md
	extractSystem string
	//go:embed prompts/extract.md
	extractPrompt string
	//go:embed prompts/extract.schema.json
	extractSchema string
	//go:embed prompts/known.md
	knownPrompt string
	//go:embed prompts/sofar.md
	soFarPrompt string
	//go:embed prompts/evolve-system.md
	evolveSystem string
	//go:embed prompts/evolve.md
	evolvePrompt string
	//go:embed prompts/evolve.schema.json
	evolveSchema string
	//go:embed prompts/again.md
	againPrompt string
)

// fill puts values for the names in double braces. What is in a value is left as
// it is, whatever it looks like.
func fill(template string, pairs ...string) string {
	size := len(template)
	for _, s := range pairs {
		size += len(s) // a value that stands twice is a short one
	}
	var b strings.Builder
	b.Grow(size)
	for {
		text, rest, found := strings.Cut(template, "{{")
		b.WriteString(text)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}}")
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				b.WriteString(pairs[i+1])
			}
		}
		template = after
	}
}

// fence gives the code that marks where data begins and ends: nine digits that
// follow from the texts, so that who wrote them could not know them, and that
// are in none of the texts, so that none can end its fence.
func fence(texts []string) string {
	h := uint64(14695981039346656037) // FNV-1a
	add := func(c byte) { h = (h ^ uint64(c)) * 1099511628211 }
	for _, s := range texts {
		for i := range len(s) {
			add(s[i])
		}
		add(0xff) // not in UTF-8: the borders between texts count
	}
	for {
		add(0xfe)
		code := strconv.FormatUint(100_000_000+(h>>16)%900_000_000, 10)
		if !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, code) }) {
			return code
		}
	}
}

// request is what one part is asked with.
type request struct {
	*extraction
	session *session
	work    work
	part    part
	soFar   []noted            // of the parts before, called n1, n2 …
	known   []guest.MemoryItem // called k1, k2 …
}

// usualMessages is how many messages there are as a rule for one note.
const usualMessages = 15

func (q request) params() guest.CompleteParams {
	texts := append([]string{q.Project.Name, q.Branch}, q.work.texts()...)
	for _, s := range q.part.said {
		texts = append(texts, s.text)
	}
	var known, soFar strings.Builder
	for i, it := range q.known {
		texts = append(texts, it.Content)
		fmt.Fprintf(&known, "k%d (%s): %s\n", i+1, it.Section, oneLine(it.Content))
	}
	for i, n := range q.soFar {
		texts = append(texts, n.Content)
		fmt.Fprintf(&soFar, "n%d (%s): %s\n", i+1, n.Section, oneLine(n.Content))
	}
	code := fence(texts)
	part, required, gone := "", `"items"`, ""
	if q.part.of > 1 {
		part = fmt.Sprintf(", part %d of %d", q.part.number, q.part.of)
	}
	if len(q.soFar) > 0 {
		required, gone = `"items", "gone"`, `,
    "gone": { "type": "array", "items": { "type": "string" } }`
	}
	left := ""
	if q.part.left > 0 {
		left = fmt.Sprintf("[...%d earlier turns left out for length]\n", q.part.left)
	}
	return guest.CompleteParams{
		Purpose: "extract, " + q.part.name(q.session),
		System:  extractSystem,
		Prompt: fill(extractPrompt, "project", label(q.Project.Name), "branch", label(q.Branch), "when", q.session.when(), "work", q.work.lines(), "sections", sectionList(q.Sections),
			"known", listing(knownPrompt, code, known.String()), "sofar", listing(soFarPrompt, code, soFar.String()), "part", part,
			"messages", strconv.Itoa(q.part.messages), "usual", usual(q.part.messages), "max", strconv.Itoa(maxNotes),
			"code", code, "left", left, "conversation", conversation(q.part, code)),
		Schema:    json.RawMessage(fill(extractSchema, "sections", sectionEnum(q.Sections), "required", required, "gone", gone)),
		MaxTokens: 4096,
		Model:     q.config.Model,
	}
}

func conversation(p part, code string) string {
	var b strings.Builder
	size := 0
	for _, s := range p.said {
		size += len(s.text) + 64
	}
	b.Grow(size)
	for _, s := range p.said {
		fmt.Fprintf(&b, "=== %s %s %s ===\n%s\n", code, s.handle, s.speaker(), s.text)
	}
	return b.String()
}

// when says on which days a session was held.
func (s *session) when() string {
	from, to := s.from.Format(time.DateOnly), s.to.Format(time.DateOnly)
	if from != to {
		return from + " to " + to
	}
	return to
}

// usual says how many notes a conversation of so many messages has as a rule, beside
// what must not be missed: a bare count has a careful reader leave some of that out.
func usual(messages int) string {
	if n := (messages + usualMessages/2) / usualMessages; n > 1 {
		return fmt.Sprintf("about %d beside those of importance 3 are usual", min(n, maxNotes))
	}
	return "one or none beside those of importance 3 is usual"
}

// speaker names who said it. An answer to the assistant's question has the
// question above it, in lines that begin with ">".
func (s said) speaker() string {
	switch {
	case s.role != guest.RoleUser:
		return "assistant"
	case strings.HasPrefix(s.text, "> "):
		return "developer, answer"
	}
	return "developer"
}

// label makes one short line of a name, for a line of its own.
func label(s string) string {
	return strconv.Quote(clip(oneLine(s), 120))
}

func sectionList(sections []guest.Section) string {
	var b strings.Builder
	for i, s := range sections {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + s.ID)
		if s.Heading != "" {
			b.WriteString(" (" + oneLine(s.Heading) + ")")
		}
		if s.Guidance != "" {
			b.WriteString(": " + oneLine(s.Guidance))
		}
	}
	return b.String()
}

func sectionEnum(sections []guest.Section) string {
	ids := make([]string, len(sections))
	for i, s := range sections {
		ids[i] = s.ID
	}
	data, err := json.Marshal(ids)
	if err != nil {
		return `[]`
	}
	return string(data)
}

// listing shows data in a fence of its own, or nothing if there is none.
func listing(template, code, items string) string {
	if items == "" {
		return ""
	}
	return fill(template, "code", code, "items", items)
}
