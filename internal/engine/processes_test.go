package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/internal/memory"
)

// envAdd has the test binary add an item, which it is, to the project in its
// folder; see TestMain.
const envAdd = "ENGINE_TEST_ADD"

// addOne adds until nobody was in the way.
func addOne() int {
	for {
		err := func() error {
			e, err := Open(Options{LockWait: 2 * time.Minute})
			if err != nil {
				return err
			}
			defer e.Close()
			_, err = e.Edit(context.Background(), "main", memory.Edit{Do: memory.Add, Section: "facts", Content: os.Getenv(envAdd)})
			return err
		}()
		if errors.Is(err, memory.ErrChanged) {
			continue
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}
}

// Fifty processes that add something at once all add it.
func TestManyProcessesAddAtOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("fifty processes")
	}
	const processes = 50
	o := sample(t)
	if _, err := openSample(t, o).Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed []string
	for i := range processes {
		c := exec.Command(os.Args[0])
		c.Dir = o.Dir
		c.Env = append(os.Environ(), envAdd+"="+words50(i), "RECOLLECT_HOME="+o.Getenv("RECOLLECT_HOME"), "CLAUDE_CONFIG_DIR="+o.Getenv("CLAUDE_CONFIG_DIR"))
		wg.Go(func() {
			if out, err := c.CombinedOutput(); err != nil {
				mu.Lock()
				failed = append(failed, fmt.Sprintf("%v %s", err, out))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(failed) > 0 {
		t.Errorf("%d failed, as %s", len(failed), failed[0])
	}
	got := map[string]bool{}
	for _, content := range itemsOf(t, openSample(t, o)) {
		got[content] = true
	}
	for i := range processes {
		if !got[words50(i)] {
			t.Errorf("%q is lost", words50(i))
		}
	}
	left, err := filepath.Glob(filepath.Join(o.Dir, ".recollect", "branches", ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q %v", left, err)
	}
}

// words50 is one of many contents that have no word in common.
func words50(i int) string {
	var parts []string
	for _, salt := range []int{7, 31, 101, 211} {
		x := (i+1)*salt*7919 + salt
		var w strings.Builder
		for range 8 {
			w.WriteByte(byte('a' + x%26))
			x = x/26 + x%26*salt + i
		}
		parts = append(parts, w.String())
	}
	return strings.Join(parts, " ")
}
