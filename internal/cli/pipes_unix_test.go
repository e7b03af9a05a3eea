//go:build unix

package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"recollect/internal/engine"
)

// guard ends a program that waits for ever.
const guard = 5 * time.Minute

// try runs the program and gives what it printed and its exit code. One that does
// not end fails the test.
func (p program) try(t *testing.T, args ...string) (string, int) {
	t.Helper()
	return p.tryCommand(t, p.command().Path, args...)
}

// tryCommand is try for a command that runs the program.
func (p program) tryCommand(t *testing.T, name string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	whole := p.command()
	c.Dir, c.Env, c.WaitDelay = whole.Dir, whole.Env, time.Second
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		t.Errorf("%v waits for ever", args)
	case err != nil && !errors.As(err, &exit):
		t.Fatal(err)
	case bytes.Contains(out.Bytes(), []byte("goroutine ")):
		t.Errorf("%v: %s", args, out.Bytes())
	}
	return out.String(), c.ProcessState.ExitCode()
}

func fifo(t *testing.T, path string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.RemoveAll(path), syscall.Mkfifo(path, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// What lies among the transcripts and is no file is passed over by all commands
// and named by doctor; asked for by name it is refused.
func TestWhatIsNoFileAmongTranscripts(t *testing.T) {
	p := newProgram(t)
	p.say(t, "s1", "Always use tabs for indentation in this project.")
	dir := filepath.Join(p.claude, "projects", "x")
	fifo(t, filepath.Join(dir, "pipe.jsonl"))
	fifo(t, filepath.Join(p.claude, "projects", "top.jsonl"))
	if err := errors.Join(os.Symlink("/dev/zero", filepath.Join(dir, "device.jsonl")), os.Mkdir(filepath.Join(dir, "folder.jsonl"), 0o755)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir) // the path of a socket is short
	l, err := net.Listen("unix", "socket.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, args := range [][]string{
		{"status"}, {"memorize", "-n"}, {"history", "sessions"}, {"history", "turns"}, {"projects"}, {"memorize"},
		{"show"}, {"inject"}, {"maintain", "startup"}, {"branches"},
	} {
		if out, code := p.try(t, args...); code != engine.ExitDone {
			t.Errorf("%v: exit %d\n%s", args, code, out)
		}
	}
	if out, _ := p.try(t, "history", "sessions"); !strings.Contains(out, "s1") {
		t.Errorf("the session is not listed:\n%s", out)
	}
	if out, _ := p.try(t, "show", "-b", "main"); !strings.Contains(out, "tabs for indentation") {
		t.Errorf("the session was not memorized:\n%s", out)
	}
	out, _ := p.try(t, "doctor")
	for _, name := range []string{"x/pipe.jsonl", "x/device.jsonl", "x/folder.jsonl", "x/socket.jsonl", "projects/top.jsonl"} {
		if !strings.Contains(out, name) {
			t.Errorf("doctor does not name %s:\n%s", name, out)
		}
	}
	for _, name := range []string{"pipe.jsonl", "device.jsonl", "socket.jsonl", "../top.jsonl"} {
		if out, code := p.try(t, "extract", "--transcript", filepath.Join(dir, name)); code != engine.ExitRefused || !strings.Contains(out, "not a regular file") {
			t.Errorf("extract of %s: exit %d\n%s", name, code, out)
		}
	}
}

// A pipe in the place of whatever the program reads or writes is waited for by no
// command.
func TestPipesEverywhere(t *testing.T) {
	t.Parallel()
	for _, place := range []string{
		"project/.recollect", "project/.recollect/config.json", "project/.recollect/branches", "project/.recollect/branches/main.md",
		"project/.recollect/branches/main.jsonl", "project/.recollect/local", "project/.recollect/local/project.lock",
		"project/.recollect/local/maintenance.lock", "project/.recollect/local/review.lock", "project/.recollect/local/seen",
		"project/.recollect/local/seen/main.json", "project/.recollect/local/maintenance.jsonl", "project/.recollect/local/conflicts.jsonl",
		"project/.recollect/local/worktrees.json", "project/.puffin", "project/.puffin/history.json", "project/CLAUDE.md",
		"project/.git", "project/.git/HEAD", "project/.git/commondir", "project/.git/worktrees/x/gitdir",
		"home/config/config.json", "home/data/plugins", "home/data/plugins/state.json", "home/data/plugins/lock", "home/data/plugins/cache.key",
		"home/data/projects.json", "home/data/calls", "home/data/calls/current.jsonl", "home/data/archive", "home/data/projects",
		"claude/projects", "home/cache/index", "home/cache/index/claude-code",
	} {
		t.Run(strings.ReplaceAll(place, "/", " "), func(t *testing.T) {
			t.Parallel()
			p := newProgram(t)
			p.say(t, "s1", "Always use tabs for indentation in this project.")
			top := filepath.Dir(p.project)
			if strings.HasPrefix(place, "project/.git/") {
				if err := errors.Join(os.MkdirAll(filepath.Join(p.project, ".git", "objects"), 0o755),
					os.WriteFile(filepath.Join(p.project, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			p.run(t, "memorize")
			fifo(t, filepath.Join(top, filepath.FromSlash(place)))
			for _, args := range [][]string{{"status"}, {"show"}, {"memorize", "--again"}, {"inject"}, {"maintain", "startup"}, {"doctor"}, {"history", "sessions"}} {
				p.try(t, args...)
			}
		})
	}
}

// The indexes of transcripts are made again where pipes lie in their place.
func TestPipesForIndexes(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.say(t, "s1", "Always use tabs for indentation in this project.")
	p.run(t, "history", "sessions")
	n := 0
	err := filepath.WalkDir(filepath.Join(p.home, "cache", "index"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			fifo(t, path)
			n++
		}
		return err
	})
	if err != nil || n == 0 {
		t.Fatalf("%d indexes: %v", n, err)
	}
	if out, code := p.try(t, "history", "sessions"); code != engine.ExitDone || !strings.Contains(out, "s1") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// Where no history is, what was looked at is named.
func TestWhereWasLooked(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.claude = filepath.Join(filepath.Dir(p.project), "nowhere")
	want := filepath.Join(p.claude, "projects") + ", which does not exist"
	for _, args := range [][]string{{"history", "sessions"}, {"doctor"}} {
		if out, code := p.try(t, args...); code != engine.ExitDone || !strings.Contains(out, want) {
			t.Errorf("%v: exit %d, does not say %q:\n%s", args, code, want, out)
		}
	}
}
