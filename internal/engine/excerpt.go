package engine

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/history"
	"recollect/internal/secrets"
)

// Bounds of one message as it is shown, in bytes.
const (
	maxMessage  = 8_000
	maxCitedOne = 16_000 // a cited one
	maxBeside   = 2_000  // beside cited ones
	maxRead     = 4 << 20
	// minMessage is what a message gets when nothing is left.
	minMessage = 400
)

// maxMessages of a turn are shown all; of a longer one those around the cited.
const maxMessages = 40

// excerpter cuts what was said to what a person can look at.
type excerpter struct {
	red   *secrets.Redactor
	share int      // bytes for what is begun
	words []string // that are looked for in long messages
}

// excerpts is one run of an excerpter.
type excerpts struct {
	*excerpter
	left int // bytes
}

func (x *excerpter) begin() *excerpts { return &excerpts{x, x.share} }

// turn gives a turn with its messages cut. With cited, messages that are not
// cited are cut shorter, and those far from the cited are left out of a long
// turn.
func (x *excerpts) turn(t history.Turn, cited map[string]bool) Turn {
	out := Turn{ID: t.ID, Session: t.Session, Source: t.Source, Branch: t.Branch, Time: t.Time, Messages: []Message{}}
	keep := near(t.Messages, cited)
	gap := 0
	for i, m := range t.Messages {
		if !keep[i] || x.left <= 0 && i > 0 && !cited[m.ID] {
			gap++
			continue
		}
		out.Messages = withGap(out, gap, m)
		gap = 0
		limit := maxMessage
		switch {
		case cited[m.ID]:
			limit = maxCitedOne
		case cited != nil:
			limit = maxBeside
		}
		text := x.text(m.Text, max(min(limit, x.left), minMessage), cited[m.ID])
		x.left -= len(text)
		out.Messages = append(out.Messages, Message{ID: m.ID, Role: string(m.Role), Time: m.Time, Text: text})
	}
	if gap > 0 {
		out.Messages = withGap(out, gap, t.Messages[len(t.Messages)-1])
	}
	return out
}

// near marks the messages to show: the prompt, and what is near a cited one.
func near(messages []history.Message, cited map[string]bool) []bool {
	keep := make([]bool, len(messages))
	found := false
	for i, m := range messages {
		if i == 0 || len(messages) <= maxMessages {
			keep[i] = true
		}
		if cited[m.ID] {
			found = true
			for j := max(i-2, 0); j <= min(i+2, len(messages)-1); j++ {
				keep[j] = true
			}
		}
	}
	for i := range keep {
		keep[i] = keep[i] || !found && i < maxMessages
	}
	return keep
}

// withGap notes messages of a turn that were left out before m.
func withGap(t Turn, gap int, m history.Message) []Message {
	note := Message{ID: fmt.Sprintf("%s#%d", t.ID, len(t.Messages)), Role: string(m.Role)}
	switch gap {
	case 0:
		return t.Messages
	case 1:
		note.Text = "[one message left out]"
	default:
		note.Text = fmt.Sprintf("[%d messages left out]", gap)
	}
	return append(t.Messages, note)
}

// text takes secrets out of a text and cuts it to about limit bytes: around the
// place that has most of the words, or after its beginning.
func (x *excerpts) text(text string, limit int, search bool) string {
	cut := 0
	if len(text) > maxRead {
		at := runeStart(text, maxRead)
		text, cut = text[:at], utf8.RuneCountInString(text[at:])
	}
	text, _ = x.red.Redact(text)
	if len(text) <= limit && cut == 0 {
		return text
	}
	from := 0
	if search {
		from = max(wordiest(text, x.words)-limit/3, 0)
	}
	from = runeStart(text, min(from, max(len(text)-limit, 0)))
	to := runeStart(text, min(from+limit, len(text)))
	var b strings.Builder
	if from > 0 {
		fmt.Fprintf(&b, "[%d characters left out] ", utf8.RuneCountInString(text[:from]))
	}
	b.WriteString(text[from:to])
	if n := utf8.RuneCountInString(text[to:]) + cut; n > 0 {
		fmt.Fprintf(&b, " [%d characters left out]", n)
	}
	return b.String()
}

// runeStart is the last start of a character at or before i.
func runeStart(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// wordiest finds the line with most of the words; 0 if none has any.
func wordiest(text string, words []string) int {
	best, most, at := 0, 0, 0
	for line := range strings.Lines(text) {
		n := 0
		low := strings.ToLower(line)
		for _, w := range words {
			if i := strings.Index(low, w); i >= 0 {
				n++
				if n > most {
					best, most = at+min(i, len(line)-1), n
				}
			}
		}
		at += len(line)
	}
	return best
}

// maxWords bounds the search in a long message.
const maxWords = 12

// tellingWords are the longest words of a content, in lower case.
func tellingWords(content string) []string {
	words := strings.FieldsFunc(strings.ToLower(content), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	words = slices.Compact(words)
	return words[:min(len(words), maxWords)]
}
