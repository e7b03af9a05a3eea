package engine

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/maintain"
	"recollect/internal/memory"
)

// changing are the functions of the engine that have a store write, and which of the
// calls in TestWhatFollowsAChange goes through it.
var changing = map[string]string{
	"Edit": "edit", "UndoEdit": "undo", "ClearMemory": "clear", "RestoreVersion": "version",
	"Restore": "restore", "Forget": "forget", "ForgetBranch": "forget all",
	"Resolve": "conflict", "carryOut": "review", "undoOne": "review undone",
	"tidy": "maintain", "Pack": "maintain", "resave": "doctor", "ImportPuffin": "import", "Rename": "rename",
}

// A call that changes memories must end with follow, so each is tried below.
func TestEveryChangeIsKnown(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	writes := []string{"Save", "Edit", "Forget", "Delete", "Restore", "Undo", "Import", "Pack", "Rename"}
	found := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if s, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains(writes, s.Sel.Name) && isStore(s.X) {
						found[f.Name.Name] = true
					}
				}
				return true
			})
		}
	}
	for name := range found {
		if changing[name] == "" {
			t.Errorf("%s changes a memory: end it with follow, and try it in TestWhatFollowsAChange", name)
		}
	}
	for name := range changing {
		if !found[name] {
			t.Errorf("%s changes no memory any more", name)
		}
	}
}

// isStore says whether an expression is one of the engine's ways to a store.
func isStore(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name == "store"
	case *ast.CallExpr:
		s, ok := x.Fun.(*ast.SelectorExpr)
		return ok && (s.Sel.Name == "memories" || s.Sel.Name == "memoriesLaidOut")
	}
	return false
}

func TestWhatFollowsAChange(t *testing.T) {
	t.Parallel()
	told := 0
	o := sample(t)
	e := openEngine(t, o)
	e.options.later = func(_ string, branches []string) {
		told++
		e.prepareBlocks(t.Context(), branches)
	}
	main, ctx := "main", t.Context()
	first := func() memory.Item {
		m, _, err := e.memories().Load(main)
		if err != nil || len(m.Active()) == 0 {
			t.Fatal("nothing is remembered", err)
		}
		return m.Active()[0]
	}
	var token string
	edited := func(r Edited, err error) error { token = r.Undo; return err }
	reviewed := func(r Reviewed, err error) error { token = r.Undo; return err }
	add := func(text string) error {
		return edited(e.Edit(ctx, main, memory.Edit{Do: memory.Add, Section: "facts", Content: text}))
	}
	version := func() string {
		all, err := e.Versions(&main)
		if err != nil || len(all) == 0 {
			t.Fatal("no version", err)
		}
		return all[len(all)-1].ID
	}
	steps := []struct {
		name string
		do   func() error
	}{
		{"memorize", func() error { return second(e.Memorize(ctx, MemorizeOptions{All: true})) }},
		{"edit", func() error { return add("The gauge reads 4.2 m.") }},
		{"undo", func() error { return second(e.UndoEdit(ctx, main, token)) }},
		{"forget", func() error { _, _, err := e.Forget(ctx, &main, []string{first().ID}); return err }},
		{"restore", func() error { return second(e.Restore(ctx, &main, version())) }},
		{"clear", func() error { return edited(e.ClearMemory(ctx, main)) }},
		{"version", func() error { return second(e.RestoreVersion(ctx, main, version())) }},
		{"conflict", func() error { return resolveOne(ctx, e, first()) }},
		{"maintain", func() error {
			twice(t, e, time.Now().Add(time.Hour))
			return second(e.Maintain(ctx, MaintainOptions{Kind: maintain.Full}))
		}},
		{"doctor", func() error {
			path := e.path("branches", "main.items.jsonl")
			write(t, path, append([]byte(held(t, path)), "{broken\n"...))
			return second(e.Doctor(ctx, true))
		}},
		{"import", func() error {
			write(t, filepath.Join(e.Root(), ".puffin", "memory", "branches", "main.md"),
				[]byte("# Branch Memory: main\n\n## Facts\n\n- The pier has five lamps.\n"))
			return second(e.ImportPuffin(ctx, ""))
		}},
		{"rename", func() error {
			if err := e.Rename(ctx, main, "moved"); err != nil {
				return err
			}
			return e.Rename(ctx, "moved", main)
		}},
		{"forget all", func() error { return second(e.ForgetBranch(ctx, &main)) }},
		{"review", func() error {
			configure(t, e, "review.enabled", "true")
			if _, err := e.Memorize(ctx, MemorizeOptions{Branch: &main, Again: true}); err != nil {
				return err
			}
			waiting, err := e.Review(ctx)
			if err != nil || len(waiting) == 0 {
				t.Fatal("nothing waits", err)
			}
			return reviewed(e.Decide(ctx, verdicts(waiting, true)))
		}},
		{"review undone", func() error { return second(e.UndoReview(ctx, token)) }},
	}
	tried := map[string]bool{}
	for _, s := range steps {
		tried[s.name] = true
		before := told
		if err := s.do(); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if left := e.changes.take(); len(left) > 0 {
			t.Errorf("%s: what must follow a change of %q was not done", s.name, left)
		}
		if told == before {
			t.Errorf("%s: nobody was told", s.name)
		}
		if key, err := e.blockKeyNow(main); err != nil || key.Revision != "" && !e.loadPrepared(main).fits(key) {
			t.Errorf("%s: no block is prepared: %v", s.name, err)
		}
	}
	for name, step := range changing {
		if !tried[step] {
			t.Errorf("%s is not tried: there is no step %q", name, step)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// resolveOne has a conflict about an item decided for what was found.
func resolveOne(ctx context.Context, e *Engine, it memory.Item) error {
	m, _, err := e.memories().Load("main")
	if err != nil {
		return err
	}
	c := memory.Conflict{ID: it.ID, Section: it.Section, Existing: it.Content, Found: memory.Found{
		Section: it.Section, Content: "The opposite of it holds.", Confidence: 1, Origin: it.Origins[0],
	}}
	if _, err := e.conflictsFile().Add("main", m, []memory.Conflict{c}, time.Now()); err != nil {
		return err
	}
	open, err := e.Conflicts(false)
	if err != nil || len(open) == 0 {
		return os.ErrNotExist
	}
	_, err = e.Resolve(ctx, open[0].ID, memory.KeepNewer, "")
	return err
}

// A sentence that was forgotten is in no prepared block: not in that of the branch,
// not in that of another which shows the same, and not in one of another version.
func TestNoPreparedBlockKeepsWhatIsForgotten(t *testing.T) {
	t.Parallel()
	e := memorized(t)
	const words = "The ferry leaves at a quarter past."
	for _, b := range []string{"main", "dune"} {
		if _, err := e.Edit(t.Context(), b, memory.Edit{Do: memory.Add, Section: "facts", Content: words}); err != nil {
			t.Fatal(err)
		}
	}
	other := e.preparedDir().Path("old.json")
	write(t, other, []byte(`{"version":3,"branch":"old","text":"`+words+`"}`))
	holding := func() (n int) {
		files, err := filepath.Glob(e.preparedDir().Path("*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.Contains(held(t, f), words) {
				n++
			}
		}
		return n
	}
	if n := holding(); n != 3 {
		t.Fatalf("%d prepared blocks show it, want 3", n)
	}
	m, _, err := e.memories().Load("dune")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.Forget(t.Context(), &m.Branch, []string{m.Active()[len(m.Active())-1].ID}); err != nil {
		t.Fatal(err)
	}
	if n := holding(); n != 0 {
		t.Errorf("%d prepared blocks show what was forgotten", n)
	}
	main := "main"
	if text, err := e.Block(t.Context(), &main); err != nil || !strings.Contains(text, words) {
		t.Errorf("main remembers it and shows %q, %v", text, err)
	}
}
