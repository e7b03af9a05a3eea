//go:build linux

package keyring

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// scene names a situation in which the test's binary is started again, with an
// environment of its own: the library keeps one connection for a whole process.
const (
	scene       = "RECOLLECT_TEST_SCENE"
	sceneDaemon = "RECOLLECT_TEST_DAEMON" // not empty: a daemon was started and will appear
)

// scenes run in the child. Each is timed from outside of the daemon's start.
var scenes = map[string]func(t *testing.T){
	"works": func(t *testing.T) {
		r := New(Options{Service: "recollect-test"})
		if _, err := r.Get(t.Context(), "anthropic", VendorOrigins["anthropic"]); !errors.Is(err, ErrNotFound) {
			t.Fatalf("before: %v", err)
		}
		for _, key := range []string{"first", marker} {
			if err := r.Set(t.Context(), "anthropic", NewKey(key), Keyring); err != nil {
				t.Fatal(err)
			}
			found, err := New(Options{Service: "recollect-test"}).Get(t.Context(), "anthropic", VendorOrigins["anthropic"])
			if err != nil || found.Key.Reveal() != key || found.Place != Keyring {
				t.Fatalf("%+v, %v", found, err)
			}
		}
		if s, err := r.Status(t.Context(), "anthropic", VendorOrigins["anthropic"]); err != nil || s.Place != Keyring || s.Looked[1].Problem != "" {
			t.Errorf("%+v, %v", s, err)
		}
		if done, err := r.Delete(t.Context(), "anthropic"); err != nil || len(done) != 1 {
			t.Fatalf("delete: %v, %v", done, err)
		}
		if _, err := r.Get(t.Context(), "anthropic", VendorOrigins["anthropic"]); !errors.Is(err, ErrNotFound) {
			t.Fatalf("after: %v", err)
		}
	},
	"answered": func(t *testing.T) {
		fakeService(t, false, true)
		if err := probe(t.Context(), probeWait, 5*time.Second); err != nil {
			t.Errorf("unlocked by a dialog: %v", err)
		}
	},
	"locked":    func(t *testing.T) { wantProblem(t, ErrLocked, "unlock the keyring", 0) },
	"lockedAsk": func(t *testing.T) { wantProblem(t, ErrLocked, "unlock the keyring", 300*time.Millisecond) },
	"none":      func(t *testing.T) { wantProblem(t, ErrUnavailable, "no Secret Service", 0) },
	"noBus":     func(t *testing.T) { wantProblem(t, ErrUnavailable, "no D-Bus session", 0) },
	"deadBus":   func(t *testing.T) { wantProblem(t, ErrUnavailable, "does not answer", 0) },
	"fresh":     func(t *testing.T) { wantProblem(t, ErrUnavailable, "no keyring yet", 0) },
	"muteBus":   func(t *testing.T) { muteBus(t); wantProblem(t, ErrUnavailable, "does not answer", 0) },
	"hidden": func(t *testing.T) {
		fakeService(t, false, false)
		wantProblem(t, ErrLocked, "nobody answered", 300*time.Millisecond)
	},
	"muteService": func(t *testing.T) { fakeService(t, true, false); wantProblem(t, ErrUnavailable, "does not answer", 0) },
}

// wantProblem asks everything of a keyring that can't be used.
func wantProblem(t *testing.T, kind error, words string, prompt time.Duration) {
	t.Helper()
	r := New(Options{Service: "recollect-test", Dir: t.TempDir(), Prompt: prompt})
	check := func(what string, ask func() error) {
		t.Helper()
		start := time.Now()
		err := ask()
		took := time.Since(start)
		t.Logf("%s: %v after %v", what, err, took.Round(time.Millisecond))
		var e *Error
		if !errors.Is(err, kind) || !errors.As(err, &e) || !strings.Contains(e.Error()+"; "+e.Fix, words) || !strings.Contains(e.Fix, "ANTHROPIC_API_KEY") {
			t.Errorf("%s: %v; fix %v", what, err, e)
		}
		if took > 2*time.Second+prompt {
			t.Errorf("%s took %v", what, took)
		}
	}
	check("get", func() error { _, err := r.Get(t.Context(), "anthropic", VendorOrigins["anthropic"]); return err })
	check("set", func() error { return r.Set(t.Context(), "anthropic", NewKey(marker), Keyring) })
	check("delete", func() error { _, err := r.Delete(t.Context(), "anthropic"); return err })
	s, err := r.Status(t.Context(), "anthropic", VendorOrigins["anthropic"])
	if err != nil || s.Place != "" || s.Looked[1].Problem == "" || s.Looked[1].Fix == "" {
		t.Errorf("%+v, %v", s, err)
	}
	if err := r.Set(t.Context(), "anthropic", NewKey(marker), File); err != nil {
		t.Errorf("the file has to work without a keyring: %v", err)
	}
}

// TestScene is the child.
func TestScene(t *testing.T) {
	run := scenes[os.Getenv(scene)]
	if run == nil {
		t.Skip("is run by TestRealKeyring")
	}
	if os.Getenv(sceneDaemon) != "" {
		awaitDaemon(t)
	}
	run(t)
}

func awaitDaemon(t *testing.T) {
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for range 500 {
		var there bool
		if err := conn.BusObject().Call(hasOwner, 0, secretsName).Store(&there); err == nil && there {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the daemon does not appear")
}

// TestRealKeyring runs the scenes against gnome-keyring on a private bus, and
// against buses that are not as they should be.
func TestRealKeyring(t *testing.T) {
	for _, tt := range []struct {
		scene  string
		daemon string // how gnome-keyring is started, in the shell; "" without one
		bus    bool
		env    []string
	}{
		{scene: "works", bus: true, daemon: unlocked},
		{scene: "locked", bus: true, daemon: lockedAgain},
		{scene: "lockedAsk", bus: true, daemon: lockedAgain},
		{scene: "fresh", bus: true, daemon: "gnome-keyring-daemon --daemonize --components=secrets >&2 </dev/null"},
		{scene: "none", bus: true},
		{scene: "hidden", bus: true},
		{scene: "muteService", bus: true},
		{scene: "answered", bus: true},
		{scene: "noBus"},
		{scene: "deadBus", env: []string{"DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent/bus"}},
		{scene: "muteBus"},
	} {
		t.Run(tt.scene, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			args := []string{os.Args[0], "-test.run=^TestScene$", "-test.v"}
			if tt.bus {
				need(t, "dbus-run-session")
				script := `exec "$@"`
				if tt.daemon != "" {
					need(t, "gnome-keyring-daemon")
					script = tt.daemon + "\n" + script
				}
				args = append([]string{"dbus-run-session", "--config-file=" + busConfig(t), "--", "sh", "-euc", script, "sh"}, args...)
			}
			home := t.TempDir()
			launch := "#!/bin/sh\n: >" + home + "/launched\n"
			if err := os.WriteFile(filepath.Join(home, "dbus-launch"), []byte(launch), 0o700); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(ctx, args[0], args[1:]...)
			cmd.Env = append([]string{
				"PATH=" + home + ":" + os.Getenv("PATH"), "HOME=" + home, "XDG_RUNTIME_DIR=" + home, "TMPDIR=" + home,
				scene + "=" + tt.scene, sceneDaemon + "=" + tt.daemon,
			}, tt.env...)
			cmd.WaitDelay = 5 * time.Second
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "--- PASS: TestScene") {
				t.Errorf("%v\n%s", err, out)
			}
			if _, err := os.Stat(filepath.Join(home, "launched")); err == nil {
				t.Error("a bus was started")
			}
		})
	}
}

const (
	unlocked    = `printf pw | gnome-keyring-daemon --unlock --components=secrets >&2`
	lockedAgain = `printf pw | gnome-keyring-daemon --unlock --components=secrets >&2
gnome-keyring-daemon --replace --components=secrets --daemonize >&2 </dev/null`
)

func need(t *testing.T, program string) {
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed", program)
	}
}

// busConfig is a bus that starts no services on its own, so that a keyring is
// there only if the test starts it.
func busConfig(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "bus.conf")
	config := `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// muteBus is a bus that accepts and then says nothing.
func muteBus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			if _, err := l.Accept(); err != nil {
				return
			}
		}
	}()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+path)
}

// secretService stands in for a keyring with a dialog, or for one that never
// answers at all.
type secretService struct {
	conn      *dbus.Conn
	mute      bool // never answers
	person    bool // somebody answers the dialog
	dismissed atomic.Int64
}

func fakeService(t *testing.T, mute, person bool) {
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	s := &secretService{conn: conn, mute: mute, person: person}
	for path, iface := range map[dbus.ObjectPath]string{
		secretsPath: serviceIface, loginPath: "org.freedesktop.DBus.Properties", "/prompt": promptIface,
	} {
		if err := conn.Export(s, path, iface); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.RequestName(secretsName, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if left := !mute && !person && s.dismissed.Load() == 0; left {
			t.Error("the dialog was left standing")
		}
		conn.Close()
	})
}

// Get tells the property Locked.
func (s *secretService) Get(_, _ string) (dbus.Variant, *dbus.Error) {
	if s.mute {
		select {}
	}
	return dbus.MakeVariant(true), nil
}

func (*secretService) Unlock([]dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	return nil, "/prompt", nil
}

func (s *secretService) Prompt(string) *dbus.Error {
	if s.person {
		go func() {
			time.Sleep(100 * time.Millisecond)
			_ = s.conn.Emit("/prompt", promptIface+".Completed", false, dbus.MakeVariant([]dbus.ObjectPath{loginPath}))
		}()
	}
	return nil
}

func (s *secretService) Dismiss() *dbus.Error { s.dismissed.Add(1); return nil }

// TestStartTouchesNothing keeps a Ring cheap to make: no bus is asked.
func TestStartTouchesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	asked := make(chan struct{}, 1)
	go func() {
		if _, err := l.Accept(); err == nil {
			asked <- struct{}{}
		}
	}()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+path)
	r := New(Options{Getenv: func(string) string { return "key" }})
	if _, err := r.Get(t.Context(), "anthropic", VendorOrigins["anthropic"]); err != nil { // the variable comes first
		t.Fatal(err)
	}
	select {
	case <-asked:
		t.Error("the bus was dialled")
	case <-time.After(50 * time.Millisecond):
	}
}

func Example_order() {
	r := New(Options{Getenv: func(name string) string { return map[string]string{EnvKey: "secret"}[name] }})
	found, err := r.Get(context.Background(), "anthropic", VendorOrigins["anthropic"])
	fmt.Println(found.Place, found.Name, found.Key, err)
	// Output: environment RECOLLECT_API_KEY [key] <nil>
}
