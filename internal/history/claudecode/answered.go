package claudecode

import (
	"bytes"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/history/voice"
)

// toolCall is what we keep of a tool call, to know what a result is worth.
type toolCall struct {
	id    uint64 // hash
	by    voice.Called
	at    sample   // the record that made it
	lines []uint64 // hashes of the lines of a plan, in their order; nil: not known

	// Until the result is there: the file that it writes, or that it may commit.
	path    string
	commits bool
}

// calls are the last tool calls of a transcript.
type calls struct{ last []toolCall }

const (
	maxCalls     = 128
	maxPlanLines = 2000
)

// add takes in the calls of an assistant's message.
func (c *calls) add(content []byte, at sample) {
	if !isArray(content) {
		return
	}
	eachElement(content, 0, 0, func(v []byte) {
		var kind, id, name, input []byte
		if !isObject(v) {
			return
		}
		eachMember(v, 0, 0, func(key, v []byte) {
			switch string(key) {
			case "type":
				kind = text(v)
			case "id":
				id = text(v)
			case "name":
				name = v
			case "input":
				input = v
			}
		})
		if string(kind) != "tool_use" {
			return
		}
		x := toolCall{id: hash(id), by: voice.CalledBy(unquote(name)), at: at}
		x.path, x.commits = doing(name, input)
		if x.by == voice.Planning {
			if x.lines = planLines(unquote(member(input, "plan"))); len(x.lines) > maxPlanLines {
				x.by, x.lines = voice.Other, nil // too much to compare
			}
		}
		if len(c.last) >= 2*maxCalls {
			c.last = append(c.last[:0], c.last[maxCalls:]...)
		}
		c.last = append(c.last, x)
	})
}

// find gives the call that a result answers: by its id, or the last one where it
// has none. A call that is not known is of an untold tool.
func (c *calls) find(id []byte) toolCall {
	if c == nil || len(c.last) == 0 {
		return toolCall{}
	}
	if len(id) == 0 {
		return c.last[len(c.last)-1]
	}
	h := hash(id)
	for i := len(c.last) - 1; i >= 0; i-- {
		if c.last[i].id == h {
			return c.last[i]
		}
	}
	return toolCall{}
}

// wait says that a call whose result is not there yet writes or may commit.
func (c *calls) wait() bool {
	return slices.ContainsFunc(c.last, func(x toolCall) bool { return x.path != "" || x.commits })
}

// answer gives the call that a result answers, which then no longer waits.
func (c *calls) answer(id []byte) toolCall {
	h := hash(id)
	for i := len(c.last) - 1; i >= 0; i-- {
		if x := c.last[i]; x.id == h {
			c.last[i].path, c.last[i].commits = "", false
			return x
		}
	}
	return toolCall{}
}

// answeredBy gives the record whose call a record's only result answers, if it is
// known.
func (c *calls) answeredBy(content []byte) sample {
	var at sample
	eachBlock(content, func(b *block) {
		if string(b.kind) == "tool_result" {
			at = c.find(b.answers).at
		}
	})
	return at
}

func planLines(plan string) []uint64 {
	var lines []uint64
	for l := range strings.Lines(plan) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, xxhash.Sum64String(l))
		}
	}
	return lines
}

// answered gives what a person said in the result of a call.
func answered(r *record, b *block, to toolCall) string {
	res := voice.Result{
		Called: to.by, Failed: b.failed, Denial: word(r.denial), ByHost: r.byHost, Feedback: unquote(r.feedback),
		Ran: isObject(r.result) || isArray(r.result),
	}
	switch asked := res.Called == voice.Asking || res.Called == voice.Planning; {
	case res.Failed || res.Feedback != "":
		if res.Feedback == "" && !bytes.Contains(b.content, []byte("user said:")) {
			return ""
		}
		res.Text = resultText(b.content)
	case !asked && (res.Called != voice.Untold || !isObject(r.result)):
		return ""
	default:
		if asked {
			res.Text = resultText(b.content)
		}
		fill(&res, r.result)
	}
	if to.lines != nil {
		res.Known = func(line string) bool { return slices.Contains(to.lines, xxhash.Sum64String(strings.TrimSpace(line))) }
	}
	return res.Words()
}

// resultText gives the text of a result.
func resultText(content []byte) string {
	var parts []string
	eachBlock(content, func(b *block) {
		if string(b.kind) == "text" {
			parts = append(parts, unquote(b.text))
		}
	})
	return strings.Join(parts, "\n")
}

// fill reads what a record keeps beside a result.
func fill(res *voice.Result, kept []byte) {
	if !isObject(kept) {
		return
	}
	var answers, notes []byte
	asked := false
	eachMember(kept, 0, 0, func(key, v []byte) {
		switch string(key) {
		case "questions":
			asked = isArray(v)
		case "answers":
			answers = v
		case "annotations":
			notes = v
		case "response":
			res.Response = unquote(v)
		case "afkTimeoutMs":
			res.Away = string(v) != "null"
		case "plan":
			res.Plan = unquote(v)
		case "planWasEdited":
			res.Edited = isTrue(v)
		}
	})
	if !asked && res.Called == voice.Untold {
		res.Response = ""
		return
	}
	if isObject(answers) {
		eachMember(answers, 0, 0, func(key, v []byte) {
			a := voice.Answer{Question: unquote(quotedKey(key)), Said: answerText(v)}
			a.Notes = unquote(member(memberOf(notes, key), "notes"))
			res.Answers = append(res.Answers, a)
		})
	}
}

// answerText gives an answer: a text, or several that were chosen together.
func answerText(v []byte) string {
	if !isArray(v) {
		return unquote(v)
	}
	var all []string
	eachElement(v, 0, 0, func(v []byte) {
		if s := unquote(v); s != "" {
			all = append(all, s)
		}
	})
	return strings.Join(all, ", ")
}

// quotedKey gives a key as the string that it is in the record.
func quotedKey(key []byte) []byte {
	return append(append([]byte{'"'}, key...), '"')
}

// memberOf is member with a key as it stands in the record.
func memberOf(v, key []byte) []byte {
	var out []byte
	if isObject(v) {
		eachMember(v, 0, 0, func(k, v []byte) {
			if bytes.Equal(k, key) {
				out = v
			}
		})
	}
	return out
}
