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

// wish is what a reply says, as it says it.
type wish struct {
	items   []wishItem
	changes []guest.Change // By and ID are handles
}

type wishItem struct{ ref, content string }

// read reads a reply and checks it. Its error is a *replyError that names all
// that is wrong with it.
func (e *evolution) read(reply string) (verdict, error) {
	var wishes []wish
	_, err := readReply(reply, func(v any) bool {
		w, fits := wishOf(v)
		if fits {
			wishes = append(wishes, w)
		}
		return fits
	})
	if err != nil {
		return verdict{}, err
	}
	if len(wishes) > 1 && slices.ContainsFunc(wishes, func(w wish) bool { return fmt.Sprint(w) != fmt.Sprint(wishes[0]) }) {
		return verdict{}, &replyError{why: "it holds several different answers"}
	}
	return e.judge(wishes[0])
}

// wishOf reads the form that was asked for, and the one with lists by section.
func wishOf(v any) (wish, bool) {
	var w wish
	m, _ := v.(map[string]any)
	list, fits := m["items"].([]any)
	if sections, ok := m["sections"].(map[string]any); ok && !fits {
		fits = true
		for _, s := range sections {
			of, _ := s.([]any)
			list = append(list, of...)
		}
	}
	for _, v := range list {
		switch v := v.(type) {
		case string:
			w.items = append(w.items, wishItem{content: oneLine(v)})
		case map[string]any:
			ref, _ := v["id"].(string)
			content, _ := v["content"].(string)
			w.items = append(w.items, wishItem{ref, oneLine(content)})
		}
	}
	changes, _ := m["changes"].([]any)
	for _, v := range changes {
		c, _ := v.(map[string]any)
		text := func(names ...string) string {
			s, _ := first(c, names...).(string)
			return s
		}
		w.changes = append(w.changes, guest.Change{
			Action: strings.ToLower(strings.TrimSpace(text("action"))), ID: text("id", "item"),
			By: text("by", "replaced_by"), Why: clip(oneLine(text("why", "reason")), 200),
		})
	}
	slices.SortStableFunc(w.items, func(a, b wishItem) int { return strings.Compare(a.ref, b.ref) })
	return w, fits
}

// judgement is the work of judge: what is wrong so far.
type judgement struct {
	*evolution
	wrong  []string
	listed map[note]string // the notes among the items, with their words, "" as they are
	said   map[note]guest.Change
}

func (j *judgement) object(format string, args ...any) {
	j.wrong = append(j.wrong, fmt.Sprintf(format, args...))
}

// judge checks a wish note by note.
func (e *evolution) judge(w wish) (verdict, error) {
	j := judgement{evolution: e, listed: map[note]string{}, said: map[note]guest.Change{}}
	for _, it := range w.items {
		j.list(it)
	}
	for _, c := range w.changes {
		if n, known := j.note(c.ID, ""); known {
			j.said[n] = c
		} else if c.Action != "kept" && c.Action != "added" {
			j.object("there is no note %q", clip(c.ID, 40))
		}
	}
	v := verdict{words: map[int]string{}, change: map[int]guest.Change{}, merged: map[int]bool{}}
	gone := 0
	for i := range e.memory {
		if j.old(&v, note{i: i}) {
			gone++
		}
	}
	for i := range e.finds {
		n := note{found: true, i: i}
		if _, in := j.listed[n]; !in && j.merges(n) {
			v.merged[i] = true
		}
	}
	switch {
	case gone > shrinkItems && float64(gone) > shrinkShare*float64(len(e.Memory)):
		j.object("it takes out %d of %d notes at once", gone, len(e.Memory))
	case gone == len(e.Memory) && len(v.merged) == len(e.finds) && len(e.plain) == 0:
		j.object("it empties the list")
	}
	if len(j.wrong) > 0 {
		more := ""
		if n := len(j.wrong) - 8; n > 0 {
			j.wrong, more = j.wrong[:8], fmt.Sprintf("; and %d more", n)
		}
		return verdict{}, &replyError{why: strings.Join(j.wrong, "; ") + more}
	}
	return v, nil
}

// list notes one of the items.
func (j *judgement) list(it wishItem) {
	n, known := j.note(it.ref, it.content)
	if !known {
		j.object("there is no note %q", clip(it.ref+it.content, 40))
		return
	}
	words := it.content
	if key(words) == key(j.content(n)) {
		words = ""
	}
	if before, twice := j.listed[n]; twice && before != words {
		j.object("%s is there twice", n.handle())
	}
	j.listed[n] = words
}

// old settles one note of the memory, and says whether it goes.
func (j *judgement) old(v *verdict, n note) bool {
	it := j.memory[n.i]
	words, stays := j.listed[n]
	c, said := j.said[n]
	switch {
	case stays && words == "":
		return false
	case fixedItem(it):
		j.object("%s is fixed and must stay as it is", n.handle())
	case stays && (!said || c.Action != "updated"):
		j.object("%s has other words, and no change says that it is updated", n.handle())
	case stays:
		j.reword(v, n, words, c)
	case !said || !slices.Contains([]string{"superseded", "merged", "removed"}, c.Action):
		j.object("%s is neither among the items nor named in the changes", n.handle())
	default:
		return j.leave(v, n, c)
	}
	return false
}

// reword takes new words for a note if they come from the notes, and leave
// enough of what it said.
func (j *judgement) reword(v *verdict, n note, content string, c guest.Change) {
	before, now := wordsOf(j.content(n)), wordsOf(content)
	from := []words{before}
	for _, f := range j.finds {
		from = append(from, wordsOf(f.Content))
	}
	switch {
	case utf8.RuneCountInString(content) > maxRunes:
		j.object("the new words of %s are too long", n.handle())
	case now.within(from...) < rootShare || !now.numbersWithin(from...):
		j.object("the new words of %s say what no note says", n.handle())
	case before.within(now) < keepShare:
		j.object("the new words of %s leave out what it said", n.handle())
	default:
		v.words[n.i] = content
		v.change[n.i] = guest.Change{Action: "updated", ID: j.memory[n.i].ID, Why: c.Why}
	}
}

// leave lets a note go: in favour of one that stays or comes in, or without.
func (j *judgement) leave(v *verdict, n note, c guest.Change) bool {
	change := guest.Change{Action: "removed", ID: j.memory[n.i].ID, Why: c.Why}
	if c.Action != "removed" {
		by, known := j.note(c.By, "")
		if _, in := j.listed[by]; !known || by == n || !in && !by.found {
			j.object("%s is to be replaced by %q, which is not among the items", n.handle(), clip(c.By, 40))
			return false
		}
		if wordsOf(j.content(n)).within(wordsOf(j.content(by))) < relatedShare {
			j.object("%s is about something else than %s, which is to replace it", n.handle(), by.handle())
			return false
		}
		change.Action = "superseded"
		if !by.found {
			change.By = j.memory[by.i].ID
		}
	}
	v.change[n.i] = change
	return true
}

// merges says that a find which is not among the items is said by a note that
// is. If it is not, it comes in all the same.
func (j *judgement) merges(n note) bool {
	c, said := j.said[n]
	by, known := j.note(c.By, "")
	words, in := j.listed[by]
	if !said || !known || by == n || !in {
		return false
	}
	if words == "" {
		words = j.content(by)
	}
	find, other := wordsOf(j.content(n)), wordsOf(words)
	return find.within(other) >= keepShare && find.numbersWithin(other)
}
