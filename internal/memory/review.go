package memory

import (
	"fmt"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"
)

// Verdict is what a person makes of a proposal.
type Verdict struct {
	ID     string `json:"id"` // of the proposal
	Accept bool   `json:"accept"`
	// Content, if not empty, is accepted instead of what was proposed, and is then
	// the person's wording; Section likewise. Neither counts for a removal.
	Content string `json:"content,omitempty"`
	Section string `json:"section,omitempty"`
}

// Review is what came of verdicts.
type Review struct {
	Memory Memory
	Inbox  Inbox
	// Conflicts are additions that contradict an item which they were not said to
	// replace: it was written, pinned or changed since. They were not taken in.
	Conflicts []Conflict
	// Stale are the ids of verdicts that could not be followed: the proposal is
	// not what it was, or ended as a conflict.
	Stale []string
	// Decided is how many verdicts were followed.
	Decided int
}

// Review follows verdicts. It is pure; m is the memory as it is.
//
// What is accepted goes into memory with the origins of its find. An item that a
// person wrote or pinned is never changed. What is refused as an addition goes
// in as removed; what is refused of an item that is remembered leaves that as it
// is and is not proposed again.
func (b Inbox) Review(m Memory, verdicts []Verdict, now time.Time) (Review, error) {
	b = b.Settle(m, now)
	r := reviewer{now: now, m: m, left: map[string]Waiting{}, done: map[string]bool{}}
	if len(m.Items) == 0 && m.Updated.IsZero() && len(b.Layout.Sections) > 0 {
		r.m.Layout = b.Layout
	}
	r.b, r.m.Items = b.flushed(slices.Clone(m.Items))
	r.at, r.index = byID(r.m.Items), newIndex(len(r.m.Items))
	for _, it := range r.m.Items {
		r.index.add(it.Content)
	}
	groups := map[string]group{}
	for _, g := range r.b.groups() {
		groups[r.b.proposed(g).ID] = g
	}
	var out Review
	seen := map[string]bool{}
	for _, v := range verdicts {
		if seen[v.ID] {
			return Review{}, fmt.Errorf("%q is decided twice", v.ID)
		}
		seen[v.ID] = true
		g, ok := groups[v.ID]
		if ok {
			var err error
			if ok, err = r.follow(g, v); err != nil {
				return Review{}, err
			}
		}
		if ok {
			out.Decided++
		} else {
			out.Stale = append(out.Stale, v.ID)
		}
	}
	if !reflect.DeepEqual(r.m.Items, m.Items) {
		r.m.Updated = now
	}
	out.Memory, out.Inbox, out.Conflicts = r.m, r.rest(), r.conflicts
	return out, nil
}

// reviewer is the state of one review. b.Waiting stays as it is: what became of
// its items is in done and left.
type reviewer struct {
	now       time.Time
	m         Memory
	at        map[string]int // by id
	index     *index
	b         Inbox
	done      map[string]bool    // items of groups that are decided
	left      map[string]Waiting // those of them that wait on
	conflicts []Conflict
}

// rest is the inbox with what is not decided.
func (r *reviewer) rest() Inbox {
	var waiting []Waiting
	for _, w := range r.b.Waiting {
		if k, ok := r.left[w.Item.ID]; ok {
			waiting = append(waiting, k)
		} else if !r.done[w.Item.ID] {
			waiting = append(waiting, w)
		}
	}
	b := r.b
	b.Waiting = waiting
	return b
}

// follow does what a verdict says. It says false if the proposal ended as a
// conflict.
func (r *reviewer) follow(g group, v Verdict) (bool, error) {
	w := r.b.Waiting[g.head]
	if !v.Accept {
		r.refuse(g)
		return true, nil
	}
	stand := w.Item.SupersededBy
	if w.Item.State == Active {
		it, mine, err := r.worded(w.Item, v)
		if err != nil {
			return false, err
		}
		if w.Base != nil && w.Base.State == Active {
			stand = r.update(it)
		} else if stand = r.enter(g, it, mine); stand == "" {
			for _, k := range r.drop(g) {
				if k.Wording && w.Base == nil {
					k.Item.SupersededBy = ""
					r.add(k.Item)
				}
			}
			return false, nil
		}
		r.keepWords(w.Item, it, stand)
	} else {
		r.supersede(w, stand)
	}
	r.done[w.Item.ID] = true
	for _, i := range g.members {
		k := r.b.Waiting[i]
		by := k.Item.SupersededBy
		if by == w.Item.ID {
			by = stand
		}
		r.done[k.Item.ID] = true
		if k.Base != nil {
			r.supersede(k, by)
		} else {
			k.Item.SupersededBy = by
			r.add(k.Item)
		}
	}
	return true, nil
}

// worded is the item as it was accepted; mine says that the words or their place
// are the person's own.
func (r *reviewer) worded(it Item, v Verdict) (_ Item, mine bool, err error) {
	content, section := it.Content, it.Section
	if v.Content != "" {
		if content = Clean(v.Content); content == "" {
			return it, false, &EditError{Code: NoContent, Why: "what is accepted needs words"}
		}
		if n := utf8.RuneCountInString(content); n > MaxContentRunes {
			return it, false, &EditError{Code: TooLong, Why: fmt.Sprintf("%d characters are too many for one item; it may have %d", n, MaxContentRunes)}
		}
	}
	if v.Section != "" {
		section = v.Section
	}
	if !r.open(section) && section != it.Section {
		var known []string
		for _, s := range r.m.Layout.Sections {
			known = append(known, s.ID)
		}
		return it, false, &EditError{Code: UnknownSection, Why: noSection(section, known)}
	}
	mine = content != it.Content || section != it.Section
	it.Content, it.Section = content, section
	it.Updated, it.Why = r.now, "accepted by a person"
	if mine {
		it.Confidence, it.Why = 1, "accepted in a person's own words"
		it.Origins = append(slices.Clip(it.Origins), Origin{Extractor: Person, Time: r.now})
	}
	return it, mine, nil
}

// keepWords keeps the words that were proposed as replaced by those that were
// accepted, so that the same find is known again.
func (r *reviewer) keepWords(proposed, accepted Item, by string) {
	if exactKey(proposed.Content) == exactKey(accepted.Content) {
		return
	}
	it := proposed
	it.ID = uniqueID(it.Section+"\n"+it.Content+"\nbefore", func(id string) bool { _, taken := r.at[id]; return taken })
	it.State, it.SupersededBy, it.Updated, it.Why = Superseded, by, r.now, "accepted in other words"
	r.add(it)
}

// open makes sure that the memory has a section that it, or the inbox, knows.
func (r *reviewer) open(section string) bool {
	is := func(s Section) bool { return s.ID == section }
	if slices.ContainsFunc(r.m.Layout.Sections, is) {
		return true
	}
	i := slices.IndexFunc(r.b.Layout.Sections, is)
	if i >= 0 {
		r.m.Layout.Sections = append(slices.Clip(r.m.Layout.Sections), r.b.Layout.Sections[i])
	}
	return i >= 0
}

// enter takes a new item in, or one that was replaced before, and gives the id
// of what stands for it then: another one that says the same, or "" if it ended
// as a conflict.
func (r *reviewer) enter(g group, it Item, mine bool) string {
	inGroup := map[string]bool{it.ID: true}
	for _, i := range g.members {
		inGroup[r.b.Waiting[i].Item.ID] = true
	}
	q := r.index.query(it.Content)
	others := func(i int) bool { return r.m.Items[i].State == Active && !inGroup[r.m.Items[i].ID] }
	for _, v := range r.index.rivals(q, others) {
		// Whoever accepted did not see that it contradicts this one.
		if k := r.m.Items[v.item]; !mine && (k.Protected() || !it.LastSaid().Before(k.LastSaid())) {
			r.conflict(k, r.b.Waiting[g.head].Item, v.why)
			return ""
		}
	}
	twin := -1
	r.index.twins(q, mine, func(i int, like likeness) {
		if twin < 0 && like != roughly && others(i) {
			twin = i
		}
	})
	if twin >= 0 {
		r.corroborate(twin, it, mine)
		return r.m.Items[twin].ID
	}
	if i, ok := r.at[it.ID]; ok {
		addOrigins(&it, r.m.Items[i].Origins)
		it.State, it.SupersededBy = Active, ""
		r.put(i, it)
	} else {
		r.add(it)
	}
	return it.ID
}

func (r *reviewer) add(it Item) {
	r.at[it.ID] = len(r.m.Items)
	r.m.Items = append(r.m.Items, it)
	r.index.add(it.Content)
}

func (r *reviewer) put(i int, it Item) {
	if before := r.m.Items[i].Content; before != it.Content {
		r.index.change(i, before, it.Content)
	}
	r.m.Items[i] = it
}

// corroborate is for an accepted item that the memory has already. A person's
// own item gets the origins only if its words are those that they gave.
func (r *reviewer) corroborate(i int, it Item, mine bool) {
	k := &r.m.Items[i]
	theirs := k.Protected()
	if theirs && !mine {
		return
	}
	addOrigins(k, it.Origins)
	if theirs {
		return
	}
	k.Confidence, k.Updated, k.Why = max(k.Confidence, it.Confidence), r.now, it.Why
}

func (r *reviewer) conflict(with, it Item, why string) {
	f := Found{Section: it.Section, Content: it.Content, Confidence: it.Confidence, Importance: it.Importance, Rationale: it.Rationale}
	if len(it.Origins) > 0 {
		f.Origin = it.Origins[len(it.Origins)-1]
	}
	r.conflicts = append(r.conflicts, Conflict{ID: with.ID, Section: with.Section, Existing: with.Content, Found: f, Why: why})
}

// update gives an item the words that were accepted.
func (r *reviewer) update(it Item) string {
	i := r.at[it.ID]
	addOrigins(&it, r.m.Items[i].Origins)
	r.put(i, it)
	return it.ID
}

// supersede takes an item out for what it was accepted for.
func (r *reviewer) supersede(w Waiting, by string) {
	k := &r.m.Items[r.at[w.Item.ID]]
	addOrigins(k, w.Item.Origins)
	k.State, k.SupersededBy, k.Updated, k.Why = Superseded, by, r.now, w.Item.Why
}

// refuse keeps a proposal from coming again. What it would have replaced stays,
// with the origins that it gained meanwhile.
func (r *reviewer) refuse(g group) {
	w := r.b.Waiting[g.head]
	switch {
	case w.Base == nil:
		r.remove(w.Item)
		for _, i := range g.members {
			if k := r.b.Waiting[i]; k.Wording && k.Item.SupersededBy == w.Item.ID {
				r.remove(k.Item)
			}
		}
	case w.Base.State != Active:
		k := &r.m.Items[r.at[w.Item.ID]]
		addOrigins(k, w.Item.Origins)
		k.State, k.SupersededBy, k.Updated, k.Why = Removed, "", r.now, refusedWhy
	}
	for _, k := range r.drop(g) {
		if k.Base != nil && k.Base.State == Active {
			r.b.refuse(k, r.now)
			addOrigins(&r.m.Items[r.at[k.Item.ID]], k.Item.Origins)
		}
	}
}

// drop takes a proposal out without doing it, and gives the items that are of no
// more account. New ones that it would have replaced wait again.
func (r *reviewer) drop(g group) (gone []Waiting) {
	all := Inbox{}
	for _, i := range append([]int{g.head}, g.members...) {
		all.Waiting = append(all.Waiting, r.b.Waiting[i])
	}
	head := r.b.Waiting[g.head].Item.ID
	stand := map[string]string{head: ""}
	for _, w := range all.Waiting {
		if w.Wording && w.Item.SupersededBy == head {
			stand[w.Item.ID] = ""
		}
	}
	for _, w := range all.without(stand).Waiting {
		r.left[w.Item.ID] = w
	}
	for _, w := range all.Waiting {
		r.done[w.Item.ID] = true
		if _, is := stand[w.Item.ID]; is {
			gone = append(gone, w)
		}
	}
	return gone
}

const refusedWhy = "refused by a person"

func (r *reviewer) remove(it Item) {
	it.State, it.SupersededBy, it.Updated, it.Why = Removed, "", r.now, refusedWhy
	r.add(it)
}
