package memory

import (
	"errors"
	"time"
)

// Memory is all items about one branch. It is a plain value: copy it, change
// Items, save it. What a person wrote around the items stays in the file and is
// not part of the value.
type Memory struct {
	Branch string // exact name; "" is the project itself, outside any branch
	// Updated is when the memory last changed, as the Markdown says; zero if it
	// does not say.
	Updated time.Time
	// Items holds the active items in the order of the Markdown, then those that
	// are superseded or removed. An item leaves a memory by its State, never by
	// being absent from here.
	Items []Item
	// Layout is the layout that the memory was written with. Set it before saving
	// to write with another one; a zero Layout keeps the one of the file.
	Layout Layout
	// Damage tells what Load could not read. Nothing of it is lost: the next
	// save sets it aside. Save ignores this field.
	Damage []Damage
}

// Damage is a part of a memory's files that could not be read.
type Damage struct {
	File string `json:"file"` // base name
	Line int    `json:"line"` // from 1
	Why  string `json:"why"`
	// Marks says that it is no more than the marks of a merge that git could not do
	// by itself: both sides are read, and the next save writes them as one.
	Marks bool `json:"marks,omitempty"`
}

// Revision names the exact bytes that both files of a memory had when they were
// read. The empty Revision says that there was no file.
type Revision string

// Conflict is a found item that contradicts one that extraction may not
// change. The memory is left as it is; a person has to decide.
type Conflict struct {
	ID       string `json:"id"` // the item that stays
	Section  string `json:"section"`
	Existing string `json:"existing"`
	Found    Found  `json:"found"`
	Why      string `json:"why"`
	// Other is the id of the found item where that is remembered too.
	Other string `json:"other,omitempty"`
}

// Errors that callers test for.
var (
	// ErrChanged says that a file of the memory is not at the given revision any
	// more. Load, merge and save again.
	ErrChanged = errors.New("the memory changed since it was read")
	// ErrNoItem says that no item has the given id.
	ErrNoItem = errors.New("no such item")
	// ErrNoVersion says that no kept version has the given id.
	ErrNoVersion = errors.New("no such version")
	// ErrNewer says that a newer version of the program wrote the memory; it can
	// be read, and is not written.
	ErrNewer = errors.New("the memory was written by a newer version")
	// ErrVanished says that an item of the file is absent from the memory to be
	// saved.
	ErrVanished = errors.New("an item is missing from the memory to be saved")
)

// Active returns the items that are part of the memory, in order.
func (m Memory) Active() []Item {
	n := 0
	for i := range m.Items {
		if m.Items[i].State == Active {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	out := make([]Item, 0, n)
	for i := range m.Items {
		if m.Items[i].State == Active {
			out = append(out, m.Items[i])
		}
	}
	return out
}

// Protected reports whether extraction must leave the item as it is: a person
// pinned it, wrote it or edited it.
func (it Item) Protected() bool {
	if it.Pinned {
		return true
	}
	for _, o := range it.Origins {
		if o.Extractor == Person {
			return true
		}
	}
	return false
}

// LastSaid is when an item was last said, however late that was read; zero if its
// origins don't tell.
func (it Item) LastSaid() time.Time {
	var t time.Time
	for _, o := range it.Origins {
		if o.Time.After(t) {
			t = o.Time
		}
	}
	return t
}
