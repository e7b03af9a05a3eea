package memory

import (
	"slices"
	"time"
)

// Tidy brings together what a memory says twice, and looks for active items
// that contradict each other. It looks at those that were changed at since or
// later, and compares them with all. It is pure and does not change m.
//
//   - Of two active items that say the same, by the rules of Merge, the surer one
//     stays, the older one if both are as sure. It takes over the other's origins
//     and the greater confidence; the other is superseded by it.
//   - Of items that a person pinned or wrote, none is changed: another one that
//     says the same is superseded by it, two of them stay.
//   - Two active items of which the later said one contradicts the other are a
//     conflict; both stay.
//
// Every item that differs afterwards is named in a change. Tidying again changes
// nothing.
func Tidy(m Memory, since, now time.Time) (Memory, []Change, []Conflict) {
	recent := func(it Item) bool { return it.State == Active && !it.Updated.Before(since) }
	if !slices.ContainsFunc(m.Items, recent) {
		return m, nil, nil // most nights, which then cost nothing
	}
	g := newMerger(m, now, false)
	for i := range g.items {
		if recent(g.items[i]) {
			g.unite(i)
		}
	}
	g.contradictions(since)
	if len(g.changes) > 0 {
		m.Updated = now
	}
	m.Items = g.items
	return m, g.named(), g.conflicts
}

// unite supersedes all that says the same as item i, or item i itself.
func (g *merger) unite(i int) {
	var twins []int
	g.index.twins(g.index.query(g.items[i].Content), false, func(j int, like likeness) {
		if j != i && like != roughly && g.items[j].State == Active {
			twins = append(twins, j)
		}
	})
	for _, j := range twins {
		stays, goes := i, j
		if g.prefers(j, i) {
			stays, goes = j, i
		}
		if g.items[goes].Protected() {
			continue
		}
		g.absorb(stays, goes)
		if goes == i {
			return
		}
	}
}

// prefers says whether item a is to stay rather than b.
func (g *merger) prefers(a, b int) bool {
	x, y := g.items[a], g.items[b]
	switch {
	case x.Protected() != y.Protected():
		return x.Protected()
	case x.Confidence != y.Confidence:
		return x.Confidence > y.Confidence
	case !x.Created.Equal(y.Created):
		return x.Created.Before(y.Created)
	}
	return a < b
}

func (g *merger) absorb(stays, goes int) {
	if it := &g.items[stays]; !it.Protected() {
		changed := false
		for _, o := range g.items[goes].Origins {
			changed = addOrigin(it, o) || changed
		}
		if c := g.items[goes].Confidence; c > it.Confidence {
			it.Confidence, changed = c, true
		}
		if changed {
			g.touch(stays, Updated, "it was there twice")
		}
	}
	g.supersede(goes, g.items[stays].ID, "another item says the same")
}

// contradictions compares what was changed lately with all that is active.
func (g *merger) contradictions(since time.Time) {
	pairs := map[[2]int]bool{}
	for i := range g.items {
		if g.items[i].State != Active || g.items[i].Updated.Before(since) {
			continue
		}
		// The index finds too little for the older of two, which the newer one may
		// be much longer than; that is found when the newer one is looked at.
		q := g.index.query(g.items[i].Content)
		for _, hit := range q.hits {
			j := int(hit)
			if j == i || g.items[j].State != Active {
				continue
			}
			older, newer := j, i
			if g.items[i].LastSaid().Before(g.items[j].LastSaid()) {
				older, newer = i, j
			}
			why := g.index.lex.contradicts(&g.index.shapes[newer], &g.index.shapes[older])
			if pair := [2]int{older, newer}; why != "" && !pairs[pair] {
				pairs[pair] = true
				g.contradiction(older, newer, why)
			}
		}
	}
}

func (g *merger) contradiction(older, newer int, why string) {
	x := g.items[newer]
	f := Found{Section: x.Section, Content: x.Content, Confidence: x.Confidence, Importance: x.Importance, Rationale: x.Rationale}
	if len(x.Origins) > 0 {
		f.Origin = x.Origins[len(x.Origins)-1]
		f.Origin.Records = slices.Clone(f.Origin.Records)
	}
	g.conflict(older, f, why)
	g.conflicts[len(g.conflicts)-1].Other = x.ID
}
