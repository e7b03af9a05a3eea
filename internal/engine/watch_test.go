package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/history"
	"recollect/internal/memory"
)

// heard waits for a change to be told, and says how long that took.
func (l *listener) heard(t *testing.T, root, what string) time.Duration {
	t.Helper()
	begun := time.Now()
	for time.Since(begun) < 20*time.Second {
		if l.changes(root, what) > 0 {
			return time.Since(begun)
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s of %s was not told", what, root)
	return 0
}

func (l *listener) changes(root, what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, e := range l.events {
		if c := e.Changed; c != nil && c.Root == root && c.What == what {
			n++
		}
	}
	return n
}

func (l *listener) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = nil
}

// watching waits until a desk watches so many folders at least.
func watching(t *testing.T, d *Desk, history, memory int) {
	t.Helper()
	for range 2000 {
		var a, b int
		if d.watch.history != nil {
			x, y := d.watch.history.Stats()
			a = x + y
		}
		if d.watch.memory != nil {
			x, y := d.watch.memory.Stats()
			b = x + y
		}
		if a >= history && b >= memory {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the folders are not watched")
}

func TestNewHistoryIsNoticed(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]Watch{"system": {History: true}, "looked": {History: true, Polling: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, l := sample(t), newListener()
			d := NewDesk(DeskOptions{Engine: o, Emit: l.hear, Watch: how})
			defer d.Close()
			watching(t, d, 2, 0)
			say(t, o, "watched", "We always paint the buoys red before the season.")
			took := l.heard(t, o.Dir, "history")
			t.Logf("a new turn was told after %v", took)
			f, err := Ask(d, o.Dir, func(e *Engine) (Fresh, error) { return e.Fresh(t.Context(), time.Hour) })
			if err != nil || f.Turns == 0 || len(f.Idle) != 0 && !slices.Contains(f.Idle, "main") {
				t.Errorf("%+v %v", f, err)
			}
			s, err := Ask(d, o.Dir, func(e *Engine) (Status, error) { return e.Status(t.Context()) })
			if err != nil || s.NewTurns != f.Turns {
				t.Errorf("status says %d, counted %d, %v", s.NewTurns, f.Turns, err)
			}
		})
	}
}

// A project in which an assistant is used for the first time is noticed too.
func TestANewProjectIsNoticed(t *testing.T) {
	t.Parallel()
	o, l := sample(t), newListener()
	d := NewDesk(DeskOptions{Engine: o, Emit: l.hear, Watch: Watch{History: true}})
	defer d.Close()
	watching(t, d, 2, 0)
	root := filepath.Join(filepath.Dir(o.Dir), "flow")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(o.Getenv("CLAUDE_CONFIG_DIR"), "projects", "flow")
	write(t, filepath.Join(folder, "s.jsonl"), fmt.Appendf(nil,
		`{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","cwd":%q,"version":"2.1.240","timestamp":"2026-11-01T00:00:00Z","message":{"role":"user","content":"Hello there."}}`+"\n", root))
	t.Logf("a new project was told after %v", l.heard(t, root, "history"))
}

func TestMemoryThatOthersChangeIsNoticed(t *testing.T) {
	t.Parallel()
	o, l := sample(t), newListener()
	d := NewDesk(DeskOptions{Engine: o, Emit: l.hear, Watch: Watch{Memory: true}})
	defer d.Close()
	if err := d.Use(o.Dir, func(*Engine) error { return nil }); err != nil {
		t.Fatal(err)
	}
	watching(t, d, 0, 2)
	other := openSample(t, o) // another process
	if _, err := other.Edit(t.Context(), "main", memory.Edit{Do: memory.Add, Section: "conventions", Content: "Buoys are red."}); err != nil {
		t.Fatal(err)
	}
	l.heard(t, o.Dir, "memory")
	watching(t, d, 0, 4)
	time.Sleep(1200 * time.Millisecond) // what the edit has written
	for _, tt := range []struct{ file, what string }{
		{"branches/main.md", "memory"}, {"conflicts.json", "conflicts"}, {"config.json", "settings"}, {"review/main.json", "review"},
	} {
		l.forget()
		path := filepath.Join(o.Dir, history.MemoryDir, filepath.FromSlash(tt.file))
		if tt.what == "review" {
			path = filepath.Join(stateDir(t, o), filepath.FromSlash(tt.file))
		}
		text, _ := os.ReadFile(path)
		write(t, path, append(text, '\n'))
		l.heard(t, o.Dir, tt.what)
		time.Sleep(600 * time.Millisecond)
		if n := l.changes(o.Dir, tt.what); n > 2 {
			t.Errorf("%s was told %d times", tt.what, n)
		}
	}
	l.forget()
	write(t, filepath.Join(stateDir(t, o), "project.lock"), []byte("x"))
	write(t, filepath.Join(o.Dir, "main.go"), []byte("x"))
	time.Sleep(600 * time.Millisecond)
	if len(l.events) != 0 {
		t.Errorf("told %+v", l.events)
	}
}

// Nothing that the desk itself does goes on for ever.
func TestOwnWritesAreToldOnce(t *testing.T) {
	t.Parallel()
	o, l := sample(t), newListener()
	d := NewDesk(DeskOptions{Engine: o, Emit: func(e Event) { l.hear(e) }, Watch: Watch{History: true, Memory: true}})
	defer d.Close()
	watching(t, d, 2, 0)
	if _, err := d.Memorize(o.Dir, nil, MemorizeOptions{}); err != nil {
		t.Fatal(err)
	}
	if j := l.end(t); j.State != JobDone {
		t.Fatalf("%+v", j)
	}
	time.Sleep(1500 * time.Millisecond)
	l.forget()
	for range 3 { // a page that loads all it shows
		if err := d.Use(o.Dir, func(e *Engine) error {
			_, err := e.Memory(t.Context(), "main")
			_, berr := e.Branches(t.Context())
			if err == nil {
				err = berr
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(time.Second)
	if n := l.changes(o.Dir, "memory") + l.changes(o.Dir, "history"); n > 0 {
		t.Errorf("looking was told as a change, %d times", n)
	}
}

func TestFreshSaysWhatIsIdle(t *testing.T) {
	t.Parallel()
	o := sample(t)
	path := say(t, o, "talking", "We always paint the buoys red before the season.")
	e := openSample(t, o)
	all, err := e.Branches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Fresh(t.Context(), time.Hour)
	if err != nil || slices.Contains(f.Idle, "main") || f.Next <= 59*time.Minute || f.Next > time.Hour {
		t.Errorf("%+v %v", f, err)
	}
	sum := 0
	for _, b := range all {
		sum += b.NewTurns
	}
	if f.Turns != sum || sum == 0 {
		t.Errorf("%d turns, branches have %d", f.Turns, sum)
	}
	long := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(path, long, long); err != nil {
		t.Fatal(err)
	}
	folders, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.jsonl"))
	for _, p := range folders {
		if err := os.Chtimes(p, long, long); err != nil {
			t.Fatal(err)
		}
	}
	if f, err = e.Fresh(t.Context(), time.Hour); err != nil || !slices.Contains(f.Idle, "main") || f.Next != 0 {
		t.Errorf("%+v %v", f, err)
	}
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	if f, err = e.Fresh(t.Context(), time.Hour); err != nil || f.Turns != 0 || len(f.Idle) != 0 {
		t.Errorf("%+v %v", f, err)
	}
	// Our own calls are nobody's history, and begin nothing.
	say(t, o, "own-call", history.OwnMarker+"\n"+strings.Repeat("What is worth keeping? ", 20))
	if f, err = e.Fresh(t.Context(), time.Hour); err != nil || f.Turns != 0 || f.Next != 0 {
		t.Errorf("%+v %v", f, err)
	}
}

// A checkout is told, of a linked work tree too; what is not one is not.
func TestACheckoutIsNoticed(t *testing.T) {
	t.Parallel()
	o, l := sample(t), newListener()
	e := openSample(t, o)
	if _, err := e.Edit(t.Context(), "main", memory.Edit{Do: memory.Add, Section: "facts", Content: "Buoys are red."}); err != nil {
		t.Fatal(err)
	}
	d := NewDesk(DeskOptions{Engine: o, Emit: l.hear, Watch: Watch{History: true, Heads: true}})
	defer d.Close()
	folders := e.project.HeadFolders()
	if len(folders) == 0 {
		t.Fatal("the sample is no repository")
	}
	for range 2000 {
		if x, y := d.watch.heads.Stats(); x+y >= len(folders) {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	for folder := range folders {
		l.forget()
		write(t, filepath.Join(folder, "index"), []byte("x"))
		time.Sleep(600 * time.Millisecond)
		if n := l.changes(o.Dir, "memory"); n > 0 {
			t.Errorf("%s: an index was told as a checkout", folder)
		}
		write(t, filepath.Join(folder, "HEAD"), []byte("ref: refs/heads/other\n"))
		l.heard(t, o.Dir, "memory")
	}
}
