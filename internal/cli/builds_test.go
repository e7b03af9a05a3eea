//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/filelock"
	"recollect/internal/peer"
)

// built is the program as the build tool makes it, of some version.
func built(t *testing.T, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recollect")
	c := exec.Command("go", "build", "-ldflags", "-s -w -X recollect/internal/cli.version="+version, "-o", path, "./cmd/recollect")
	c.Dir, c.Env = filepath.Join("..", ".."), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// by is a command of another program than the test binary.
func (p program) by(name string, args ...string) *exec.Cmd {
	c := p.command(args...)
	c.Path = name
	c.Args[0] = name
	return c
}

// does runs a command, and gives all that it says and its exit code.
func does(t *testing.T, c *exec.Cmd) (string, int) {
	t.Helper()
	out, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// serve starts a service and waits until it answers.
func (p program) serve(t *testing.T, name string) *exec.Cmd {
	t.Helper()
	c := p.by(name, "service", "run", "--no-tray")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = c.Wait(); close(ended) }()
	t.Cleanup(func() { _ = c.Process.Kill(); <-ended })
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if out, _ := does(t, p.by(name, "service", "status")); strings.HasPrefix(out, "running") {
			return c
		}
		if time.Now().After(end) {
			t.Fatal("the service does not answer")
		}
	}
}

// Two builds of one person: one service works, the other says which one does.
func TestTwoBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program twice")
	}
	old, young := built(t, "1.4.0"), built(t, "1.5.0")
	p := newProgram(t)
	p.say(t, "s1", rule(0))
	says := func(name string, code int, args []string, want ...string) {
		t.Helper()
		out, got := does(t, p.by(name, args...))
		if got != code {
			t.Errorf("%s %q: exit code %d, want %d", name, args, got, code)
		}
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s %q does not say %q:\n%s", name, args, w, out)
			}
		}
	}
	run, status := []string{"service", "run", "--no-tray"}, []string{"service", "status"}
	first := p.serve(t, old)
	says(young, 0, run, fmt.Sprintf("runs already (process %d, version 1.4.0)", first.Process.Pid), "this is version 1.5.0", "recollect service stop")
	says(old, 0, run, "runs already", "version 1.4.0")
	says(young, 0, status, "version 1.4.0", "another version runs than this one (1.5.0)")
	says(old, 0, status, "version 1.4.0")
	says(young, 0, []string{"memorize", "--all"}, "memorized")
	says(young, 0, []string{"service", "stop"}, fmt.Sprintf("stopped (process %d)", first.Process.Pid))
	p.serve(t, young)
	says(old, 0, run, "version 1.5.0", "this is version 1.4.0")

	// What a newer one wrote is left as it is by one that does not know it.
	items := filepath.Join(p.project, ".recollect", "branches", "main.items.jsonl")
	b, err := os.ReadFile(items)
	if err != nil {
		t.Fatal(err)
	}
	newer := bytes.Replace(b, []byte("recollect/memory/1"), []byte("recollect/memory/2"), 1)
	if bytes.Equal(b, newer) {
		t.Fatalf("no format is named in %s", items)
	}
	if err := os.WriteFile(items, newer, 0o644); err != nil {
		t.Fatal(err)
	}
	p.say(t, "s2", rule(1))
	for _, args := range [][]string{{"memorize", "--branch", "main"}, {"maintain", "weekly"}} {
		out, code := does(t, p.by(old, args...))
		if code == 0 || !strings.Contains(out, "newer") {
			t.Errorf("%q: exit code %d\n%s", args, code, out)
		}
	}
	if now, err := os.ReadFile(items); err != nil || !bytes.Equal(now, newer) {
		t.Errorf("what a newer version wrote was changed: %v\n%s", err, now)
	}
}

// greetNewer holds the role of the service as a version to come would.
func greetNewer(t *testing.T, folder string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) }) // it is elsewhere if the test's folder has a long name
	lock, err := filelock.Acquire(t.Context(), filepath.Join(folder, string(peer.Service)+".lock"), filelock.Options{NoWait: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lock.Release() })
	l, err := net.Listen("unix", filepath.Join(folder, string(peer.Service)+".sock"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if err := os.Chmod(l.Addr().String(), 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprintf(c, `{"hello":{"protocol":%d,"version":"9.0.0","role":"service","pid":%d,"more":[1]}}`+"\n", peer.Protocol+1, os.Getpid())
			_ = c.SetReadDeadline(time.Now().Add(time.Second))
			_, _ = c.Read(make([]byte, 1))
			c.Close()
		}
	}()
}

// A service that speaks another protocol is not talked to, which is said, and what
// needs none goes on.
func TestNewerProtocol(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.say(t, "s1", rule(0))
	greetNewer(t, peer.Folder(filepath.Join(p.home, "data"), func(name string) string {
		if name == "RECOLLECT_HOME" {
			return p.home
		}
		return ""
	}))
	const words = "the Recollect that runs (9.0.0) speaks protocol 2, this one speaks 1"
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"service", "status"}, 1, words},
		{[]string{"service", "status"}, 1, "hint: quit the one that runs"},
		{[]string{"service", "status", "--json"}, 1, `"code": "protocol"`},
		{[]string{"service", "stop"}, 1, words},
		{[]string{"service", "pause"}, 1, words},
		{[]string{"open"}, 1, ""},
		{[]string{"service", "run", "--no-tray"}, 0, "runs already: " + words},
		{[]string{"memorize", "--all"}, 0, "memorized"},
		{[]string{"status"}, 0, "the service runs"},
		{[]string{"maintain", "full"}, 0, "monthly, check"},
	} {
		if out, code := does(t, p.command(tt.args...)); code != tt.code || !strings.Contains(out, tt.want) {
			t.Errorf("%q: exit code %d, want %d and %q in\n%s", tt.args, code, tt.code, tt.want, out)
		}
	}
}
