package main

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// words are the words of a text as they are compared: in lower case, without the
// commonest, cut to their first letters so that forms of a word are one. A
// number is kept whole, and true; of scripts that have no spaces, pairs of
// characters are the words.
type words map[string]bool

const stemRunes = 6

func wordsOf(s string) words {
	w := words{}
	for _, f := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		r := []rune(f)
		switch {
		case strings.ContainsFunc(f, unicode.IsDigit):
			w[f] = true
		case spaceless(r[0]):
			for i := range max(len(r)-1, 1) {
				w[string(r[i:min(i+2, len(r))])] = false
			}
		case len(r) < 3 || common[f]:
		default:
			w[string(r[:min(len(r), stemRunes)])] = false
		}
	}
	return w
}

func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

var common = set(`the and for are was not but with that this from has have had its all any can will must should
	they them their then than when where which while what who how into onto over only also each every some such
	use used uses using because instead does done been being never always`)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, f := range strings.Fields(list) {
		m[f] = true
	}
	return m
}

// within is the share of w's words that are in any of the others; 0 if w has
// none.
func (w words) within(others ...words) float64 {
	n := 0
	for k := range w {
		for _, o := range others {
			if _, there := o[k]; there {
				n++
				break
			}
		}
	}
	if n == 0 {
		return 0
	}
	return float64(n) / float64(len(w))
}

// numbersWithin says that every number of w is in one of the others.
func (w words) numbersWithin(others ...words) bool {
	for k, number := range w {
		if !number {
			continue
		}
		found := false
		for _, o := range others {
			found = found || o[k]
		}
		if !found {
			return false
		}
	}
	return true
}

// supportShare is how much of a note one message must say so that it supports a
// note for which the model named no message.
const supportShare = 0.7

// support finds the message that says most of what a note says, the first of
// several, by the words of the messages; -1 if none does.
func support(content string, messages []words) int {
	w := wordsOf(content)
	best, at := 0.0, -1
	for i, m := range messages {
		if share := w.within(m); share >= supportShare && share > best && w.numbersWithin(m) {
			best, at = share, i
		}
	}
	return at
}

// oneLine makes one line of a text: white space and control characters are one
// space each run, and what opens a heading, a list entry or a comment in
// Markdown is taken off.
func oneLine(s string) string {
	var b strings.Builder
	for line := range strings.Lines(uncommented(strings.ToValidUTF8(s, "\uFFFD"))) {
		for _, f := range strings.FieldsFunc(unmarked(line), blank) {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(f)
		}
	}
	return b.String()
}

func blank(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == 0x200B || r == 0xFEFF
}

// uncommented takes comments out; one that does not end goes to the end.
func uncommented(s string) string {
	for {
		from := strings.Index(s, "<!--")
		if from < 0 {
			return strings.ReplaceAll(s, "-->", "")
		}
		to := strings.Index(s[from:], "-->")
		if to < 0 {
			return s[:from]
		}
		s = s[:from] + s[from+to+3:]
	}
}

// unmarked takes list and heading marks off a line, and the sign that would
// import a file where the line is shown.
func unmarked(line string) string {
	line = strings.TrimFunc(line, blank)
	for {
		rest := strings.TrimLeft(line, "#")
		if rest == line && len(line) > 1 && strings.ContainsRune("-*+>", rune(line[0])) {
			rest = line[1:]
		}
		if rest == line || rest != "" && !strings.HasPrefix(rest, " ") {
			break
		}
		line = strings.TrimSpace(rest)
	}
	for _, open := range []string{"@/", "@~", "@."} {
		if strings.HasPrefix(line, open) {
			line = line[1:]
		}
		line = strings.ReplaceAll(line, " "+open, " "+open[1:])
	}
	return line
}

// key is equal for notes that differ in case, marks and spaces only.
func key(content string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(content), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// clip shortens a text to n runes.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "…"
}
