package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// module is the path of the project's module.
const module = "recollect"

// tool is one run of the build tool.
type tool struct {
	ctx  context.Context
	root string // of the checkout, absolute
	out  io.Writer
	err  io.Writer
}

// pinned fixes what the environment or a person's "go env -w" could change in a
// compiled program. No value is empty: an empty one would give way to "go env -w".
var pinned = []string{
	"GOFLAGS=-mod=readonly",
	"GOWORK=off",
	"CGO_ENABLED=0",
	"GOEXPERIMENT=none",
	"GOWASM=satconv,signext",
	"GOFIPS140=off",
}

func (t *tool) say(format string, args ...any) { fmt.Fprintf(t.out, format+"\n", args...) }

func (t *tool) path(parts ...string) string {
	return filepath.Join(append([]string{t.root}, parts...)...)
}

// command prepares a program with the streams of the tool; env comes on top of
// the tool's own and wins.
func (t *tool) command(dir string, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout = t.out
	cmd.Stderr = t.err
	return cmd
}

// goRun runs the go command in dir.
func (t *tool) goRun(dir string, env []string, args ...string) error {
	if err := t.command(dir, env, "go", args...).Run(); err != nil {
		return fmt.Errorf("go %s: %w", args[0], err)
	}
	return nil
}

// goOutput gives what the go command prints, trimmed.
func (t *tool) goOutput(dir string, env []string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := t.command(dir, env, "go", args...)
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return strings.TrimSpace(out.String()), nil
}

// programName gives a program's file name on this system.
func programName(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// rel gives a path below the root as people read it.
func (t *tool) rel(path string) string {
	if r, err := filepath.Rel(t.root, path); err == nil && filepath.IsLocal(r) {
		return filepath.ToSlash(r)
	}
	return path
}
