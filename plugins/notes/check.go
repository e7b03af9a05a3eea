package main

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

// maxRunes is the length of an item that still reads as one note.
const maxRunes = 500

var tooLong = "it is longer than " + strconv.Itoa(maxRunes) + " characters"

// maxEvidence bounds the evidence that an item gathers from its repetitions.
const maxEvidence = 20

func check(r guest.CheckRequest) (guest.CheckResult, error) {
	var out guest.CheckResult
	seen := make(map[string]int, len(r.Items)) // to the index in out.Items
	from := make([]int, 0, len(r.Items))       // index in the request of each kept item
	for i, item := range r.Items {
		reason := ""
		item.Content, reason = normalise(item.Content)
		switch {
		case reason != "":
		case !slices.ContainsFunc(r.Sections, func(s guest.Section) bool { return s.ID == item.Section }):
			reason = "there is no section " + strconv.Quote(clip(item.Section))
		case !(item.Confidence >= 0 && item.Confidence <= 1):
			reason = "its confidence is not between 0 and 1"
		}
		if reason == "" {
			key := item.Section + "\x00" + sameKey(item.Content)
			if at, there := seen[key]; there {
				corroborate(&out.Items[at], item)
				reason = "it says the same as item " + strconv.Itoa(from[at])
			} else {
				seen[key] = len(out.Items)
			}
		}
		if reason != "" {
			out.Rejects = append(out.Rejects, guest.Reject{Index: i, Reason: reason})
			continue
		}
		item.Rationale, _ = oneLine(item.Rationale)
		out.Items = append(out.Items, item)
		from = append(from, i)
	}
	return out, nil
}

// normalise gives the one line that an item is, or why it can't be one.
func normalise(s string) (string, string) {
	if strings.Contains(s, "```") || strings.Contains(s, "~~~") {
		return "", "it is a code block"
	}
	s, lines := oneLine(s)
	if lines > 4 {
		return "", "it has more than four lines"
	}
	if utf8.RuneCountInString(s) > 2*maxRunes {
		return "", tooLong
	}
	for before := ""; s != before; { // markers may stand within markers
		before = s
		s = stop(bare(unmark(s)))
	}
	switch {
	case s == "" || !strings.ContainsFunc(s, letter):
		return "", "it is empty"
	case onlyRedacted(s):
		return "", "it was only a secret"
	case utf8.RuneCountInString(s) > maxRunes:
		return "", tooLong
	case question(s):
		return "", "it is a question"
	}
	return s, ""
}

// oneLine joins the lines of a text, each without its list marker, and says how
// many there were.
func oneLine(s string) (string, int) {
	var b strings.Builder
	lines := 0
	for line := range strings.Lines(strings.ToValidUTF8(s, "\uFFFD")) {
		line = strings.Join(strings.FieldsFunc(line, blank), " ")
		line = unmark(line)
		if line == "" {
			continue
		}
		lines++
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String(), lines
}

func blank(r rune) bool {
	return unicode.IsSpace(r) || r < ' ' || r == 0x7f || r == 0x200B || r == 0xFEFF || r == 0x2028 || r == 0x2029
}

// unmark takes list, heading and quote markers off a line.
func unmark(s string) string {
	for {
		t := strings.TrimLeft(s, " ")
		switch {
		case strings.HasPrefix(t, "- "), strings.HasPrefix(t, "* "), strings.HasPrefix(t, "+ "), strings.HasPrefix(t, "> "):
			t = t[2:]
		case strings.HasPrefix(t, "• "):
			t = t[len("• "):]
		case strings.HasPrefix(t, "#"):
			h := strings.TrimLeft(t, "#")
			if !strings.HasPrefix(h, " ") {
				return t // an issue number, a colour
			}
			t = h
		case t == "-" || t == "*" || t == ">":
			return ""
		default:
			if n := number(t); n > 0 {
				t = t[n:]
			} else {
				return t
			}
		}
		s = t
	}
}

// number is the length of the "1. " that s begins with, or 0.
func number(s string) int {
	n := 0
	for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n > 0 && n+1 < len(s) && (s[n] == '.' || s[n] == ')') && s[n+1] == ' ' {
		return n + 2
	}
	return 0
}

// bare takes emphasis and quotation marks off that stand around all of s.
func bare(s string) string {
	s = strings.TrimSpace(s)
	for _, m := range [...]string{"**", "__", "*", "_", `"`} {
		if len(s) > 2*len(m) && strings.HasPrefix(s, m) && strings.HasSuffix(s, m) && !strings.Contains(s[len(m):len(s)-len(m)], m) {
			s = strings.TrimSpace(s[len(m) : len(s)-len(m)])
		}
	}
	return s
}

// stop settles the full stop: none after one sentence, one after several, so
// that the same note is written in the same way every time.
func stop(s string) string {
	s = strings.TrimRight(s, " ,;")
	one := strings.TrimRight(s, ".")
	if strings.HasSuffix(one, " ") {
		return strings.TrimSpace(one)
	}
	if len(s)-len(one) > 1 || strings.HasSuffix(s, "。") {
		return s // an ellipsis, or a script with its own stop
	}
	if several(one) {
		return one + "."
	}
	if abbreviated(one) {
		return s
	}
	return one
}

// several says that a text holds an end of a sentence within it.
func several(s string) bool {
	for i := 0; i+2 < len(s); i++ {
		if (s[i] == '.' || s[i] == '!') && s[i+1] == ' ' && s[i+2] >= 'A' && s[i+2] <= 'Z' && !abbreviated(s[:i]) {
			return true
		}
	}
	return false
}

func abbreviated(s string) bool {
	for _, a := range [...]string{"e.g", "i.e", "etc", "vs", "approx", "cf", "Inc", "Ltd"} {
		if strings.HasSuffix(s, a) && (len(s) == len(a) || !letterByte(s[len(s)-len(a)-1])) {
			return true
		}
	}
	return false
}

func letterByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// question says that the last sentence asks something.
func question(s string) bool {
	s = strings.TrimRight(s, ` )"'*_`)
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？")
}

// onlyRedacted says that nothing is left beside the places of secrets and a few
// words that name them, as in "token: [redacted]".
func onlyRedacted(s string) bool {
	l := strings.ToLower(s)
	if !strings.Contains(l, "[redacted") {
		return false
	}
	words := 0
	for l != "" {
		i := strings.Index(l, "[redacted")
		if i < 0 {
			return words+len(strings.FieldsFunc(l, notWord)) < 3
		}
		words += len(strings.FieldsFunc(l[:i], notWord))
		l = l[i:]
		if end := strings.IndexByte(l, ']'); end >= 0 {
			l = l[end+1:]
		} else {
			l = ""
		}
	}
	return words < 3
}

func notWord(r rune) bool { return !letter(r) }

// sameKey is equal for contents that differ only in case, punctuation and
// emphasis.
func sameKey(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), notWord), " ")
}

// corroborate adds what a repetition knows to the item that is kept.
func corroborate(kept *guest.Item, again guest.Item) {
	kept.Confidence = max(kept.Confidence, again.Confidence)
	kept.Importance = max(kept.Importance, again.Importance)
	kept.Evidence = slices.Clone(kept.Evidence)
	for _, e := range again.Evidence {
		if len(kept.Evidence) < maxEvidence && !slices.Contains(kept.Evidence, e) {
			kept.Evidence = append(kept.Evidence, e)
		}
	}
	if kept.Rationale == "" {
		kept.Rationale, _ = oneLine(again.Rationale)
	}
}

func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
