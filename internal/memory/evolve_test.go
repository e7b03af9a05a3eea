package memory

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var evolveTime = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// known are facts that have nothing in common.
var facts = []string{
	"The depot closes at noon on Fridays", "Invoices are numbered per tenant", "Pallet labels are printed by the warehouse service",
	"The scanner speaks serial at 9600 baud", "Staging listens behind the proxy", "Reports use the Prague time zone",
	"Photos are stripped of their location", "The queue keeps messages for a week",
}

func memoryOf(contents ...string) Memory {
	m := Memory{Branch: "main"}
	for i, c := range contents {
		m.Items = append(m.Items, Item{
			ID: fmt.Sprintf("id%d", i), Section: "facts", Content: c, Confidence: .6, State: Active,
			Origins: []Origin{{Extractor: "x", Session: "s", Records: []string{fmt.Sprint(i)}, Time: evolveTime.Add(-time.Hour)}},
		})
	}
	return m
}

func foundOf(content string) Found {
	return Found{Section: "facts", Content: content, Confidence: .8, Origin: Origin{Extractor: "x", Session: "s2", Records: []string{"r"}, Time: evolveTime}}
}

func TestEvolveDoesWhatItsChangesName(t *testing.T) {
	t.Parallel()
	m := memoryOf(facts[:4]...)
	next, done, err := Evolve(m, []Found{foundOf("The scanner speaks serial at 19200 baud"), foundOf(facts[6])}, Proposal{
		Items: []Item{
			{ID: "id0", Section: "facts", Content: facts[0]},
			{ID: "id1", Section: "conventions", Content: facts[1], Confidence: .9},
			{ID: "id3", Section: "facts", Content: "The scanner speaks serial at 19200 baud", Confidence: .8},
			{Section: "facts", Content: facts[6], Confidence: .8},
			{Section: "facts", Content: "Nobody ever said this at all", Confidence: 1},
		},
		Changes: []Change{
			{Action: Updated, ID: "id1", Why: "it is a rule"}, {Action: Updated, ID: "id3"},
			{Action: Deleted, ID: "id2", Why: "said nothing"},
		},
	}, evolveTime)
	if err != nil {
		t.Fatal(err)
	}
	var active []string
	for _, it := range next.Active() {
		active = append(active, it.Section+": "+it.Content)
	}
	want := []string{"facts: " + facts[0], "conventions: " + facts[1], "facts: The scanner speaks serial at 19200 baud", "facts: " + facts[6]}
	if !slices.Equal(active, want) {
		t.Errorf("active\n%q, want\n%q", active, want)
	}
	for _, old := range []string{facts[1], facts[2], facts[3]} {
		if !slices.ContainsFunc(next.Items, func(it Item) bool { return it.State == Superseded && it.Content == old }) {
			t.Errorf("%q is not kept", old)
		}
	}
	if len(done.Refused) != 1 || len(done.Changes) != 4 || done.Conflicts != nil {
		t.Errorf("%+v", done)
	}
	if o := next.Items[3].Origins; len(o) != 2 || o[1].Session != "s2" {
		t.Errorf("the reworded item's origins are %+v", o)
	}
}

func TestEvolveRefusesLoss(t *testing.T) {
	t.Parallel()
	all := func(m Memory) []Item { return slices.Clone(m.Items) }
	for name, tt := range map[string]struct {
		change func(*Memory, *Proposal)
	}{
		"an item is missing":           {func(_ *Memory, p *Proposal) { p.Items = p.Items[1:] }},
		"an item is said to be kept":   {func(_ *Memory, p *Proposal) { p.Items = p.Items[1:]; p.Changes = []Change{{Action: Kept, ID: "id0"}} }},
		"words change silently":        {func(_ *Memory, p *Proposal) { p.Items[0].Content = "Something else" }},
		"the section changes silently": {func(_ *Memory, p *Proposal) { p.Items[0].Section = "other" }},
		"words vanish": {func(_ *Memory, p *Proposal) {
			p.Items[0].Content = " "
			p.Changes = []Change{{Action: Updated, ID: "id0"}}
		}},
		"a pinned item": {func(m *Memory, p *Proposal) {
			m.Items[0].Pinned = true
			p.Items = p.Items[1:]
			p.Changes = []Change{{Action: Deleted, ID: "id0"}}
		}},
		"a person's item": {func(m *Memory, p *Proposal) {
			m.Items[0].Origins = []Origin{{Extractor: Person}}
			p.Items[0].Content = "Other words"
			p.Changes = []Change{{Action: Updated, ID: "id0"}}
		}},
		"too many": {func(m *Memory, p *Proposal) {
			p.Items = p.Items[3:]
			for i := range 3 {
				p.Changes = append(p.Changes, Change{Action: Deleted, ID: fmt.Sprintf("id%d", i)})
			}
		}},
		"everything": {func(_ *Memory, p *Proposal) { *p = Proposal{} }},
	} {
		m := memoryOf(facts...)
		p := Proposal{Items: all(m)}
		tt.change(&m, &p)
		next, done, err := Evolve(m, nil, p, evolveTime)
		var loss *LossError
		if !errors.As(err, &loss) || done.Changes != nil || !slices.EqualFunc(next.Items, m.Items, func(a, b Item) bool { return a.Content == b.Content && a.State == b.State }) {
			t.Errorf("%s: %v, %+v", name, err, done)
		}
	}
}

// Whatever an extractor answers, every active item is there afterwards with its
// words, or it is named in a change and its words are kept.
func TestEvolveLosesNothing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	actions := []Action{Added, Updated, Replaced, Deleted, Kept, "nonsense"}
	taken := 0
	for range 5000 {
		m := memoryOf(facts[:2+r.IntN(len(facts)-2)]...)
		m.Items[0].Pinned = r.IntN(4) == 0
		var p Proposal
		for _, it := range m.Items {
			if r.IntN(5) > 0 {
				if r.IntN(6) == 0 {
					it.Content = facts[r.IntN(len(facts))]
				}
				p.Items = append(p.Items, it)
			}
			if r.IntN(3) == 0 {
				p.Changes = append(p.Changes, Change{Action: actions[r.IntN(len(actions))], ID: it.ID, By: fmt.Sprintf("id%d", r.IntN(9))})
			}
		}
		for range r.IntN(3) {
			p.Items = append(p.Items, Item{ID: []string{"", "nosuch"}[r.IntN(2)], Section: "facts", Content: facts[r.IntN(len(facts))], Confidence: r.Float64() * 3})
		}
		next, done, err := Evolve(m, []Found{foundOf(facts[r.IntN(len(facts))])}, p, evolveTime)
		if err != nil {
			continue
		}
		taken++
		for _, old := range m.Items {
			i := slices.IndexFunc(next.Items, func(it Item) bool { return it.ID == old.ID })
			named := slices.ContainsFunc(done.Changes, func(c Change) bool { return c.ID == old.ID })
			words := slices.ContainsFunc(next.Items, func(it Item) bool { return it.Content == old.Content })
			if i < 0 || !words || !named && (next.Items[i].State != Active || next.Items[i].Content != old.Content) {
				t.Fatalf("lost %+v by %+v", old, p)
			}
			if old.Pinned && (next.Items[i].State != Active || next.Items[i].Content != old.Content) {
				t.Fatalf("a pinned item changed: %+v", next.Items[i])
			}
		}
	}
	if taken < 100 {
		t.Errorf("only %d of 5000 proposals were taken; the test tests less than it says", taken)
	}
}

func TestEvolveTellsConflicts(t *testing.T) {
	t.Parallel()
	m := memoryOf(facts[0], "Indent with 4 spaces")
	m.Items[1].Pinned = true
	next, done, err := Evolve(m, []Found{foundOf("Indent with 2 spaces")}, Proposal{
		Items: append(slices.Clone(m.Items), Item{Section: "facts", Content: "Indent with 2 spaces", Confidence: .9}),
	}, evolveTime)
	if err != nil || len(done.Conflicts) != 1 || len(next.Active()) != 2 {
		t.Errorf("%+v, %+v, %v", next.Active(), done, err)
	}
}

// A doubt takes nothing out: it is a conflict between two items that are both
// there, a person's own among them, and nothing else is one.
func TestADoubtIsAPersonsToDecide(t *testing.T) {
	t.Parallel()
	m := memoryOf(facts[:3]...)
	m.Items[1].Pinned = true
	p := Proposal{Items: append(slices.Clone(m.Items), Item{Section: "facts", Content: facts[6], Confidence: .8}), Doubts: []Doubt{
		{ID: "id0", Rival: facts[6], Why: "it is the newer word"}, {ID: "id0", Rival: facts[6]}, {ID: "id1", Rival: facts[2]},
		{ID: "id2", Rival: facts[2]}, {ID: "id2", Rival: "Nobody ever said this"}, {ID: "id9", Rival: facts[0]}, {ID: "id2"},
	}}
	next, done, err := Evolve(m, []Found{foundOf(facts[6])}, p, evolveTime)
	if err != nil || len(next.Active()) != 4 || len(done.Conflicts) != 2 {
		t.Fatalf("%+v, %+v, %v", next.Active(), done.Conflicts, err)
	}
	first, second := done.Conflicts[0], done.Conflicts[1]
	if first.ID != "id0" || first.Other != next.Active()[3].ID || first.Existing != facts[0] || first.Found.Content != facts[6] ||
		first.Found.Origin.Session != "s2" || first.Why != "it is the newer word" {
		t.Errorf("%+v", first)
	}
	if second.ID != "id1" || second.Other != "id2" || second.Why == "" {
		t.Errorf("%+v", second)
	}
}
