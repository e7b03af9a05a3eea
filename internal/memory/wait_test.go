package memory

import (
	"context"
	"errors"
	"testing"
	"time"

	"recollect/internal/filelock"
)

// Who gave up does not wait for the one that holds the lock, whatever they wanted.
func TestWaitEndsWithTheCaller(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{LockWait: time.Hour})
	mustEdit(t, s, "main", Edit{Do: Add, Section: "facts", Content: "Buoys are red."})
	m, rev := mustLoad(t, s, "main")
	token, err := s.LastChange("main")
	if err != nil {
		t.Fatal(err)
	}
	lock, err := filelock.Acquire(t.Context(), s.local().Path("memory.lock"), filelock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	before := p.files(t, "main")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range map[string]func() error{
		"save":    func() error { _, err := s.Save(gone, m, rev); return err },
		"edit":    func() error { _, err := s.Edit(gone, "main", Edit{Do: Pin, ID: m.Items[0].ID}); return err },
		"forget":  func() error { _, err := s.Forget(gone, "main", m.Items[0].ID); return err },
		"undo":    func() error { _, err := s.Undo(gone, "main", token); return err },
		"restore": func() error { _, err := s.Restore(gone, "main", "1"); return err },
		"delete":  func() error { _, err := s.Delete(gone, "main"); return err },
		"pack":    func() error { _, err := s.Pack(gone, "main", PackOptions{}); return err },
	} {
		if err := call(); !errors.Is(err, context.Canceled) || !errors.Is(err, filelock.ErrBusy) {
			t.Errorf("%s = %v, want that it was cancelled while it was busy", name, err)
		}
	}
	if p.files(t, "main") != before {
		t.Error("something was written")
	}
}
