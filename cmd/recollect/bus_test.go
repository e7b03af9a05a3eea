//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"recollect/internal/plugin"
	"recollect/internal/service"
)

// envProgram has the test binary be the program itself.
const envProgram = "TRAY_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if handled, code := plugin.RunChild(os.Args[1:], os.Stdin, os.Stdout); handled {
		os.Exit(code)
	}
	if os.Getenv(envProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// world is a machine of its own: a home, a project with history, a session bus.
type world struct {
	t       *testing.T
	dir     string
	project string
	env     []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir, project: filepath.Join(dir, "web_shop")}
	cache := filepath.Join(os.TempDir(), "recollect-test-compiled")
	for _, d := range []string{cache, w.project, filepath.Join(dir, "home", "cache"), filepath.Join(dir, "home", "data", "plugins"), filepath.Join(dir, "run")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(cache, filepath.Join(dir, "home", "cache", "compiled")); err != nil {
		t.Fatal(err)
	}
	_, folder, err := service.Where(func(name string) string { return map[string]string{"RECOLLECT_HOME": filepath.Join(dir, "home")}[name] })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) }) // it is elsewhere if dir is long
	w.write("home/data/plugins/cache.key", bytes.Repeat([]byte("k"), 32))
	const fact = "We decided to use PostgreSQL 16 for the orders database, always run make lint before a commit."
	var lines []byte
	for i, role := range []string{"user", "assistant"} {
		lines = fmt.Appendf(lines, `{"type":%q,"uuid":"id-%d","parentUuid":null,"isSidechain":false,"userType":"external","cwd":%q,"sessionId":"s1","version":"2.1.146","gitBranch":"main","timestamp":"2026-11-20T09:00:0%d.000Z","message":{"role":%q,"content":%q}}`+"\n",
			role, i, w.project, i, role, fact)
	}
	w.write("claude/projects/"+strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(w.project)+"/s1.jsonl", lines)
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); !strings.HasPrefix(name, "DBUS_") && !strings.HasPrefix(name, "XDG_") && name != "DISPLAY" {
			w.env = append(w.env, e)
		}
	}
	// A race of the tray library must not decide how the program ends; noRace
	// looks at the reports.
	w.env = append(w.env, envProgram+"=1", "GORACE=exitcode=0", "RECOLLECT_HOME="+filepath.Join(dir, "home"), "CLAUDE_CONFIG_DIR="+filepath.Join(dir, "claude"),
		"HOME="+dir, "XDG_RUNTIME_DIR="+filepath.Join(dir, "run"), "PATH="+filepath.Join(dir, "bin")+":/usr/bin:/bin")
	return w
}

func (w *world) write(name string, data []byte) {
	w.t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// bus starts a session bus and connects to it.
func (w *world) bus() *dbus.Conn {
	w.t.Helper()
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil {
		if os.Getenv("CI") == "true" {
			w.t.Fatal("dbus-daemon is not there: apt-get install dbus")
		}
		w.t.Skip("needs dbus-daemon: apt-get install dbus")
	}
	cmd := exec.Command(daemon, "--session", "--nofork", "--print-address=1", "--address=unix:path="+filepath.Join(w.dir, "bus"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	w.start(cmd)
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		w.t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	w.env = append(w.env, "DBUS_SESSION_BUS_ADDRESS="+address)
	return w.connect(address)
}

func (w *world) connect(address string) *dbus.Conn {
	w.t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { conn.Close() })
	return conn
}

func (w *world) start(cmd *exec.Cmd) {
	w.t.Helper()
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
}

// serviceProcess is a service that was started.
type serviceProcess struct {
	w   *world
	cmd *exec.Cmd
	mu  sync.Mutex
	log bytes.Buffer
}

// Write implements io.Writer.
func (p *serviceProcess) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.Write(b)
}

func (p *serviceProcess) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

func (w *world) service(args ...string) *serviceProcess {
	w.t.Helper()
	p := &serviceProcess{w: w, cmd: exec.Command(os.Args[0], append([]string{"service", "run"}, args...)...)}
	p.cmd.Env, p.cmd.Dir, p.cmd.Stderr, p.cmd.Stdout = w.env, w.dir, p, p
	w.start(p.cmd)
	w.t.Cleanup(func() {
		noRace(w.t, p.said())
		if w.t.Failed() {
			w.t.Log("the service said:\n" + p.said())
		}
	})
	return p
}

// noRace fails for a data race of our own code: the tray library and the bus
// share menus and pixels without a lock.
func noRace(t *testing.T, said string) {
	t.Helper()
	lines := strings.Split(said, "\n")
	for n, line := range lines[:len(lines)-1] {
		accessed := strings.Contains(line, " by goroutine ") || strings.Contains(line, " by main goroutine")
		if accessed && strings.HasPrefix(strings.TrimSpace(lines[n+1]), "recollect/") {
			t.Errorf("a data race:\n%s", said)
			return
		}
	}
}

// stop ends the service as a service manager does, and checks how it ends.
func (p *serviceProcess) stop() {
	p.w.t.Helper()
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	p.wait()
}

func (p *serviceProcess) wait() {
	p.w.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			p.w.t.Errorf("the service ended with %v:\n%s", err, p.said())
		}
	case <-time.After(time.Minute):
		p.w.t.Fatal("the service did not end")
	}
}

// recollect runs another command of the program.
func (w *world) recollect(args ...string) string {
	w.t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env, cmd.Dir = w.env, w.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Errorf("recollect %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (w *world) until(what string, is func() bool) {
	w.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("waited in vain: %s", what)
		}
	}
}

// item is the tray as the bus has it.
type item struct {
	w    *world
	conn *dbus.Conn
	name string
}

func (w *world) item(conn *dbus.Conn, p *serviceProcess) *item {
	w.t.Helper()
	i := &item{w, conn, fmt.Sprintf("org.kde.StatusNotifierItem-%d-1", p.cmd.Process.Pid)}
	w.until("the tray is on the bus", func() bool { return len(i.menu()) > 0 && len(i.pixels()) > 0 })
	return i
}

func (i *item) property(name string, into any) bool {
	v, err := i.conn.Object(i.name, "/StatusNotifierItem").GetProperty("org.kde.StatusNotifierItem." + name)
	return err == nil && dbus.Store([]any{v.Value()}, into) == nil
}

type pixmap struct {
	W, H int32
	Pix  []byte
}

// pixels are those of the icon.
func (i *item) pixels() []byte {
	var all []pixmap
	if !i.property("IconPixmap", &all) || len(all) == 0 || all[0].W < 22 || int(all[0].W*all[0].H*4) != len(all[0].Pix) {
		return nil
	}
	return all[0].Pix
}

type layout struct {
	ID       int32
	Props    map[string]dbus.Variant
	Children []dbus.Variant
}

// entry is an entry of the menu.
type entry struct {
	id      int32
	label   string
	enabled bool
	visible bool
	depth   int
}

// menu reads the whole menu, without separators.
func (i *item) menu() []entry {
	var revision uint32
	var root layout
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := i.conn.Object(i.name, "/StatusNotifierItem/menu").CallWithContext(ctx, "com.canonical.dbusmenu.GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &root)
	if err != nil {
		return nil
	}
	return entries(root, 0)
}

func entries(l layout, depth int) []entry {
	var out []entry
	for _, v := range l.Children {
		var child layout
		if dbus.Store([]any{v.Value()}, &child) != nil {
			continue
		}
		e := entry{id: child.ID, enabled: true, visible: true, depth: depth}
		if p, ok := child.Props["label"]; ok {
			e.label, _ = p.Value().(string)
			if p, ok := child.Props["enabled"]; ok {
				e.enabled, _ = p.Value().(bool)
			}
			if p, ok := child.Props["visible"]; ok {
				e.visible, _ = p.Value().(bool)
			}
			if e.visible {
				out = append(out, e)
			}
		}
		out = append(out, entries(child, depth+1)...)
	}
	return out
}

// find gives the entry whose label begins so.
func (i *item) find(prefix string) (entry, bool) {
	for _, e := range i.menu() {
		if strings.HasPrefix(e.label, prefix) {
			return e, true
		}
	}
	return entry{}, false
}

func (i *item) event(id int32, name string) {
	i.w.t.Helper()
	call := i.conn.Object(i.name, "/StatusNotifierItem/menu").Call("com.canonical.dbusmenu.Event", 0, id, name, dbus.MakeVariant(""), uint32(0))
	if call.Err != nil {
		i.w.t.Fatal(call.Err)
	}
}

func (i *item) click(prefix string) {
	i.w.t.Helper()
	var e entry
	i.w.until("there is "+prefix, func() bool { found, ok := i.find(prefix); e = found; return ok && e.enabled })
	i.event(e.id, "clicked")
}
