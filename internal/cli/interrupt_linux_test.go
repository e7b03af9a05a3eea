package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/filelock"
)

// Ctrl-C ends a command that waits for another process, and nothing is written.
func TestInterruptWhileWaiting(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.run(t, "init")
	p.run(t, "add", "--new", "-b", "main", "facts", "Buoys are red.")
	lock, err := filelock.Acquire(t.Context(), filepath.Join(p.state(t), "memory.lock"), filelock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	id := strings.Fields(p.run(t, "show", "-b", "main", "--ids"))[0]
	for _, args := range [][]string{
		{"add", "-b", "main", "facts", "Beacons are green."},
		{"forget", "-b", "main", id},
		{"forget", "-b", "main", "--all"},
		{"undo", "-b", "main"},
		{"restore", "-b", "main", "1"},
	} {
		c := p.command(args...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for !opens(c.Process.Pid, "memory.lock") {
			time.Sleep(time.Millisecond)
		}
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); c.ProcessState.ExitCode() != 130 {
			t.Errorf("%v: %v, want exit code 130", args, err)
		}
	}
	if got := p.run(t, "show", "-b", "main"); !strings.Contains(got, "- Buoys are red.") || strings.Contains(got, "Beacons") {
		t.Errorf("the memory is\n%s", got)
	}
}

// opens says whether a process has a file of that name open.
func opens(pid int, name string) bool {
	open, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, fd := range open {
		if to, err := os.Readlink(fd); err == nil && filepath.Base(to) == name {
			return true
		}
	}
	return false
}
