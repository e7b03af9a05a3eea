package engine

import (
	"context"
	"fmt"
	"slices"

	"recollect/internal/blame"
	"recollect/internal/config"
	"recollect/internal/memory"
)

// Unseen are the items of a memory that came with the repository and that nobody
// here looked at.
type Unseen struct {
	Branch string        `json:"branch"`
	Items  []memory.Item `json:"items"`
	From   string        `json:"from,omitempty"` // whom git names as their authors: "A (12) and B (3)"
}

// Unseen gives the items of a branch's memory that nobody here looked at. It writes
// nothing.
func (e *Engine) Unseen(branch *string) (Unseen, error) {
	name, err := e.branchName(branch)
	if err != nil {
		return Unseen{}, err
	}
	m, _, err := e.memories().Load(name)
	if err != nil {
		return Unseen{}, err
	}
	l := e.lookNow()
	k, _ := l.at(m)
	u := Unseen{Branch: name, Items: unseenOf(m, k)}
	authors, from := e.authorsOf(context.Background(), l.now, m, k), []string{}
	for _, it := range u.Items {
		from = append(from, authors[itemDigest(it.Section, it.Content)])
	}
	u.From = countAuthors(from)
	return u, nil
}

// LookedAt keeps that the person said yes to just these items.
func (e *Engine) LookedAt(u Unseen) error {
	m, _, err := e.memories().Load(u.Branch)
	if err != nil {
		return err
	}
	l := e.lookNow()
	if err := l.meet(); err != nil {
		return err
	}
	k, _ := l.at(m)
	var yes []string
	for _, it := range u.Items {
		yes = append(yes, itemDigest(it.Section, it.Content))
	}
	k.give(yes)
	return e.saveKnown(k)
}

func unseenOf(m memory.Memory, k known) []memory.Item {
	unseen, out := set(k.Unseen), []memory.Item{}
	for _, it := range m.Active() {
		if unseen[itemDigest(it.Section, it.Content)] {
			out = append(out, it)
		}
	}
	return out
}

// shownOf gives what of a memory may be shown to assistants, to plug-ins and to
// models, and how many items are held back. It writes nothing.
func (e *Engine) shownOf(m memory.Memory) (memory.Memory, int) {
	k, _ := e.lookNow().at(m)
	return e.letThrough(m, k)
}

func (e *Engine) letThrough(m memory.Memory, k known) (memory.Memory, int) {
	if len(k.Unseen) == 0 || e.settings().Inject.Unseen == config.ShowUnseen {
		return m, 0
	}
	unseen := set(k.Unseen)
	all := len(m.Items)
	m.Items = slices.DeleteFunc(slices.Clone(m.Items), func(it memory.Item) bool {
		return it.State == memory.Active && unseen[itemDigest(it.Section, it.Content)]
	})
	return m, all - len(m.Items)
}

// ClaimedItem is an item as a yes is bound to it: the value of a claim of the kind
// ClaimMemory is a list of them.
type ClaimedItem struct {
	Section string `json:"section"`
	Content string `json:"content"`
	// From is whom git names as its authors, in one line; "" if that is not known,
	// or not asked because the person said yes. No yes is bound to it.
	From string `json:"from,omitempty"`
}

// memoryClaims are the items that came with the repository: by branch those that
// wait for the person's yes, and those that have it.
func (e *Engine) memoryClaims(ctx context.Context) ([]Claim, error) {
	store := e.memories()
	names, err := store.Branches()
	if err != nil {
		return nil, err
	}
	l := e.lookNow()
	var claims []Claim
	asking, cancel := context.WithTimeout(ctx, blame.Limit) // for all of them
	defer cancel()
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, _, err := store.Load(name)
		if err != nil {
			continue // it is shown to nobody, and doctor tells
		}
		k, _ := l.at(m)
		for _, given := range []bool{false, true} {
			of := set(k.Unseen)
			if given {
				of = set(k.Given)
			}
			var items []ClaimedItem
			var authors map[string]string
			var from []string
			if !given {
				authors = e.authorsOf(asking, l.now, m, k)
			}
			for _, it := range m.Active() {
				if d := itemDigest(it.Section, it.Content); of[d] {
					items = append(items, ClaimedItem{it.Section, it.Content, authors[d]})
					from = append(from, authors[d])
				}
			}
			if len(items) > 0 {
				claims = append(claims, Claim{Kind: ClaimMemory, Name: name, Value: items, Given: given,
					Words: cameWords(len(items), countAuthors(from))})
			}
		}
	}
	return claims, nil
}

func cameWords(n int, from string) string {
	if from != "" {
		from = ", from " + from + ","
	}
	return fmt.Sprintf("%s that came with the repository%s would be shown to assistants.", number(n, "item", "items"), from)
}

// takeMemory keeps that the person said yes to exactly these items. Items that are
// in no memory now keep the yes that they had, unless every yes is taken back.
func (e *Engine) takeMemory(ctx context.Context, claims []Claim) error {
	store := e.memories()
	names, err := store.Branches()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return nil
	}
	l := e.lookNow()
	if err := l.meet(); err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, _, err := store.Load(name)
		if err != nil {
			continue
		}
		k, _ := l.at(m)
		var yes []string
		for _, c := range claims {
			items, _ := c.Value.([]ClaimedItem)
			for _, it := range items {
				if c.Name == name {
					yes = append(yes, itemDigest(it.Section, it.Content))
				}
			}
		}
		now, agreed := set(digestsOf(m)), set(yes)
		lost := slices.DeleteFunc(slices.Clone(k.Given), func(d string) bool { return !now[d] || agreed[d] })
		k.Given, k.Unseen = without(k.Given, set(lost)), append(k.Unseen, lost...)
		if k.give(yes); len(claims) == 0 {
			k.Given = nil
		}
		if err := e.saveKnown(k); err != nil {
			return err
		}
	}
	return nil
}
