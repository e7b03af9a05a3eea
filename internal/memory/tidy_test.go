package memory

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"recollect/internal/safefile"
)

// stood makes a memory of items as they are, whatever a merge would make of them.
func stood(items ...Item) Memory {
	m := Memory{Branch: "main"}
	for i, it := range items {
		if it.ID == "" {
			it.ID = fmt.Sprintf("%012d", i)
		}
		if it.State == "" {
			it.State = Active
		}
		it.Section = "conventions"
		it.Created, it.Updated = t0.Add(time.Duration(i)*time.Minute), t0.Add(time.Duration(i)*time.Minute)
		if it.Origins == nil {
			it.Origins = []Origin{find(i, "").Origin}
		}
		m.Items = append(m.Items, it)
	}
	return m
}

func TestTidyMergesWhatIsSaidTwice(t *testing.T) {
	t.Parallel()
	mine := []Origin{{Extractor: Person, Time: t0}}
	for _, tt := range []struct {
		name      string
		items     []Item
		stay      []string
		conflicts int
	}{
		{"the surer one stays", []Item{{Content: "Wrap errors once at the boundary", Confidence: 0.5}, {Content: "wrap errors once at the boundary.", Confidence: 0.7}}, []string{"wrap errors once at the boundary."}, 0},
		{"the older one of two as sure", []Item{{Content: "Wrap errors once at the boundary", Confidence: 0.5}, {Content: "wrap errors once at the boundary.", Confidence: 0.5}}, []string{"Wrap errors once at the boundary"}, 0},
		{"three", []Item{{Content: "Log with slog", Confidence: 0.5}, {Content: "Log with slog.", Confidence: 0.6}, {Content: "log with slog", Confidence: 0.4}}, []string{"Log with slog."}, 0},
		{"a person's stays", []Item{{Content: "Log with slog", Confidence: 0.3, Origins: mine}, {Content: "log with slog.", Confidence: 0.9}}, []string{"Log with slog"}, 0},
		{"a pinned one stays", []Item{{Content: "Log with slog", Confidence: 0.9}, {Content: "log with slog.", Confidence: 0.1, Pinned: true}}, []string{"log with slog."}, 0},
		{"two of a person's stay", []Item{{Content: "Log with slog", Origins: mine}, {Content: "log with slog.", Pinned: true}}, []string{"Log with slog", "log with slog."}, 0},
		{"another number is something else", []Item{{Content: "The service listens on port 8080"}, {Content: "The service listens on port 9090"}}, []string{"The service listens on port 8080", "The service listens on port 9090"}, 1},
		{"the opposite is something else", []Item{{Content: "Use tabs for indentation"}, {Content: "Use spaces for indentation"}}, []string{"Use tabs for indentation", "Use spaces for indentation"}, 1},
		{"removed ones count for nothing", []Item{{Content: "Log with slog", State: Removed}, {Content: "log with slog."}}, []string{"log with slog."}, 0},
		{"nothing", nil, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := stood(tt.items...)
			before := stood(tt.items...)
			now := t0.Add(24 * time.Hour)
			next, changes, conflicts := Tidy(m, time.Time{}, now)
			if !reflect.DeepEqual(m, before) {
				t.Error("it changed what it was given")
			}
			if got := activeContents(next); !slices.Equal(got, tt.stay) {
				t.Errorf("stay %q, want %q", got, tt.stay)
			}
			if len(conflicts) != tt.conflicts {
				t.Errorf("conflicts %+v", conflicts)
			}
			for _, c := range conflicts {
				if c.Other == "" || c.Other == c.ID {
					t.Errorf("conflict %+v", c)
				}
			}
			if again, more, _ := Tidy(next, time.Time{}, now.Add(time.Hour)); len(more) > 0 || !reflect.DeepEqual(again, next) {
				t.Errorf("tidied twice: %+v", more)
			}
			gone := len(before.Active()) - len(tt.stay)
			if n := len(slices.DeleteFunc(changes, func(c Change) bool { return c.Action != Replaced })); n != gone {
				t.Errorf("%d named as superseded, want %d", n, gone)
			}
		})
	}
}

func TestTidyKeepsOrigins(t *testing.T) {
	t.Parallel()
	m := stood(Item{Content: "Log with slog", Confidence: 0.5}, Item{Content: "log with slog.", Confidence: 0.7})
	next, _, _ := Tidy(m, time.Time{}, t0.Add(time.Hour))
	if it := next.Items[1]; len(it.Origins) != 2 || it.Confidence != 0.7 {
		t.Errorf("stays as %+v", it)
	}
	if it := next.Items[0]; it.State != Superseded || it.SupersededBy != next.Items[1].ID || len(it.Origins) != 1 {
		t.Errorf("goes as %+v", it)
	}
	found := []Found{find(0, "Log with slog"), find(1, "log with slog.")}
	if after, changes, _ := Merge(next, found, t0.Add(2*time.Hour)); len(changes) > 0 || !reflect.DeepEqual(after, next) {
		t.Errorf("found again: %+v", changes)
	}
}

func TestTidyLooksAtWhatIsRecent(t *testing.T) {
	t.Parallel()
	m := stood(Item{Content: "Log with slog"}, Item{Content: "log with slog."}, Item{Content: "Use tabs for indentation"}, Item{Content: "Use spaces for indentation"})
	if _, changes, conflicts := Tidy(m, t0.Add(time.Hour), t0.Add(2*time.Hour)); len(changes)+len(conflicts) > 0 {
		t.Errorf("old: %v, %v", changes, conflicts)
	}
	m.Items[3].Updated = t0.Add(90 * time.Minute)
	if _, changes, conflicts := Tidy(m, t0.Add(time.Hour), t0.Add(2*time.Hour)); len(changes) > 0 || len(conflicts) != 1 || conflicts[0].ID != m.Items[2].ID {
		t.Errorf("one is recent: %v, %+v", changes, conflicts)
	}
}

// Whatever a memory says: nothing of it is lost, what a person stands for stays
// as it is, and each thing that was said is still said.
func TestTidyLosesNothing(t *testing.T) {
	t.Parallel()
	words := []string{"log with slog", "Log with slog.", "never log with slog", "log with zap", "use port 80 for tests", "use port 81 for tests",
		"use tabs for indentation", "use spaces for indentation", "validate the input", "validation of the input", "use pnpm instead of npm", "use npm for packages"}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var items []Item
		for range r.IntN(12) {
			it := Item{Content: words[r.IntN(len(words))], Confidence: float64(r.IntN(100)) / 100, Pinned: r.IntN(9) == 0}
			it.State = []State{Active, Active, Active, Superseded, Removed}[r.IntN(5)]
			if r.IntN(8) == 0 {
				it.Origins = []Origin{{Extractor: Person, Time: t0}}
			}
			items = append(items, it)
		}
		m := stood(items...)
		next, _, _ := Tidy(m, time.Time{}, t0.Add(time.Hour))
		if len(next.Items) != len(m.Items) {
			t.Fatalf("seed %d: %d items of %d", seed, len(next.Items), len(m.Items))
		}
		byID := map[string]Item{}
		for _, it := range next.Items {
			byID[it.ID] = it
		}
		lex := newLexicon()
		for i, was := range m.Items {
			is := next.Items[i]
			if (was.State != Active || was.Protected()) && !reflect.DeepEqual(was, is) {
				t.Fatalf("seed %d: %+v became %+v", seed, was, is)
			}
			for is.State == Superseded && was.State == Active {
				is = byID[is.SupersededBy]
			}
			a, b := lex.shape(was.Content), lex.shape(is.Content)
			if was.State == Active && (is.State != Active || exactKey(was.Content) != exactKey(is.Content) && !lex.alike(a.words, b.words, a.pairs, b.pairs, 0.5)) {
				t.Fatalf("seed %d: %q ends as %+v", seed, was.Content, is)
			}
		}
		if _, changes, _ := Tidy(next, time.Time{}, t0.Add(2*time.Hour)); len(changes) > 0 {
			t.Fatalf("seed %d: tidied twice: %+v", seed, changes)
		}
	}
}

func TestDecideBetweenTwoRemembered(t *testing.T) {
	t.Parallel()
	m := stood(Item{Content: "Use tabs for indentation"}, Item{Content: "Use spaces for indentation"})
	_, _, found := Tidy(m, time.Time{}, t0)
	if len(found) != 1 {
		t.Fatal(found)
	}
	r := record("main", m, found[0], t0)
	for _, tt := range []struct {
		d    Decision
		want []string
	}{
		{KeepOlder, []string{"Use tabs for indentation"}},
		{KeepNewer, []string{"Use spaces for indentation"}},
		{KeepBoth, []string{"Use tabs for indentation", "Use spaces for indentation (in YAML)"}},
		{Outdated, []string{"Use spaces for indentation"}},
	} {
		next, closed, err := Decide(m, r, tt.d, "in YAML", t0)
		if err != nil || closed.Open() || !slices.Equal(activeContents(next), tt.want) {
			t.Errorf("%s: %q, %v", tt.d, activeContents(next), err)
		}
		if again, _, err := Decide(next, r, tt.d, "in YAML", t0); tt.d != Outdated && tt.d != KeepBoth && (err != nil || !slices.Equal(activeContents(again), tt.want)) {
			t.Errorf("%s after a crash: %q, %v", tt.d, activeContents(again), err)
		}
		// Whatever was decided about these two is not asked again.
		_, _, found := Tidy(next, time.Time{}, t0)
		c := Conflicts{safefile.Beneath(t.TempDir())}
		if err := c.write(conflictsFile{1, []ConflictRecord{closed}}, expect(nil)); err != nil {
			t.Fatal(err)
		}
		if n, err := c.News("main", next, found); n > 0 || err != nil {
			t.Errorf("%s: asked again: %+v, %v", tt.d, found, err)
		}
	}
}

func BenchmarkTidy(b *testing.B) {
	var items []Item
	for i := range 5000 {
		items = append(items, Item{Content: unique(i%50, i), Confidence: 0.5})
	}
	m := stood(items...)
	b.ResetTimer()
	for b.Loop() {
		Tidy(m, t0.Add(4900*time.Minute), t0)
	}
}
