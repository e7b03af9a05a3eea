package memory

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestRivals(t *testing.T) {
	t.Parallel()
	mine := []Origin{{Extractor: Person, Time: t0}}
	for _, tt := range []struct {
		name     string
		old, new string // new was said a minute later
		change   func(old, new *Item)
		loses    string // "old", "new" or ""
	}{
		{"another number", "The service listens on port 8080", "The service listens on port 9090", nil, "old"},
		{"the opposite", "Use tabs for indentation", "Use spaces for indentation", nil, "old"},
		{"replaced", "Install packages with npm", "Install packages with pnpm instead of npm", nil, "old"},
		{"replaced, and then back again", "Install packages with pnpm instead of npm", "Install packages with npm", nil, "old"},
		{"something else", "Log with slog", "Tests run in parallel", nil, ""},
		{"the same", "Log with slog", "Log with slog.", nil, ""},
		{"a person's word holds", "Use tabs for indentation", "Use spaces for indentation", func(old, _ *Item) { old.Origins = mine }, "new"},
		{"what is pinned holds", "Use tabs for indentation", "Use spaces for indentation", func(old, _ *Item) { old.Pinned = true }, "new"},
		{"the later one of two of a person's", "Use tabs for indentation", "Use spaces for indentation", func(old, new *Item) { old.Pinned, new.Pinned = true, true }, "old"},
		{"what is gone contradicts nothing", "Use tabs for indentation", "Use spaces for indentation", func(_, new *Item) { new.State = Superseded }, ""},
		{"at the same time, what names the other as the past", "Install packages with pnpm instead of npm", "Install packages with npm", func(old, new *Item) {
			new.Origins, new.Updated = old.Origins, old.Updated
		}, "new"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := stood(Item{ID: "old", Content: tt.old}, Item{ID: "new", Content: tt.new})
			if tt.change != nil {
				tt.change(&m.Items[0], &m.Items[1])
			}
			r := NewRivals(m, nil)
			for id, other := range map[string]string{"old": "new", "new": "old"} {
				by, why := r.Over(id)
				if (by == other) != (id == tt.loses) || (by == "") != (why == "") {
					t.Errorf("over the %s one: %q, %q", id, by, why)
				}
			}
		})
	}
}

func TestRivalsByConflicts(t *testing.T) {
	t.Parallel()
	m := stood(Item{ID: "a", Content: "Use tabs for indentation"}, Item{ID: "b", Content: "Use spaces for indentation"}, Item{ID: "c", Content: "Log with slog"})
	conflict := func(s Status, a, b int) ConflictRecord {
		r := ConflictRecord{Status: s, Branch: "main", Why: "a reader said so"}
		for i, k := range []int{a, b} {
			r.Items[i] = Side{ItemID: m.Items[k].ID, Content: m.Items[k].Content}
		}
		return r
	}
	elsewhere, stale := conflict(KeptBoth, 0, 1), conflict(Unresolved, 0, 2)
	elsewhere.Branch, stale.Items[1].Content = "other", "Log with log"
	for _, tt := range []struct {
		name  string
		found []ConflictRecord
		ask   string
		by    string
	}{
		{"a person keeps both", []ConflictRecord{conflict(KeptBoth, 0, 1)}, "a", ""},
		{"that was another branch", []ConflictRecord{elsewhere}, "a", "b"},
		{"an open one", []ConflictRecord{conflict(PendingReview, 1, 2)}, "b", "c"},
		{"an open one about other words", []ConflictRecord{stale}, "c", ""},
		{"a closed one", []ConflictRecord{conflict(AcceptedOlder, 1, 2)}, "b", ""},
	} {
		if by, why := NewRivals(m, tt.found).Over(tt.ask); by != tt.by {
			t.Errorf("%s: over %s is %q (%s), want %q", tt.name, tt.ask, by, why, tt.by)
		}
	}
	if by, why := NewRivals(m, nil).Over("none"); by != "" || why != "" {
		t.Errorf("over an item that is not there: %q, %q", by, why)
	}
}

// Of what contradicts each other one is left, the same one in whatever order the
// items stand.
func TestRivalsLeaveOne(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 11))
	for range 200 {
		var items []Item
		for range 2 + r.IntN(6) {
			it := Item{Content: "The harbour keeps tides for " + string(rune('1'+r.IntN(9))) + " days", Confidence: float64(r.IntN(3)) / 2}
			if r.IntN(5) == 0 {
				it.Pinned = true
			}
			items = append(items, it)
		}
		m := stood(items...)
		for i := range m.Items {
			at := t0.Add(time.Duration(r.IntN(3)) * time.Hour)
			m.Items[i].Updated, m.Items[i].Origins = at, []Origin{{Extractor: "x", Time: at}}
		}
		left := func(m Memory) map[string]bool {
			out, rivals := map[string]bool{}, NewRivals(m, nil)
			for _, it := range m.Items {
				if by, _ := rivals.Over(it.ID); by == "" {
					out[it.ID] = true
				}
			}
			return out
		}
		before := left(m)
		said := map[string]bool{}
		for _, it := range m.Items {
			if before[it.ID] {
				said[it.Content] = true
			}
		}
		if len(said) != 1 {
			t.Fatalf("%d contents are left of %+v", len(said), m.Items)
		}
		r.Shuffle(len(m.Items), func(i, j int) { m.Items[i], m.Items[j] = m.Items[j], m.Items[i] })
		after := left(m)
		if len(after) != len(before) {
			t.Fatalf("left %v, in another order %v", before, after)
		}
		for id := range after {
			if !before[id] {
				t.Fatalf("left %v, in another order %v", before, after)
			}
		}
	}
}
