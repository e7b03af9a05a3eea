package maintain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// world is a project that counts what is done to it.
type world struct {
	branches []Branch
	trivial  map[string]bool // branches with nothing worth extracting
	fails    map[string]error
	wait     error
	done     []string
	since    time.Time
}

func (w *world) Branches(context.Context) ([]Branch, error) { return slices.Clone(w.branches), nil }

func (w *world) Memorize(_ context.Context, names []string, dry bool) ([]Memorized, error) {
	var out []Memorized
	if w.wait != nil {
		return nil, w.wait
	}
	for _, name := range names {
		m := Memorized{Branch: name, Changes: 1, Skipped: w.trivial[name], Failed: w.fails[name]}
		if m.Skipped || dry {
			m.Changes = 0
		}
		out = append(out, m)
		if dry {
			continue
		}
		w.done = append(w.done, name)
		for i := range w.branches {
			if b := &w.branches[i]; b.Name == name && !m.Skipped && m.Failed == nil {
				b.Memory, b.NewTurns = true, 0
			}
		}
	}
	return out, nil
}

func (w *world) Tidy(_ context.Context, name string, since time.Time, _ bool) (Tidied, error) {
	w.since = since
	return Tidied{Merged: 1, Conflicts: 1}, errors.Join(w.fails[name], w.wait)
}

func (w *world) Pack(_ context.Context, name string, _, _ time.Time, _ bool) (Packed, error) {
	return Packed{Items: 2, Versions: 3}, errors.Join(w.fails[name], w.wait)
}

func (w *world) Rebuild(context.Context, bool) (int, error) { return 4, w.wait }

func (w *world) Check(context.Context, bool) (Checked, error) {
	return Checked{Files: 1, Findings: 5, Fixed: 2}, w.wait
}

// many is a project with n branches without a memory, the last one the oldest.
func many(n int) *world {
	w := &world{trivial: map[string]bool{}, fails: map[string]error{}}
	for i := range n {
		w.branches = append(w.branches, Branch{Name: fmt.Sprintf("b%03d", i), NewTurns: 1, OldGap: t0.Add(-time.Duration(i) * time.Hour)})
	}
	return w
}

func mustRun(t *testing.T, w *world, f LogFile, kind Kind, now time.Time, dry bool) Report {
	t.Helper()
	r, err := Run(t.Context(), w, f, Options{Kind: kind, DryRun: dry, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestStartupTakesTheOldestGapsFirst(t *testing.T) {
	t.Parallel()
	w, f := many(50), logFile(t, "")
	for run, want := range []int{20, 20, 10, 0} {
		w.done = nil
		r := mustRun(t, w, f, Startup, t0, false)
		if len(w.done) != want {
			t.Fatalf("run %d memorized %d", run, len(w.done))
		}
		if run == 0 && (w.done[0] != "b049" || w.done[19] != "b030" || len(r.Parts[0].Deferred) != 30 || r.Parts[0].Deferred[0] != "b029") {
			t.Errorf("order %q, deferred %q", w.done, r.Parts[0].Deferred)
		}
		l, _, _ := f.Load()
		if run == 0 && !strings.Contains(r.Parts[0].Words, "30 branches are left for the next run") {
			t.Errorf("said %q", r.Parts[0].Words)
		}
		if run == 0 && (len(l.Results) != 1 || len(l.Results[0].Deferred) != 30 || !l.Startup.Equal(t0) || !l.Thread.Equal(t0)) {
			t.Errorf("log %+v", l)
		}
	}
}

func TestStartupPassesOverWhatIsTrivial(t *testing.T) {
	t.Parallel()
	w := many(100)
	for i := 20; i < 100; i++ {
		w.trivial[w.branches[i].Name] = true
	}
	r := mustRun(t, w, logFile(t, ""), Startup, t0, false)
	if r.Parts[0].Changes != 20 || len(w.done) != 100 || len(r.Parts[0].Deferred) != 0 {
		t.Errorf("%+v", r.Parts[0])
	}
	if mustRun(t, many(3000), logFile(t, ""), Startup, t0, true).Parts[0].Branches != MaxBranches {
		t.Error("too many")
	}
	w = many(3000)
	for _, b := range w.branches {
		w.trivial[b.Name] = true
	}
	if mustRun(t, w, logFile(t, ""), Startup, t0, false); len(w.done) != maxLooks {
		t.Errorf("looked at %d", len(w.done))
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	t.Parallel()
	for _, k := range Kinds {
		w, f := many(30), logFile(t, "{broken")
		r := mustRun(t, w, f, k, t0, true)
		if len(w.done) > 0 || len(r.Parts) == 0 {
			t.Errorf("%s: %+v", k, r)
		}
		if _, broken, _ := f.Load(); broken == nil || r.LogAside != "" {
			t.Errorf("%s: the log was written", k)
		}
	}
}

func TestRunNotesWhatCameOfIt(t *testing.T) {
	t.Parallel()
	fault := errors.New("disk full")
	busy := fmt.Errorf("%w: somebody else", ErrPutOff)
	for _, tt := range []struct {
		name    string
		kind    Kind
		wait    error
		fails   map[string]error
		outcome Outcome
		noted   bool
		words   string
	}{
		{"all well", Nightly, nil, nil, Done, true, "3 memories: 3 duplicates merged, 3 new contradictions"},
		{"one fails", Nightly, nil, map[string]error{"b001": fault}, Partly, true, "1 branch failed: b001: disk full"},
		{"busy", Nightly, busy, nil, PutOff, false, "put off: somebody else"},
		{"fails", Nightly, fault, nil, Partly, true, "3 branches failed"},
		{"weekly", Weekly, nil, nil, Done, true, "6 old items and 9 old versions packed"},
		{"weekly, busy", Weekly, busy, nil, PutOff, false, "put off"},
		{"monthly", Monthly, nil, nil, Done, true, "4 indexes and caches made anew. 1 memory checked, 5 findings, 2 mended; recollect doctor tells more"},
		{"monthly fails", Monthly, fault, nil, Failed, false, "disk full"},
		{"full", Full, nil, nil, Done, true, "checked"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := many(3)
			for i := range w.branches {
				w.branches[i].Memory = true
			}
			w.wait, w.fails = tt.wait, tt.fails
			f := logFile(t, "")
			r := mustRun(t, w, f, tt.kind, t0, false)
			l, _, _ := f.Load()
			last := l.Results[len(l.Results)-1]
			if r.Outcome != tt.outcome || !strings.Contains(last.Words, tt.words) {
				t.Errorf("%s, %q", r.Outcome, last.Words)
			}
			kind := tt.kind
			if kind == Full {
				kind = Monthly
			}
			if l.Last(kind).Equal(t0) != tt.noted {
				t.Errorf("noted as done: %v", l.Last(kind))
			}
		})
	}
}

func TestQuietNightsLeaveOneResult(t *testing.T) {
	t.Parallel()
	w, f := &world{}, logFile(t, "")
	for i := range 10 {
		if r := mustRun(t, w, f, Nightly, t0.AddDate(0, 0, i), false); r.Outcome != Nothing {
			t.Fatal(r.Outcome)
		}
	}
	if l, _, _ := f.Load(); len(l.Results) != 1 || !l.Results[0].At.Equal(t0.AddDate(0, 0, 9)) {
		t.Errorf("%+v", l.Results)
	}
}

func TestNightlyReachesBackToTheLastOne(t *testing.T) {
	t.Parallel()
	w, f := many(1), logFile(t, "")
	w.branches[0].Memory = true
	for _, tt := range []struct {
		now  time.Time
		want time.Time
	}{
		{t0, time.Time{}},
		{t0.Add(time.Hour), t0.Add(time.Hour - Recent)},
		{t0.AddDate(0, 0, 5), t0.Add(time.Hour)},
	} {
		if mustRun(t, w, f, Nightly, tt.now, false); !w.since.Equal(tt.want) {
			t.Errorf("at %v since %v, want %v", tt.now, w.since, tt.want)
		}
	}
}

func TestRunIsCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := logFile(t, "")
	if _, err := Run(ctx, many(3), f, Options{Kind: Full}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if l, _, _ := f.Load(); len(l.Results) > 0 {
		t.Error("it is noted as done")
	}
}
