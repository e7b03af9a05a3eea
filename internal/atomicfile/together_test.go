package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// addLines appends n lines to the file, each by its own read and replace, and
// starts over when the file changed in between.
func addLines(path, name string, n int) error {
	for i := 0; i < n; {
		data, sum, err := Read(path, 1<<20)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		data = append(data, fmt.Sprintf("%s-%d\n", name, i)...)
		err = Replace(path, data, Content(sum), Options{HardLinks: WriteInPlace})
		if errors.Is(err, ErrChanged) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s-%d: %w", name, i, err)
		}
		i++
	}
	return nil
}

func addLinesTogether(path, name string, writers, n int) error {
	errs := make([]error, writers)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() { errs[w] = addLines(path, name+"."+strconv.Itoa(w), n) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

const (
	processes = 4
	writers   = 3
	rounds    = 15
)

// TestTogether has goroutines and processes edit one file; every edit is in it.
func TestTogether(t *testing.T) {
	if target := os.Getenv("ATOMICFILE_TEST_TOGETHER"); target != "" {
		if err := addLinesTogether(target, os.Getenv("ATOMICFILE_TEST_NAME"), writers, rounds); err != nil {
			t.Fatal(err)
		}
		return
	}
	if testing.Short() {
		t.Skip("starts processes")
	}
	for _, links := range []int{1, 2} {
		t.Run(strconv.Itoa(links)+" links", func(t *testing.T) {
			if links > 1 && runtime.GOOS == "windows" {
				t.Skip("the link count is not looked at")
			}
			dir := t.TempDir()
			p := filepath.Join(dir, "f")
			write(t, p, "start\n")
			names := []string{"f"}
			if links > 1 {
				names = append(names, "g")
				if err := os.Link(p, filepath.Join(dir, "g")); err != nil {
					t.Fatal(err)
				}
			}
			var wg sync.WaitGroup
			for i := range processes {
				cmd := exec.Command(os.Args[0], "-test.run=^TestTogether$")
				cmd.Env = append(os.Environ(), "ATOMICFILE_TEST_TOGETHER="+p, fmt.Sprintf("ATOMICFILE_TEST_NAME=p%d", i))
				wg.Go(func() {
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("%v\n%s", err, out)
					}
				})
			}
			if err := addLinesTogether(p, "own", writers, rounds); err != nil {
				t.Error(err)
			}
			wg.Wait()
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			count := map[string]int{}
			for line := range strings.Lines(string(data)) {
				if count[line]++; count[line] > 1 {
					t.Errorf("%q is in it twice", line)
				}
			}
			if want := (processes+1)*writers*rounds + 1; len(count) != want {
				t.Errorf("%d of %d lines", len(count), want)
			}
			wantOnly(t, dir, names...)
		})
	}
}

// TestEditor has an editor save over the file without looking while others
// edit it: what they add comes after its last save, never in its place.
func TestEditor(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a swap of names")
	}
	n := 60
	if testing.Short() {
		n = 10
	}
	dir := t.TempDir()
	p, aside := filepath.Join(dir, "f"), filepath.Join(dir, "editor")
	for round := range n {
		write(t, p, "start\n")
		var last string
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := range 40 {
				last = fmt.Sprintf("save %d.%d\n", round, i)
				if err := errors.Join(os.WriteFile(aside, []byte(last), 0o644), os.Rename(aside, p)); err != nil {
					t.Error(err)
				}
			}
		})
		if err := addLinesTogether(p, "own", writers, 4); err != nil {
			t.Error(err)
		}
		wg.Wait()
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(data), last) {
			t.Fatalf("the file holds %q, last was %q", data, last)
		}
		wantOnly(t, dir, "f")
	}
}
