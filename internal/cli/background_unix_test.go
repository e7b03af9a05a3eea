//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"recollect/internal/filelock"
	"recollect/internal/maintain"
)

// A memorize that a person asked for goes before the branches that another process
// still maintains, and none of those is left out. The maintenance is stopped amid
// its work, so that the two do meet.
func TestMemorizeGoesBeforeMaintenance(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs two processes against each other")
	}
	const branches = 20
	p := newProgram(t)
	for i := range branches {
		session := fmt.Sprintf("s%02d", i)
		p.say(t, session, rule(i), rule(i+1))
		path := filepath.Join(p.claude, "projects", "x", session+".jsonl")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte(`"gitBranch":"main"`), fmt.Appendf(nil, `"gitBranch":"b%02d"`, i))
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	remembered := func() int {
		names, err := filepath.Glob(filepath.Join(p.project, ".recollect", "branches", "b*.md"))
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	var out bytes.Buffer
	upkeep := p.command("maintain", "startup", "--json")
	upkeep.Stdout = &out
	if err := upkeep.Start(); err != nil {
		t.Fatal(err)
	}
	defer upkeep.Process.Kill()
	wait := func(what string, is func() bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("never: %s", what)
			}
		}
	}
	wait("a branch is memorized", func() bool { return remembered() > 0 })
	if err := upkeep.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	at := remembered()

	person := p.command("memorize", "--branch", "b19")
	ended := make(chan error, 1)
	var said []byte
	var left int
	go func() {
		var err error
		said, err = person.CombinedOutput()
		left = branches - remembered()
		ended <- err
	}()
	wait("the person's memorize waits, or is done", func() bool {
		waits, err := filelock.Taken(filepath.Join(p.state(t), "waiting.lock"))
		return err == nil && waits || len(ended) > 0
	})
	if err := upkeep.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if at < branches/2 && left < 3 {
		t.Errorf("%d branches were done when it came and %d were left when it ended: it waited for all of them", at, left)
	}
	if err := upkeep.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	var r maintain.Report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if n := remembered(); n != branches || len(r.Parts) != 1 || r.Parts[0].Outcome != maintain.Done || len(r.Parts[0].Deferred) > 0 {
		t.Errorf("%d branches are remembered: %+v", n, r.Parts)
	}
	if text := p.run(t, "show", "--branch", "b19"); !strings.Contains(text, rule(19)) {
		t.Errorf("the person's branch says\n%s", text)
	}
}
