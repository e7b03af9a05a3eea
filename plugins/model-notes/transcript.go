package main

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

// said is one message as the model is shown it.
type said struct {
	handle string // what the model calls it, unique in a run: "m7"
	id     string // of its record
	role   string
	text   string // not empty
}

// talk is a turn that was shortened.
type talk struct {
	turn  string // its id
	said  []said
	runes int
}

// transcript is what is shown of the new turns.
type transcript struct {
	talks []talk   // oldest first
	left  int      // earlier turns that were left out for length
	over  []string // their ids
}

// readTranscript reads the turns that are new, or all if none is, and keeps the
// newest that fit the total. Only those are held in memory.
func readTranscript(c config, onlyNew bool) (transcript, error) {
	var t transcript
	total := 0
	for turn, err := range guest.Turns(guest.TurnsParams{New: onlyNew}) {
		if err != nil {
			return t, err
		}
		k := shorten(turn, c.MaxTurnChars)
		if k.runes == 0 {
			continue
		}
		t.talks = append(t.talks, k)
		for total += k.runes; total > c.MaxTotalChars && len(t.talks) > 1; t.left++ {
			total -= t.talks[0].runes
			t.over = append(t.over, t.talks[0].turn)
			t.talks[0] = talk{}
			t.talks = t.talks[1:]
		}
	}
	n := 0
	for _, k := range t.talks {
		for i := range k.said {
			n++
			k.said[i].handle = "m" + strconv.Itoa(n)
		}
	}
	return t, nil
}

// shorten gives what each side said in a turn in at most limit runes a side.
func shorten(t guest.Turn, limit int) talk {
	k := talk{turn: t.ID}
	for _, m := range t.Messages {
		text := strings.TrimSpace(strings.ToValidUTF8(m.Text, "\uFFFD"))
		if text != "" && m.ID != "" {
			k.said = append(k.said, said{id: m.ID, role: m.Role, text: text})
		}
	}
	fit(k.said, limit, func(s said) bool { return s.role == guest.RoleUser })
	fit(k.said, limit, func(s said) bool { return s.role != guest.RoleUser })
	k.said = slices.DeleteFunc(k.said, func(s said) bool { return s.text == "" })
	for _, s := range k.said {
		k.runes += utf8.RuneCountInString(s.text)
	}
	return k
}

// leastRunes is what a message is cut to at least; rather than cutting all of
// many messages to less, the first ones of a side are left out.
const leastRunes = 200

// fit cuts the longest messages of one side until all of them together have at
// most limit runes. What is said last tells most about what was found out, so
// the first ones go if there are too many.
func fit(all []said, limit int, mine func(said) bool) {
	var at, sizes []int
	total := 0
	for i, s := range all {
		if mine(s) {
			n := utf8.RuneCountInString(s.text)
			at, sizes, total = append(at, i), append(sizes, n), total+n
		}
	}
	for total > limit && len(at) > 1 && len(at)*leastRunes > limit {
		total -= sizes[0]
		all[at[0]].text = ""
		at, sizes = at[1:], sizes[1:]
	}
	if total <= limit {
		return
	}
	most := level(sizes, limit)
	for _, i := range at {
		all[i].text = cut(all[i].text, most)
	}
}

// level is the size that all sizes have to be lowered to so that their sum is at
// most limit.
func level(sizes []int, limit int) int {
	sorted := slices.Sorted(slices.Values(sizes))
	for i, n := range sorted {
		share := limit / (len(sorted) - i)
		if n > share {
			return share
		}
		limit -= n
	}
	return sorted[len(sorted)-1]
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
