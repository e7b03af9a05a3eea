package budget

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"recollect/internal/llm"
	"recollect/internal/llm/ledger"
)

// counter is a model that notes each call in a file before it takes its time.
type counter struct{ path string }

func (counter) Name() string { return "anthropic" }

func (c counter) Complete(context.Context, llm.Prompt) (llm.Completion, error) {
	f, err := os.OpenFile(c.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return llm.Completion{}, err
	}
	defer f.Close()
	_, err = f.WriteString(".")
	time.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond)
	return llm.Completion{Text: "hi", InputTokens: 1, OutputTokens: 1}, err
}

// TestKilledProcesses kills processes at any moment of their calls. The limit of
// calls holds over all of them, and no call under way blocks those that follow.
func TestKilledProcesses(t *testing.T) {
	limits := none()
	limits.Day.Calls = 60
	limits.Day.Tokens = 14_000 // three calls under way set aside 4130 each; what the dead set aside must not stay
	if dir := os.Getenv("RECOLLECT_TEST_KILLED"); dir != "" {
		c := budgetIn(filepath.Join(dir, "ledger"), limits).Client(counter{filepath.Join(dir, "calls")}, haiku)
		for {
			if _, err := c.Complete(t.Context(), llm.Prompt{Text: "x"}); err != nil {
				fmt.Println(err)
				return
			}
		}
	}
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 4 {
				cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledProcesses$")
				cmd.Env = append(os.Environ(), "RECOLLECT_TEST_KILLED="+dir)
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				kill := time.AfterFunc(time.Duration(50+rand.IntN(150))*time.Millisecond, func() { _ = cmd.Process.Kill() })
				_ = cmd.Wait()
				kill.Stop()
			}
		})
	}
	wg.Wait()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledProcesses$")
	cmd.Env = append(os.Environ(), "RECOLLECT_TEST_KILLED="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	calls, err := os.ReadFile(filepath.Join(dir, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	u, err := ledger.Open(ledger.Options{Dir: filepath.Join(dir, "ledger")}).Usage(t.Context(), ledger.Query{})
	if err != nil || u.Total.Calls != 60 || u.Damaged != 0 {
		t.Errorf("%+v, %d damaged, %v", u.Total, u.Damaged, err)
	}
	// A process that was killed between its reservation and its call made none.
	if n := int64(len(calls)); n > 60 || n < 60-u.Total.Open {
		t.Errorf("%d calls, %d of them lost", n, u.Total.Open)
	}
	t.Logf("%d calls, %d lost", len(calls), u.Total.Open)
}
