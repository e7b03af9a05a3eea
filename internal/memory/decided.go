package memory

import (
	"errors"
	"reflect"
	"slices"
)

// Decided is what takes decisions about one branch back.
type Decided struct {
	Token string `json:"token"` // the same for all branches decided at once
	// Gone are the items that waited before and do not wait as they were after.
	Gone []Gone `json:"gone"`
	// Came are the ids of those that wait only since.
	Came    []string `json:"came,omitempty"`
	Refused int      `json:"refused"`        // refusals before
	Undo    string   `json:"undo,omitempty"` // for Store.Undo; "" if the memory stayed as it was
	Memory  Revision `json:"memory"`         // of the memory after
}

// Gone is an item that waited, and its place.
type Gone struct {
	At      int     `json:"at"` // index among those that waited
	Waiting Waiting `json:"waiting"`
}

// Reviewed gives what came of a review with what takes it back: undo is the
// memory's own token, rev the revision that the memory has now.
func (b Inbox) Reviewed(after Inbox, token, undo string, rev Revision) Inbox {
	d := Decided{Token: token, Refused: len(b.Refused), Undo: undo, Memory: rev}
	d.Gone, d.Came = changed(b.Waiting, after.Waiting)
	after.Done = append(slices.Clone(b.Done), d)
	if n := len(after.Done) - maxDone; n > 0 {
		after.Done = after.Done[n:]
	}
	return after
}

// changed says how to make before of after.
func changed(before, after []Waiting) (gone []Gone, came []string) {
	stays := make(map[string]bool, len(after))
	is := make(map[string]Waiting, len(after))
	for _, w := range after {
		is[w.Item.ID] = w
	}
	for i, w := range before {
		if k, ok := is[w.Item.ID]; ok && reflect.DeepEqual(k, w) {
			stays[w.Item.ID] = true
		} else {
			gone = append(gone, Gone{i, w})
		}
	}
	for _, w := range after {
		if !stays[w.Item.ID] {
			came = append(came, w.Item.ID)
		}
	}
	return gone, came
}

// Undone gives the inbox as it was before the last review.
func (b Inbox) Undone() Inbox {
	if len(b.Done) == 0 {
		return b
	}
	d := b.Done[len(b.Done)-1]
	b.Done = b.Done[:len(b.Done)-1]
	b.Refused = b.Refused[:min(len(b.Refused), max(0, d.Refused))]
	came := make(map[string]bool, len(d.Came))
	for _, id := range d.Came {
		came[id] = true
	}
	stay := slices.DeleteFunc(slices.Clone(b.Waiting), func(w Waiting) bool { return came[w.Item.ID] })
	b.Waiting = make([]Waiting, 0, len(stay)+len(d.Gone))
	for _, g := range d.Gone {
		n := min(max(0, g.At-len(b.Waiting)), len(stay))
		b.Waiting = append(append(b.Waiting, stay[:n]...), g.Waiting)
		stay = stay[n:]
	}
	b.Waiting = append(b.Waiting, stay...)
	return b
}

// check says what of a file could not have been written by Encode.
func (d Decided) check() error {
	waiting := make([]Waiting, len(d.Gone))
	for i, g := range d.Gone {
		if g.At < 0 || i > 0 && g.At <= d.Gone[i-1].At {
			return errors.New("what takes decisions back is out of order")
		}
		waiting[i] = g.Waiting
	}
	return checkWaiting(waiting)
}
