package service

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestWindowEnv(t *testing.T) {
	dir := t.TempDir()
	const answers = "#!/bin/sh\ncat <<'E'\nHOME=/home/x\nDISPLAY=:7\nWAYLAND_DISPLAY=wayland-0\nXAUTHORITY=$'/a\\nb'\nXDG_SESSION_TYPE=\nSECRET=1\nE\n"
	if err := os.WriteFile(filepath.Join(dir, "systemctl"), []byte(answers), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("DISPLAY", ":1")
	if env := windowEnv(t.Context()); env != nil {
		t.Errorf("a process with a screen got another: %q", env)
	}
	t.Setenv("DISPLAY", "")
	env := windowEnv(t.Context())
	for _, want := range []string{"DISPLAY=:7", "WAYLAND_DISPLAY=wayland-0"} {
		if !slices.Contains(env, want) {
			t.Errorf("no %s in %q", want, env)
		}
	}
	for _, not := range []string{"SECRET=1", "XDG_SESSION_TYPE="} {
		if slices.Contains(env, not) {
			t.Errorf("%s is in %q", not, env)
		}
	}
	if err := os.Remove(filepath.Join(dir, "systemctl")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	if env := windowEnv(t.Context()); env != nil {
		t.Errorf("without systemd: %q", env)
	}
}
