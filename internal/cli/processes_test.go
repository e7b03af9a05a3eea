package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// program is this test binary as the program, on a home and a project of its
// own.
type program struct {
	home, project, claude string
}

// envProgram makes the test binary run the program; see TestMain.
const envProgram = "RECOLLECT_TEST_PROGRAM"

func newProgram(t *testing.T) program {
	t.Helper()
	dir := t.TempDir()
	p := program{filepath.Join(dir, "home"), filepath.Join(dir, "project"), filepath.Join(dir, "claude")}
	for _, d := range []string{filepath.Join(p.home, "cache"), p.project, filepath.Join(p.claude, "projects", "x")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(compiledCache(t), filepath.Join(p.home, "cache", "compiled")); err != nil {
		t.Fatal(err)
	}
	if err := cacheKey(p.home); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p program) command(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Dir = p.project
	c.Env = append(os.Environ(), envProgram+"=1", "RECOLLECT_HOME="+p.home, "CLAUDE_CONFIG_DIR="+p.claude)
	return c
}

// state is where this machine's own words about the project are, the only one that
// has any.
func (p program) state(t *testing.T) string {
	t.Helper()
	places, err := filepath.Glob(filepath.Join(p.home, "data", "projects", "*", "place.json"))
	if err != nil || len(places) != 1 {
		t.Fatalf("there is state in %v, %v", places, err)
	}
	return filepath.Dir(places[0])
}

func (p program) run(t *testing.T, args ...string) string {
	t.Helper()
	var out, errw bytes.Buffer
	c := p.command(args...)
	c.Stdout, c.Stderr = &out, &errw
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, out.Bytes(), errw.Bytes())
	}
	return out.String()
}

// say writes one session in which the user states rules.
func (p program) say(t *testing.T, session string, rules ...string) {
	t.Helper()
	var b strings.Builder
	for i, r := range rules {
		fmt.Fprintf(&b, "user: %s\nassistant: Understood, I keep to that in everything I write for number %d.\n", r, i)
	}
	tl := teller{cwd: p.project, session: session, branch: "main", seed: session}
	var out bytes.Buffer
	for _, rec := range tl.records(b.String()) {
		line, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(p.claude, "projects", "x", session+".jsonl"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (p program) items(t *testing.T) []string {
	t.Helper()
	var shown struct {
		Items []struct{ Content string }
	}
	if err := json.Unmarshal([]byte(p.run(t, "show", "--branch", "main", "--json")), &shown); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, it := range shown.Items {
		out = append(out, it.Content)
	}
	return out
}

// rule is one of 30 rules that have nothing in common with each other.
func rule(i int) string {
	all := []string{
		"Always store prices as integer cents.", "Never call the depot without a timeout.",
		"We only use tabs for indentation in Makefiles.", "Log lines must carry the request id.",
		"Migrations are never edited after a release.", "Always close response bodies after reading them.",
		"Pallet labels must be printed in black.", "Prefer table tests over copies.",
		"Feature flags always default to off.", "Never commit generated bindings.",
		"The scanner must beep twice on errors.", "We always use UTC for every timestamp.",
		"Retries must back off exponentially.", "Always quote every variable in our shell scripts.",
		"Invoices never change once they are sent.", "We always use snake case for column names.",
		"Cache keys must contain the tenant.", "Never block the event loop with files.",
		"Every queue must have a dead letter.", "Always pin the version of the compiler.",
		"Users are never deleted, only hidden.", "Screens must work without a mouse.",
		"We must use one transaction per order.", "Webhooks must verify their signature.",
		"Never trust the clock of a till.", "Always run the linter before pushing.",
		"Photos must be stripped of locations.", "We must use throwaway worktrees for spikes.",
		"Errors must name the file they concern.", "Never round weights before the sum.",
	}
	return strings.TrimSuffix(all[i%len(all)], ".")
}

// Twenty processes at once: some memorize what is said meanwhile, some forget,
// and a person keeps editing the file in an editor. Nothing is lost.
func TestProcessesAtOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs twenty processes")
	}
	p := newProgram(t)
	p.say(t, "s0", rule(29))
	p.run(t, "memorize", "--branch", "main")
	file := filepath.Join(p.project, ".recollect", "branches", "main.md")

	var wg sync.WaitGroup
	for i := range 20 {
		p.say(t, fmt.Sprintf("s%d", i+1), rule(i))
		wg.Go(func() {
			if out, err := p.command("memorize", "--branch", "main").CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	byHand := 0
	for range 10 {
		// As an editor saves: read, change, rename over.
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		edited := strings.Replace(string(data), "## Facts\n\n", "## Facts\n\n- By hand, "+gate(byHand)+"\n", 1)
		tmp := filepath.Join(p.project, "edit")
		if err := os.WriteFile(tmp, []byte(edited), 0o644); err != nil {
			t.Fatal(err)
		}
		// An editor that finds the file changed asks its user, who looks again.
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, data) {
			continue
		}
		if err := os.Rename(tmp, file); err != nil {
			t.Fatal(err)
		}
		byHand++
		time.Sleep(50 * time.Millisecond)
	}
	wg.Wait()
	p.run(t, "memorize", "--branch", "main")
	all := strings.Join(p.items(t), "\n")
	for i := range 20 {
		if want := rule(i); !strings.Contains(all, want) {
			t.Errorf("lost %q", want)
		}
	}
	for i := range byHand {
		if want := gate(i); !strings.Contains(all, want) {
			t.Errorf("lost the edit %q", want)
		}
	}
	if byHand == 0 {
		t.Error("no edit came through; the test tests less than it says")
	}
	leftovers(t, p.project)
}

// gate is one of the sentences that are written by hand.
func gate(i int) string { return fmt.Sprintf("gate %d stays as it is", i) }

// leftovers finds temporary files.
func leftovers(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".tmp") {
			t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Ctrl-C ends a run with its own exit code; what was memorized by then is whole
// and the rest is done next time.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || testing.Short() {
		t.Skip("sends an interrupt, which Windows cannot")
	}
	p := newProgram(t)
	for i := range 30 {
		p.say(t, fmt.Sprintf("s%d", i), rule(i))
	}
	for wait := time.Duration(0); wait < 300*time.Millisecond; wait += 60 * time.Millisecond {
		c := p.command("memorize", "--all", "--again")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		err := c.Wait()
		code := c.ProcessState.ExitCode()
		// Before the program listens, the system's own way of ending it holds.
		byDefault := c.ProcessState.Sys().(syscall.WaitStatus).Signaled()
		if code != 130 && code != 0 && !byDefault {
			t.Errorf("after %v: %v", wait, err)
		}
	}
	p.run(t, "memorize", "--all")
	all := strings.Join(p.items(t), "\n")
	for i := range 30 {
		if !strings.Contains(all, rule(i)) {
			t.Errorf("lost %q", rule(i))
		}
	}
	leftovers(t, p.project)
}

// A run that is killed at any moment loses nothing and blocks nobody.
func TestKill(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("kills processes for some seconds")
	}
	p := newProgram(t)
	var rules []string
	for i := range 24 {
		rules = append(rules, rule(i))
		p.say(t, "s1", rules...)
		c := p.command("memorize", "--branch", "main")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i*15) * time.Millisecond)
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	p.run(t, "memorize", "--branch", "main")
	all := strings.Join(p.items(t), "\n")
	for i := range rules {
		if want := rule(i); !strings.Contains(all, want) {
			t.Errorf("lost %q", want)
		}
	}
	leftovers(t, filepath.Join(p.project, ".recollect", "branches"))
}
