package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/filelock"
	"recollect/internal/memorize"
	"recollect/internal/memory"
)

func status(t testing.TB, e *Engine) Status {
	t.Helper()
	s, err := e.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// old makes all files of a memory look as if they were written long ago.
func old(t testing.TB, e *Engine) {
	t.Helper()
	files, err := filepath.Glob(e.path("branches", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		at := time.Now().Add(-time.Hour)
		if err := os.Chtimes(f, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

// The states of a project, one after the other.
func TestStatus(t *testing.T) {
	t.Parallel()
	o := large{sessions: 4, turns: 3, branches: 2, items: 5}.make(t)
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	expect := func(name string, state State, sentence string) Status {
		t.Helper()
		s := status(t, e)
		if s.State != state || s.Sentence != sentence {
			t.Errorf("%s: %s %q, want %s %q", name, s.State, s.Sentence, state, sentence)
		}
		return s
	}
	expect("not counted", StateReady, "Ready.")
	if _, err := e.Branches(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("counted", StateReady, "Everything is memorized.")
	if err := os.Remove(e.seen().in().Path(seenName("branch-1"))); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Branches(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := expect("new turns", StateReady, "6 turns are not memorized yet."); s.NewTurns != 6 {
		t.Errorf("%+v", s)
	}

	// An error stays until the next success of its kind, whatever else goes well.
	e.noteMemorize(nil, &memorizeError{"the disk is full"})
	s := expect("failed", StateError, "The last run failed: the disk is full")
	if s.Problem == nil || s.Problem.Code != "failed" || s.NewTurns != 6 {
		t.Errorf("%+v", s.Problem)
	}
	e.noteInject(Injection{}, nil)
	for _, err := range []error{context.Canceled, &filelock.BusyError{Path: "x"}} {
		e.noteMemorize(nil, err)
	}
	expect("still failed", StateError, "The last run failed: the disk is full")
	failed := Problem{Code: "plugin_trap", Message: "branch \"main\": it crashed", Hint: "try"}
	e.noteMemorize([]BranchReport{{Report: memorize.Report{Outcome: memorize.Failed}, Problem: &failed}}, nil)
	if s := expect("one branch failed", StateError, `The last run failed: branch "main": it crashed`); s.Problem.Hint != "try" || s.Last != nil && s.Last.Failed != 1 {
		t.Errorf("%+v %+v", s.Problem, s.Last)
	}
	e.noteMemorize([]BranchReport{{Report: memorize.Report{Outcome: memorize.Memorized, Changes: make([]memory.Change, 3)}}, {}}, nil)
	s = expect("succeeded", StateReady, "6 turns are not memorized yet.")
	if l := s.Last; l == nil || l.Branches != 2 || l.Memorized != 1 || l.Changes != 3 || l.Failed != 0 || l.At.IsZero() {
		t.Errorf("%+v", l)
	}

	// What waits.
	write(t, e.path("conflicts.json"), []byte(`{"version":1,"conflicts":[{"id":"conflict_1","status":"unresolved"},{"id":"conflict_2","status":"accepted_newer"}]}`))
	expect("a conflict", StateAttention, "1 conflict is open.")
	items := e.path("branches", "branch-0.items.jsonl")
	data, err := os.ReadFile(items)
	if err != nil {
		t.Fatal(err)
	}
	write(t, items, append(data, "{broken\nbroken\n"...))
	if s := expect("damage", StateAttention, "1 conflict is open and 2 places in files can't be read."); s.Damage != 2 || s.Conflicts != 1 {
		t.Errorf("%+v", s)
	}
	old(t, e)
	expect("damage, again", StateAttention, "1 conflict is open and 2 places in files can't be read.")
	expect("damage, kept", StateAttention, "1 conflict is open and 2 places in files can't be read.")
	write(t, e.path("conflicts.json"), []byte(`{`))
	if s := status(t, e); s.Damage != 3 || s.Conflicts != 0 {
		t.Errorf("%+v", s)
	}
	write(t, e.path("config.json"), []byte(`{"version":1,"nonsense":true}`))
	o.Tolerant = true
	tolerant, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer tolerant.Close()
	if s := status(t, tolerant); s.State != StateAttention || s.Problem == nil || s.Problem.Code != "settings" || !strings.HasPrefix(s.Sentence, "The settings") {
		t.Errorf("%+v", s)
	}
}

// What waits for review counts, also on a branch that has nothing else.
func TestStatusOfReview(t *testing.T) {
	t.Parallel()
	o := large{sessions: 2, turns: 2, branches: 1, items: 3}.make(t)
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, branch := range []string{"branch-0", "side"} {
		box := memory.Inbox{Branch: branch, Layout: memory.DefaultLayout(), Waiting: []memory.Waiting{{
			Item:  memory.Item{ID: "new", Section: "facts", Content: "The depot opens at six.", Confidence: 0.8, State: memory.Active},
			Since: time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC),
		}}}
		if err := e.inboxes().Save(box, ""); err != nil {
			t.Fatal(err)
		}
	}
	branches, err := e.Branches(t.Context())
	if err != nil || len(branches) != 2 || branches[0].Waiting != 1 || branches[1].Name != "side" || branches[1].Waiting != 1 {
		t.Errorf("%+v, %v", branches, err)
	}
	if s := status(t, e); s.State != StateAttention || s.Review != 2 || s.Sentence != "2 proposals wait for review." {
		t.Errorf("%+v", s)
	}
	// What is only suggested is counted apart, and asks for nothing.
	quiet := memory.Inbox{Branch: "quiet", Layout: memory.DefaultLayout()}
	quiet = quiet.Suggest(memory.Memory{}, []memory.Found{{Section: "facts", Content: "The depot closes at six.", Suggestion: true}}, e.options.Now())
	if err := e.inboxes().Save(quiet, ""); err != nil {
		t.Fatal(err)
	}
	if s := status(t, e); s.Review != 2 || s.Suggestions != 1 || s.Sentence != "2 proposals wait for review." {
		t.Errorf("%+v", s)
	}
	all, err := e.Review(t.Context())
	if err != nil || len(all) != 3 || !all[2].Suggestion || all[0].Suggestion {
		t.Errorf("%+v, %v", all, err)
	}
	for _, name := range []string{"branch-0", "side"} {
		if err := os.Rename(e.inboxes().Dir().Path(memory.FileStem(name)+".json"), filepath.Join(t.TempDir(), "aside")); err != nil {
			t.Fatal(err)
		}
	}
	if s := status(t, e); s.State != StateReady || s.Review != 0 || s.Suggestions != 1 {
		t.Errorf("%+v", s)
	}
	write(t, e.inboxes().Dir().Path("side.json"), []byte("{"))
	if s := status(t, e); s.Review != 0 || s.Suggestions != 1 || s.Damage != 1 {
		t.Errorf("%+v", s)
	}
}

// One memory that can't be read takes nothing from the others.
func TestUnreadableMemory(t *testing.T) {
	t.Parallel()
	o := large{sessions: 2, turns: 2, branches: 2, items: 3}.make(t)
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	path := e.path("branches", "branch-0.items.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, make([]byte, 33<<20)...), 0o644); err != nil {
		t.Fatal(err)
	}
	old(t, e)
	for range 2 {
		branches, err := e.Branches(t.Context())
		if err != nil || len(branches) != 2 {
			t.Fatal(branches, err)
		}
		for _, b := range branches {
			if bad := b.Name == "branch-0"; bad != (b.Problem != nil) || bad != (b.Items == 0) || b.Turns != 2 {
				t.Errorf("%+v", b)
			}
		}
		if s := status(t, e); s.State != StateAttention || s.Damage != 1 {
			t.Errorf("%+v", s)
		}
	}
	if s, err := e.Stats(t.Context()); err != nil || s.Items != 3 {
		t.Errorf("%+v, %v", s, err)
	}
}

type memorizeError struct{ text string }

func (e *memorizeError) Error() string { return e.text }

// Where nothing can be remembered, no run fails for it.
func TestRunsThatCannotBeNoted(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	write(t, h.path("home", "data", "projects"), []byte("no folder"))
	e, err := Open(h.o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.noteMemorize(nil, errors.New("x"))
	if s := status(t, e); s.State != StateReady {
		t.Errorf("%+v", s)
	}
}

func TestPersonStatus(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s, err := PersonStatus(t.Context(), h.o)
	if err != nil || s.State != StateReady || s.Sentence != "Ready." {
		t.Errorf("%+v, %v", s, err)
	}
	write(t, h.path("home", "config", "config.json"), []byte("{"))
	if s, err = PersonStatus(t.Context(), h.o); err != nil || s.State != StateAttention || s.Problem == nil {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := os.Stat(h.path(".recollect")); err == nil {
		t.Error("a memory folder was made")
	}
}

func TestEnumerate(t *testing.T) {
	t.Parallel()
	for want, parts := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := enumerate(parts); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The real thing: memorize, look, lose the plug-in, look again.
func TestMemorizeIsNoted(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	before, err := e.Branches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	turns := 0
	for _, b := range before {
		turns += b.NewTurns
		if b.BlockTokens != -1 {
			t.Errorf("a block is prepared: %+v", b)
		}
	}
	if s := status(t, e); s.NewTurns != turns || turns == 0 {
		t.Errorf("%+v, want %d new turns", s, turns)
	}
	reports, err := e.Memorize(t.Context(), MemorizeOptions{All: true})
	if err != nil {
		t.Fatal(err)
	}
	s := status(t, e)
	if s.NewTurns != 0 || s.Last == nil || s.Last.Branches != len(reports) || s.Problem != nil {
		t.Errorf("%+v %+v", s, s.Last)
	}
	after, err := e.Branches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	current := 0
	for _, b := range after {
		if b.Items > 0 && b.BlockTokens <= 0 {
			t.Errorf("no block is prepared: %+v", b)
		}
		if b.Current {
			current++
			if b.Name != "main" {
				t.Errorf("%q is checked out", b.Name)
			}
		}
	}
	if current != 1 {
		t.Errorf("%d branches are checked out", current)
	}
	if stats, err := e.Stats(t.Context()); err != nil || stats.TurnsRead != stats.Turns || stats.LastMemorized.Before(time.Now().Add(-time.Minute)) {
		t.Errorf("%+v, %v", stats, err)
	}
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true, Extractors: []string{"no.such.plugin"}}); err == nil {
		t.Fatal("no error")
	}
	if s := status(t, e); s.State != StateError || s.Problem == nil || s.Problem.Code != "plugin_not_found" || s.Problem.Hint == "" {
		t.Errorf("%+v", s)
	}
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	if s := status(t, e); s.Problem != nil {
		t.Errorf("%+v", s.Problem)
	}
}

// BenchmarkStatus is what is asked of a large project again and again.
func BenchmarkStatus(b *testing.B) {
	o := large{sessions: 1000, turns: 10, branches: 20, items: 100}.make(b)
	e, err := Open(o)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	old(b, e)
	if _, err := e.Branches(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if s := status(b, e); s.Sentence != "Everything is memorized." {
			b.Fatal(s)
		}
	}
}
