package filelock

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestExclusive(t *testing.T) {
	t.Parallel()
	p := filepath.Join(t.TempDir(), "new", "lock")
	l, err := Acquire(t.Context(), p, Options{Holder: "the first"})
	if err != nil {
		t.Fatal(err)
	}
	for _, shared := range []bool{false, true} {
		_, err = Acquire(t.Context(), p, Options{NoWait: true, Shared: shared})
		var busy *BusyError
		if !errors.As(err, &busy) || !errors.Is(err, ErrBusy) {
			t.Fatalf("shared %v: %v", shared, err)
		}
		if busy.Holder != "the first" {
			t.Errorf("holder %q", busy.Holder)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err = Acquire(ctx, p, Options{}); !errors.Is(err, ErrBusy) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("wait: %v", err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if err := l.Release(); err != nil {
		t.Fatalf("second release: %v", err)
	}
	if _, err := os.Stat(p); err != nil {
		t.Fatalf("the lock file is gone: %v", err)
	}
	again, err := Acquire(t.Context(), p, Options{NoWait: true})
	if err != nil {
		t.Fatal(err)
	}
	again.Release()
}

func TestShared(t *testing.T) {
	t.Parallel()
	p := filepath.Join(t.TempDir(), "lock")
	a, err := Acquire(t.Context(), p, Options{Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Acquire(t.Context(), p, Options{Shared: true, NoWait: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Acquire(t.Context(), p, Options{NoWait: true}); !errors.Is(err, ErrBusy) {
		t.Fatal(err)
	}
	a.Release()
	b.Release()
}

func TestWaits(t *testing.T) {
	t.Parallel()
	p := filepath.Join(t.TempDir(), "lock")
	a, err := Acquire(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(30*time.Millisecond, func() { a.Release() })
	b, err := Acquire(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	b.Release()
}

// TestDiesWithProcess kills a process that holds the lock.
func TestDiesWithProcess(t *testing.T) {
	if p := os.Getenv("FILELOCK_TEST_PATH"); p != "" {
		if _, err := Acquire(t.Context(), p, Options{}); err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("held\n")
		time.Sleep(time.Minute)
	}
	p := filepath.Join(t.TempDir(), "lock")
	cmd := exec.Command(os.Args[0], "-test.run=^TestDiesWithProcess$")
	cmd.Env = append(os.Environ(), "FILELOCK_TEST_PATH="+p)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "held\n" {
		t.Fatalf("%q %v", line, err)
	}
	_, err = Acquire(t.Context(), p, Options{NoWait: true})
	var busy *BusyError
	if !errors.As(err, &busy) || !strings.Contains(busy.Holder, "process") {
		t.Errorf("while held: %v", err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	l, err := Acquire(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
}

func TestHeldTellsWho(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sub", "project.lock")
	if who, held, err := Held(path); held || err != nil {
		t.Fatalf("a lock that nobody took: %q, %v, %v", who, held, err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("asking has made the lock")
	}
	l, err := Acquire(t.Context(), path, Options{Holder: "the service (process 12)"})
	if err != nil {
		t.Fatal(err)
	}
	if who, held, err := Held(path); !held || who != "the service (process 12)" || err != nil {
		t.Errorf("a held lock: %q, %v, %v", who, held, err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if who, held, err := Held(path); held || err != nil {
		t.Errorf("a lock given up: %q, %v, %v", who, held, err)
	}
}

func TestTaken(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	is := func(want bool) {
		t.Helper()
		if taken, err := Taken(path); err != nil || taken != want {
			t.Fatalf("%v, %v", taken, err)
		}
	}
	is(false)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("it was made: %v", err)
	}
	for _, shared := range []bool{true, false} {
		l, err := Acquire(t.Context(), path, Options{Shared: shared})
		if err != nil {
			t.Fatal(err)
		}
		is(true)
		if err := l.Release(); err != nil {
			t.Fatal(err)
		}
		is(false)
	}
}
