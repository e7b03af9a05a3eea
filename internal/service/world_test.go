package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/peer"
	"recollect/internal/plugin"
	"recollect/internal/plugin/plugintest"
)

// envWindow has the test binary stand in for the window: its value is the folder
// of the sockets.
const envWindow = "SERVICE_TEST_WINDOW"

func TestMain(m *testing.M) {
	plugintest.CompileFast(os.Args[1:])
	if handled, code := plugin.RunChild(os.Args[1:], os.Stdin, os.Stdout); handled {
		os.Exit(code)
	}
	if data := os.Getenv(envCrash); data != "" {
		crash(data)
	}
	if folder := os.Getenv(envWindow); folder != "" {
		os.Exit(window(folder))
	}
	os.Exit(m.Run())
}

// world is a person's machine.
type world struct {
	dir    string
	env    map[string]string
	folder string

	supply    func(context.Context) Power
	firstLook time.Duration

	mu    sync.Mutex
	notes []string
}

func (w *world) dirs(t *testing.T) config.Dirs {
	t.Helper()
	dirs, err := config.UserDirs(w.getenv)
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{dir: dir, env: map[string]string{
		"RECOLLECT_HOME": filepath.Join(dir, "home"), "CLAUDE_CONFIG_DIR": filepath.Join(dir, "claude"), "HOME": dir,
	}}
	cache := filepath.Join(os.TempDir(), "recollect-test-compiled")
	for _, d := range []string{cache, filepath.Join(dir, "home", "cache"), filepath.Join(dir, "home", "data", "plugins")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(cache, filepath.Join(dir, "home", "cache", "compiled")); err != nil {
		t.Fatal(err)
	}
	w.write(t, "home/data/plugins/cache.key", bytes.Repeat([]byte("k"), 32))
	_, w.folder, err = Where(w.getenv)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(w.folder) }) // it is elsewhere if dir is long
	return w
}

func (w *world) getenv(name string) string { return w.env[name] }

func (w *world) write(t *testing.T, name string, data []byte) {
	t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// said gives a project a session in which something worth remembering was said
// on the branch main, and returns the project's root. A later call is a later
// session.
func (w *world) said(t *testing.T, project, what string) string {
	t.Helper()
	root := filepath.Join(w.dir, project)
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	session := fmt.Sprintf("%s-%d", project, time.Now().UnixNano())
	var lines []byte
	parent := any(nil)
	for i, role := range []string{"user", "assistant"} {
		id := fmt.Sprintf("%s-%d", session, i)
		message := map[string]any{"role": role, "content": what}
		if role == "assistant" {
			message = map[string]any{"role": role, "id": "msg_" + id, "type": "message", "content": []map[string]any{{"type": "text", "text": "Understood, that is how it will be done from now on."}}}
		}
		line, err := json.Marshal(map[string]any{
			"type": role, "uuid": id, "parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": root,
			"sessionId": session, "version": "2.1.146", "gitBranch": "main", "message": message,
			"timestamp": time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
		})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(append(lines, line...), '\n')
		parent = id
	}
	folder := strings.NewReplacer("/", "-", "_", "-", ".", "-", ":", "-", "\\", "-").Replace(root)
	w.write(t, "claude/projects/"+folder+"/"+session+".jsonl", lines)
	return root
}

func (w *world) memory(root string) string {
	b, err := os.ReadFile(filepath.Join(root, ".recollect", "branches", "main.md"))
	if err != nil {
		return ""
	}
	return string(b)
}

func (w *world) notified() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.notes)
}

func (w *world) options(tray Tray) Options {
	return Options{
		Engine: engine.Options{Getenv: w.getenv, Version: "1.0"}, Tray: tray,
		Notify: func(title, text string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.notes = append(w.notes, title+": "+text)
		},
		Power: w.supply, FirstLook: w.firstLook,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
}

// run starts the service and gives a client, and what ends the service and
// checks that it ended well.
func (w *world) run(t *testing.T, tray Tray) (*peer.Client, func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, w.options(tray)) }()
	end := sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the service ended with %v", err)
			}
		case <-time.After(time.Minute):
			t.Error("the service did not end")
		}
	})
	t.Cleanup(end)
	return w.dial(t), end
}

// dial gives a client of the service that runs or just starts.
func (w *world) dial(t *testing.T) *peer.Client {
	t.Helper()
	c, err := peer.Dial(t.Context(), peer.DialOptions{Folder: w.folder, Role: peer.Service, Version: "1.0", Wait: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func call[T any](t *testing.T, c *peer.Client, method string, params any) T {
	t.Helper()
	var answer T
	if err := c.Call(t.Context(), method, params, &answer); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return answer
}

// until waits for something to become true.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

func code(err error) string {
	var e *peer.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return fmt.Sprint(err)
}

// panel is a tray that only remembers.
type panel struct {
	mu    sync.Mutex
	views []View
	act   func(Action)
}

func (p *panel) Run(ctx context.Context, act func(Action)) error {
	p.mu.Lock()
	p.act = act
	p.mu.Unlock()
	<-ctx.Done()
	return nil
}

func (p *panel) Show(v View) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.views = append(p.views, v)
}

func (p *panel) last() View {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.views) == 0 {
		return View{}
	}
	return p.views[len(p.views)-1]
}

func (p *panel) saw(is func(View) bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.views, is)
}

func (p *panel) choose(t *testing.T, a Action) {
	t.Helper()
	until(t, "the tray runs", func() bool { p.mu.Lock(); defer p.mu.Unlock(); return p.act != nil })
	p.act(a)
}
