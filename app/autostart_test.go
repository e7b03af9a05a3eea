package app

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Where it can't be had, the settings say why, and nothing is written.
func TestAutostartThatCanNotBe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the folders are elsewhere there")
	}
	b, _, _ := desk(t)
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("PATH", dir)
	t.Setenv("SUDO_USER", "")
	at, err := b.Autostart()
	if err != nil || at.Supported || at.On || !strings.Contains(at.Why, "not beside the window") {
		t.Errorf("without the program: %+v, %v", at, err)
	}
	if _, err := b.SetAutostart(true); err == nil {
		t.Error("what can't be had was set")
	}
	if err := os.WriteFile(filepath.Join(dir, "recollect"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if at, err := b.Autostart(); err != nil || at.Supported || !strings.Contains(at.Why, "temporary") {
		t.Errorf("with a program that will not stay: %+v, %v", at, err)
	}
	if _, err := b.SetAutostart(true); err == nil {
		t.Error("a program that will not stay was installed")
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("left in the home: %v, %v", left, err)
	}
}
