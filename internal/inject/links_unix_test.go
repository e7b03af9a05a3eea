//go:build unix

package inject

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func link(t *testing.T, to, dir, name string) {
	t.Helper()
	if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func TestRunLinks(t *testing.T) {
	t.Parallel()
	t.Run("written through", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		path := write(t, dir, "AGENTS.md", "a\n")
		if err := os.Chmod(path, 0o640); err != nil {
			t.Fatal(err)
		}
		link(t, "AGENTS.md", dir, "CLAUDE.md")
		r := runAll(t, input(dir, "CLAUDE.md", "AGENTS.md"))
		want(t, r[0], Written, "")
		want(t, r[1], Skipped, "the same file as")
		if r[0].File != path {
			t.Errorf("written to %q", r[0].File)
		}
		if to, err := os.Readlink(filepath.Join(dir, "CLAUDE.md")); err != nil || to != "AGENTS.md" {
			t.Errorf("link: %q, %v", to, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("mode: %v, %v", info.Mode(), err)
		}
		in := input(dir, "CLAUDE.md", "AGENTS.md")
		in.Remove = true
		want(t, runAll(t, in)[0], TakenOut, "")
		if got := contents(t, dir, "AGENTS.md"); got != "a\n" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("chain over folders", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, "docs/rules.md", "a\n")
		link(t, "docs/rules.md", dir, "AGENTS.md")
		link(t, "AGENTS.md", dir, "CLAUDE.md")
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Written, "")
		if !strings.Contains(contents(t, dir, "docs/rules.md"), "Use tabs.") {
			t.Error("not written through")
		}
	})
	t.Run("loop", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		link(t, "AGENTS.md", dir, "CLAUDE.md")
		link(t, "CLAUDE.md", dir, "AGENTS.md")
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Refused, "in a circle")
	})
	t.Run("dangling", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		link(t, "AGENTS.md", dir, "CLAUDE.md")
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Refused, "does not exist")
		onlyFiles(t, dir, "CLAUDE.md")
	})
	t.Run("to something else", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, ".bashrc", "x\n")
		link(t, ".bashrc", dir, "CLAUDE.md")
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Refused, "not a Markdown file")
		if got := contents(t, dir, ".bashrc"); got != "x\n" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("case variants that are one file", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, "CLAUDE.md", "a\n")
		if err := os.Symlink("CLAUDE.md", filepath.Join(dir, "claude.md")); err != nil {
			t.Skip("this file system takes them for one")
		}
		want(t, runAll(t, input(dir, "claude.md"))[0], Written, "")
	})
	t.Run("hard link", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		path := write(t, dir, "CLAUDE.md", "a\n")
		if err := os.Link(path, filepath.Join(dir, "copy.md")); err != nil {
			t.Skip(err)
		}
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Refused, "hard links")
		if got := contents(t, dir, "CLAUDE.md"); got != "a\n" {
			t.Errorf("got %q", got)
		}
	})
}

func TestRunOddFiles(t *testing.T) {
	t.Parallel()
	t.Run("pipe", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		if err := syscall.Mkfifo(filepath.Join(dir, "CLAUDE.md"), 0o644); err != nil {
			t.Skip(err)
		}
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Refused, "a pipe")
	})
	t.Run("link to a device", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		link(t, os.DevNull, dir, "CLAUDE.md")
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Refused, "not a Markdown file")
	})
	t.Run("import of a pipe", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		if err := syscall.Mkfifo(filepath.Join(dir, "p.md"), 0o644); err != nil {
			t.Skip(err)
		}
		write(t, dir, "CLAUDE.md", "@p.md\n")
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Written, "")
	})
	t.Run("read-only", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		path := write(t, dir, "CLAUDE.md", "a\n")
		if err := os.Chmod(path, 0o444); err != nil {
			t.Fatal(err)
		}
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Refused, "read-only")
		if got := contents(t, dir, "CLAUDE.md"); got != "a\n" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("a file for a folder", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, "x", "")
		want(t, runAll(t, input(dir, "x/CLAUDE.md"))[0], Refused, "folder can't be read")
	})
}

func TestPreviewOfLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "docs/rules.md", "\ufeffa\r\n")
	link(t, "docs/rules.md", dir, "AGENTS.md")
	link(t, "AGENTS.md", dir, "CLAUDE.md")
	link(t, "LOOP.md", dir, "LOOP.md")
	link(t, "nowhere.md", dir, "LOST.md")
	write(t, dir, "HARD.md", "a\n")
	if err := os.Link(filepath.Join(dir, "HARD.md"), filepath.Join(dir, "TWIN.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "FOLDER.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	names := []string{"CLAUDE.md", "AGENTS.md", "LOOP.md", "LOST.md", "HARD.md", "FOLDER.md"}
	previewed(t, input(dir, names...))
	in := input(dir, names...)
	in.Remove = true
	previewed(t, in)
}
