package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
	"recollect/internal/llm/ledger"
	"recollect/internal/memory"
)

func dateAt(day string) time.Time {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return t.Add(12 * time.Hour)
}

func growthOf(today string, items ...memory.Item) *growth {
	g := &growth{zone: time.UTC, today: today, byDay: map[string]map[string]int{}}
	g.add(items)
	return g
}

func TestGrowth(t *testing.T) {
	t.Parallel()
	item := func(section, created, updated string, state memory.State) memory.Item {
		it := memory.Item{Section: section, State: state}
		if created != "" {
			it.Created = dateAt(created)
		}
		if updated != "" {
			it.Updated = dateAt(updated)
		}
		return it
	}
	for _, tt := range []struct {
		name  string
		items []memory.Item
		want  []GrowthDay
	}{
		{"nothing", nil, []GrowthDay{}},
		{"comes and goes", []memory.Item{
			item("a", "2026-01-01", "2026-01-09", memory.Active),
			item("a", "2026-01-01", "2026-01-03", memory.Superseded),
			item("b", "2026-01-03", "2026-01-05", memory.Removed),
			item("b", "2026-01-05", "2026-01-05", memory.Active),
		}, []GrowthDay{
			{"2026-01-01", map[string]int{"a": 2}}, {"2026-01-03", map[string]int{"a": 1, "b": 1}}, {"2026-01-05", map[string]int{"a": 1, "b": 1}},
		}},
		{"all goes", []memory.Item{item("a", "2026-01-01", "2026-01-02", memory.Removed)},
			[]GrowthDay{{"2026-01-01", map[string]int{"a": 1}}, {"2026-01-02", map[string]int{}}}},
		{"were said before they were written down", []memory.Item{
			{ID: "x", Section: "a", State: memory.Superseded, SupersededBy: "y", Created: dateAt("2026-02-20"), Updated: dateAt("2026-02-20"),
				Origins: []memory.Origin{{Time: dateAt("2026-01-04")}, {Time: dateAt("2026-01-02")}, {}}},
			{ID: "y", Section: "a", State: memory.Active, Created: dateAt("2026-02-20"), Updated: dateAt("2026-02-21"),
				Origins: []memory.Origin{{Time: dateAt("2026-01-09")}}},
			{ID: "z", Section: "b", State: memory.Active, Created: dateAt("2026-02-20"), Origins: []memory.Origin{{}}},
		}, []GrowthDay{
			{"2026-01-02", map[string]int{"a": 1}}, {"2026-01-09", map[string]int{"a": 1}}, {"2026-02-20", map[string]int{"a": 1, "b": 1}},
		}},
		{"times that make no sense", []memory.Item{
			item("a", "2026-02-01", "2026-01-01", memory.Removed), // went before it came
			item("b", "2999-01-01", "2999-01-02", memory.Active),  // in the future
			item("c", "", "2026-01-04", memory.Active),
			item("d", "", "", memory.Active),
			{Section: "e", State: memory.Active, Created: time.Date(60000, 1, 1, 0, 0, 0, 0, time.UTC)},
		}, []GrowthDay{
			{"2026-01-04", map[string]int{"c": 1}}, {"2026-02-01", map[string]int{"c": 1}},
			{"2026-03-01", map[string]int{"b": 1, "c": 1, "d": 1, "e": 1}},
		}},
	} {
		if d := cmp.Diff(tt.want, growthOf("2026-03-01", tt.items...).days(maxGrowth)); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// However long a history is, its growth has no more points than the limit, and
// ends with what is there now.
func TestGrowthIsBounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ days, step, want, first int }{
		{700, 1, 700, 1},     // days
		{800, 1, 115, 7},     // weeks
		{6000, 1, 198, 31},   // months, more or less
		{3000, 30, 83, 2980}, // years
		{2000, 300, 731, -1}, // more years than that
	} {
		var items []memory.Item
		start := time.Date(2300, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, -(tt.days-1)*tt.step)
		for i := range tt.days {
			items = append(items, memory.Item{Section: "a", State: memory.Active, Created: start.AddDate(0, 0, i*tt.step)})
		}
		got := growthOf("2300-01-01", items...).days(maxGrowth)
		if len(got) > maxGrowth || tt.first > 0 && (len(got) < tt.want-2 || len(got) > tt.want+2 && tt.step == 1) {
			t.Errorf("%d changes give %d points, want about %d", tt.days, len(got), tt.want)
		}
		last := got[len(got)-1]
		if last.Day != "2300-01-01" || last.Sections["a"] != tt.days {
			t.Errorf("%d changes end with %+v", tt.days, last)
		}
		for i := 1; i < len(got); i++ {
			if got[i-1].Day >= got[i].Day || got[i-1].Sections["a"] >= got[i].Sections["a"] {
				t.Fatalf("out of order: %+v, %+v", got[i-1], got[i])
			}
		}
	}
}

func TestStats(t *testing.T) {
	t.Parallel()
	o := large{sessions: 6, turns: 4, branches: 2, items: 20}.make(t)
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	o.Now = func() time.Time { return now }
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	m, rev, err := e.memories().Load("branch-0")
	if err != nil {
		t.Fatal(err)
	}
	m.Items[0].State, m.Items[0].Updated = memory.Superseded, dateAt("2026-02-02")
	if _, err := e.memories().Save(t.Context(), m, rev); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(e.seen().in().Path(seenName("branch-1"))); err != nil {
		t.Fatal(err)
	}
	spend(t, e, "orchard", "other")
	s, err := e.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.Items != 39 || s.Sessions != 6 || s.Turns != 24 || s.TurnsRead != 12 || s.Branches != 2 || s.NextMaintenance.IsZero() || s.LastMemorized.IsZero() {
		t.Errorf("%+v", s)
	}
	// 20 items of each branch have the confidences 0, 0.1 … 1, 0 … 0.8.
	if want := [10]int{3, 4, 4, 4, 4, 4, 4, 4, 4, 4}; s.Confidence != want {
		t.Errorf("confidence %v, want %v", s.Confidence, want)
	}
	if want := []SectionCount{{"facts", "Facts", 9}, {"architectural-decisions", "Architectural Decisions", 10}, {"conventions", "Conventions", 10}, {"bug-patterns", "Bug Patterns", 10}}; cmp.Diff(want, s.Sections) != "" {
		t.Errorf("%+v", s.Sections)
	}
	total := 0
	for _, n := range s.Growth[len(s.Growth)-1].Sections {
		total += n
	}
	if len(s.Growth) != 21 || total != s.Items || s.Growth[20].Day != "2026-02-02" {
		t.Errorf("growth %+v", s.Growth)
	}
	if want := []Spend{{"2026-11-28", 1, 110, 900, 0}}; cmp.Diff(want, s.Spend) != "" {
		t.Errorf("spend %+v", s.Spend)
	}
	if s.Cap != (Cap{1000, 5_000_000, 1_000_000}) || s.LeftToday != "" {
		t.Errorf("cap %+v, left %q", s.Cap, s.LeftToday)
	}
	set := e.settings()
	set.Model.Provider, set.Budget.Day.Dollars = config.ClaudeCLI, config.NoLimit
	e.inForce.Store(&config.InForce{Settings: set})
	if s, err = e.Stats(t.Context()); err != nil || s.LeftToday == "" || s.Cap.Money != -1 {
		t.Errorf("%+v %q %v", s.Cap, s.LeftToday, err)
	}
}

// spend puts one call of each project into the ledger.
func spend(t *testing.T, e *Engine, projects ...string) {
	t.Helper()
	l := e.ledger()
	defer l.Close()
	for _, p := range projects {
		r, err := l.Reserve(t.Context(), ledger.Call{Project: p, Plugin: "x"}, ledger.Estimate{}, func(ledger.Standing) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Settle(ledger.Bill{InputTokens: 100, OutputTokens: 10, Money: 900, MoneyKnown: true, Outcome: "ok"}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestStatsOfNothing(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	e, err := Open(h.o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s, err := e.Stats(t.Context())
	if err != nil || s.Items != 0 || s.Growth == nil || s.Sections == nil || s.Spend == nil || !s.LastMemorized.IsZero() {
		t.Errorf("%+v, %v", s, err)
	}
	if entries, _ := os.ReadDir(filepath.Join(h.dir, ".recollect")); len(entries) != 0 {
		t.Errorf("something was written: %v", entries)
	}
}

func TestConfidenceBuckets(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	e, err := Open(h.o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := memory.Memory{Branch: "main"}
	for i := range 11 {
		m.Items = append(m.Items, memory.Item{Section: "facts", Content: fmt.Sprintf("Item number %d is there.", i), Confidence: float64(i) / 10})
	}
	if _, err := e.memories().Save(t.Context(), m, ""); err != nil {
		t.Fatal(err)
	}
	s, err := e.Stats(t.Context())
	if want := [10]int{1, 1, 1, 1, 1, 1, 1, 1, 1, 2}; err != nil || s.Confidence != want {
		t.Errorf("%v, %v", s.Confidence, err)
	}
}

func BenchmarkStats(b *testing.B) {
	o := large{sessions: 1000, turns: 10, branches: 20, items: 100}.make(b)
	e, err := Open(o)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	for b.Loop() {
		if s, err := e.Stats(b.Context()); err != nil || s.Items != 2000 {
			b.Fatal(s.Items, err)
		}
	}
}
