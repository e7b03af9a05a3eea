package service

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// chroot runs a program in a machine that is not booted, with processes of its own.
func (m *machine) chroot(args ...string) (string, int) {
	m.t.Helper()
	const script = `mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && root=$0 && exec chroot "$root" "$@"`
	cmd := exec.Command("unshare", append([]string{"--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, m.root}, args...)...)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C"}
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// written lists all that was ever written in the machine.
func (m *machine) written() (all []string) {
	m.t.Helper()
	upper := filepath.Join(m.dir, "work", "upper")
	err := filepath.WalkDir(upper, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := info.Mode().String() + " " + strings.TrimPrefix(p, upper)
		if !d.IsDir() {
			line += info.ModTime().String()
		}
		all = append(all, line)
		return nil
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return all
}

// A machine with the init system of old, as a container is: what would start a
// service is said to be missing, with what to do instead, and nothing is written,
// anywhere. What is done instead works.
func TestNoManager(t *testing.T) {
	m := layMachine(t, "unshare", "chroot")
	if there(filepath.Join(m.root, "run/systemd/system")) {
		t.Skip("systemd seems to run in the machine")
	}
	program := m.build("/opt/recollect")
	if out, code := m.chroot("true"); code != 0 {
		t.Skipf("no processes of its own can be had here: %s", out)
	}
	says := func(code int, want string, args ...string) {
		t.Helper()
		out, got := m.chroot(asPerson(append([]string{program}, args...)...)...)
		if got != code || !strings.Contains(out, want) {
			t.Errorf("%q: exit code %d, want %d and %q in\n%s", args, got, code, want, out)
		}
	}
	before := m.written()
	for _, verb := range []string{"install", "start", "restart"} {
		says(1, "there is no service manager here that starts services of a person: systemd does not run", "service", verb)
		says(1, "recollect service run works as long as it runs; recollect maintain startup, by hand or from cron", "service", verb)
	}
	says(1, `"code": "no_manager"`, "service", "install", "--json")
	says(0, "not running", "service", "stop")
	says(0, "not installed: there is no service manager here", "service", "status")
	says(0, "nothing to remove", "service", "uninstall")
	for _, args := range [][]string{{"--system", "--user", person}} { // as root
		if out, code := m.chroot(append([]string{program, "service", "install"}, args...)...); code != 1 || !strings.Contains(out, "there is no service manager here") {
			t.Errorf("root: exit code %d\n%s", code, out)
		}
	}
	if d := cmp.Diff(before, m.written()); d != "" {
		t.Errorf("something was written:\n%s", d)
	}
	home := m.home()
	says(0, "installed with autostart: "+personHome+"/.config/autostart/recollect.desktop", "service", "install", "--autostart", "--no-start")
	says(0, "No project has a memory yet", "maintain", "startup", "--all-projects")
	says(0, "removed "+personHome+"/.config/autostart/recollect.desktop", "service", "uninstall")
	says(0, "", "uninstall", "--data", "--yes")
	if d := cmp.Diff(home, m.home()); d != "" {
		t.Errorf("the home is not as it was:\n%s", d)
	}
}
