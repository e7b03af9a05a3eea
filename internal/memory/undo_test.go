package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/atomicfile"
)

// files are the bytes of a memory's two files, for comparing.
func (p place) files(t testing.TB, branch string) string {
	t.Helper()
	var out []string
	for _, path := range []string{p.markdown(branch), p.items(branch)} {
		data, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) {
			data = []byte("none")
		} else if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return strings.Join(out, "\x00")
}

func mustEdit(t testing.TB, s *Store, branch string, edits ...Edit) Edited {
	t.Helper()
	e, err := s.Edit(t.Context(), branch, edits...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A memory that is edited is told as it is loaded.
func sameAsLoaded(t testing.TB, s *Store, e Edited) {
	t.Helper()
	now, err := s.Stand(e.Branch)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(e.Standing)
	b, _ := json.Marshal(now)
	if !bytes.Equal(a, b) {
		t.Fatalf("told\n%s\nloaded\n%s", a, b)
	}
}

func TestUndo(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	none := p.files(t, "main")
	first := mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: "Alpha"})
	id := first.Changes[0].ID
	one := p.files(t, "main")
	second := mustEdit(t, s, "main", Edit{Do: Reword, ID: id, Content: "Beta"}, Edit{Do: Pin, ID: id})
	two := p.files(t, "main")
	if _, err := s.Undo(t.Context(), "main", first.Undo); !errors.Is(err, ErrStale) || p.files(t, "main") != two {
		t.Fatalf("an undo out of order: %v", err)
	}
	redo, err := s.Undo(t.Context(), "main", second.Undo)
	if err != nil || p.files(t, "main") != one {
		t.Fatal(err)
	}
	if _, err := s.Undo(t.Context(), "main", second.Undo); !errors.Is(err, ErrStale) {
		t.Fatalf("the same undo again: %v", err)
	}
	gone, err := s.Undo(t.Context(), "main", first.Undo)
	if err != nil || p.files(t, "main") != none || gone.Revision != "" || gone.Markdown != nil {
		t.Fatalf("%v %+v", err, gone)
	}
	// Forth again, both of them.
	if _, err := s.Undo(t.Context(), "main", gone.Undo); err != nil || p.files(t, "main") != one {
		t.Fatal(err)
	}
	back, err := s.Undo(t.Context(), "main", redo.Undo)
	if err != nil || p.files(t, "main") != two || back.Active()[0].Content != "Beta" || !back.Active()[0].Pinned {
		t.Fatal(err)
	}
	// After an edit by hand it would be lost.
	put(t, p.markdown("main"), read(t, p.markdown("main"))+"\nby hand\n")
	by := p.files(t, "main")
	if _, err := s.Undo(t.Context(), "main", back.Undo); !errors.Is(err, ErrStale) || p.files(t, "main") != by {
		t.Fatalf("an edit by hand: %v", err)
	}
	if _, err := s.LastChange("main"); !errors.Is(err, ErrNoVersion) {
		t.Fatal(err)
	}
	third := mustEdit(t, s, "main", Edit{Do: Unpin, ID: id})
	if _, err := s.Undo(t.Context(), "main", third.Undo); err != nil || p.files(t, "main") != by {
		t.Fatal(err)
	}
	for _, bad := range []string{"", "x", "1-2", "1-2-", "-1-2-0", "1-2-0-3", "99999999999999999999-1-0", "../1-2-3", "7-8-" + strings.Repeat("z", 9)} {
		if _, err := s.Undo(t.Context(), "main", bad); !errors.Is(err, ErrNoVersion) && !errors.Is(err, ErrStale) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// An editor takes no lock: what it writes while an undo goes on stays.
func TestUndoBesideAnEditor(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	mustMerge(t, s, "main", find(1, "Use tabs"))
	e, err := s.Edit(t.Context(), "main", Edit{Do: Add, Section: "facts", Content: "Wrap errors"})
	if err != nil {
		t.Fatal(err)
	}
	edit := read(t, p.markdown("main")) + "\nBy hand.\n"
	busy := p.store(StoreOptions{Before: func(file string, st atomicfile.Step) error {
		if file == "main.md" && st == atomicfile.StepRecheck {
			put(t, p.markdown("main"), edit)
		}
		return nil
	}})
	if _, err := busy.Undo(t.Context(), "main", e.Undo); !errors.Is(err, ErrStale) {
		t.Error(err)
	}
	if read(t, p.markdown("main")) != edit {
		t.Error("the edit is lost")
	}
	if m, _ := mustLoad(t, s, "main"); len(m.Active()) != 2 {
		t.Errorf("%d items", len(m.Active()))
	}
}

// Clearing, restoring and forgetting are taken back alike.
func TestUndoOfOthers(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	mustMerge(t, s, "main", find(1, "Use tabs"), find(2, "Wrap errors"))
	m, _ := mustLoad(t, s, "main")
	if _, err := s.Forget(t.Context(), "main", m.Items[0].ID); err != nil {
		t.Fatal(err)
	}
	was := p.files(t, "main")
	for name, f := range map[string]func() (Edited, error){
		"delete":  func() (Edited, error) { return s.Delete(t.Context(), "main") },
		"restore": func() (Edited, error) { return s.Restore(t.Context(), "main", "1") },
	} {
		e, err := f()
		if err != nil || p.files(t, "main") == was {
			t.Fatalf("%s: %v", name, err)
		}
		sameAsLoaded(t, s, e)
		if last, err := s.LastChange("main"); err != nil || last != e.Undo {
			t.Errorf("%s: the last change is %q, %v; want %q", name, last, err, e.Undo)
		}
		if _, err := s.Undo(t.Context(), "main", e.Undo); err != nil || p.files(t, "main") != was {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if e, err := s.Delete(t.Context(), "other"); err != nil || e.Undo != "" {
		t.Errorf("%+v %v", e, err)
	}
	// The last changes, one after the other.
	for _, want := range []int{2, 0} {
		last, err := s.LastChange("main")
		if err != nil {
			t.Fatal(err)
		}
		e, err := s.Undo(t.Context(), "main", last)
		if err != nil || len(e.Active()) != want {
			t.Fatalf("%v, %d items, want %d", err, len(e.Active()), want)
		}
	}
}

// A chain of undos does not push out the versions that it goes back to.
func TestUndoChain(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	var undos, states []string
	for n := range 45 {
		states = append(states, p.files(t, "main"))
		undos = append(undos, mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: unique(1, n)}).Undo)
	}
	for n := range slices.Backward(undos) {
		if _, err := s.Undo(t.Context(), "main", undos[n]); err != nil || p.files(t, "main") != states[n] {
			t.Fatalf("%d: %v", n, err)
		}
	}
	short := newPlace(t)
	s = short.store(StoreOptions{MaxVersions: 3})
	first := mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: "a"})
	second := mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: "b"})
	for n := range 3 {
		undos[n] = mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: unique(2, n)}).Undo
	}
	for n := range 3 {
		_, err := s.Undo(t.Context(), "main", undos[2-n])
		if want := n == 2; errors.Is(err, ErrNoVersion) != want || !want && err != nil {
			t.Fatalf("%d: %v", n, err)
		}
	}
	for _, u := range []string{first.Undo, second.Undo} {
		if _, err := s.Undo(t.Context(), "main", u); !errors.Is(err, ErrStale) {
			t.Error(err)
		}
	}
}

// TestEditFaults fails at every step of an edit, an undo and a clearing: the
// memory is as before or as after, and the next edit works.
func TestEditFaults(t *testing.T) {
	t.Parallel()
	fault := errors.New("no space left")
	acts := map[string]func(s *Store, e Edited) (Edited, error){
		"edit": func(s *Store, e Edited) (Edited, error) {
			return s.Edit(t.Context(), "main", Edit{Do: Remove, ID: e.Items[0].ID})
		},
		"undo": func(s *Store, e Edited) (Edited, error) { return s.Undo(t.Context(), "main", e.Undo) },
		"first": func(s *Store, e Edited) (Edited, error) {
			return s.Edit(t.Context(), "new", Edit{Do: Add, Section: "facts", Content: "x"})
		},
		"delete":       func(s *Store, _ Edited) (Edited, error) { return s.Delete(t.Context(), "main") },
		"back to none": func(s *Store, _ Edited) (Edited, error) { return s.Undo(t.Context(), "two", "0-1-"+lastSum(s, "two")) },
	}
	for name, act := range acts {
		good, e := faultPlace(t)
		if _, err := act(good.store(StoreOptions{Now: later}), e); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		after := good.all(t)
		for _, cause := range []error{fault, atomicfile.Crash()} {
			step := 0
			for failsAt(t, name, act, step, cause, after) {
				step++
			}
			if step < 5 {
				t.Fatalf("%s: only %d steps", name, step)
			}
		}
	}
}

func later() time.Time { return t0.Add(time.Hour) }

func faultPlace(t *testing.T) (place, Edited) {
	t.Helper()
	p := newPlace(t)
	put(t, p.markdown("main"), handwritten)
	if err := os.Chtimes(p.markdown("main"), t0, t0); err != nil {
		t.Fatal(err)
	}
	s := p.store(StoreOptions{Now: func() time.Time { return t0 }})
	mustEdit(t, s, "two", Edit{Do: Add, Section: "facts", Content: "y"})
	m, _ := mustLoad(t, s, "main")
	return p, mustEdit(t, s, "main", Edit{Do: Move, ID: m.Items[2].ID, Section: "facts", Before: m.Items[0].ID})
}

func (p place) all(t *testing.T) [3]string {
	return [3]string{p.files(t, "main"), p.files(t, "new"), p.files(t, "two")}
}

func lastSum(s *Store, branch string) string {
	_, rev, _ := s.Load(branch)
	return undoToken{revision: rev}.sum()
}

// failsAt says whether there was such a step.
func failsAt(t *testing.T, name string, act func(*Store, Edited) (Edited, error), step int, cause error, after [3]string) bool {
	t.Helper()
	p, e := faultPlace(t)
	before := p.all(t)
	n, where := 0, ""
	s := p.store(StoreOptions{Now: later, Before: func(file string, st atomicfile.Step) error {
		if n++; n == step+1 {
			where = file + ": " + string(st)
			return cause
		}
		return nil
	}})
	_, err := act(s, e)
	if where == "" {
		return false
	}
	if !errors.Is(err, cause) {
		t.Fatalf("%s, %s: %v", name, where, err)
	}
	s = p.store(StoreOptions{Now: later})
	for _, branch := range []string{"main", "new", "two"} {
		completes(t, s, p, branch)
	}
	if got := p.all(t); got != before && got != after {
		t.Fatalf("%s, %v at %s left\n%q", name, cause, where, got)
	}
	mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: "and on"})
	entries, _ := os.ReadDir(filepath.Join(p.local, "history", "main"))
	if i := slices.IndexFunc(entries, func(e os.DirEntry) bool { return e.Name() == announcedName }); i >= 0 {
		t.Fatalf("%s, %s: the save is still announced", name, where)
	}
	return true
}
