package atomicfile

import (
	"errors"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

func TestAcquire(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the errors are those of Unix")
	}
	tests := []struct {
		name string
		errs []error // the last one stays
		want bool
		more bool // tries more than once
	}{
		{"free", []error{nil}, true, false},
		{"freed", []error{syscall.EWOULDBLOCK, syscall.EINTR, nil}, true, true},
		{"stuck", []error{syscall.EWOULDBLOCK}, false, true},
		{"no locks left", []error{syscall.ENOLCK}, false, false},
		{"not supported", []error{syscall.ENOTSUP}, false, false},
		{"needs a writable file", []error{syscall.EBADF}, false, false},
		{"not implemented", []error{syscall.ENOSYS}, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n := 0
			got := acquire(50*time.Millisecond, func() error {
				n++
				return tt.errs[min(n, len(tt.errs))-1]
			})
			if got != tt.want || n > 1 != tt.more {
				t.Fatalf("held %v after %d tries", got, n)
			}
		})
	}
}

// TestLockHeld has the lock freed by its owner while a writer waits for it.
func TestLockHeld(t *testing.T) {
	t.Parallel()
	p := filepath.Join(t.TempDir(), "f")
	write(t, p, "old")
	at, err := locate(p)
	if err != nil {
		t.Fatal(err)
	}
	defer at.close()
	unlock, held := lock(at)
	if !held {
		t.Skip("no locks here")
	}
	done := make(chan error, 1)
	go func() { done <- Replace(p, []byte("new"), Content(SumOf([]byte("old"))), Options{}) }()
	select {
	case err := <-done:
		t.Fatalf("did not wait: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	write(t, p, "edited meanwhile")
	unlock()
	if err := <-done; !errors.Is(err, ErrChanged) {
		t.Fatal(err)
	}
	wantContent(t, p, "edited meanwhile")
}
