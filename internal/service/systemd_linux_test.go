package service

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// strange is where the program lies in the machine, and stranger where it is moved
// to: paths with all that a unit takes for something else.
const (
	strange  = `/opt/we ird $HOME %h é`
	stranger = `/opt/o'b "q" \b $HOME %h`
)

// whole is what service status --json says.
type whole struct {
	Status
	Install Installed `json:"install"`
	Crash   *Crash    `json:"crash"`
}

// The service with the real systemd, from install to uninstall.
func TestSystemd(t *testing.T) {
	m := bootMachine(t)
	program := m.build(strange)
	recollect := func(args ...string) string {
		t.Helper()
		return m.run(asPerson(append([]string{program}, args...)...)...)
	}
	fails := func(want string, args ...string) {
		t.Helper()
		if out, err := m.try(args...); err == nil || !strings.Contains(out, want) {
			t.Errorf("%q: %v, want %q in\n%s", args, err, want, out)
		}
	}
	status := func() (s whole) {
		t.Helper()
		if err := json.Unmarshal([]byte(recollect("service", "status", "--json")), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}

	// systemd is there, but no session of the person is.
	before := m.home()
	fails("no session of yours is open", asPerson(program, "service", "install")...)
	// Root on behalf of the person, root with the person's home, nobody's home.
	fails("you are root on behalf of "+person, "env", "SUDO_USER="+person, program, "service", "install")
	fails("belongs to another user", "env", "HOME="+personHome, program, "service", "install")
	fails("HOME is not set", "runuser", "-u", person, "--", "env", "-i", program, "service", "install")
	fails("belongs to another user", program, "service", "install", "--project", personHome)
	if d := cmp.Diff(before, m.home()); d != "" {
		t.Fatalf("a refusal left something behind:\n%s", d)
	}

	m.run("loginctl", "enable-linger", person)
	until(t, "the person's manager runs", func() bool {
		_, err := m.try(asPerson("env", "XDG_RUNTIME_DIR=/run/user/"+m.uid(), "systemctl", "--user", "is-system-running", "--wait")...)
		return err == nil
	})
	before = m.home()
	m.run("mount", "--bind", personHome, personHome)
	m.run("mount", "-o", "remount,bind,ro", personHome)
	fails("read-only file system", asPerson(program, "service", "install")...)
	fails("read-only file system", asPerson(program, "service", "install", "--autostart")...)
	m.run("umount", personHome)
	if d := cmp.Diff(before, m.home()); d != "" {
		t.Fatalf("an install into a home that can't be written left something behind:\n%s", d)
	}
	began := time.Now()
	recollect("service", "install")
	t.Logf("install, with the start: %s", time.Since(began).Round(time.Millisecond))
	s := status()
	if at := s.Install; !s.Running || !at.Installed || !at.Enabled || !at.Running || at.PID != s.PID || at.Program != program || at.Manager != "systemd" || at.Problem != "" {
		t.Fatalf("after the install: %+v", s)
	}
	if again := recollect("service", "install"); status().PID != s.PID {
		t.Errorf("a second install started it anew:\n%s", again)
	}
	if out := m.run(asPerson("env", "XDG_RUNTIME_DIR=/run/user/"+m.uid(), "systemd-analyze", "--user", "verify", personHome+"/.config/systemd/user/recollect.service")...); strings.Contains(out, "recollect.service:") {
		t.Errorf("systemd complains of the unit:\n%s", out)
	}

	testCrash(t, m, status)

	began = time.Now()
	recollect("service", "restart")
	t.Logf("restart: %s", time.Since(began).Round(time.Millisecond))
	recollect("service", "stop")
	if s := status(); s.Running || s.Install.Running || !s.Install.Enabled {
		t.Errorf("after the stop: %+v", s)
	}
	time.Sleep(3 * time.Second) // longer than a restart takes
	if status().Running {
		t.Error("a stopped service was started again")
	}
	recollect("service", "start")
	if log := recollect("service", "logs"); !strings.Contains(log, "the service before this one crashed") || !strings.Contains(log, "the service ends") {
		t.Errorf("the log:\n%s", log)
	}

	m.off()
	m.on(t.Fatalf)
	until(t, "it runs after a reboot", func() bool { return status().Running })
	testLogin(t, m, func() bool { return status().Running })
	testMoved(t, m, program, status)

	if out := recollect("uninstall", "--data", "--yes"); !strings.Contains(out, "recollect.service") {
		t.Errorf("uninstall:\n%s", out)
	}
	if d := cmp.Diff(before, m.home()); d != "" {
		t.Errorf("the home is not as it was:\n%s", d)
	}
	if out, err := m.try("pgrep", "-u", person, "recollect"); err == nil {
		t.Errorf("a process is left: %s", out)
	}
	recollect("service", "install")
	recollect("service", "uninstall")
	if d := cmp.Diff(before, m.home()); d != "" {
		t.Errorf("the home is not as it was after service uninstall:\n%s", d)
	}
	testMachineService(t, m, program)
	testKeyring(t, m, program)
}

// testLogin has the person log in and out, who is not kept by the machine otherwise.
// In the end it keeps the person again.
func testLogin(t *testing.T, m *machine, running func() bool) {
	m.run("loginctl", "disable-linger", person)
	until(t, "it ends with the last session", func() bool { return !running() })
	m.login()
	began := time.Now()
	until(t, "it runs after a login", running)
	t.Logf("running after a login: %s", time.Since(began).Round(time.Millisecond))
	m.logout()
	until(t, "it ends with the session", func() bool { return !running() })
	m.run("loginctl", "enable-linger", person)
	until(t, "it runs again", running)
}

func (m *machine) uid() string { return strings.TrimSpace(m.run("id", "-u", person)) }

// testCrash crashes the service in both ways there are.
func testCrash(t *testing.T, m *machine, status func() whole) {
	for _, signal := range []string{"-ABRT", "-KILL"} {
		was := status()
		began := time.Now()
		m.run("kill", signal, m.mainPID())
		until(t, "it is started again", func() bool { s := status(); return s.Running && s.PID != was.PID })
		t.Logf("started again after kill %s: %s", signal, time.Since(began).Round(time.Millisecond))
		if s := status(); s.Install.Restarts != was.Install.Restarts+1 || !s.Install.Running || s.Crash == nil {
			t.Errorf("after kill %s: %+v", signal, s)
		}
	}
	crash := status().Crash
	text, err := os.ReadFile(filepath.Join(m.root, crash.File))
	if err != nil || !strings.Contains(string(text), "goroutine") {
		t.Errorf("the crash file: %v\n%s", err, text)
	}
	if info, err := os.Stat(filepath.Join(m.root, crash.File)); err == nil && info.Mode().Perm() != 0o600 {
		t.Errorf("the crash file has mode %s", info.Mode())
	}
}

// mainPID is the process as the machine has it.
func (m *machine) mainPID() string {
	m.t.Helper()
	return strings.TrimSpace(m.run("pgrep", "-u", person, "-x", "recollect"))
}

// testKeyring reads a key from where the service runs, and takes it away.
func testKeyring(t *testing.T, m *machine, program string) {
	if _, err := exec.LookPath("gnome-keyring-daemon"); err != nil {
		t.Log("the keyring is not tested: gnome-keyring is not installed")
		return
	}
	user := func(args ...string) []string {
		return asPerson(append([]string{"env", "XDG_RUNTIME_DIR=/run/user/" + m.uid()}, args...)...)
	}
	m.run(user("sh", "-c", "printf password | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null")...)
	m.run(user("sh", "-c", `printf 'sk-ant-api03-of-this-test-and-nothing-else' | "$0" auth set anthropic`, program)...)
	inService := func() string {
		return m.run(user("systemd-run", "--user", "--wait", "--pipe", "--quiet", "-p", "NoNewPrivileges=yes",
			"-p", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK", program, "auth", "status", "anthropic", "--json")...)
	}
	if out := inService(); !strings.Contains(out, `"place": "keyring",`) || strings.Contains(out, "of-this-test") {
		t.Errorf("a service does not read the key:\n%s", out)
	}
	if out := m.run(user(program, "uninstall", "--data", "--yes")...); !strings.Contains(out, "the keyring: anthropic") {
		t.Errorf("uninstall does not tell of the key:\n%s", out)
	}
	if out := inService(); strings.Contains(out, `"has_key": true`) {
		t.Errorf("the key is still there:\n%s", out)
	}
}

// testMoved has the program lie elsewhere than it did.
func testMoved(t *testing.T, m *machine, program string, status func() whole) {
	moved := stranger + "/recollect"
	m.run("mkdir", stranger)
	m.run("mv", program, moved)
	out := m.run(asPerson(moved, "service", "status")...)
	if !strings.Contains(out, "no longer there: "+program) {
		t.Errorf("of a program that was moved:\n%s", out)
	}
	m.run(asPerson(moved, "service", "install")...)
	if out := m.run(asPerson(moved, "service", "status")...); strings.Contains(out, "no longer") || !strings.HasPrefix(out, "running") {
		t.Errorf("after an install from where it is now:\n%s", out)
	}
	m.run("mv", moved, program)
	m.run(asPerson(program, "service", "install")...)
	if s := status(); !s.Running || s.Install.Program != program {
		t.Errorf("back again: %+v", s)
	}
}

// testMachineService has the machine work for the person.
func testMachineService(t *testing.T, m *machine, program string) {
	for _, args := range [][]string{{"--system"}, {"--user", person}, {"--system", "--user", "root"}, {"--system", "--user", "nobody-at-all"}} {
		if out, err := m.try(append([]string{program, "service", "install"}, args...)...); err == nil {
			t.Errorf("%v was not refused:\n%s", args, out)
		}
	}
	m.run(program, "service", "install", "--system", "--user", person)
	var s whole
	until(t, "it works for the person", func() bool {
		s = whole{}
		_ = json.Unmarshal([]byte(m.run(asPerson(program, "service", "status", "--json")...)), &s)
		return s.Running
	})
	if s.Install.Manager != "systemd (machine)" || !s.Install.Enabled || s.Install.PID != s.PID {
		t.Errorf("the machine's service: %+v", s.Install)
	}
	if out, err := m.try(asPerson(program, "service", "uninstall")...); err == nil || !strings.Contains(out, "only root") {
		t.Errorf("the person could uninstall it:\n%s", out)
	}
	m.run(program, "service", "uninstall", "--system", "--user", person)
	if out := m.run("find", "/etc/systemd/system", "-name", "*recollect*"); out != "" {
		t.Errorf("left: %s", out)
	}
}
