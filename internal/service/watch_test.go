package service

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/history"
)

// begin makes a project with a memory folder and some history.
func (w *world) begin(t *testing.T, project string) string {
	t.Helper()
	root := w.said(t, project, fact)
	if err := os.MkdirAll(filepath.Join(root, ".recollect"), 0o755); err != nil {
		t.Fatal(err)
	}
	return root
}

// silent makes all that was said long ago.
func (w *world) silent(t *testing.T, d time.Duration) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(w.dir, "claude", "projects", "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	at := time.Now().Add(-d)
	for _, f := range files {
		if err := os.Chtimes(f, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *world) set(t *testing.T, settings string) {
	t.Helper()
	w.write(t, "home/config/config.json", []byte(`{"version":1,`+settings+`}`))
}

// What is new is shown within two seconds, and nothing is memorized unless the
// person said so.
func TestNewTurnsAreShown(t *testing.T) {
	t.Parallel()
	w, p := newWorld(t), &panel{}
	root := w.begin(t, "shop")
	unasked := w.said(t, "unasked", fact)
	w.run(t, p)
	until(t, "the projects are shown", func() bool { return len(p.last().Recent) == 2 })
	time.Sleep(500 * time.Millisecond) // the folders are watched soon after
	begun := time.Now()
	w.said(t, "unasked", "Nobody asked for this project.")
	w.said(t, "shop", "We always ship on Tuesdays, never on Fridays.")
	until(t, "the turns are shown", func() bool { return p.last().Line == "2 turns not memorized yet" })
	t.Logf("shown after %v", time.Since(begun))
	w.silent(t, time.Hour)
	time.Sleep(time.Second)
	if w.memory(root) != "" || w.memory(unasked) != "" {
		t.Error("something was memorized by itself")
	}
	p.choose(t, Action{Verb: DoMemorize, Root: root})
	until(t, "nothing is left", func() bool { return strings.HasPrefix(p.last().Line, "shop: ") })
}

func TestIdleBranchesAreMemorized(t *testing.T) {
	t.Parallel()
	w, p := newWorld(t), &panel{}
	w.set(t, `"watch":{"memorize":true,"idle":1}`)
	root := w.begin(t, "shop")
	c, _ := w.run(t, p)
	until(t, "the projects are shown", func() bool { return len(p.last().Recent) == 1 })
	time.Sleep(500 * time.Millisecond)
	call[any](t, c, "pause", nil)
	w.said(t, "shop", "We always ship on Tuesdays, never on Fridays.")
	w.silent(t, time.Hour)
	until(t, "the turns are shown", func() bool { return p.last().Line == "2 turns not memorized yet" })
	time.Sleep(300 * time.Millisecond)
	if w.memory(root) != "" {
		t.Error("memorized while paused")
	}
	call[any](t, c, "resume", nil)
	until(t, "what is idle is memorized", func() bool { return strings.Contains(w.memory(root), "Tuesdays") })
	until(t, "the result is shown", func() bool { return p.last().State == StateIdle && strings.HasPrefix(p.last().Line, "shop: ") })
	jobs := len(call[[]any](t, c, "jobs", nil))
	w.said(t, "shop", history.OwnMarker+" what is worth keeping of this?")
	w.silent(t, time.Hour)
	time.Sleep(1500 * time.Millisecond)
	if after := len(call[[]any](t, c, "jobs", nil)); after != jobs {
		t.Error("our own call began a job")
	}
}

// Where a session goes on, its branch waits.
func TestABusyBranchWaits(t *testing.T) {
	t.Parallel()
	w, p := newWorld(t), &panel{}
	w.set(t, `"watch":{"memorize":true,"idle":1}`)
	root := w.begin(t, "shop")
	w.run(t, p)
	until(t, "the projects are shown", func() bool { return len(p.last().Recent) == 1 })
	time.Sleep(500 * time.Millisecond)
	w.said(t, "shop", "We always ship on Tuesdays, never on Fridays.")
	w.silent(t, 57*time.Second)
	until(t, "the turns are shown", func() bool { return p.last().Line == "2 turns not memorized yet" })
	if w.memory(root) != "" {
		t.Error("memorized too early")
	}
	until(t, "it is memorized when it is idle", func() bool { return strings.Contains(w.memory(root), "Tuesdays") })
}
