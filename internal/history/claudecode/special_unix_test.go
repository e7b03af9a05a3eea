//go:build unix

package claudecode

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
)

// layOdd puts what is no regular file beside transcripts, and gives the names.
func layOdd(t *testing.T, dir string) []string {
	t.Helper()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.jsonl"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "plain-pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir) // the path of a socket is short
	l, err := net.Listen("unix", "socket.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if err := os.Mkdir(filepath.Join(dir, "folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"zero.jsonl": "/dev/zero", "to-pipe.jsonl": "plain-pipe"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"folder.jsonl", "pipe.jsonl", "socket.jsonl", "to-pipe.jsonl", "zero.jsonl"}
}

func damaged(all []history.Damage) []string {
	var names []string
	for _, d := range all {
		if d.Kind == history.DamageFile && d.Note == "not a regular file" {
			names = append(names, filepath.Base(d.File))
		}
	}
	slices.Sort(names)
	return names
}

// What is no file is passed over and named; the others are read.
func TestWhatIsNoFileAmongTranscripts(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "projects", "-home-dev-one")
	write(t, filepath.Join(folder, "s1.jsonl"), user("a", "", 1, "P1", fields{"cwd": "/home/dev/one"}))
	odd := layOdd(t, folder)
	s := New(Options{ConfigDir: dir, IndexDir: t.TempDir()})
	for range 2 { // without an index and with one
		h, err := s.Open(t.Context(), project(t, "/home/dev/one"))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{"P1"}, talk(t, h)); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(odd, damaged(h.Report().Damage)); d != "" {
			t.Error(d)
		}
		found := discover(t, s)
		if len(found.Used) != 1 || found.Used[0].Sessions != 1 {
			t.Errorf("%+v", found.Used)
		}
		if d := cmp.Diff(odd, damaged(found.Damage)); d != "" {
			t.Error(d)
		}
	}
}

// A pipe may take the place of a file that was read, of the index or of the folder.
func TestAPipeInThePlaceOfAFile(t *testing.T) {
	t.Parallel()
	dir, cache := t.TempDir(), t.TempDir()
	path := write(t, filepath.Join(dir, "projects", "x", "s1.jsonl"), user("a", "", 1, "P1", fields{"cwd": "/home/dev/one"}))
	s := New(Options{ConfigDir: dir, IndexDir: cache})
	h, err := s.Open(t.Context(), project(t, "/home/dev/one"))
	if err != nil {
		t.Fatal(err)
	}
	pipe := func(at string) {
		t.Helper()
		if err := errors.Join(os.RemoveAll(at), syscall.Mkfifo(at, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := filepath.Glob(filepath.Join(cache, "*"))
	if err != nil || len(kept) == 0 {
		t.Fatalf("no index: %v", err)
	}
	for _, k := range kept {
		pipe(k)
	}
	if again, err := s.Open(t.Context(), project(t, "/home/dev/one")); err != nil || len(again.Refs("*")) != 1 {
		t.Errorf("pipes for indexes: %v", err)
	}
	pipe(path)
	for _, err := range h.Turns(t.Context(), h.Refs("*")) {
		if !errors.Is(err, history.ErrGone) {
			t.Errorf("a pipe for the transcript: %v", err)
		}
	}
	pipe(filepath.Join(dir, "projects"))
	if h, err := s.Open(t.Context(), project(t, "/home/dev/one")); err != nil || len(damaged(h.Report().Damage)) != 1 {
		t.Errorf("a pipe for the folder: %v", err)
	}
	if _, err := s.Discover(t.Context(), nil); err == nil {
		t.Error("a pipe for the folder was searched")
	}
}

// A long transcript is left off where it is when the context ends.
func TestReadingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "s1.jsonl"), user("a", "", 1, "P1"))
	if err := os.Truncate(path, 8<<30); err != nil { // a hole: reading it would take seconds
		t.Skipf("no file with a hole can be made: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ticks := 0
	counting := &ticking{Context: ctx, tick: func() {
		if ticks++; ticks == 20 {
			cancel()
		}
	}}
	if _, err := New(Options{}).Open(counting, history.Scope{Transcripts: []string{dir}}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
	if ticks > 40 {
		t.Errorf("it was asked %d times more after its end", ticks-20)
	}
}

// ticking counts how often its end is asked for.
type ticking struct {
	context.Context
	tick func()
}

func (c *ticking) Err() error {
	c.tick()
	return c.Context.Err()
}
