package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

// Limits of what a reply may do to a memory, no wider than the host's.
const (
	shrinkItems = 2   // notes that may go at once, freely
	shrinkShare = 0.3 // beyond that, this share of the memory
	// Shares of words: how much of new words must come from the notes, how much of
	// a note must be left in them or be said by what it is merged into, and how
	// much of it must be in what takes its place.
	rootShare    = 0.6
	keepShare    = 0.3
	relatedShare = 0.2
)

// The changes that a reply may ask for.
const (
	actUpdated    = "updated"
	actSuperseded = "superseded"
	actRemoved    = "removed"
	actMerged     = "merged"
)

// wish is one change as a reply says it.
type wish struct{ action, id, by, content, why string }

// verdict is what a reply says of the notes, as far as it may.
type verdict struct {
	words  map[int]string       // new words of a note of the memory, by its place in evolution.memory
	change map[int]guest.Change // of a note that is reworded, goes, or may be replaced
	gone   map[int]bool         // those that go
	merged map[int]bool         // finds that another note says as well, or that a later one replaced
	stale  map[int]bool         // those that a later one replaced

	place   map[note]note // what stands in the place of a note that goes
	needed  map[note]bool // what something was replaced by or merged into
	refused []string      // what was not done, and why, for the log
}

// read reads a reply and judges each of its changes by itself. Its error is a
// *replyError: the reply can't be read.
func (e *evolution) read(reply string) (verdict, error) {
	var all [][]wish
	_, err := readReply(reply, func(v any) bool {
		w, fits := wishesOf(v)
		if fits {
			all = append(all, w)
		}
		return fits
	})
	if err != nil {
		return verdict{}, err
	}
	if slices.ContainsFunc(all, func(w []wish) bool { return !slices.Equal(w, all[0]) }) {
		return verdict{}, &replyError{why: "it holds several different answers"}
	}
	return e.judge(all[0]), nil
}

func wishesOf(v any) ([]wish, bool) {
	m, _ := v.(map[string]any)
	list, fits := m["changes"].([]any)
	var out []wish
	for _, v := range list {
		c, _ := v.(map[string]any)
		text := func(names ...string) string {
			s, _ := first(c, names...).(string)
			return s
		}
		out = append(out, wish{
			action: strings.ToLower(strings.TrimSpace(text("action"))), id: text("id", "item"), by: text("by", "replaced_by"),
			content: oneLine(text("content", "text")), why: clip(oneLine(text("why", "reason")), 200),
		})
	}
	return out, fits
}

// judge does what each wish asks for if that loses nothing. What goes is settled
// first, then new words, then which finds those say: so the order of a reply
// does not count.
func (e *evolution) judge(wishes []wish) verdict {
	v := verdict{
		words: map[int]string{}, change: map[int]guest.Change{}, gone: map[int]bool{}, merged: map[int]bool{}, stale: map[int]bool{},
		place: map[note]note{}, needed: map[note]bool{},
	}
	order := func(w wish) int {
		n, _ := e.note(w.id)
		switch {
		case n.found:
			return 2
		case w.action == actUpdated:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(wishes, func(a, b wish) int { return order(a) - order(b) })
	for _, w := range wishes {
		if why := e.settle(&v, w); why != "" {
			v.refused = append(v.refused, fmt.Sprintf("%s %s: %s", clip(w.action, 20), clip(w.id, 20), why))
		}
	}
	return v
}

// settle does what one wish asks for, or says why not.
func (e *evolution) settle(v *verdict, w wish) string {
	n, known := e.note(w.id)
	switch {
	case !known:
		return "there is no such note"
	case n.found && (w.action == actMerged || w.action == actSuperseded):
		return e.merge(v, n, w)
	case n.found:
		return "a new note is merged or comes in"
	case v.change[n.i].ID != "":
		return "it is changed already"
	}
	switch w.action {
	case actUpdated:
		return e.reword(v, n, w)
	case actSuperseded, actMerged:
		return e.replace(v, n, w)
	case actRemoved:
		return e.remove(v, n, w, guest.Change{Action: actRemoved})
	}
	return "there is no such change"
}

// reword takes new words for a note if they come from the notes, and leave
// enough of what it said.
func (e *evolution) reword(v *verdict, n note, w wish) string {
	before, now := wordsOf(e.content(n)), wordsOf(w.content)
	from := []words{before}
	for _, f := range e.finds {
		from = append(from, wordsOf(f.Content))
	}
	switch {
	case fixedItem(e.memory[n.i]):
		return "it is fixed"
	case key(w.content) == key(e.content(n)) || key(w.content) == "":
		return "it has no new words"
	case utf8.RuneCountInString(w.content) > maxRunes:
		return "its new words are too long"
	case now.within(from...) < rootShare || !now.numbersWithin(from...):
		return "its new words say what no note says"
	case before.within(now) < keepShare:
		return "its new words leave out what it said"
	}
	v.words[n.i] = w.content
	v.change[n.i] = guest.Change{Action: actUpdated, ID: e.memory[n.i].ID, Why: w.why}
	return ""
}

// replace lets a note go in favour of one that stays or comes in. If the two have
// no words in common, or the note is a person's, a person decides.
func (e *evolution) replace(v *verdict, n note, w wish) string {
	by, known := e.note(w.by)
	if known {
		by = v.standing(by)
	}
	if !known || by == n || !by.found && v.gone[by.i] {
		return "nothing takes its place"
	}
	change := guest.Change{Action: actSuperseded, Why: w.why}
	if !by.found {
		change.By = e.memory[by.i].ID
	}
	if fixedItem(e.memory[n.i]) || wordsOf(e.content(n)).within(wordsOf(e.content(by))) < relatedShare {
		v.needed[by] = true
		v.change[n.i] = guest.Change{Action: "kept", ID: e.memory[n.i].ID, Rival: e.content(by), Why: w.why}
		return ""
	}
	if why := e.remove(v, n, w, change); why != "" {
		return why
	}
	v.place[n], v.needed[by] = by, true
	return ""
}

// remove lets a note go unless that would be one too many.
func (e *evolution) remove(v *verdict, n note, w wish, change guest.Change) string {
	most := max(shrinkItems, int(shrinkShare*float64(len(e.Memory))))
	switch {
	case fixedItem(e.memory[n.i]):
		return "it is fixed"
	case v.needed[n]:
		return "it takes another one's place"
	case len(v.gone) >= most, len(v.gone)+1 == len(e.Memory) && len(e.finds)+len(e.plain) == 0:
		return "too many would go at once"
	}
	change.ID, change.Why = e.memory[n.i].ID, w.why
	v.change[n.i], v.gone[n.i] = change, true
	return ""
}

// standing is what stands in the place of a note in the end: itself, if it stays.
func (v *verdict) standing(n note) note {
	for {
		by, gone := v.place[n]
		if !gone {
			return n
		}
		n = by
	}
}

// merge leaves out a find that another note says, or that a later find replaces.
func (e *evolution) merge(v *verdict, n note, w wish) string {
	by, known := e.note(w.by)
	if known {
		by = v.standing(by)
	}
	if v.merged[n.i] || v.needed[n] || !known || by == n || !by.found && v.gone[by.i] {
		return "nothing says it in its place"
	}
	content := e.content(by)
	if words, reworded := v.words[by.i]; reworded && !by.found {
		content = words
	}
	find, other := wordsOf(e.content(n)), wordsOf(content)
	replaced := w.action == actSuperseded && e.ordered && by.found && by.i > n.i && find.within(other) >= relatedShare
	if !replaced && (find.within(other) < keepShare || !find.numbersWithin(other)) {
		return "the other one does not say it"
	}
	v.merged[n.i], v.stale[n.i] = true, replaced
	v.place[n], v.needed[by] = by, true
	return ""
}
