package main

import (
	"bytes"
	"os"
	"os/exec"
)

// peers brings the programs of others that some tests run against, in CI only: a
// person's machine is theirs. Tests skip what is not there, so a machine that
// can't have them loses those tests and nothing else.
func (t *tool) peers() error {
	if os.Getenv("CI") == "" {
		return errSkipped{"only in CI; without gnome-keyring and dbus the tests of a real keyring skip"}
	}
	if installed("gnome-keyring-daemon") && installed("dbus-daemon") {
		return nil
	}
	if !installed("apt-get") || os.Geteuid() != 0 {
		return errSkipped{"gnome-keyring and dbus are not here, and only root on Debian can install them"}
	}
	t.say("peers: installs the Debian packages gnome-keyring and dbus")
	env := []string{"DEBIAN_FRONTEND=noninteractive"}
	for _, args := range [][]string{
		{"update", "-q"},
		{"install", "-q", "-y", "--no-install-recommends", "gnome-keyring", "dbus"},
	} {
		c := t.command(t.root, env, "apt-get", args...)
		var said bytes.Buffer
		c.Stdout, c.Stderr = &said, &said
		if err := c.Run(); err != nil {
			return errSkipped{"apt-get " + args[0] + ": " + err.Error()}
		}
	}
	return nil
}

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}
