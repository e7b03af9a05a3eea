package memory

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"recollect/internal/lookup"
	"recollect/internal/printable"
)

// Doing is what an edit does.
type Doing string

// What a person can do to a memory.
const (
	Add    Doing = "add"
	Reword Doing = "edit"
	Move   Doing = "move"
	Remove Doing = "remove"
	Pin    Doing = "pin"
	Unpin  Doing = "unpin"
)

// Edit is one thing that a person does to a memory.
type Edit struct {
	Do Doing
	// ID is that of the item, or the beginning of it; Add has none.
	ID string
	// Section is where Add and Move put the item, by its id or its heading. Move
	// without one stays in the section.
	Section string
	// Content is the item's, of Add and Reword.
	Content string
	// Before is the item of the section that Add and Move put it before, by id;
	// empty: at the end.
	Before string
	// Was is the content that the person saw, of all but Add; if the item says
	// something else by now, the edit fails with ErrStale. Empty: whatever it
	// says.
	Was string
	// Why goes into the item beside what a person did to it; empty: the plain
	// word for it.
	Why string
}

// Limits of edits.
const (
	MaxContentRunes = 2000   // of an item's content that a person writes
	MaxEdits        = 20_000 // at once
)

// EditError says why an edit is not made, in words.
type EditError struct {
	Code string // one of the EditError codes
	ID   string // of the item that is in the way, of Duplicate
	Why  string
}

// Codes of an EditError.
const (
	NoContent      = "empty"
	TooLong        = "too_long"
	UnknownSection = "unknown_section"
	Duplicate      = "duplicate"
	BadEdit        = "bad_edit"
)

// Error implements error.
func (e *EditError) Error() string { return e.Why }

// ErrStale says that what an edit or an undo is about changed meanwhile.
var ErrStale = errors.New("it changed meanwhile")

// Apply makes a person's edits, one after the other, and returns the memory with
// them and a change for each that was not as it is already. All are made or
// none: an error leaves out the others, too. It is pure and does not change m.
//
// What a person adds, rewords or moves to another section is theirs: extraction
// leaves it alone. What they remove does not come back by extraction. Adding
// what was removed or replaced in that section brings that item back. An item
// that says what another active one says is refused. Errors are *EditError, or
// wrap ErrNoItem or ErrStale.
func Apply(m Memory, edits []Edit, now time.Time) (Memory, []Change, error) {
	if len(edits) > MaxEdits {
		return m, nil, &EditError{Code: BadEdit, Why: fmt.Sprintf("more than %d edits at once", MaxEdits)}
	}
	a := newApplier(m, now)
	for _, e := range edits {
		if err := a.apply(e); err != nil {
			return m, nil, err
		}
	}
	if len(a.changes) == 0 {
		return m, nil, nil
	}
	m.Items = make([]Item, len(a.items))
	for i, it := range a.items {
		m.Items[i] = *it
	}
	m.Updated = now
	return m, a.changes, nil
}

// applier is the state of one Apply.
type applier struct {
	memory  Memory // as it was
	now     time.Time
	items   []*Item
	byID    map[string]*Item
	says    map[string]*Item // active ones by exactKey; made when it is needed
	changes []Change
}

func newApplier(m Memory, now time.Time) *applier {
	a := &applier{memory: m, now: now, items: make([]*Item, len(m.Items)), byID: make(map[string]*Item, len(m.Items))}
	copies := slices.Clone(m.Items)
	for i := range copies {
		a.items[i] = &copies[i]
		a.byID[copies[i].ID] = &copies[i]
	}
	return a
}

func (a *applier) apply(e Edit) error {
	if e.Do == Add {
		return a.add(e)
	}
	it, err := a.find(e.ID)
	if err != nil {
		return err
	}
	if e.Was != "" && Clean(e.Was) != it.Content {
		return fmt.Errorf("item %s: %w", it.ID, ErrStale)
	}
	switch e.Do {
	case Reword:
		return a.reword(it, e)
	case Move:
		return a.move(it, e)
	case Remove:
		a.forgetWords(it)
		it.State = Removed
		a.touch(it, Deleted, why(e.Why, "taken out by a person"))
	case Pin, Unpin:
		a.pin(it, e)
	default:
		return &EditError{Code: BadEdit, Why: fmt.Sprintf("%q is nothing that can be done to an item", e.Do)}
	}
	return nil
}

func (a *applier) pin(it *Item, e Edit) {
	usual := "pinned by a person"
	if e.Do == Unpin {
		usual = "no longer pinned by a person"
	}
	if pinned := e.Do == Pin; it.Pinned != pinned {
		it.Pinned = pinned
		a.touch(it, Updated, why(e.Why, usual))
	}
}

// find gives the active item that an id, or the beginning of one, names.
func (a *applier) find(id string) (*Item, error) {
	it := a.byID[id]
	if it == nil || it.State != Active {
		i, err := a.memory.find(id)
		if err != nil {
			return nil, err
		}
		it = a.byID[a.memory.Items[i].ID]
	}
	if it.State != Active {
		return nil, fmt.Errorf("%w: %q", ErrNoItem, id)
	}
	return it, nil
}

func (a *applier) add(e Edit) error {
	section, err := a.section(e.Section)
	if err != nil {
		return err
	}
	content, err := a.content(e.Content, nil)
	if err != nil {
		return err
	}
	it := a.gone(section, content)
	if it == nil {
		it = &Item{Section: section, Content: content, Created: a.now}
		it.ID = uniqueID(section+"\n"+content, func(id string) bool { return a.byID[id] != nil })
		a.byID[it.ID] = it
		a.items = append(a.items, it)
		a.touch(it, Added, why(e.Why, "added by a person"))
	} else {
		it.SupersededBy = ""
		a.touch(it, Added, why(e.Why, "put back by a person"))
	}
	it.State = Active
	a.own(it)
	a.says[exactKey(content)] = it
	_, err = a.place(it, e.Before)
	return err
}

// gone finds what was removed from a section, or replaced in it, and says the
// very same: the youngest, if there are several.
func (a *applier) gone(section, content string) *Item {
	var out *Item
	for _, it := range a.items {
		if it.State != Active && it.Section == section && it.Content == content && (out == nil || it.Updated.After(out.Updated)) {
			out = it
		}
	}
	return out
}

func (a *applier) reword(it *Item, e Edit) error {
	content, err := a.content(e.Content, it)
	if err != nil || content == it.Content {
		return err
	}
	a.forgetWords(it)
	it.Content = content
	a.says[exactKey(content)] = it
	a.own(it)
	a.touch(it, Updated, why(e.Why, "edited by a person"))
	return nil
}

func (a *applier) move(it *Item, e Edit) error {
	section := it.Section
	if e.Section != "" {
		var err error
		if section, err = a.section(e.Section); err != nil {
			return err
		}
	}
	moved := section != it.Section
	it.Section = section
	placed, err := a.place(it, e.Before)
	switch {
	case err != nil:
		return err
	case moved:
		a.own(it)
		a.touch(it, Updated, why(e.Why, "moved by a person"))
	case placed:
		// The order is the memory's, not the item's: nothing of it changes.
		a.note(it, Updated, "moved by a person")
	}
	return nil
}

// place puts an item before another one of its section, or behind all of them,
// and says whether that changed the section's order.
func (a *applier) place(it *Item, before string) (bool, error) {
	next := (*Item)(nil)
	if before != "" {
		var err error
		if next, err = a.find(before); err != nil {
			return false, err
		}
		if next == it {
			return false, nil
		}
		if next.Section != it.Section {
			return false, &EditError{Code: BadEdit, Why: fmt.Sprintf("item %s, to stand before, is in another section", next.ID)}
		}
	}
	from := slices.Index(a.items, it)
	follower := a.follower(it, from)
	if follower == next {
		return false, nil
	}
	a.items = slices.Delete(a.items, from, from+1)
	at := len(a.items)
	if next != nil {
		at = slices.Index(a.items, next)
	} else {
		for at > 0 && (a.items[at-1].State != Active || a.items[at-1].Section != it.Section) {
			at--
		}
		if at == 0 {
			at = len(a.items) // the first of its section
		}
	}
	a.items = slices.Insert(a.items, at, it)
	return true, nil
}

// follower gives the active item that stands behind one in its section.
func (a *applier) follower(it *Item, from int) *Item {
	for _, x := range a.items[from+1:] {
		if x.State == Active && x.Section == it.Section {
			return x
		}
	}
	return nil
}

// section finds a section by its id or heading.
func (a *applier) section(name string) (string, error) {
	var known []string
	for _, s := range a.memory.Layout.Sections {
		if s.ID == name {
			return s.ID, nil
		}
		known = append(known, s.ID)
	}
	for _, s := range a.memory.Layout.Sections {
		if k := headingKey(name); k == headingKey(s.Heading) || k == strings.ToLower(s.ID) {
			return s.ID, nil
		}
	}
	return "", &EditError{Code: UnknownSection, Why: noSection(name, known)}
}

// noSection says which sections there are instead.
func noSection(name string, known []string) string {
	return fmt.Sprintf("there is no section %s; the sections are %s%s", printable.Quote(name, 80), strings.Join(known, ", "),
		lookup.Ask(name, known, strconv.Quote))
}

// content checks what a person wrote; it is the item that may say it already.
func (a *applier) content(text string, it *Item) (string, error) {
	content := Clean(text)
	if content == "" {
		return "", &EditError{Code: NoContent, Why: "an item needs words"}
	}
	if n := utf8.RuneCountInString(content); n > MaxContentRunes {
		return "", &EditError{Code: TooLong, Why: fmt.Sprintf("%d characters are too many for one item; it may have %d", n, MaxContentRunes)}
	}
	if a.says == nil {
		a.says = make(map[string]*Item, len(a.items))
		for _, x := range slices.Backward(a.items) {
			if x.State == Active {
				a.says[exactKey(x.Content)] = x
			}
		}
	}
	if x := a.says[exactKey(content)]; x != nil && x != it {
		return "", &EditError{Code: Duplicate, ID: x.ID, Why: fmt.Sprintf("that is remembered already, in %s: %q", a.heading(x.Section), x.Content)}
	}
	return content, nil
}

func (a *applier) heading(section string) string {
	for _, s := range a.memory.Layout.Sections {
		if s.ID == section {
			return s.Heading
		}
	}
	return section
}

// forgetWords takes an item's content out of those that are said.
func (a *applier) forgetWords(it *Item) {
	if k := exactKey(it.Content); a.says[k] == it {
		delete(a.says, k)
	}
}

// own marks an item as one that a person stands for. Of several times in a row
// the last one counts.
func (a *applier) own(it *Item) {
	it.Confidence = 1
	n := len(it.Origins)
	if n > 0 && it.Origins[n-1].Extractor == Person {
		it.Origins = slices.Clone(it.Origins)
		it.Origins[n-1].Time = a.now
		return
	}
	it.Origins = append(slices.Clip(it.Origins), Origin{Extractor: Person, Time: a.now})
}

func (a *applier) touch(it *Item, did Action, reason string) {
	it.Updated, it.Why = a.now, reason
	a.note(it, did, reason)
}

func (a *applier) note(it *Item, did Action, reason string) {
	a.changes = append(a.changes, Change{Action: did, ID: it.ID, Section: it.Section, Content: it.Content, Why: reason})
}
