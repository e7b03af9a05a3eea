package folderwatch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// ear keeps what is told.
type ear struct {
	mu   sync.Mutex
	all  []Change
	hear chan struct{}
}

func newEar() *ear { return &ear{hear: make(chan struct{}, 1000)} }

func (e *ear) tell(c []Change) {
	e.mu.Lock()
	e.all = append(e.all, c...)
	e.mu.Unlock()
	e.hear <- struct{}{}
}

// next waits for the next that is told.
func (e *ear) next(t *testing.T) Change {
	t.Helper()
	select {
	case <-e.hear:
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was told")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	c := e.all[0]
	e.all = e.all[1:]
	return c
}

func (e *ear) quiet(t *testing.T, d time.Duration) {
	t.Helper()
	select {
	case <-e.hear:
		e.mu.Lock()
		defer e.mu.Unlock()
		t.Errorf("told %+v", e.all)
	case <-time.After(d):
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func readyAll(t *testing.T, w *Watcher, n int) {
	t.Helper()
	for range 500 {
		if a, b := w.Stats(); a+b == n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("not %d folders", n)
}

// ready waits until a watcher has so many folders.
func ready(t *testing.T, w *Watcher, watched, polled int) {
	t.Helper()
	for range 500 {
		if a, b := w.Stats(); a == watched && b == polled {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	a, b := w.Stats()
	t.Fatalf("%d watched, %d polled; want %d, %d", a, b, watched, polled)
}

func TestChangesAreTold(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Options{
		"system": {},
		"looked": {Polling: true, Poll: 50 * time.Millisecond},
		"run out": {Poll: 50 * time.Millisecond, BeforeWatch: func(folder string) error {
			if strings.HasSuffix(folder, "a") {
				return errors.New("no space left on device")
			}
			return nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o.Quiet = 50 * time.Millisecond
			o.Ignore = func(name string) bool { return strings.HasSuffix(name, ".lock") }
			dir := t.TempDir()
			a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
			for _, d := range []string{a, b} {
				if err := os.Mkdir(d, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			write(t, filepath.Join(a, "old"), "x")
			e := newEar()
			w := New(o, e.tell)
			defer w.Close()
			w.Set([]string{a, b, filepath.Join(dir, "not there"), a + "/"})
			readyAll(t, w, 2)
			write(t, filepath.Join(a, "old"), "more")
			if c := e.next(t); c.Folder != a || !slices.Equal(c.Names, []string{"old"}) {
				t.Errorf("%+v", c)
			}
			write(t, filepath.Join(b, "new"), "x")
			if c := e.next(t); c.Folder != b || !slices.Equal(c.Names, []string{"new"}) {
				t.Errorf("%+v", c)
			}
			if err := os.Remove(filepath.Join(a, "old")); err != nil {
				t.Fatal(err)
			}
			if c := e.next(t); c.Folder != a || !slices.Equal(c.Names, []string{"old"}) {
				t.Errorf("%+v", c)
			}
			write(t, filepath.Join(a, "x.lock"), "x")
			e.quiet(t, 300*time.Millisecond)
			w.Set([]string{b})
			readyAll(t, w, 1)
			write(t, filepath.Join(a, "y"), "x")
			e.quiet(t, 300*time.Millisecond)
		})
	}
}

// A program that writes all the time is told of now and then.
func TestABurstIsToldAsOne(t *testing.T) {
	t.Parallel()
	dir, e := t.TempDir(), newEar()
	w := New(Options{Quiet: 200 * time.Millisecond}, e.tell)
	defer w.Close()
	w.Set([]string{dir})
	ready(t, w, 1, 0)
	for i := range 600 {
		write(t, filepath.Join(dir, fmt.Sprint(i)), "x")
	}
	if c := e.next(t); c.Folder != dir || c.Names != nil && len(c.Names) > maxNames {
		t.Errorf("%d names", len(c.Names))
	}
	end := time.Now().Add(2500 * time.Millisecond)
	for time.Now().Before(end) {
		write(t, filepath.Join(dir, "busy"), "x")
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond)
	if n := len(e.hear); n < 2 || n > 10 {
		t.Errorf("told %d times in 2.5 seconds of writing", n)
	}
}

func TestBounded(t *testing.T) {
	t.Parallel()
	dir, e := t.TempDir(), newEar()
	var all []string
	for i := range 20 {
		all = append(all, filepath.Join(dir, fmt.Sprint(i)))
		if err := os.Mkdir(all[i], 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w := New(Options{Max: 5, Quiet: 50 * time.Millisecond}, e.tell)
	defer w.Close()
	w.Set(all)
	ready(t, w, 5, 0)
	write(t, filepath.Join(all[10], "x"), "x")
	e.quiet(t, 200*time.Millisecond)
	write(t, filepath.Join(all[4], "x"), "x")
	e.next(t)
}

// A folder that goes is told, and watched again once it is there and set again.
func TestAFolderThatComesAndGoes(t *testing.T) {
	t.Parallel()
	dir, e := t.TempDir(), newEar()
	a := filepath.Join(dir, "a")
	if err := os.Mkdir(a, 0o700); err != nil {
		t.Fatal(err)
	}
	w := New(Options{Quiet: 50 * time.Millisecond}, e.tell)
	defer w.Close()
	w.Set([]string{a})
	ready(t, w, 1, 0)
	if err := os.RemoveAll(a); err != nil {
		t.Fatal(err)
	}
	if c := e.next(t); c.Folder != a || c.Names != nil {
		t.Errorf("%+v", c)
	}
	ready(t, w, 0, 0)
	if err := os.Mkdir(a, 0o700); err != nil {
		t.Fatal(err)
	}
	w.Set([]string{a})
	ready(t, w, 1, 0)
	write(t, filepath.Join(a, "x"), "x")
	if c := e.next(t); c.Folder != a {
		t.Errorf("%+v", c)
	}
}

func TestNothingIsToldAfterClose(t *testing.T) {
	t.Parallel()
	dir, e := t.TempDir(), newEar()
	w := New(Options{Quiet: time.Millisecond}, e.tell)
	w.Set([]string{dir})
	ready(t, w, 1, 0)
	w.Close()
	w.Close()
	w.Set([]string{dir})
	write(t, filepath.Join(dir, "x"), "x")
	e.quiet(t, 100*time.Millisecond)
}
