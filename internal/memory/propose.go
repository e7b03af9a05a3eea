package memory

import (
	"reflect"
	"slices"
	"time"
)

// Settle gives the inbox without what the memory has decided meanwhile: what is
// in it now, what a person removed, and changes of items that are not as they
// were; and without suggestions that have waited too long at now. It is pure; m is
// the memory as it is.
func (b Inbox) Settle(m Memory, now time.Time) Inbox {
	if len(b.Waiting) == 0 {
		return b
	}
	b.Waiting = slices.DeleteFunc(slices.Clone(b.Waiting), func(w Waiting) bool { return w.expired(now) })
	real := byID(m.Items)
	said := map[string]int{} // what is active, or was removed, by content
	for i, it := range m.Items {
		if j, ok := said[exactKey(it.Content)]; it.State == Active || it.State == Removed && (!ok || m.Items[j].State != Active) {
			said[exactKey(it.Content)] = i
		}
	}
	stand := map[string]string{}
	for i, w := range b.Waiting {
		at, known := real[w.Item.ID]
		switch twin, ok := said[exactKey(w.Item.Content)]; {
		case w.Base != nil && !known:
			stand[w.Item.ID] = ""
		case w.Base != nil:
			if it := m.Items[at]; it.State == Active && !differs(it, w.Item) {
				stand[w.Item.ID] = it.ID
			} else if it.Protected() || *baseOf(it) != *w.Base {
				stand[w.Item.ID] = ""
			}
		case known && (exactKey(m.Items[at].Content) == exactKey(w.Item.Content) || akin(m.Items[at], w.Item)):
			stand[w.Item.ID] = standing(m.Items[at])
		case known:
			b.rename(i, real)
		case ok && w.Item.State == Active:
			stand[w.Item.ID] = standing(m.Items[twin])
		}
	}
	return b.without(stand)
}

func byID(items []Item) map[string]int {
	out := make(map[string]int, len(items))
	for i, it := range items {
		out[it.ID] = i
	}
	return out
}

// standing is what a removed item leaves in its place: nothing.
func standing(it Item) string {
	if it.State == Removed {
		return ""
	}
	return it.ID
}

// akin reports an origin in common.
func akin(a, b Item) bool {
	return slices.ContainsFunc(b.Origins, func(o Origin) bool { return known(a, o) })
}

// rename gives a new item another id, since a person's item has it now.
func (b Inbox) rename(i int, taken map[string]int) {
	old := b.Waiting[i].Item
	id := uniqueID(old.Section+"\n"+old.Content, func(id string) bool {
		_, is := taken[id]
		return is || slices.ContainsFunc(b.Waiting, func(w Waiting) bool { return w.Item.ID == id })
	})
	b.Waiting[i].Item.ID = id
	for j := range b.Waiting {
		if b.Waiting[j].Item.SupersededBy == old.ID {
			b.Waiting[j].Item.SupersededBy = id
		}
	}
}

func baseOf(it Item) *Base { return &Base{Section: it.Section, Content: it.Content, State: it.State} }

// differs says whether a person sees a difference between two states of an item.
func differs(a, b Item) bool {
	if a.State != Active && b.State != Active {
		return false
	}
	return a.State != b.State || a.Content != b.Content || a.Section != b.Section
}

// Over gives the memory as it would be if everything in a settled inbox were
// accepted, suggestions aside.
func (b Inbox) Over(m Memory) Memory {
	m.Items = slices.Clone(m.Items)
	at := byID(m.Items)
	for _, w := range b.Waiting {
		if w.Suggestion {
			continue
		}
		it := w.Item
		if i, ok := at[it.ID]; ok {
			addOrigins(&it, m.Items[i].Origins)
			m.Items[i] = it
		} else {
			m.Items = append(m.Items, it)
		}
	}
	return m
}

func addOrigins(it *Item, all []Origin) {
	for _, o := range all {
		addOrigin(it, o)
	}
}

// Propose parts what a merge made of b.Over(m): what a person would see of it
// waits in the inbox, the rest is in the memory that it returns. Changes that a
// person refused before are left out, and suggestions that are said now. It is
// pure; b is settled with m.
func (b Inbox) Propose(m, next Memory, now time.Time) (Memory, Inbox) {
	p := proposer{before: b.Over(m), real: byID(m.Items), quiet: m}
	p.quiet.Items = slices.Clone(m.Items)
	proposals, suggested := b.parted()
	waited := map[string]int{}
	for i, w := range proposals.Waiting {
		waited[w.Item.ID] = i
	}
	out := b
	out.Waiting = nil
	was, will := byID(p.before.Items), byID(next.Items)
	for _, it := range next.Items {
		w := Waiting{Item: it, Since: now.UTC()}
		if k, ok := waited[it.ID]; ok {
			old := proposals.Waiting[k]
			w.Wording, w.Since = old.Wording && it.State == Superseded, old.Since
		}
		i, known := p.real[it.ID]
		switch {
		case known && !differs(m.Items[i], it):
			p.quiet.Items[i] = it
			continue
		case known:
			w.Base = baseOf(m.Items[i])
		default:
			if _, before := was[it.ID]; !before {
				w.Wording = reworded(it, p.before.Items, was, next.Items, will)
			}
		}
		out.Waiting = append(out.Waiting, w)
	}
	place := func(w Waiting) int { // what waited before stays in its place
		if k, ok := waited[w.Item.ID]; ok {
			return k
		}
		return len(waited)
	}
	slices.SortStableFunc(out.Waiting, func(a, b Waiting) int { return place(a) - place(b) })
	out = p.flush(p.unwanted(p.unchanged(out)).Settle(p.quiet, now))
	out.Waiting = append(out.Waiting, suggested...)
	out = out.Suggest(p.quiet, nil, now)
	if !reflect.DeepEqual(p.quiet.Items, m.Items) {
		p.quiet.Updated = now
	}
	if !reflect.DeepEqual(out.Waiting, b.Waiting) {
		out.Done = nil
	}
	return p.quiet, out
}

type proposer struct {
	before Memory // over which was merged
	real   map[string]int
	quiet  Memory
}

// reworded reports an item that keeps the words which the one that replaces it
// had before.
func reworded(it Item, before []Item, was map[string]int, next []Item, will map[string]int) bool {
	i, ok := was[it.SupersededBy]
	j, still := will[it.SupersededBy]
	return ok && still && it.State == Superseded && before[i].Content == it.Content && before[i].Section == it.Section &&
		differs(before[i], next[j])
}

// unchanged lets an item stay that would go while the very same words would
// come: those before a change that waits, said again.
func (p *proposer) unchanged(b Inbox) Inbox {
	type words struct{ section, content string }
	come := map[words]Item{}
	for _, w := range b.Waiting {
		if w.Base == nil && w.Item.State == Active {
			come[words{w.Item.Section, w.Item.Content}] = w.Item
		}
	}
	stand := map[string]string{}
	for _, w := range b.Waiting {
		if w.Base == nil || w.Base.State != Active || w.Item.State == Active {
			continue
		}
		if by, ok := come[words{w.Base.Section, w.Base.Content}]; ok {
			stand[w.Item.ID], stand[by.ID] = w.Item.ID, w.Item.ID
			it := &p.quiet.Items[p.real[w.Item.ID]]
			addOrigins(it, w.Item.Origins)
			addOrigins(it, by.Origins)
		}
	}
	return b.without(stand)
}

// unwanted drops changes that were refused before. The items keep the origins
// that they gained.
func (p *proposer) unwanted(b Inbox) Inbox {
	if len(b.Refused) == 0 {
		return b
	}
	roots := b.roots()
	stand := map[string]string{}
	for i, w := range b.Waiting {
		if b.refused(w, roots[i] < 0) {
			stand[w.Item.ID] = ""
		}
	}
	out := b.without(stand)
	for _, w := range b.Waiting {
		if _, gone := stand[w.Item.ID]; gone && w.Base != nil {
			addOrigins(&p.quiet.Items[p.real[w.Item.ID]], w.Item.Origins)
		}
	}
	return out
}

// flush takes new items that an item of the memory replaces out of the inbox
// and into the memory: nobody would see them.
func (p *proposer) flush(b Inbox) Inbox {
	b, p.quiet.Items = b.flushed(p.quiet.Items)
	return b
}

func (b Inbox) flushed(items []Item) (Inbox, []Item) {
	roots := b.roots()
	fresh := map[string]bool{} // not remembered
	for _, w := range b.Waiting {
		fresh[w.Item.ID] = w.Base == nil
	}
	var rest []Waiting
	for i, w := range b.Waiting {
		switch {
		case w.Base != nil || roots[i] >= 0:
			rest = append(rest, w)
		case !w.Wording || fresh[w.Item.SupersededBy]:
			items = append(items, w.Item)
		}
	}
	b.Waiting = rest
	return b, items
}
