//go:build linux

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"
)

// notifications stands in for the desktop's service.
type notifications struct {
	mu  sync.Mutex
	all []string
}

// Notify implements the method of org.freedesktop.Notifications.
func (n *notifications) Notify(_ string, _ uint32, _, summary, body string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, summary+": "+body)
	return 1, nil
}

func (n *notifications) heard() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.all...)
}

// watcher stands in for the panel: it counts who registers.
type watcher struct {
	mu    sync.Mutex
	items []string
}

// RegisterStatusNotifierItem implements org.kde.StatusNotifierWatcher.
func (w *watcher) RegisterStatusNotifierItem(path string, from dbus.Sender) *dbus.Error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.items = append(w.items, string(from)+path)
	return nil
}

func (w *watcher) registered() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.items)
}

func export(t *testing.T, conn *dbus.Conn, v any, path dbus.ObjectPath, iface string) {
	t.Helper()
	if err := conn.Export(v, path, iface); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName(iface, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
}

func TestMemorizeByClick(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	conn := w.bus()
	desktop := &notifications{}
	export(t, conn, desktop, "/org/freedesktop/Notifications", "org.freedesktop.Notifications")
	p := w.service()
	i := w.item(conn, p)

	w.until("the project is offered", func() bool { _, ok := i.find("Memorize web__shop"); return ok })
	var labels []string
	for _, e := range i.menu() {
		labels = append(labels, strings.Repeat("  ", e.depth)+e.label)
	}
	want := "Open Recollect|Ready|Memorize web__shop|Memorize another project|  Memorize web__shop|Memorize all that is new|Pause background work|Quit the background service"
	if got := strings.Join(labels, "|"); got != want {
		t.Errorf("the menu is\n%s, want\n%s", got, want)
	}
	if e, _ := i.find("Ready"); e.enabled {
		t.Error("the line that tells how it is can be chosen")
	}
	var title, id string
	if !i.property("Title", &title) || !i.property("Id", &id) || title != "Recollect" || id != "Recollect" {
		t.Errorf("title %q, id %q", title, id)
	}

	idle := i.pixels()
	lines, pictures := map[string]bool{}, map[string]bool{}
	line := func() string {
		menu := i.menu()
		if len(menu) < 5 {
			return ""
		}
		pictures[string(i.pixels())] = true
		lines[menu[1].label] = true
		return menu[1].label
	}
	i.click("Memorize web__shop")
	w.until("the result is told", func() bool { return strings.HasPrefix(line(), "web__shop: ") })
	if b, err := os.ReadFile(filepath.Join(w.project, ".recollect", "branches", "main.md")); err != nil || !strings.Contains(string(b), "PostgreSQL") {
		t.Errorf("the memory: %v\n%s", err, b)
	}
	w.until("the icon is idle again", func() bool { return bytes.Equal(i.pixels(), idle) })
	if len(lines) < 3 || len(pictures) < 2 {
		t.Errorf("the progress was not shown: %d icons, lines %v", len(pictures), lines)
	}
	w.until("a notification came", func() bool { return len(desktop.heard()) > 0 })
	if heard := desktop.heard(); len(heard) != 1 || !strings.Contains(heard[0], "in 1 branch") || strings.Contains(heard[0], "PostgreSQL") {
		t.Errorf("notifications %q", heard)
	}

	i.click("Memorize all that is new")
	w.until("nothing is new", func() bool { return strings.HasPrefix(line(), "All projects: nothing new") })
	if heard := desktop.heard(); len(heard) != 1 {
		t.Errorf("nothing new is no news: %q", heard)
	}

	i.click("Pause background work")
	w.until("it is paused", func() bool { _, ok := i.find("Resume background work"); return ok })
	if out := w.recollect("service", "status"); !strings.HasPrefix(out, "running, paused") {
		t.Errorf("status: %s", out)
	}
	i.click("Resume background work")
	w.until("it goes on", func() bool { _, ok := i.find("Pause background work"); return ok })

	i.click("Open Recollect")
	w.until("it is told that there is no window", func() bool { return strings.HasPrefix(line(), "Can't open: ") })
	if bytes.Equal(i.pixels(), idle) {
		t.Error("the icon does not show the error")
	}
	i.click("Quit the background service")
	p.wait()
}

// What waits for the person stands in the menu, and leads to where it is decided.
func TestWhatWaitsIsInTheMenu(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.recollect("config", "set", "--user", "review.enabled", "true")
	conn := w.bus()
	p := w.service()
	i := w.item(conn, p)
	i.click("Memorize web__shop")
	w.until("the proposals are offered", func() bool {
		e, ok := i.find("Review 1 proposal of web__shop")
		return ok && e.enabled
	})
	if _, ok := i.find("Decide"); ok {
		t.Error("a conflict is offered, and there is none")
	}
	i.click("Review ")
	w.until("it is told that there is no window", func() bool { _, ok := i.find("Can't open: "); return ok })
	p.stop()
}

// A project that comes up is offered when the menu is opened.
func TestOpenedMenuIsFresh(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	transcript, err := filepath.Glob(filepath.Join(w.dir, "claude", "projects", "*", "*"))
	if err != nil || len(transcript) != 1 {
		t.Fatal(transcript, err)
	}
	text, err := os.ReadFile(transcript[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(w.dir, "claude")); err != nil {
		t.Fatal(err)
	}
	conn := w.bus()
	p := w.service()
	i := w.item(conn, p)
	if e, ok := i.find("Memorize now"); !ok || e.enabled || e.label != "Memorize now" {
		t.Errorf("without a project: %+v", e)
	}
	w.write("claude/projects/x/s1.jsonl", text)
	w.until("the project is offered", func() bool {
		i.event(0, "opened")
		e, _ := i.find("Memorize web__shop")
		return e.enabled
	})
	p.stop()
}

// Without a panel the tray waits for one and says so once; it shows itself to
// one that comes later, and to the next after that, also after a notification.
func TestPanelComesLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	conn := w.bus()
	desktop := &notifications{}
	export(t, conn, desktop, "/org/freedesktop/Notifications", "org.freedesktop.Notifications")
	p := w.service()
	i := w.item(conn, p)
	w.until("it says that there is no panel", func() bool { return strings.Contains(p.said(), "StatusNotifierWatcher") })
	for n := range 2 {
		panel := &watcher{}
		c := w.connect("unix:path=" + filepath.Join(w.dir, "bus"))
		export(t, c, panel, "/StatusNotifierWatcher", "org.kde.StatusNotifierWatcher")
		w.until("the tray shows itself", func() bool { return panel.registered() > 0 })
		c.Close()
		if n == 0 {
			i.click("Memorize web__shop")
			w.until("a notification came", func() bool { return len(desktop.heard()) == 1 })
			if err := conn.Emit("/org/freedesktop/Notifications", "org.freedesktop.Notifications.NotificationClosed", uint32(1), uint32(1)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := strings.Count(p.said(), "RegisterStatusNotifierItem") + strings.Count(p.said(), "not provided"); n > 1 {
		t.Errorf("it was said %d times:\n%s", n, p.said())
	}
	p.stop()
}

// Without any session the service works on, starts no bus of its own, and ends
// well.
func TestNoSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("bin/dbus-launch", []byte("#!/bin/sh\ntouch "+filepath.Join(w.dir, "launched")+"\nexit 1\n"))
	if err := os.Chmod(filepath.Join(w.dir, "bin", "dbus-launch"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := w.service()
	w.until("it says that there is no tray", func() bool { return strings.Contains(p.said(), "no tray") })
	w.until("it answers", func() bool { return strings.HasPrefix(w.recollect("service", "status"), "running") })
	p.stop()
	if _, err := os.Stat(filepath.Join(w.dir, "launched")); err == nil {
		t.Error("a bus was started")
	}
}

// A session that ends takes nothing with it.
func TestSessionEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	conn := w.bus()
	p := w.service()
	w.item(conn, p)
	pid := busPID(t, conn)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	w.until("the tray has noticed", func() bool { return strings.Contains(p.said(), "the session ended") })
	if out := w.recollect("service", "status"); !strings.HasPrefix(out, "running") {
		t.Errorf("after the session: %s", out)
	}
	p.stop()
}

func busPID(t *testing.T, conn *dbus.Conn) int {
	t.Helper()
	var pid uint32
	if err := conn.BusObject().Call("org.freedesktop.DBus.GetConnectionUnixProcessID", 0, "org.freedesktop.DBus").Store(&pid); err != nil {
		t.Fatal(err)
	}
	return int(pid)
}

func TestNoTrayIsAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	conn := w.bus()
	p := w.service("--no-tray")
	w.until("it answers", func() bool { return strings.HasPrefix(w.recollect("service", "status"), "running") })
	var names []string
	if err := conn.BusObject().Call("org.freedesktop.DBus.ListNames", 0).Store(&names); err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if strings.Contains(n, "StatusNotifierItem") {
			t.Errorf("there is a tray: %s", n)
		}
	}
	if out := w.recollect("service", "stop"); !strings.HasPrefix(out, "stopped") {
		t.Errorf("stop: %s", out)
	}
	p.wait()
}
