package service

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fake is a manager that writes a file and starts nothing.
type fake struct {
	path    string
	text    string
	running bool
	fails   map[string]error // by method
	did     []string
}

func (f *fake) done(what string) error {
	f.did = append(f.did, what)
	return f.fails[what]
}

func (f *fake) look(context.Context) Installed {
	text, found, ours := readOurs(f.path)
	return Installed{Manager: "fake", Path: f.path, Installed: found, foreign: found && !ours, Enabled: found, Running: f.running, asks: true, Program: programOfUnit(text)}
}

func (f *fake) install(_ context.Context, p plan) (bool, error) {
	text := unitText(p)
	before, _, _ := readOurs(f.path)
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return false, err
	}
	if err := os.WriteFile(f.path, []byte(text), 0o644); err != nil {
		return false, err
	}
	return before != text, f.done("install")
}

func (f *fake) uninstall(context.Context) error {
	return errors.Join(f.done("uninstall"), remove(f.path))
}

func (f *fake) start(context.Context) error {
	err := f.done("start")
	f.running = err == nil
	return err
}

func (f *fake) stop(context.Context) error {
	err := f.done("stop")
	f.running = f.running && err != nil
	return err
}

// house is a home with an installer that has a fake manager.
func house(t *testing.T) (*Installer, *fake, string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the folders are elsewhere there")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	name := filepath.Join(dir, "bin", "recollect")
	for _, d := range []string{home, filepath.Dir(name)} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOME": home, "RECOLLECT_HOME": filepath.Join(home, "r"), "PATH": "/usr/bin::relative:/bin"}
	f := &fake{path: filepath.Join(home, ".config", "units", "recollect.service"), fails: map[string]error{}}
	i := NewInstaller(InstallOptions{Getenv: func(name string) string { return env[name] }, Program: name, NoStart: true})
	i.main, i.entry, i.machine, i.none = f, nil, nil, nil
	i.program = func(asked string) (string, error) { return asked, nil }
	if i.refused != nil {
		t.Fatal(i.refused)
	}
	t.Cleanup(func() { os.RemoveAll(i.folder) })
	return i, f, home
}

// listing is what is in a folder, with what is in the files.
func listing(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		line := d.Type().String() + " " + p
		if d.Type().IsRegular() {
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			line += " " + string(text)
		}
		all = append(all, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestInstallAndBack(t *testing.T) {
	t.Parallel()
	i, f, home := house(t)
	before := listing(t, home)
	at, err := i.Install(t.Context())
	if err != nil || !at.Installed || !at.Supported || at.Program != i.o.Program {
		t.Fatalf("%+v, %v", at, err)
	}
	text, err := os.ReadFile(f.path)
	if err != nil || !strings.Contains(string(text), `Environment="PATH=/usr/bin:/bin"`) || !strings.Contains(string(text), `"RECOLLECT_HOME=`) {
		t.Errorf("%v\n%s", err, text)
	}
	once := listing(t, home)
	if _, err := i.Install(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(once, listing(t, home)); d != "" {
		t.Errorf("a second install changed:\n%s", d)
	}
	f.running = true
	gone, err := i.Uninstall(t.Context())
	if err != nil || len(gone) != 1 || gone[0] != f.path {
		t.Errorf("gone %q, %v", gone, err)
	}
	if d := cmp.Diff([]string{"install", "install", "stop", "uninstall"}, f.did); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(before, listing(t, home)); d != "" {
		t.Errorf("the home is not as it was:\n%s", d)
	}
	if gone, err := i.Uninstall(t.Context()); err != nil || len(gone) != 0 {
		t.Errorf("a second uninstall: %q, %v", gone, err)
	}
}

// What fails leaves nothing behind, and says why.
func TestInstallThatFails(t *testing.T) {
	t.Parallel()
	i, f, home := house(t)
	before := listing(t, home)
	f.fails["install"] = errors.New("no bus")
	if _, err := i.Install(t.Context()); err == nil || !strings.Contains(err.Error(), "no bus") {
		t.Errorf("%v", err)
	}
	if d := cmp.Diff(before, listing(t, home)); d != "" {
		t.Errorf("a failed install left something behind:\n%s", d)
	}
}

func TestInstallLeavesWhatIsAPersons(t *testing.T) {
	t.Parallel()
	i, f, home := house(t)
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.path, []byte("[Unit]\nDescription=my own\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := listing(t, home)
	var refused *RefusedError
	if _, err := i.Install(t.Context()); !errors.As(err, &refused) {
		t.Errorf("installed over a person's own unit: %v", err)
	}
	if gone, err := i.Uninstall(t.Context()); err != nil || len(gone) != 0 {
		t.Errorf("took away %q, %v", gone, err)
	}
	if at := i.State(t.Context()); at.Installed {
		t.Errorf("%+v", at)
	}
	if d := cmp.Diff(before, listing(t, home)); d != "" {
		t.Error(d)
	}
}

func TestMovedProgramIsTold(t *testing.T) {
	t.Parallel()
	i, _, _ := house(t)
	if _, err := i.Install(t.Context()); err != nil {
		t.Fatal(err)
	}
	moved := i.o.Program + "2"
	if err := os.Rename(i.o.Program, moved); err != nil {
		t.Fatal(err)
	}
	if at := i.State(t.Context()); !strings.Contains(at.Problem, "no longer there") {
		t.Errorf("%+v", at)
	}
	var refused *RefusedError
	if err := i.Start(t.Context()); !errors.As(err, &refused) {
		t.Errorf("started a program that is not there: %v", err)
	}
	i.o.Program = moved
	if at, err := i.Install(t.Context()); err != nil || at.Problem != "" || at.Program != moved {
		t.Errorf("%+v, %v", at, err)
	}
}

// A manager that came later takes over from the desktop's autostart, so that
// nothing is started twice.
func TestManagerTakesOver(t *testing.T) {
	t.Parallel()
	i, f, home := house(t)
	before := listing(t, home)
	i.main, i.entry, i.none = nil, newEntry(i.o.Getenv), &NoManagerError{Why: "none"}
	if _, err := i.Install(t.Context()); err == nil || err.Error() != "none" {
		t.Errorf("without being asked to: %v", err)
	}
	i.o.Autostart = true
	if at, err := i.Install(t.Context()); err != nil || at.Manager != "autostart" || !at.Enabled {
		t.Fatalf("%+v, %v", at, err)
	}
	i.main, i.none = f, nil
	at, err := i.Install(t.Context())
	if err != nil || at.Manager != "fake" || i.entry.look(t.Context()).Installed {
		t.Errorf("%+v, %v", at, err)
	}
	if _, err := i.Uninstall(t.Context()); err != nil {
		t.Error(err)
	}
	if d := cmp.Diff(before, listing(t, home)); d != "" {
		t.Error(d)
	}
}

func TestNotInstalled(t *testing.T) {
	t.Parallel()
	i, _, _ := house(t)
	if err := i.Start(t.Context()); !errors.Is(err, ErrNotInstalled) {
		t.Error(err)
	}
	if err := i.Restart(t.Context()); !errors.Is(err, ErrNotInstalled) {
		t.Error(err)
	}
	if pid, err := i.Stop(t.Context()); err != nil || pid != 0 {
		t.Error(pid, err)
	}
}

func TestCheckPerson(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("homes are named otherwise there")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ home, sudo, want string }{
		{dir, "", ""}, {"", "", "not set"}, {"relative", "", "not an absolute path"}, {filepath.Join(dir, "none"), "", "not there"}, {file, "", "not there"},
	}
	if os.Geteuid() == 0 {
		tests = append(tests, struct{ home, sudo, want string }{dir, "bob", "on behalf of bob"}, struct{ home, sudo, want string }{dir, "root", ""})
		theirs := filepath.Join(dir, "theirs")
		if err := os.Mkdir(theirs, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(theirs, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		tests = append(tests, struct{ home, sudo, want string }{theirs, "", "belongs to another user"})
		if err := CheckProject(theirs); err == nil {
			t.Error("root was let into another's project")
		}
	}
	for _, tt := range tests {
		err := CheckPerson(func(name string) string { return map[string]string{"HOME": tt.home, "SUDO_USER": tt.sudo}[name] })
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}
