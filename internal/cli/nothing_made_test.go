package cli

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// misusedCommands are commands that write, each with what they can't do anything with, in a
// project in which nothing was said and nothing is remembered.
var misusedCommands = [][]string{
	{"memorize"},
	{"memorize", "--all"},
	{"memorize", "--branch", "main", "--again"},
	{"memorize", "--extractor", "org.example.none"},
	{"memorize", "--transcripts", "nowhere.jsonl"},
	{"add", "no-such-section", "The depot closes at noon."},
	{"add", "facts", " "},
	{"add", "facts", "The depot closes at noon.", "--before", "i-none"},
	{"add", "--branch", "other", "facts", "sk-ant-api03-" + strings.Repeat("a", 93) + "AA"},
	{"edit", "i-none", "Other words"},
	{"move", "i-none", "facts"},
	{"pin", "i-none"},
	{"unpin", "i-none"},
	{"undo"},
	{"undo", "nonsense"},
	{"restore", "1"},
	{"forget", "i-none"},
	{"forget", "--all"},
	{"inject"},
	{"inject", "--remove"},
	{"inject", "--target", "../outside.md"},
	{"inject", "--branch", "other"},
	{"review", "accept", "p-none"},
	{"review", "accept", "--all"},
	{"review", "refuse", "--all"},
	{"review", "undo"},
	{"conflicts", "resolve", "c-none", "newer"},
	{"import", "puffin"},
	{"import", "puffin", "."},
	{"import", "puffin", "nowhere"},
	{"extract", "--transcript", "nowhere.jsonl"},
	{"plugin", "use", "org.example.none", "extractor"},
	{"plugin", "use", "dev.recollect.notes", "extractor"},
	{"plugin", "use", "dev.recollect.offline", "extractor"},
	{"plugin", "use", "dev.recollect.offline", "extractor", "--not"},
	{"plugin", "remove", "org.example.none"},
	{"config", "set", "--shared", "nonsense", "1"},
	{"config", "set", "--shared", "inject.budget", "many"},
	{"config", "set", "--shared", "model.base_url", "nonsense"},
	{"config", "set", "--shared", "inject.budget", "--unset"},
	{"config", "set", "plugins.dev.recollect.ranked", `{"nonsense":1}`},
	{"maintain", "startup"},
	{"maintain", "nightly"},
	{"maintain", "full"},
	{"doctor", "--fix"},
	{"status"},
	{"trust", "--show"},
}

// What can't be done, or need not be, leaves nothing in a fresh folder, be it a
// repository or nothing at all.
func TestNothingIsMadeOfBadInput(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs a hundred commands")
	}
	for _, kind := range []string{"bare", "repository"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			dir, home := filepath.Join(top, "work"), filepath.Join(top, "home")
			for _, folder := range []string{dir, filepath.Join(home, "cache"), filepath.Join(top, "tmp")} {
				if err := os.MkdirAll(folder, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(compiledCache(t), filepath.Join(home, "cache", "compiled")); err != nil {
				t.Skip(err)
			}
			if err := cacheKey(home); err != nil {
				t.Fatal(err)
			}
			if kind == "repository" {
				if out, err := exec.Command("git", "init", "-q", "-b", "main", dir).CombinedOutput(); err != nil {
					t.Skipf("%v: %s", err, out)
				}
			}
			for _, args := range misusedCommands {
				cmd := exec.Command(os.Args[0], args...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), envProgram+"=1", "RECOLLECT_HOME="+home, "CLAUDE_CONFIG_DIR="+filepath.Join(top, "claude"),
					"HOME="+filepath.Join(top, "user"), "USERPROFILE="+filepath.Join(top, "user"), "TMPDIR="+filepath.Join(top, "tmp"))
				var out bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &out
				_ = cmd.Run() // some are nothing to do, which is no failure
				if made := madeIn(t, dir); len(made) > 0 {
					t.Fatalf("%q made %q\n%s", args, made, out.String())
				}
				t.Logf("%q: %d", args, cmd.ProcessState.ExitCode())
			}
		})
	}
}

// madeIn lists what is in a folder besides git's.
func madeIn(t *testing.T, dir string) []string {
	t.Helper()
	var made []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch rel, _ := filepath.Rel(dir, path); {
		case err != nil:
			return err
		case rel == ".git":
			return fs.SkipDir
		case rel != ".":
			made = append(made, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(made)
	return made
}
