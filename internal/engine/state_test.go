package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/history"
	"recollect/internal/memory"
	"recollect/internal/safefile/treetest"
)

// stateDir is where the state of a project is, which is made if need be.
func stateDir(t *testing.T, o Options) string {
	t.Helper()
	e := openAt(t, o, o.Dir)
	if err := e.makeState(); err != nil {
		t.Fatal(err)
	}
	return e.state().Path()
}

func openAt(t *testing.T, o Options, dir string) *Engine {
	t.Helper()
	o.Dir = dir
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func remember(t *testing.T, e *Engine, words string) {
	t.Helper()
	if _, err := e.Edit(t.Context(), "main", memory.Edit{Do: memory.Add, Section: "facts", Content: words}); err != nil {
		t.Fatal(err)
	}
}

// A state belongs to a folder, wherever the folder is moved; a copy of the folder
// has none, and gets one of its own.
func TestTheStateMovesWithTheFolder(t *testing.T) {
	t.Parallel()
	for _, withGit := range []bool{true, false} {
		t.Run(fmt.Sprintf("git %t", withGit), func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			old, moved, copied := h.path("old"), h.path("moved"), h.path("copied")
			if err := os.MkdirAll(old, 0o755); err != nil {
				t.Fatal(err)
			}
			if withGit {
				h.git(t, old)
			}
			e := openAt(t, h.o, old)
			if e.hasState() {
				t.Error("there is state before anything was written")
			}
			if _, err := e.Init(t.Context()); err != nil {
				t.Fatal(err)
			}
			remember(t, e, "The first thing.")
			first := e.state().Path()
			if info, err := os.Stat(first); err != nil || info.Mode().Perm() != 0o700 && os.PathSeparator == '/' {
				t.Errorf("%v, %v", info.Mode(), err)
			}
			if again := openAt(t, h.o, old); again.state().Path() != first {
				t.Errorf("%s, then %s", first, again.state().Path())
			}
			if err := os.CopyFS(copied, os.DirFS(old)); err != nil {
				t.Fatal(err)
			}
			c := openAt(t, h.o, copied)
			if c.hasState() {
				t.Error("a copy has the state of what it was copied from")
			}
			remember(t, c, "The copy's own.")
			if c.state().Path() == first || openAt(t, h.o, old).state().Path() != first {
				t.Errorf("%s and %s", c.state().Path(), first)
			}
			if err := os.Rename(old, moved); err != nil {
				t.Fatal(err)
			}
			m := openAt(t, h.o, moved)
			if m.state().Path() != first {
				t.Errorf("moved, the state is %s, not %s", m.state().Path(), first)
			}
			remember(t, m, "After the move.")
			if at, _ := m.states().place(filepath.Base(first)); at.Root != m.Root() || len(at.Former) != 1 || at.Former[0] != old {
				t.Errorf("it is noted at %+v", at)
			}
			if !m.project.Owns(filepath.Join(old, "src")) || c.project.Owns(filepath.Join(old, "src")) {
				t.Error("what was said where the folder was is not its history, or is a copy's")
			}
			branch := "main"
			if vs, err := m.Versions(&branch); err != nil || len(vs) != 2 {
				t.Errorf("%+v, %v", vs, err)
			}
		})
	}
}

// A token that somebody made up, or that is of another machine, leads nowhere.
func TestTokensThatLeadNowhere(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	dir, other := h.path("dir"), h.path("other")
	for _, d := range []string{dir, other} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
		h.git(t, d)
	}
	o := openAt(t, h.o, other)
	remember(t, o, "A word of the other project.")
	theirs := filepath.Base(o.state().Top())
	for _, token := range []string{theirs + "\n", newToken(), "../../x", strings.ToUpper(theirs), "", strings.Repeat("a", 1<<20)} {
		for _, file := range []string{".git/recollect/id", ".recollect/local/id"} {
			path := filepath.Join(dir, filepath.FromSlash(file))
			write(t, path, []byte(token))
			if e := openAt(t, h.o, dir); e.hasState() {
				t.Errorf("%s with %.40q leads to %s", file, token, e.state().Path())
			}
			if err := os.RemoveAll(filepath.Dir(path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(t, filepath.Join(dir, ".git", "recollect", "id"), []byte(theirs+"\n"))
	e := openAt(t, h.o, dir)
	remember(t, e, "A word of its own.")
	if filepath.Base(e.state().Top()) == theirs {
		t.Error("it writes the other project's state")
	}
}

// Several processes that write first agree on one state.
func TestOneStateIsMade(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.git(t, h.path("dir"))
	var engines []*Engine
	for range 8 {
		engines = append(engines, openAt(t, h.o, h.path("dir")))
	}
	errs := make(chan error)
	for _, e := range engines {
		go func() { errs <- e.makeState() }()
	}
	for range engines {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	for _, e := range engines {
		if e.state() != engines[0].state() {
			t.Errorf("%s and %s", e.state().Path(), engines[0].state().Path())
		}
	}
	if places, _ := filepath.Glob(h.path("home", "data", "projects", "*", placeName)); len(places) != 1 {
		t.Errorf("left %v", places)
	}
}

// treeOf is all that lies below a folder.
func treeOf(t *testing.T, dir string) treetest.Tree {
	t.Helper()
	tree, err := treetest.Of(dir)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// reading are the calls that read.
func reading(e *Engine) map[string]func(context.Context) error {
	branch := "main"
	return map[string]func(context.Context) error{
		"status":    func(ctx context.Context) error { _, err := e.Status(ctx); return err },
		"branches":  func(ctx context.Context) error { _, err := e.Branches(ctx); return err },
		"show":      func(context.Context) error { _, err := e.Show(&branch, ""); return err },
		"versions":  func(context.Context) error { _, err := e.Versions(&branch); return err },
		"block":     func(ctx context.Context) error { _, err := e.Block(ctx, &branch); return err },
		"doctor":    func(ctx context.Context) error { _, err := e.Doctor(ctx, false); return err },
		"conflicts": func(context.Context) error { _, err := e.Conflicts(true); return err },
		"settings":  func(context.Context) error { _, err := e.Settings(); return err },
		"review":    func(ctx context.Context) error { _, err := e.Review(ctx); return err },
		"trust":     func(ctx context.Context) error { _, err := e.Trust(ctx); return err },
		"projects":  func(ctx context.Context) error { _, err := Projects(ctx, e.options); return err },
		"inject": func(ctx context.Context) error {
			_, err := e.Inject(ctx, InjectOptions{Branch: &branch, DryRun: true})
			return err
		},
		"maintain": func(ctx context.Context) error {
			_, err := e.Maintain(ctx, MaintainOptions{Kind: "nightly", DryRun: true})
			return err
		},
		"memorize": func(ctx context.Context) error {
			_, err := e.Memorize(ctx, MemorizeOptions{All: true, DryRun: true})
			return err
		},
	}
}

// Reading changes nothing of a project, whatever waits to be completed there.
func TestReadingWritesNothing(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(t *testing.T, o Options, e *Engine){
		"nothing made yet": func(*testing.T, Options, *Engine) {},
		"an edit by hand": func(t *testing.T, o Options, e *Engine) {
			remember(t, e, "Tides are measured in cm.")
			path := e.path("branches", "main.md")
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, path, []byte(strings.Replace(string(text), "in cm", "in centimetres", 1)))
		},
		"an interrupted save": func(t *testing.T, o Options, e *Engine) {
			remember(t, e, "Tides are measured in cm.")
			before, err := os.ReadFile(e.path("branches", "main.md"))
			if err != nil {
				t.Fatal(err)
			}
			remember(t, e, "Wind is measured in knots.")
			history := e.state().Path("history", "main")
			write(t, e.path("branches", "main.md"), before)
			if err := os.Rename(filepath.Join(history, "000002.version"), filepath.Join(history, "saving")); err != nil {
				t.Fatal(err)
			}
			branch := "main"
			shown, err := e.Show(&branch, "")
			if err != nil || len(shown.Items) != 2 || !strings.Contains(shown.Markdown, "Wind is") {
				t.Fatalf("%+v, %v", shown, err)
			}
		},
		"an earlier version's state": func(t *testing.T, o Options, e *Engine) {
			remember(t, e, "Tides are measured in cm.")
			write(t, filepath.Join(o.Dir, history.MemoryDir, "local", "history", "x", "saving"), []byte("x"))
			write(t, filepath.Join(o.Dir, history.MemoryDir, "local", "worktrees.json"), []byte(`{"version":1,"worktrees":["/x"]}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := sample(t)
			set(t, o, openSample(t, o))
			e := openSample(t, o)
			before := treeOf(t, o.Dir)
			for what, call := range reading(e) {
				if err := call(t.Context()); err != nil && !errors.Is(err, memory.ErrNoItem) {
					t.Errorf("%s: %v", what, err)
				}
				if changes := before.Changes(treeOf(t, o.Dir)); changes != nil {
					t.Fatalf("%s: %q", what, changes)
				}
			}
		})
	}
}

// What an earlier version kept counts for nothing until the person says yes, and is
// this machine's then.
func TestAnEarlierStateIsTakenOver(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e := openSample(t, o)
	remember(t, e, "Tides are measured in cm.")
	remember(t, e, "Wind is measured in knots.")
	local := filepath.Join(o.Dir, history.MemoryDir, "local")
	was := e.state().Path()
	for _, name := range []string{"history", "worktrees.json"} {
		if name == "worktrees.json" {
			write(t, filepath.Join(local, name), []byte(`{"version":1,"worktrees":["/gone/\u001b[31mtree"]}`))
			continue
		}
		if err := os.CopyFS(filepath.Join(local, name), os.DirFS(filepath.Join(was, name))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(was); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(o.Dir, ".git", "recollect")); err != nil {
		t.Fatal(err)
	}
	e = openSample(t, o)
	branch := "main"
	if vs, err := e.Versions(&branch); err != nil || len(vs) != 0 || len(e.project.Worktrees) != 0 {
		t.Errorf("before the yes: %+v, %v, %v", vs, err, e.project.Worktrees)
	}
	asked, err := e.Trust(t.Context())
	if err != nil || len(asked.Waiting()) != 3 {
		t.Fatalf("%+v, %v", asked, err)
	}
	for _, c := range asked.Claims {
		if c.Kind == ClaimMemory { // without its state it came as that of a clone
			continue
		}
		if c.Kind != ClaimState || strings.Contains(c.Words, "\x1b") || !strings.Contains(c.Words, "Say yes only if") {
			t.Errorf("%+v", c)
		}
	}
	if !strings.Contains(strings.Join(e.LeftAside(), ","), "earlier version") {
		t.Errorf("%v", e.LeftAside())
	}
	write(t, filepath.Join(local, "history", "main", "000009.version"), []byte("another"))
	if _, err := e.GiveTrust(t.Context(), asked.Digest); !errors.Is(err, ErrClaimsChanged) {
		t.Errorf("a yes to what was not shown: %v", err)
	}
	if err := os.Remove(filepath.Join(local, "history", "main", "000009.version")); err != nil {
		t.Fatal(err)
	}
	if asked, err = e.Trust(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := e.GiveTrust(t.Context(), asked.Digest)
	if err != nil || len(after.Waiting()) != 0 {
		t.Fatalf("%+v, %v", after, err)
	}
	e = openSample(t, o)
	if vs, err := e.Versions(&branch); err != nil || len(vs) != 2 || len(e.project.Worktrees) != 1 {
		t.Errorf("after the yes: %+v, %v, %v", vs, err, e.project.Worktrees)
	}
	if left, err := os.ReadDir(filepath.Join(local, "history")); err == nil && len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
