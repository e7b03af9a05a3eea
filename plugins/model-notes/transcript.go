package main

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

// said is one message as the model is shown it.
type said struct {
	handle string // what the model calls it, unique in a session: "m7"
	id     string // of its record
	role   string
	text   string // not empty
}

// talk is a turn that was shortened.
type talk struct {
	turn     string // its id
	said     []said
	runes    int
	messages int // before it was shortened
}

// session is what is shown of the new turns of one session.
type session struct {
	source, id string
	talks      []talk // oldest first
	runes      int
	messages   int // before they were shortened
	left       int // earlier turns that were left out for length
	from, to   time.Time
}

// transcript is what is shown of the new turns.
type transcript struct {
	sessions []*session // the one that was spoken in last comes last
	left     int        // turns that were left out for length
	over     []string   // their ids
}

// readTranscript reads the turns that are new, or all if none is, and keeps the
// newest sessions that fit the total, of the newest one the end. Only those are
// held in memory.
func readTranscript(c config, onlyNew bool) (transcript, error) {
	var t transcript
	byID := map[string]*session{}
	total := 0
	for turn, err := range guest.Turns(guest.TurnsParams{New: onlyNew}) {
		if err != nil {
			return t, err
		}
		k := shorten(turn, c.MaxTurnChars)
		if k.runes == 0 {
			continue
		}
		name := turn.Source + "\n" + turn.Session
		s := byID[name]
		if s == nil || len(s.talks) == 0 {
			s = &session{source: turn.Source, id: turn.Session, from: turn.Time}
			byID[name] = s
		}
		t.sessions = append(slices.DeleteFunc(t.sessions, func(o *session) bool { return o == s }), s)
		s.add(k, turn.Time)
		for total += k.runes; total > c.MaxTotalChars; {
			n := t.dropOldest()
			if n == 0 {
				break
			}
			total -= n
		}
	}
	for _, s := range t.sessions {
		s.number()
	}
	return t, nil
}

func (s *session) add(k talk, at time.Time) {
	s.talks = append(s.talks, k)
	s.runes, s.messages, s.to = s.runes+k.runes, s.messages+k.messages, at
}

// dropOldest leaves out the session that nobody spoke in for longest, or the
// first turn of the only one, and gives what that had.
func (t *transcript) dropOldest() int {
	s := t.sessions[0]
	gone := s.talks
	switch {
	case len(t.sessions) > 1:
		t.sessions, s.talks = t.sessions[1:], nil
	case len(s.talks) > 1:
		gone, s.talks = s.talks[:1:1], slices.Clone(s.talks[1:])
		s.left++
	default:
		return 0
	}
	n := 0
	for _, k := range gone {
		n, s.messages = n+k.runes, s.messages-k.messages
		t.over = append(t.over, k.turn)
	}
	s.runes -= n
	t.left += len(gone)
	return n
}

// number gives the messages their handles.
func (s *session) number() {
	n := 0
	for _, k := range s.talks {
		for i := range k.said {
			n++
			k.said[i].handle = "m" + strconv.Itoa(n)
		}
	}
}

// Of what the assistant says before the last word of its turn, this part of the
// limit is shown.
const betweenShare = 4

// shorten gives what was said in a turn. What the developer says, and the
// assistant's last word, is whole up to limit runes; of the rest, code and logs
// are shortened, and what only says what the assistant does next is left out.
func shorten(t guest.Turn, limit int) talk {
	k := talk{turn: t.ID}
	last := -1
	for i, m := range t.Messages {
		if m.Role != guest.RoleUser && strings.TrimSpace(m.Text) != "" {
			last = i
		}
	}
	for i, m := range t.Messages {
		text := strings.TrimSpace(strings.ToValidUTF8(m.Text, "\uFFFD"))
		if text == "" || m.ID == "" {
			continue
		}
		k.messages++
		if m.Role == guest.RoleUser || i == last {
			text = cut(withoutBulk(text), limit)
		} else {
			text = cut(withoutBulk(unnarrated(text)), limit/betweenShare)
		}
		if text == "" {
			continue
		}
		k.said = append(k.said, said{id: m.ID, role: m.Role, text: text})
		k.runes += utf8.RuneCountInString(text)
	}
	return k
}

// cut leaves the beginning and the end of a text, in all about n runes.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	note := "\n[..." + strconv.Itoa(len(r)-n) + " characters left out]\n"
	room := max(n-len(note), n/2)
	head := room * 2 / 3
	return strings.TrimSpace(string(r[:head])) + note + strings.TrimSpace(string(r[len(r)-(room-head):]))
}
