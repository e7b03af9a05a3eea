package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
)

// Inbox is what waits for a person's review on one branch. It holds the items as
// they would be if everything were accepted: laid over the memory (Over), it is
// what the next find is merged with, so that a find of what waits already is
// found again and one that contradicts it replaces it.
//
// Only what a person could see of a memory waits: an active item that is new,
// gone, in other words or in another section. Further origins of an item and its
// confidence go in at once.
//
// A suggestion, which its extractor was not sure enough of, waits beside that: it
// is laid over nothing, and leaves by itself after 30 days.
//
// A refused addition is no part of the inbox: it goes into the memory as
// removed, where it keeps what says the same out, on every machine that has the
// memory and with review turned off. A refused update or removal of an item is
// kept here, since the item itself stays as it was.
type Inbox struct {
	Branch string
	// Layout has the sections that the extractors were given when something was
	// last proposed.
	Layout  Layout
	Waiting []Waiting
	Refused []Refusal // oldest first
	// Done is what takes decisions back, newest last; none that were made before the
	// inbox changed otherwise.
	Done []Decided
}

// Waiting is one item as it would be. Several of them may be one proposal: an
// item, and those that it replaces.
type Waiting struct {
	Item Item  `json:"item"`           // active or superseded
	Base *Base `json:"base,omitempty"` // what it is in memory; nil: nothing yet
	// Wording says that the item is nothing but the words which the one that
	// replaces it had before.
	Wording bool `json:"wording,omitempty"`
	// Suggestion is of an addition that need not be decided.
	Suggestion bool      `json:"suggestion,omitempty"`
	Since      time.Time `json:"since"`
}

// Base is what a person sees of an item that is remembered.
type Base struct {
	Section string `json:"section"`
	Content string `json:"content"`
	State   State  `json:"state"` // active or superseded
}

// Refusal is a change of an item that a person did not want.
type Refusal struct {
	Item    string    `json:"item"`              // id
	Before  string    `json:"before"`            // its content then
	Section string    `json:"section,omitempty"` // that it would have; "" of a removal
	Content string    `json:"content,omitempty"` // that it would have; "" of a removal
	Time    time.Time `json:"time"`
}

// Limits of an inbox.
const (
	// MaxWaiting bounds the items of an inbox. What would be more is not taken in
	// at all.
	MaxWaiting = 5000
	// maxRefused bounds the refusals; the oldest ones go.
	maxRefused = 2000
	// maxDone bounds how many decisions can be taken back, newest first.
	maxDone = 50
)

// Proposed is one change that waits, as a person sees it.
type Proposed struct {
	// ID depends on the branch and on everything below that is to be decided:
	// whoever decides by it decides what they saw.
	ID     string `json:"id"`
	Branch string `json:"branch"`
	Action string `json:"action"` // one of those below
	// Section and Content are as they would be; of a removal as they are.
	Section string `json:"section"`
	Content string `json:"content"`
	// Before is what it changes or replaces, one item a line.
	Before     string    `json:"before,omitempty"`
	Confidence float64   `json:"confidence"`
	Rationale  string    `json:"rationale,omitempty"`
	Why        string    `json:"why,omitempty"`
	Origins    []Origin  `json:"origins,omitempty"`
	Created    time.Time `json:"created"` // when it was first proposed
	// Suggestion says that its extractor was not sure: it need not be decided, and is
	// dropped when it has waited for 30 days.
	Suggestion bool `json:"suggestion,omitempty"`
}

// The actions of what is proposed.
const (
	ProposeAdd     = "add"
	ProposeUpdate  = "update"
	ProposeReplace = "replace"
	ProposeRemove  = "remove"
)

// Proposals lists what is to be decided, in the order in which it came. Settle the
// inbox first.
func (b Inbox) Proposals() []Proposed {
	b, _ = b.parted()
	return b.all()
}

// Suggestions lists what may be decided besides, the surest first. Settle the
// inbox first.
func (b Inbox) Suggestions() []Proposed {
	_, b.Waiting = b.parted()
	return b.all()
}

func (b Inbox) all() []Proposed {
	out := []Proposed{}
	for _, g := range b.groups() {
		out = append(out, b.proposed(g))
	}
	return out
}

// Count is how many proposals wait, and how many suggestions. Settle the inbox
// first.
func (b Inbox) Count() (proposals, suggestions int) {
	b, suggested := b.parted()
	return len(b.groups()), len(suggested)
}

// group is one proposal: an item, and the others that go with it.
type group struct {
	head    int
	members []int
}

// groups parts the waiting items into proposals. Those that are in none wait for
// nothing: the next run brings them into memory.
func (b Inbox) groups() []group {
	roots := b.roots()
	at := map[int]int{}
	var out []group
	for i, w := range b.Waiting {
		if roots[i] == i || roots[i] < 0 && w.Base != nil {
			at[i] = len(out)
			out = append(out, group{head: i})
		}
	}
	for i := range b.Waiting {
		if r := roots[i]; r >= 0 && r != i {
			g := &out[at[r]]
			g.members = append(g.members, i)
		}
	}
	return out
}

// roots gives, for each waiting item, the active waiting one that stands at the
// end of what replaces it: itself, another, or −1 for none.
func (b Inbox) roots() []int {
	at := make(map[string]int, len(b.Waiting))
	for i, w := range b.Waiting {
		at[w.Item.ID] = i
	}
	out := make([]int, len(b.Waiting))
	for i := range b.Waiting {
		j := i
		for range len(b.Waiting) {
			if b.Waiting[j].Item.State == Active {
				break
			}
			next, ok := at[b.Waiting[j].Item.SupersededBy]
			if !ok {
				break
			}
			j = next
		}
		if out[i] = j; b.Waiting[j].Item.State != Active {
			out[i] = -1
		}
	}
	return out
}

func (b Inbox) proposed(g group) Proposed {
	w := b.Waiting[g.head]
	p := Proposed{
		Branch: b.Branch, Action: ProposeAdd, Section: w.Item.Section, Content: w.Item.Content, Confidence: w.Item.Confidence,
		Rationale: w.Item.Rationale, Why: w.Item.Why, Origins: w.Item.Origins, Created: w.Since,
		Suggestion: w.Suggestion,
	}
	var before []string
	if w.Base != nil && w.Base.State == Active {
		p.Action = ProposeUpdate
		before = append(before, w.Base.Content)
	}
	for _, i := range g.members {
		if m := b.Waiting[i]; m.Base != nil && m.Base.State == Active {
			p.Action = ProposeReplace
			before = append(before, m.Base.Content)
		}
	}
	p.Before = strings.Join(before, "\n")
	if w.Item.State != Active {
		p.Action, p.Section, p.Content, p.Before = ProposeRemove, w.Base.Section, w.Base.Content, ""
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{b.Branch, w.Item.ID, p.Action, p.Section, p.Content, p.Before}, "\x00")))
	p.ID = hex.EncodeToString(sum[:6])
	return p
}

// without takes items out. stand says what is in memory in the place of one, ""
// if nothing is. Of what such a one would have replaced, nothing is left to
// decide if it is remembered, and it waits itself if it is not.
func (b Inbox) without(stand map[string]string) Inbox {
	waiting := slices.Clone(b.Waiting)
	fresh := map[string]bool{} // not remembered
	for _, w := range waiting {
		fresh[w.Item.ID] = w.Base == nil
	}
	for again := true; again; {
		again = false
		for i := range waiting {
			w := &waiting[i]
			by, gone := stand[w.Item.SupersededBy]
			if _, out := stand[w.Item.ID]; out || !gone || w.Item.State != Superseded || by == w.Item.SupersededBy {
				continue
			}
			again = true
			switch {
			case by != "":
				w.Item.SupersededBy, w.Wording = by, false // another's words: they are not in it
			case w.Base != nil || w.Wording && !fresh[w.Item.SupersededBy]:
				stand[w.Item.ID] = ""
			default:
				w.Item.State, w.Item.SupersededBy, w.Item.Why = Active, "", ""
				w.Wording = false
			}
		}
	}
	b.Waiting = slices.DeleteFunc(waiting, func(w Waiting) bool { _, gone := stand[w.Item.ID]; return gone })
	return b
}

// refuse notes a change that a person did not want.
func (b *Inbox) refuse(w Waiting, now time.Time) {
	r := Refusal{Item: w.Item.ID, Before: w.Base.Content, Time: now}
	if w.Item.State == Active {
		r.Section, r.Content = w.Item.Section, w.Item.Content
	}
	b.Refused = append(slices.Clone(b.Refused), r)
	if n := len(b.Refused) - maxRefused; n > 0 {
		b.Refused = b.Refused[n:]
	}
}

// refused says whether a person did not want this change before; alone, that
// nothing which waits would take the item's place.
func (b Inbox) refused(w Waiting, alone bool) bool {
	return w.Base != nil && slices.ContainsFunc(b.Refused, func(r Refusal) bool {
		switch {
		case r.Item != w.Item.ID || r.Before != w.Base.Content:
			return false
		case w.Item.State != Active:
			return alone && r.Content == ""
		}
		return r.Section == w.Item.Section && alike(r.Content, w.Item.Content)
	})
}

// alike reports whether two contents say the same.
func alike(a, b string) bool {
	if exactKey(a) == exactKey(b) {
		return true
	}
	if a == "" || b == "" {
		return false
	}
	l := newLexicon()
	x, y := l.shape(a), l.shape(b)
	return l.same(&x, &y, sameShare)
}
