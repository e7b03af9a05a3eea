package memory

import (
	"fmt"
	"slices"
	"time"
)

// Proposal is what an extractor makes of a memory and of what was found: the
// active items as they shall be, and a change for each that is not as it was.
type Proposal struct {
	// Items need ID, Section, Content and Confidence. A new item has no ID.
	Items []Item
	// Changes need Action, ID and Why, and By if another item replaces it.
	Changes []Change
	// Doubts are what the extractor leaves to a person.
	Doubts []Doubt
	// Warnings are for the person, in words; Evolve passes them over.
	Warnings []string
}

// Doubt is about an item that another one, known by its content, may have to
// replace.
type Doubt struct{ ID, Rival, Why string }

// LossError says that a proposal would lose what it may not. The memory is as it
// was.
type LossError struct {
	ID  string // of the item that is concerned, "" for the proposal as a whole
	Why string
}

// Error implements error.
func (e *LossError) Error() string {
	if e.ID == "" {
		return "what it made of the memory is refused: " + e.Why
	}
	return fmt.Sprintf("what it made of the memory is refused: item %s %s", e.ID, e.Why)
}

// Limits of what a proposal may take out at once: freely this many items, beyond
// that this share of the active ones.
const (
	shrinkItems = 2
	shrinkShare = 0.3
)

// Evolve brings a proposal into a memory. It is pure and does not change m.
//
// An active item that the proposal leaves out must be named in its changes as
// removed or superseded, one whose words differ as updated; pinned items and
// those that a person wrote may not be touched; and not too many may go at once.
// Else the error is a *LossError. What goes is kept as superseded, the words
// before an update likewise. A new item must say what one of the finds says, and
// has its origin. One that contradicts an item which may not be touched is a
// conflict, and so is a doubt about two active items.
func Evolve(m Memory, found []Found, p Proposal, now time.Time) (Memory, Evolved, error) {
	e := evolver{merger: newMerger(m, now, false), found: found, said: map[string]Change{}}
	for _, c := range p.Changes {
		e.said[c.ID] = c
	}
	proposed := map[string]Item{}
	for _, it := range p.Items {
		if _, known := e.ids[it.ID]; known {
			proposed[it.ID] = it
		}
	}
	active, gone := 0, 0
	for i := range m.Items {
		if m.Items[i].State != Active {
			continue
		}
		active++
		left, err := e.settle(i, proposed)
		if err != nil {
			return m, Evolved{}, err
		}
		if !left {
			gone++
		}
	}
	if gone > shrinkItems && float64(gone) > shrinkShare*float64(active) {
		return m, Evolved{}, &LossError{Why: fmt.Sprintf("it takes out %d of %d items at once", gone, active)}
	}
	var refused []Item
	for _, it := range p.Items {
		if _, known := e.ids[it.ID]; !known && !e.enterNew(it) {
			refused = append(refused, it)
		}
	}
	for _, d := range p.Doubts {
		e.doubt(d)
	}
	if len(e.changes) > 0 {
		m.Updated = now
	}
	m.Items = e.items
	return m, Evolved{e.named(), e.conflicts, refused}, nil
}

// Evolved is what came of a proposal.
type Evolved struct {
	Changes   []Change
	Conflicts []Conflict
	Refused   []Item // new ones that no find supports
}

type evolver struct {
	*merger
	found []Found
	said  map[string]Change // the proposal's changes by id
}

// settle does with an active item what the proposal says, and reports whether
// it is still active.
func (e *evolver) settle(i int, proposed map[string]Item) (bool, error) {
	it := &e.items[i]
	change := e.said[it.ID]
	next, there := proposed[it.ID]
	next.Content = Clean(next.Content)
	switch {
	case there && next.Content == it.Content && next.Section == it.Section:
		return true, nil
	case it.Protected():
		return true, &LossError{it.ID, "is a person's, or pinned, and may not be changed"}
	case there && change.Action != Updated:
		return true, &LossError{it.ID, "has other words, and no change says so"}
	case there && (next.Content == "" || next.Section == ""):
		return true, &LossError{it.ID, "would have no words or no section"}
	case there:
		e.reword(i, next, change.Why)
		return true, nil
	case change.Action != Deleted && change.Action != Replaced:
		return true, &LossError{it.ID, "is missing, and no change says why"}
	}
	e.supersede(i, "", why(change.Why, "taken out by the extractor"))
	if _, known := e.ids[change.By]; known && change.By != it.ID {
		e.items[i].SupersededBy, e.last().By = change.By, change.By
	}
	return false, nil
}

// reword gives an item other words; the ones before are kept as an item that it
// replaces.
func (e *evolver) reword(i int, next Item, reason string) {
	old := e.items[i]
	if f, ok := e.support(next.Content); ok {
		addOrigin(&e.items[i], f.Origin)
	}
	it := &e.items[i]
	it.Content, it.Section = next.Content, next.Section
	it.Confidence = bounded(next.Confidence)
	e.touch(i, Updated, why(reason, "reworded by the extractor"))
	old.State, old.SupersededBy, old.Updated = Superseded, it.ID, e.now
	old.ID = e.newID(old.Section + "\n" + old.Content + "\nbefore")
	e.ids[old.ID] = len(e.items)
	e.items = append(e.items, old)
	e.index.add(old.Content)
}

// doubt leaves it to a person which of two items holds.
func (e *evolver) doubt(d Doubt) {
	i, known := e.ids[d.ID]
	content := Clean(d.Rival)
	j := slices.IndexFunc(e.items, func(it Item) bool { return it.State == Active && it.Content == content })
	if !known || j < 0 || i == j || e.items[i].State != Active ||
		slices.ContainsFunc(e.conflicts, func(c Conflict) bool { return c.ID == d.ID && c.Found.Content == content }) {
		return
	}
	it := e.items[j]
	f := Found{Section: it.Section, Content: it.Content, Confidence: it.Confidence}
	if n := len(it.Origins); n > 0 {
		f.Origin = it.Origins[n-1]
	}
	e.conflict(i, f, why(d.Why, "the extractor takes one for the newer word"))
	e.conflicts[len(e.conflicts)-1].Other = it.ID
}

// enterNew takes a new item in if a find supports it and it is not known yet,
// nor taken out by a person.
func (e *evolver) enterNew(it Item) bool {
	content := Clean(it.Content)
	f, ok := e.support(content)
	if !ok || content == "" || it.Section == "" {
		return false
	}
	f.Content, f.Section = content, it.Section
	f.Importance = importance(f.Importance)
	f.Confidence = bounded(min(it.Confidence, max(f.Confidence, it.Confidence/2)))
	e.take(f)
	return true
}

// support gives the find that says what an item says.
func (e *evolver) support(content string) (Found, bool) {
	l := newLexicon()
	a := l.shape(content)
	i := slices.IndexFunc(e.found, func(f Found) bool {
		b := l.shape(Clean(f.Content))
		return f.Content != "" && (Clean(f.Content) == content || l.same(&a, &b, supportShare))
	})
	if i < 0 {
		return Found{}, false
	}
	return e.found[i], true
}

// supportShare is the share of words that an item must have in common with a
// find to be supported by it: lower than for a duplicate, since an extractor
// rewords.
const supportShare = 0.6

func why(given, otherwise string) string {
	if given = Clean(given); given != "" {
		return given
	}
	return otherwise
}
