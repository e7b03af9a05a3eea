package memory

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"recollect/internal/unmerged"
)

// Two branches of a repository that meet leave two lines of an item, each as one of
// them has it, or, where git could not merge by itself, its marks around them.

func marksAt(file string, line int) Damage {
	return Damage{File: file, Line: line, Marks: true, Why: "git could not merge this by itself; both sides are read as one memory, and the next change writes it without git's marks"}
}

// baseLines are the lines, from 1, of what both sides began with: git writes it
// between its marks where it is told to.
func baseLines(data []byte) map[int]bool {
	if !bytes.Contains(data, []byte("|||||||")) {
		return nil
	}
	out := map[int]bool{}
	for _, h := range unmerged.Find(slices.Collect(strings.Lines(string(data)))) {
		for i := h.Base; i < h.Middle; i++ {
			out[i+1] = true
		}
	}
	return out
}

// takeHeader takes a header in. Of two the later one holds, and one of a format that
// we do not know over any.
func (l *itemLines) takeHeader(h header, raw []byte) {
	l.headers++
	if l.headRaw != nil {
		newer, was := h.Format != linesFormat, l.header.Format != linesFormat
		later := cmp.Or(h.Updated.Compare(l.header.Updated), bytes.Compare(raw, l.headRaw)) > 0
		if was && !newer || was == newer && !later {
			return
		}
	}
	l.header, l.headRaw = h, raw
}

func (l *itemLines) keepOther(raw []byte) {
	if l.known == nil {
		l.known = map[string]bool{}
	}
	if !l.known[string(raw)] {
		l.known[string(raw)] = true
		l.others = append(l.others, raw)
	}
}

// otherWording is the Why of an item that keeps the words that did not hold.
const otherWording = "said otherwise on another branch, which was merged"

// meet brings the line of an item together with one that was read before. If both
// say something else, the words that do not hold are kept as a superseded item.
func (l *itemLines) meet(i int, it Item, raw []byte) {
	old, it := l.items[i], l.normal(it)
	if l.met == nil {
		l.met = map[string]bool{}
	}
	l.met[it.ID] = true
	kept, lost := old, it
	if holds(it, old) {
		kept, lost = it, old
		l.raw[it.ID], l.read[it.ID] = raw, it
	}
	l.items[i] = withOrigins(kept, lost)
	if lost.Content == kept.Content {
		return
	}
	id := uniqueID(lost.ID+"\n"+lost.Content, func(id string) bool {
		at, ok := l.at[id]
		return ok && l.items[at].Content != lost.Content
	})
	if l.other == nil {
		l.other = map[string]string{}
	}
	l.other[id] = kept.ID
	if _, ok := l.at[id]; ok {
		return // it was kept when they met before
	}
	lost.ID, lost.State, lost.SupersededBy, lost.Why = id, Superseded, kept.ID, otherWording
	l.at[id] = len(l.items)
	l.items = append(l.items, lost)
}

// withOrigins gives an item with the origins that only another version of it has.
func withOrigins(it, other Item) Item {
	it.Importance = max(it.Importance, other.Importance)
	if other.Created.Before(it.Created) {
		it.Created = other.Created
	}
	if !it.Protected() && it.Content == other.Content && it.State == other.State {
		it.Confidence = max(it.Confidence, other.Confidence)
	}
	for _, o := range other.Origins {
		if o.Extractor != Person || it.Content == other.Content {
			addOrigin(&it, o)
		}
	}
	return it
}

// holds says which of two versions of an item does: what a person did to it rather
// than what was found, and then the later one.
func holds(a, b Item) bool {
	byPerson := func(it Item) int {
		if it.Protected() || it.State == Removed {
			return 1
		}
		return 0
	}
	rank := func(it Item) int { return slices.Index([]State{Active, Superseded, Removed}, it.State) }
	return cmp.Or(
		cmp.Compare(byPerson(a), byPerson(b)), a.Updated.Compare(b.Updated), cmp.Compare(rank(a), rank(b)),
		cmp.Compare(a.Confidence, b.Confidence), cmp.Compare(a.Content, b.Content), cmp.Compare(a.Section, b.Section),
		cmp.Compare(a.Why, b.Why), cmp.Compare(a.SupersededBy, b.SupersededBy),
	) > 0
}
