package memory

import (
	"errors"
	"path/filepath"
	"testing"
)

// Several items are forgotten together or not at all, and the beginning of an id
// is enough where it is the only one.
func TestForgetAllOrNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := NewStore(in(dir, filepath.Join(dir, "branches")), At(in(dir, filepath.Join(dir, "local"))), StoreOptions{})
	m := memoryOf(facts[0], facts[1], facts[2])
	m.Items[0].ID, m.Items[1].ID, m.Items[2].ID = "abc1", "abc2", "def"
	if _, err := s.Save(t.Context(), m, ""); err != nil {
		t.Fatal(err)
	}
	left := func() int {
		m, _, err := s.Load("main")
		if err != nil {
			t.Fatal(err)
		}
		return len(m.Active())
	}
	for _, ids := range [][]string{{"def", "nosuch"}, {"def", "abc"}, {"def", ""}, {"def", "def"}} {
		if gone, err := s.Forget(t.Context(), "main", ids...); err == nil || left() != 3 {
			t.Errorf("%q: forgot %v, %v; %d left", ids, gone, err, left())
		}
	}
	if _, err := s.Forget(t.Context(), "main", "nosuch"); !errors.Is(err, ErrNoItem) {
		t.Errorf("%v", err)
	}
	gone, err := s.Forget(t.Context(), "main", "d", "abc2")
	if err != nil || len(gone) != 2 || gone[0].Content != facts[2] || left() != 1 {
		t.Errorf("forgot %v, %v; %d left", gone, err, left())
	}
}
