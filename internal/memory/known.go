package memory

// Known is what a memory says about a find.
type Known struct {
	ID string // of the active item that says the same; "" if none does
	// Why says why Merge would leave the find out, "" if it would not. One that
	// only adds to an item is not left out.
	Why string
}

// Look says of each find, by itself, what Merge would see in it. It is pure.
func Look(m Memory, found []Found) []Known {
	g := newMerger(m, m.Updated, false)
	out := make([]Known, len(found))
	for i, f := range found {
		out[i] = g.look(f)
	}
	return out
}

// look goes the way of take and changes nothing.
func (g *merger) look(f Found) Known {
	content := Clean(f.Content)
	if content == "" || f.Section == "" {
		return Known{Why: "it says nothing"}
	}
	q := g.index.query(content)
	twin, ok := g.twin(q, f.Origin)
	if ok && g.items[twin].State == Removed {
		return Known{Why: "a person took it out"}
	}
	rivals := g.index.rivals(q, func(i int) bool { return g.items[i].State == Active })
	for _, r := range rivals {
		if g.items[r.item].Protected() {
			return Known{Why: "it contradicts what a person wrote or pinned"}
		}
	}
	if ok {
		return g.lookAt(twin, f)
	}
	for _, r := range rivals {
		if f.Origin.Time.Before(g.items[r.item].LastSaid()) {
			return Known{Why: "something newer contradicts it"}
		}
	}
	return Known{}
}

// lookAt is look for a find that says what an item says.
func (g *merger) lookAt(twin int, f Found) Known {
	it := g.items[twin]
	if it.State == Active {
		return Known{ID: it.ID}
	}
	by, ok := g.successor(twin)
	switch {
	case it.Protected(), known(it, f.Origin), !ok, !f.Origin.Time.After(g.items[by].LastSaid()):
		return Known{Why: "something newer replaced it"}
	case g.items[by].Protected():
		return Known{Why: "a person wrote or pinned what replaced it"}
	}
	return Known{}
}
