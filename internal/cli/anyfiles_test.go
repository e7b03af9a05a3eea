//go:build unix

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// hostileCommand is a command as the property test runs it.
type hostileCommand struct {
	leaf  string   // as kong names it
	args  []string // besides; nil: the leaf's words alone
	reads bool     // it leaves the project as it is
}

func (c hostileCommand) words() []string { return append(strings.Fields(c.leaf), c.args...) }

// leftOut are commands that the property test does not run, and why.
var leftOut = map[string]string{
	"auth set":          "it is about the person's keyring and no project",
	"auth delete":       "it is about the person's keyring and no project",
	"plugin approve":    "a person's yes is what protects here",
	"trust":             "a person's yes is what protects here; its other tests are in trust.txt",
	"service run":       "it does not end; what it does in a project are jobs of the commands here",
	"service install":   "it changes the machine",
	"service uninstall": "it changes the machine",
	"service start":     "it changes the machine",
	"service stop":      "it changes the machine",
	"service restart":   "it changes the machine",
	"open":              "it opens a window",
	"review each":       "it waits for keys",
	"plugin add":        "the package is the person's choice; packages have tests of their own",
	"plugin enable":     "it is about no project",
	"plugin disable":    "it is about no project",
	"plugin resume":     "it is about no project",
	"plugin remove":     "it is about no project",
}

var hostileCommands = []hostileCommand{
	{"start", nil, true},
	{"version", nil, true},
	{"help", []string{"config"}, true},
	{"man", nil, true},
	{"completion", []string{"bash"}, true},
	{"complete", []string{"--word=", "--", "show", "--branch"}, true},
	{"complete", []string{"--word=", "--", "edit"}, true},
	{"init", nil, false},
	{"projects", nil, true},
	{"status", nil, true},
	{"status", []string{"--json"}, true},
	{"branches", nil, true},
	{"rename", []string{"main", "other"}, false},
	{"memorize", []string{"--all"}, false},
	{"memorize", []string{"--branch", "main", "--dry-run"}, true},
	{"show", nil, true},
	{"show", []string{"--branch", "main"}, true},
	{"show", []string{"--branch", "main", "--block"}, true},
	{"show", []string{"--branch", "main", "--versions"}, true},
	{"show", []string{"--branch", "main", "--ids"}, true},
	{"show", []string{"--branch", "main", "--archived"}, true},
	{"show", []string{"--branch", "main", "--version", "1"}, true},
	{"add", []string{"--branch", "main", "conventions", "Times are UTC"}, false},
	{"edit", []string{"--branch", "main", "i-evil", "Other words"}, false},
	{"move", []string{"--branch", "main", "i-evil", "facts"}, false},
	{"pin", []string{"--branch", "main", "i-evil"}, false},
	{"unpin", []string{"--branch", "main", "i-evil"}, false},
	{"undo", []string{"--branch", "main"}, false},
	{"redo", []string{"--branch", "main"}, false},
	{"restore", []string{"--branch", "main", "1"}, false},
	{"inject", nil, false},
	{"inject", []string{"--branch", "main"}, false},
	{"inject", []string{"--branch", "main", "--dry-run"}, true},
	{"inject", []string{"--branch", "main", "--remove"}, false},
	{"inject", []string{"--branch", "main", "--target", "sub/CLAUDE.md"}, false},
	{"inject", []string{"--branch", "main", "--target", "../outside/notes.md"}, false},
	{"inject", []string{"--branch", "main", "--target", ".git/hooks/x.md"}, false},
	{"forget", []string{"--branch", "main", "i-evil"}, false},
	{"forget", []string{"--branch", "main", "--all"}, false},
	{"review list", nil, true},
	{"review accept", []string{"--all"}, false},
	{"review refuse", []string{"--all"}, false},
	{"review undo", nil, false},
	{"conflicts list", nil, true},
	{"conflicts show", []string{"c-evil"}, true},
	{"conflicts resolve", []string{"c-evil", "newer"}, false},
	{"import puffin", nil, false},
	{"extract", []string{"--transcript", "session.jsonl"}, true},
	{"history sessions", nil, true},
	{"history turns", []string{"--branch", "main"}, true},
	{"model show", nil, true},
	{"model use", []string{"none"}, true},
	{"auth status", nil, true},
	{"auth test", nil, true},
	{"usage", nil, true},
	{"plugin list", nil, true},
	{"plugin prepare", nil, true},
	{"plugin info", []string{"dev.recollect.offline"}, true},
	{"plugin use", []string{"dev.recollect.offline"}, false},
	{"plugin try", []string{"dev.recollect.offline"}, true},
	{"plugin log", []string{"dev.recollect.offline"}, true},
	{"plugin run", []string{"dev.recollect.offline", "--verb", "extract"}, true},
	{"config get", nil, true},
	{"config list", nil, true},
	{"config set", []string{"review.enabled", "true"}, false},
	{"maintain", []string{"startup"}, false},
	{"maintain", []string{"nightly"}, false},
	{"maintain", []string{"weekly"}, false},
	{"maintain", []string{"monthly"}, false},
	{"maintain", []string{"full", "--dry-run"}, true},
	{"service status", nil, true},
	{"service logs", nil, true},
	{"service pause", nil, false},
	{"service resume", nil, false},
	{"upgrade", []string{"--check", "CLAUDE.md"}, true},
	{"upgrade", []string{"--check", "SHA256SUMS"}, true},
	{"uninstall", []string{"--dry-run"}, true},
	{"uninstall", []string{"--blocks", "--dry-run"}, true},
	{"doctor", nil, true},
	{"doctor", []string{"--fix"}, false},
}

// A command that is new is tried here too, or left out for a reason.
func TestEveryCommandMeetsHostileFiles(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(&root{})
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, c := range hostileCommands {
		tried[c.leaf] = true
	}
	for _, leaf := range parser.Model.Leaves(true) {
		var words []string
		for n := leaf; n.Parent != nil; n = n.Parent {
			words = append([]string{n.Name}, words...)
		}
		name := strings.Join(words, " ")
		if !tried[name] && leftOut[name] == "" {
			t.Errorf("%s is not among hostileCommands and not left out for a reason", name)
		}
	}
}

// hostileTime is how long TestHostileProject makes trees, and hostileSeed the first
// of them; without a time it makes a few.
const (
	hostileTime = "RECOLLECT_HOSTILE_TIME"
	hostileSeed = "RECOLLECT_HOSTILE_SEED"
	fewTrees    = 5
)

// hostileLimit is how long one command may take on a tree of a few files, on a
// machine that does much else.
const hostileLimit = 2 * time.Minute

// Whatever files lie in a project's folder, no command changes anything outside of
// the project and the person's own folders, waits for ever, or opens a connection;
// one that reads leaves the project as it was.
func TestHostileProject(t *testing.T) {
	if testing.Short() {
		t.Skip("runs some hundred commands")
	}
	var first uint64
	if _, err := fmt.Sscan(os.Getenv(hostileSeed), &first); err != nil {
		first = 1
	}
	d, err := time.ParseDuration(os.Getenv(hostileTime))
	if err != nil {
		d = 0
	}
	warm := newHostile(t, 0) // compiling the plug-ins takes its time once
	warm.does(t, hostileCommand{"memorize", []string{"--all"}, false})
	end := time.Now().Add(d)
	trees, commands := 0, 0
	for seed := first; trees < fewTrees || time.Now().Before(end); seed++ {
		h := newHostile(t, seed)
		commands += h.run(t)
		trees++
		if t.Failed() {
			t.Fatalf("the tree of seed %d is kept in %s", seed, h.keep())
		}
		if err := os.RemoveAll(h.top); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d trees, %d commands", trees, commands)
}

// run lays files into a project, sometimes one that is in use, and runs commands
// there. It gives how many.
func (h *hostile) run(t *testing.T) int {
	t.Helper()
	if h.rng.IntN(2) == 0 {
		h.does(t, hostileCommand{"memorize", []string{"--all"}, false})
		h.does(t, hostileCommand{"add", []string{"--branch", "main", "facts", "Ours"}, false})
	}
	h.plant()
	outside := h.look(t, h.project, h.home)
	project := h.look(t, append([]string{h.home}, h.elsewhere()...)...)
	n := 0
	for range 14 {
		c := hostileCommands[h.rng.IntN(len(hostileCommands))]
		h.does(t, c)
		n++
		if changes := outside.Changes(h.look(t, h.project, h.home)); changes != nil {
			t.Errorf("seed %d: %q changed what is outside: %q", h.seed, c.words(), changes)
		}
		now := h.look(t, append([]string{h.home}, h.elsewhere()...)...)
		if changes := project.Changes(now); c.reads && changes != nil {
			t.Errorf("seed %d: %q reads, and changed the project: %q", h.seed, c.words(), changes)
		}
		project = now
		if h.listener.count() > 0 {
			t.Errorf("seed %d: %q opened a connection", h.seed, c.words())
		}
		if t.Failed() {
			break
		}
	}
	return n
}

// does runs one command and looks at how it ended.
func (h *hostile) does(t *testing.T, c hostileCommand) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hostileLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], c.words()...)
	cmd.Dir = h.workingDir()
	cmd.Env = append(os.Environ(), envProgram+"=1", "RECOLLECT_HOME="+h.home, "CLAUDE_CONFIG_DIR="+h.claude,
		"HOME="+filepath.Join(h.top, "user"), "TMPDIR="+filepath.Join(h.home, "tmp"), "OPENAI_API_KEY=sk-person", "ANTHROPIC_API_KEY=sk-person",
		"DBUS_SESSION_BUS_ADDRESS=disabled:")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		t.Errorf("seed %d: %q did not end within %v\n%s", h.seed, c.words(), hostileLimit, clip(out.String()))
	case err != nil && !errors.As(err, &failed):
		t.Errorf("seed %d: %q: %v", h.seed, c.words(), err)
	case strings.Contains(out.String(), "goroutine "), cmd.ProcessState.ExitCode() < 0, cmd.ProcessState.ExitCode() > 5:
		t.Errorf("seed %d: %q: exit code %d\n%s", h.seed, c.words(), cmd.ProcessState.ExitCode(), clip(out.String()))
	case strings.ContainsAny(out.String(), "\x1b\u202e\u2066"):
		t.Errorf("seed %d: %q prints a stranger's control characters: %q", h.seed, c.words(), clip(out.String()))
	}
}

func clip(s string) string { return s[:min(len(s), 3000)] }

// pick gives one of several.
func pick[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }
