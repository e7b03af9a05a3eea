package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// peer is something of others that the project builds with or is tested against,
// and the Debian packages that bring it.
type peer struct {
	here     func() bool
	packages []string
}

func programs(names ...string) func() bool {
	return func() bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !installed(name) })
	}
}

var (
	// webkit is what the window is linked with, on Linux.
	webkit = peer{func() bool {
		return programs("gcc", "pkg-config")() && exec.Command("pkg-config", "--exists", "gtk+-3.0", "webkit2gtk-4.1").Run() == nil
	}, []string{"gcc", "libc6-dev", "pkg-config", "libgtk-3-dev", "libwebkit2gtk-4.1-dev"}}
	keyring = peer{programs("gnome-keyring-daemon", "dbus-run-session"), []string{"gnome-keyring", "dbus"}}
	// machines boots this machine once more, in a namespace, to test the service.
	machines = peer{func() bool { return programs("systemd-nspawn")() && exists("/usr/lib/systemd/user/dbus.socket") },
		[]string{"systemd-container", "dbus-user-session"}}
	secrets = peer{programs("secret-tool"), []string{"libsecret-tools"}}
	// panel is a small desktop, and what looks at it and clicks.
	panel     = peer{programs("xfce4-panel", "openbox", "xdotool", "gdbus"), []string{"xfce4-panel", "openbox", "xdotool", "libglib2.0-bin"}}
	screen    = peer{programs("Xvfb", "dbus-run-session"), []string{"xvfb", "dbus", "fonts-dejavu-core"}}
	browser   = peer{programs("chromium"), []string{"chromium", "fonts-dejavu-core"}}
	installer = peer{programs("makensis"), []string{"nsis"}}
	quantiser = peer{programs("pngquant"), []string{"pngquant"}}
	inspector = peer{programs("lintian", "rpm", "desktop-file-validate", "appstreamcli"), []string{"lintian", "rpm", "desktop-file-utils", "appstream"}}
)

// inCI says whether this machine is there for tests alone: it may be changed, and
// nothing may be left out.
func inCI() bool { return os.Getenv("CI") != "" }

// require gives nil if all peers are here, in CI after it brought them. On a
// person's machine, which is theirs, a missing one skips the step.
func (t *tool) require(peers ...peer) error {
	if inCI() {
		return t.bring(peers...)
	}
	if missing := packagesOf(peers); len(missing) > 0 {
		return errSkipped{"needs " + strings.Join(missing, ", ") + " (the names are Debian's)"}
	}
	return nil
}

// bring installs what is missing where it may, and else says what to install.
func (t *tool) bring(peers ...peer) error {
	missing := packagesOf(peers)
	if len(missing) == 0 {
		return nil
	}
	if !installed("apt-get") {
		return fmt.Errorf("please install what your system calls %s", strings.Join(missing, ", "))
	}
	if os.Geteuid() != 0 {
		return fmt.Errorf("please run first: sudo apt-get install --no-install-recommends %s", strings.Join(missing, " "))
	}
	t.say("installs the Debian packages %s", strings.Join(missing, ", "))
	install := append([]string{"install", "--no-install-recommends"}, missing...)
	for _, args := range [][]string{{"update"}, install} {
		args = append([]string{"-q", "-y", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3"}, args...)
		c := t.command(t.root, []string{"DEBIAN_FRONTEND=noninteractive"}, "apt-get", args...)
		var said bytes.Buffer
		c.Stdout, c.Stderr = &said, &said
		if err := c.Run(); err != nil {
			return fmt.Errorf("apt-get: %w\n%s", err, lastLines(said.String(), 20))
		}
	}
	if left := packagesOf(peers); len(left) > 0 {
		return errors.New("installed, and yet not found: " + strings.Join(left, ", "))
	}
	return nil
}

// packagesOf lists the packages of those that are not here, each once.
func packagesOf(peers []peer) []string {
	var missing []string
	for _, p := range peers {
		if p.here() {
			continue
		}
		for _, name := range p.packages {
			if !slices.Contains(missing, name) {
				missing = append(missing, name)
			}
		}
	}
	return missing
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}
