package memory

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"recollect/internal/atomicfile"
)

func TestRename(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	told := 0
	s := p.store(StoreOptions{Written: func(_, after Memory) { told += len(after.Items) }})
	if err := s.Rename(t.Context(), "feature/old", "new"); !errors.Is(err, ErrNoMemory) {
		t.Fatal(err)
	}
	mustMerge(t, s, "feature/old", find(1, "Use tabs"), find(2, "Wrap errors"))
	file := p.markdown("feature/old")
	put(t, file, strings.ReplaceAll(read(t, file), "## Facts", "# Branch Memory: quoted\n\nMine.\n\n## Facts"))
	before, _ := mustLoad(t, s, "feature/old")
	was := told
	if err := s.Rename(t.Context(), "feature/old", "new"); err != nil {
		t.Fatal(err)
	}
	if told != was {
		t.Error("what was there already is told of as made here")
	}
	text := read(t, p.markdown("new"))
	if !strings.HasPrefix(text, "# Branch Memory: new\n") || !strings.Contains(text, "# Branch Memory: quoted\n\nMine.\n") {
		t.Error(text)
	}
	after, _ := mustLoad(t, s, "new")
	if after.Branch != "new" || !slices.EqualFunc(before.Items, after.Items, sameItem) {
		t.Errorf("%+v", after)
	}
	if names, err := s.Branches(); err != nil || !slices.Equal(names, []string{"new"}) {
		t.Error(names, err)
	}
	if vs, err := s.Versions("feature/old"); err != nil || len(vs) == 0 {
		t.Error("no version stays", err)
	}
	mustMerge(t, s, "feature/old", find(3, "Another beginning"))
	if err := s.Rename(t.Context(), "feature/old", "new"); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
	if err := s.Rename(t.Context(), "new", "feature/old"); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
}

// TestRenameThatDies calls it again after it died at any step.
func TestRenameThatDies(t *testing.T) {
	t.Parallel()
	for step := 1; ; step++ {
		p := newPlace(t)
		mustMerge(t, p.store(StoreOptions{}), "old", find(1, "Use tabs"), find(2, "Wrap errors"))
		n := 0
		err := p.store(StoreOptions{Before: func(string, atomicfile.Step) error {
			if n++; n == step {
				return atomicfile.Crash()
			}
			return nil
		}}).Rename(t.Context(), "old", "new")
		if err == nil {
			if step < 5 {
				t.Fatal("nothing died")
			}
			return
		}
		s := p.store(StoreOptions{})
		all := 0
		for _, name := range []string{"old", "new"} {
			m, _ := mustLoad(t, s, name)
			all += len(m.Active())
		}
		if all != 2 && all != 4 {
			t.Fatalf("step %d: %d items", step, all)
		}
		if err := s.Rename(t.Context(), "old", "new"); err != nil && !errors.Is(err, ErrNoMemory) {
			t.Fatalf("step %d: %v", step, err)
		}
		m, _ := mustLoad(t, s, "new")
		wantActive(t, m, "Use tabs", "Wrap errors")
		if names, err := s.Branches(); err != nil || !slices.Equal(names, []string{"new"}) {
			t.Fatal(step, names, err)
		}
	}
}
