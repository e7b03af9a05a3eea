package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/filelock"
)

// Who waits is told who is at work, at what and since when.
func TestBusySaysWhoAndWhat(t *testing.T) {
	t.Parallel()
	o := sample(t)
	o.By = "service"
	e := openSample(t, o)
	lock, err := e.lock(t.Context(), "memorizing")
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	o.By, o.LockWait = "", 50*time.Millisecond
	_, err = openSample(t, o).Memorize(t.Context(), MemorizeOptions{All: true})
	p := Explain(err)
	want := fmt.Sprintf("the service (process %d) is memorizing since %s", os.Getpid(), time.Now().Local().Format("15:"))
	if p.Code != "busy" || p.Exit != ExitBusy || !strings.Contains(p.Message, want) {
		t.Errorf("%+v, want %q", p, want)
	}
}

// The text of a lock may be anything.
func TestBusyWithOddHolders(t *testing.T) {
	t.Parallel()
	old := time.Now().Add(-72 * time.Hour)
	for text, want := range map[string]string{
		"": "locked by another process", "recollect, process 7": "recollect, process 7",
		"x since yesterday": "x since yesterday", "\x1b[2Jevil\nmore": "[2Jevil",
		holder("window", "packing", old): " is packing since " + old.Local().Format("2006-01-02 15:04"),
		strings.Repeat("x", 5000):        "xxx",
	} {
		path := filepath.Join(t.TempDir(), "x.lock")
		l, err := filelock.Acquire(t.Context(), path, filelock.Options{Holder: text})
		if err != nil {
			t.Fatal(err)
		}
		if text == "" {
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
		}
		_, err = filelock.Acquire(t.Context(), path, filelock.Options{NoWait: true})
		if got := busyWith(err); !strings.Contains(got, want) || strings.ContainsAny(got, "\x1b\n") || len(got) > 400 {
			t.Errorf("%q: %q", text, got)
		}
		l.Release()
	}
}
