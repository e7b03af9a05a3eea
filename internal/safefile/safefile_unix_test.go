//go:build unix

package safefile_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"

	"recollect/internal/safefile"
)

func TestNothingIsWaitedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	link(t, "pipe", filepath.Join(dir, "to-pipe"))
	link(t, "/dev/zero", filepath.Join(dir, "zero"))
	for _, name := range []string{"pipe", "to-pipe", "zero"} {
		if _, _, err := safefile.Read(context.Background(), filepath.Join(dir, name), 1<<20); !errors.Is(err, safefile.ErrNotRegular) {
			t.Errorf("%s: %v, want %v", name, err, safefile.ErrNotRegular)
		}
		_, _, err := safefile.Beneath(dir).Read(context.Background(), name, 1<<20)
		if !errors.Is(err, safefile.ErrNotRegular) && (name != "zero" || !errors.Is(err, safefile.ErrOutside)) {
			t.Errorf("%s in the folder: %v", name, err)
		}
		if _, err := safefile.ReadDir(filepath.Join(dir, name), 10); err == nil {
			t.Errorf("%s was read as a folder", name)
		}
	}
}

// A link that comes and goes while the file is opened never leads out, and a pipe
// that takes the file's place is never waited for.
func TestAnExchangeWhileOpening(t *testing.T) {
	t.Parallel()
	top, away := t.TempDir(), t.TempDir()
	write(t, filepath.Join(away, "f"), "theirs")
	write(t, filepath.Join(top, "ours"), "ours")
	link(t, filepath.Join(away, "f"), filepath.Join(top, "link"))
	if err := syscall.Mkfifo(filepath.Join(top, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; !stop.Load(); i++ {
			from := []string{"ours", "link", "pipe"}[i%3]
			_ = os.Link(filepath.Join(top, from), filepath.Join(top, "next"))
			_ = os.Rename(filepath.Join(top, "next"), filepath.Join(top, "f"))
			_ = os.Remove(filepath.Join(top, "next"))
		}
	}()
	ours := 0
	for range 3000 {
		data, _, err := safefile.Beneath(top).Read(context.Background(), "f", 100)
		if err == nil && string(data) != "ours" {
			t.Errorf("read %q", data)
		}
		if err == nil {
			ours++
		}
	}
	stop.Store(true)
	<-done
	if ours == 0 {
		t.Error("the file was never read: nothing was tried")
	}
}
