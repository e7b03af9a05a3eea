package plugin

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"recollect/hostapi"
)

// What a message and a turn take in JSON besides their texts and ids.
const (
	messageCost = 160
	turnCost    = 512
)

// encodedLen is how many bytes s takes in JSON as encode writes it.
func encodedLen(s string) int {
	n := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		n += runeCost(r, size)
		i += size
	}
	return n
}

func runeCost(r rune, size int) int {
	switch {
	case r == '"' || r == '\\' || r == '\n' || r == '\r' || r == '\t':
		return 2
	case r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029':
		return 6
	case r == utf8.RuneError && size == 1:
		return 6
	}
	return size
}

// cutEncoded gives the longest beginning of s, at a rune boundary, that takes at
// most limit bytes in JSON.
func cutEncoded(s string, limit int) string {
	n := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if n += runeCost(r, size); n > limit {
			return s[:i]
		}
		i += size
	}
	return s
}

func turnHead(t *hostapi.Turn) int {
	return turnCost + encodedLen(t.ID) + encodedLen(t.Session) + encodedLen(t.Source) + encodedLen(t.Branch)
}

func messageHead(m *hostapi.Message) int { return messageCost + encodedLen(m.ID) }

// cutTurn shortens the longest texts of a turn until it fits a page, and leaves
// the short ones whole. A turn of more messages than a page has room for keeps
// its first and its last ones.
func cutTurn(t *hostapi.Turn) {
	room := maxTurn - turnHead(t)
	costs, total := make([]int, len(t.Messages)), 0
	for i := range t.Messages {
		costs[i] = encodedLen(t.Messages[i].Text)
		total += costs[i] + messageHead(&t.Messages[i])
	}
	if total <= room {
		return
	}
	t.Cut = true
	if most := room / 1024; len(t.Messages) > most {
		keep := append([]hostapi.Message{t.Messages[0]}, t.Messages[len(t.Messages)-most+1:]...)
		costs = append([]int{costs[0]}, costs[len(costs)-most+1:]...)
		t.Messages = keep
	}
	for i := range t.Messages {
		t.Messages[i].ID = cutEncoded(t.Messages[i].ID, 512)
		room -= messageHead(&t.Messages[i])
	}
	level := fairShare(costs, room)
	for i := range t.Messages {
		t.Messages[i].Text = cutEncoded(t.Messages[i].Text, level)
	}
}

// fairShare gives the greatest level at which the costs, each cut to it, sum to
// no more than room.
func fairShare(costs []int, room int) int {
	low, high := 0, max(room, 0)
	for low < high {
		level := (low + high + 1) / 2
		sum := 0
		for _, c := range costs {
			sum += min(c, level)
		}
		if sum <= room {
			low = level
		} else {
			high = level - 1
		}
	}
	return low
}

// turnPart gives the part of a turn that begins at cursor ("message:byte", ""
// for the beginning) and the cursor of the next part, "" after the last.
func turnPart(t hostapi.Turn, cursor string) (hostapi.Turn, string, error) {
	index, offset := 0, 0
	if cursor != "" {
		if _, err := fmt.Sscanf(cursor, "%d:%d", &index, &offset); err != nil || index < 0 || index >= len(t.Messages) ||
			offset < 0 || offset > len(t.Messages[index].Text) {
			return t, "", errors.New("the cursor is not one that the host gave")
		}
	}
	all := t.Messages
	t.Messages = []hostapi.Message{}
	room := maxTurn - turnHead(&t)
	for ; index < len(all); index, offset = index+1, 0 {
		m := all[index]
		m.Text = m.Text[offset:]
		if room -= messageHead(&m); room < 1024 && len(t.Messages) > 0 {
			return t, fmt.Sprintf("%d:%d", index, offset), nil
		}
		text := cutEncoded(m.Text, max(room, 1024))
		room -= encodedLen(text)
		whole := len(text) == len(m.Text)
		m.Text = text
		t.Messages = append(t.Messages, m)
		if !whole {
			return t, fmt.Sprintf("%d:%d", index, offset+len(text)), nil
		}
	}
	return t, "", nil
}
