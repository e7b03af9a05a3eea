package main

import (
	"encoding/json"
	"strings"
)

const (
	maxReply = 2 << 20 // bytes that are read of a reply
	maxDepth = 32      // of brackets
)

// readReply finds JSON in a reply and gives each whole value to take, in order,
// which says whether it is of the form that was asked for. Fences, prose around,
// thinking, colours, a byte order mark, a comma too many and raw line breaks in
// strings are looked past. part is what was whole in a value that broke off, if
// no whole value was taken; it may be nil.
func readReply(reply string, take func(v any) bool) (part any, err *replyError) {
	reply = strings.ToValidUTF8(reply[:min(len(reply), maxReply)], "\uFFFD")
	text := strings.TrimSpace(strings.TrimPrefix(reply, "\uFEFF"))
	if text == "" {
		return nil, &replyError{why: "it was empty"}
	}
	var v any
	if json.Unmarshal([]byte(text), &v) == nil {
		if take(v) {
			return nil, nil
		}
		return nil, &replyError{why: "it was JSON, but not of the form that was asked for"}
	}
	for _, s := range unthought(uncoloured(text)) {
		f := search(s, take)
		switch {
		case f.taken:
			return nil, nil
		case f.cutOff:
			return f.part, &replyError{why: "it broke off before its end; give fewer and shorter entries"}
		case f.any:
			return nil, &replyError{why: "the JSON in it is not of the form that was asked for"}
		}
	}
	if declined(text) {
		return nil, &replyError{why: "the model declined: " + clip(oneLine(text), 200), final: true}
	}
	return nil, &replyError{why: "it holds no valid JSON object"}
}

// uncoloured takes terminal sequences out.
func uncoloured(s string) string {
	if !strings.Contains(s, "\x1b[") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i+2:]
		n := strings.IndexFunc(s, func(r rune) bool { return r >= 0x40 && r <= 0x7e })
		if n < 0 {
			return b.String()
		}
		s = s[n+1:]
	}
}

// unthought gives the texts to search, best first: what comes after the model's
// thinking, then all of it without what lies between the tags.
func unthought(s string) []string {
	texts := []string{s}
	for _, tag := range []string{"think", "thinking", "reasoning"} {
		begin, end := "<"+tag+">", "</"+tag+">"
		i := strings.LastIndex(s, end)
		if i < 0 {
			if strings.HasPrefix(s, begin) {
				return nil // it never came to an end of its thinking
			}
			continue
		}
		after := s[i+len(end):]
		rest := s
		for {
			from := strings.Index(rest, begin)
			if from < 0 {
				break
			}
			to := strings.Index(rest[from:], end)
			if to < 0 {
				break
			}
			rest = rest[:from] + rest[from+to+len(end):]
		}
		texts = []string{after, rest}
	}
	return texts
}

// finding is what a search came to.
type finding struct {
	taken  bool
	any    bool // there was JSON
	cutOff bool // there was JSON that the text broke off in
	part   any  // what was whole in it
}

// search offers every JSON object and array in a text that is not within another
// one. The work is bounded, whatever the brackets in the text.
func search(s string, take func(v any) bool) finding {
	var f finding
	work := 8*len(s) + 1<<16
	for i := 0; i < len(s) && work > 0; {
		if s[i] != '{' && s[i] != '[' {
			i++
			continue
		}
		m := mend(s[i:])
		work -= m.read
		var v any
		if !m.ok || json.Unmarshal(m.json, &v) != nil {
			i++
			continue
		}
		if m.cutOff {
			if !f.cutOff {
				f.part = v
			}
			f.cutOff = true
			i++ // it may have been a bracket of the prose
			continue
		}
		if object, ok := v.(map[string]any); ok && len(object) > 0 {
			f.any = true
		}
		f.taken = take(v) || f.taken
		i += m.read
	}
	return f
}

// mended is a JSON value at the beginning of a text, made valid.
type mended struct {
	json   []byte
	read   int  // bytes of the text
	ok     bool // it has the brackets of JSON; not yet that it is valid
	cutOff bool // the text ended within it; json holds the entries that were whole
}

// mend reads one value, which begins with a bracket. Commas before a closing
// bracket are dropped; raw control characters in strings and backslashes that
// escape nothing are escaped. Nothing else is guessed.
func mend(s string) mended {
	out := make([]byte, 0, min(len(s), 4096))
	var open, safeOpen []byte
	safe, comma := 0, -1 // length of out after the last whole entry; place of a comma that nothing follows yet
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch c {
		case ' ', '\t', '\r', '\n':
			out = append(out, c)
			continue
		case '{', '[':
			if len(open) == maxDepth {
				return mended{read: i}
			}
			open = append(open, c)
		case '}', ']':
			if open[len(open)-1] != c-2 { // '{'+2 = '}', '['+2 = ']'
				return mended{read: i}
			}
			if comma >= 0 {
				out = append(out[:comma], out[comma+1:]...)
			}
			open = open[:len(open)-1]
			out = append(out, c)
			if len(open) == 0 {
				return mended{json: out, read: i + 1, ok: true}
			}
			if c == '}' && open[len(open)-1] == '[' {
				safe, safeOpen = len(out), append(safeOpen[:0], open...)
			}
			comma = -1
			continue
		case '"':
			var n int
			if out, n = text(out, s[i:]); n == 0 {
				i = len(s) // broke off within a string
				continue
			}
			i += n - 1
			comma = -1
			continue
		case ',':
			comma = len(out)
			out = append(out, c)
			continue
		case ':', '-', '+', '.':
		default:
			if (c < '0' || c > '9') && (c < 'a' || c > 'z') && c != 'E' {
				return mended{read: i}
			}
		}
		out = append(out, c)
		comma = -1
	}
	m := mended{read: len(s), ok: true, cutOff: true, json: []byte("null")}
	if safe > 0 {
		m.json = out[:safe]
		for i := len(safeOpen) - 1; i >= 0; i-- {
			m.json = append(m.json, safeOpen[i]+2)
		}
	}
	return m
}

const hex = "0123456789abcdef"

// text appends the string that s begins with and gives its length in s, 0 if it
// does not end.
func text(out []byte, s string) ([]byte, int) {
	out = append(out, '"')
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return append(out, c), i + 1
		case c == '\\':
			if i+1 == len(s) {
				return out, 0
			}
			out = append(out, c)
			if escapes(s[i+1:]) {
				i++
				out = append(out, s[i])
			} else {
				out = append(out, c)
			}
		case c < ' ' || c == 0x7f:
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			out = append(out, c)
		}
	}
	return out, 0
}

// escapes says that what follows a backslash makes an escape with it.
func escapes(s string) bool {
	if s[0] != 'u' {
		return strings.IndexByte(`"\/bfnrt`, s[0]) >= 0
	}
	if len(s) < 5 {
		return false
	}
	for i := 1; i < 5; i++ {
		if strings.IndexByte("0123456789abcdefABCDEF", s[i]) < 0 {
			return false
		}
	}
	return true
}
