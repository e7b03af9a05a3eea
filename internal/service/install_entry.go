package service

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"recollect/internal/atomicfile"
)

// entry is a desktop's autostart: it starts the service when the person logs in,
// and knows no more of it.
type entry struct{ path string }

// maxUnit bounds what is read of a unit or an entry.
const maxUnit = 64 << 10

// newEntry gives the entry of the person; nil without a home.
func newEntry(getenv func(string) string) manager {
	dir := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		home := getenv("HOME")
		if !filepath.IsAbs(home) {
			return nil
		}
		dir = filepath.Join(home, ".config")
	}
	return &entry{path: filepath.Join(dir, "autostart", "recollect.desktop")}
}

// look implements manager.
func (e *entry) look(context.Context) Installed {
	at := Installed{Manager: "autostart", Path: e.path}
	text, found, ours := readOurs(e.path)
	at.Installed, at.foreign = found, found && !ours
	if found {
		program, off := programOfEntry(text)
		at.Program, at.Enabled = program, !off
	}
	return at
}

// install implements manager.
func (e *entry) install(_ context.Context, p plan) (bool, error) {
	text := entryText(p)
	if before, found, _ := readOurs(e.path); found && before == text {
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(e.path), 0o700); err != nil {
		return false, err
	}
	return true, atomicfile.Replace(e.path, []byte(text), atomicfile.Expect{}, atomicfile.Options{Mode: 0o644})
}

// uninstall implements manager.
func (e *entry) uninstall(context.Context) error { return remove(e.path) }

// start implements manager.
func (e *entry) start(ctx context.Context) error { return startApart(e.look(ctx).Program) }

// stop implements manager: the service is asked over its socket.
func (e *entry) stop(context.Context) error { return nil }

// readOurs reads a unit or an entry, and says whether we wrote it.
func readOurs(path string) (text string, found, ours bool) {
	b, _, err := atomicfile.Read(path, maxUnit)
	if err != nil {
		_, err := os.Lstat(path)
		return "", err == nil, false
	}
	text = string(b)
	return text, true, strings.Contains(text, written)
}

// startApart starts the service as a process that outlives this one.
func startApart(program string) error {
	cmd := exec.Command(program, args...)
	cmd.SysProcAttr = apart()
	if home, err := os.UserHomeDir(); err == nil {
		cmd.Dir = home
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}
