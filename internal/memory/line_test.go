package memory

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"recollect/internal/atomicfile"
)

// back and forth move along the line as undo and redo do; "" is the end of it.
func (p place) back(t *testing.T, s *Store) string {
	t.Helper()
	return p.moves(t, s, s.LastChange, ErrNothingToUndo)
}

func (p place) forth(t *testing.T, s *Store) string {
	t.Helper()
	return p.moves(t, s, s.LastUndone, ErrNothingToRedo)
}

func (p place) moves(t *testing.T, s *Store, where func(string) (string, error), end error) string {
	t.Helper()
	token, err := where("main")
	if errors.Is(err, end) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Undo(t.Context(), "main", token); err != nil {
		t.Fatal(err)
	}
	return p.files(t, "main")
}

func TestLine(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	add := func(text string) string {
		mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: text})
		return p.files(t, "main")
	}
	states := []string{p.files(t, "main"), add("Alpha"), add("Beta"), add("Gamma")}
	if p.forth(t, s) != "" {
		t.Fatal("a redo before any undo")
	}
	walk := func(states []string) {
		t.Helper()
		for i := len(states) - 2; i >= 0; i-- {
			if p.back(t, s) != states[i] {
				t.Fatalf("back, %d: %s", i, p.files(t, "main"))
			}
		}
		for range 2 {
			if p.back(t, s) != "" || p.files(t, "main") != states[0] {
				t.Fatalf("further back: %s", p.files(t, "main"))
			}
		}
		for i := 1; i < len(states); i++ {
			if p.forth(t, s) != states[i] {
				t.Fatalf("forth, %d: %s", i, p.files(t, "main"))
			}
		}
		if p.forth(t, s) != "" || p.files(t, "main") != states[len(states)-1] {
			t.Fatalf("further forth: %s", p.files(t, "main"))
		}
	}
	walk(states)
	walk(states)

	// A change after an undo: nothing to redo, and nothing is gone.
	p.back(t, s)
	p.back(t, s)
	versions, _ := s.Versions("main")
	other := add("Delta")
	if p.forth(t, s) != "" {
		t.Fatal("a redo after a change")
	}
	now, err := s.Versions("main")
	if err != nil || len(now) != len(versions)+1 {
		t.Fatalf("%d versions, then %d, %v", len(versions), len(now), err)
	}
	states = append(states[:2:2], other)
	walk(states)

	// A deletion is one of the steps, and no version to go to.
	if _, err := s.Delete(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	states = append(states, p.files(t, "main"), add("Epsilon"))
	walk(states)
	listed, _ := s.Versions("main")
	newest, _ := strconv.Atoi(listed[0].ID)
	for n := range newest + 1 {
		id := strconv.Itoa(n)
		is := slices.ContainsFunc(listed, func(v Version) bool { return v.ID == id })
		if _, err := s.LoadVersion("main", id); (err == nil) != is || !is && !errors.Is(err, ErrNoVersion) {
			t.Errorf("version %d, listed %v: %v", n, is, err)
		}
	}

	// Restoring is a change as others are.
	if _, err := s.Restore(t.Context(), "main", "2"); err != nil {
		t.Fatal(err)
	}
	walk(append(states, p.files(t, "main")))
}

// What a person wrote in the file is not gone over, by neither.
func TestLineByHand(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: "Alpha"})
	mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: "Beta"})
	p.back(t, s)
	was := read(t, p.markdown("main"))
	put(t, p.markdown("main"), was+"\nby hand\n")
	if _, err := s.LastUndone("main"); !errors.Is(err, ErrNothingToRedo) {
		t.Fatal(err)
	}
	if _, err := s.LastChange("main"); !errors.Is(err, ErrNoVersion) {
		t.Fatal(err)
	}
	// Taken away again by hand, the place is as it was.
	put(t, p.markdown("main"), was)
	if p.forth(t, s) == "" {
		t.Fatal("nothing to redo")
	}
	p.back(t, s)
	put(t, p.markdown("main"), was+"\nby hand\n")
	by := p.files(t, "main")
	mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: "Gamma"})
	if p.back(t, s) != by {
		t.Fatal("not as it was written by hand")
	}
	if _, err := s.LastChange("main"); !errors.Is(err, ErrNoVersion) {
		t.Fatal(err)
	}
	if p.forth(t, s) == "" {
		t.Fatal("nothing to redo")
	}
}

// A move that dies leaves the memory at one end of it, and the line whole.
func TestLineFaults(t *testing.T) {
	t.Parallel()
	fault := errors.New("no space left")
	for _, cause := range []error{fault, atomicfile.Crash()} {
		for step, reached := 0, true; reached; step++ {
			p := newPlace(t)
			s := p.store(StoreOptions{})
			states := []string{p.files(t, "main")}
			for _, text := range []string{"Alpha", "Beta", "Gamma"} {
				mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: text})
				states = append(states, p.files(t, "main"))
			}
			p.back(t, s)
			n := 0
			reached = false
			dying := p.store(StoreOptions{Before: func(string, atomicfile.Step) error {
				if n++; n == step+1 {
					reached = true
					return cause
				}
				return nil
			}})
			token, err := s.LastChange("main")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := dying.Undo(t.Context(), "main", token); reached != (err != nil) {
				t.Fatalf("step %d: %v", step, err)
			}
			completes(t, s, p, "main")
			at := slices.Index(states, p.files(t, "main"))
			if at != 1 && at != 2 || !reached && at != 1 {
				t.Fatalf("step %d: at %d", step, at)
			}
			for at++; at < len(states); at++ {
				if p.forth(t, s) != states[at] {
					t.Fatalf("step %d: forth to %d: %s", step, at, p.files(t, "main"))
				}
			}
			for at = len(states) - 2; at >= 0; at-- {
				if p.back(t, s) != states[at] {
					t.Fatalf("step %d: back to %d", step, at)
				}
			}
			if step > 100 {
				t.Fatal("no end")
			}
		}
	}
}

// What is damaged of the place costs the redo and no more.
func TestLineDamaged(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: "Alpha"})
	mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: "Beta"})
	one := p.back(t, s)
	path := file{s.historyDir("main"), positionName}.path()
	for _, damage := range []string{"", "x", "{}\n", `{"format":"recollect/version/1","position":{"at":-3,"undone":[-1]},"markdown":-1,"items":-1}` + "\n"} {
		put(t, path, damage)
		if _, err := s.LastUndone("main"); !errors.Is(err, ErrNothingToRedo) {
			t.Errorf("%q: %v", damage, err)
		}
		if p.files(t, "main") != one {
			t.Fatal("the memory changed")
		}
	}
	if none := p.back(t, s); none == "" || none == one {
		t.Fatalf("back: %q", none)
	}
}
