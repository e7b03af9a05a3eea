package cli

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"recollect/internal/safefile/treetest"
)

// journal DIR TARGET PAYLOAD puts into DIR what would have the memory of main's
// Markdown replaced by PAYLOAD, if it were believed, and makes that Markdown a link
// to TARGET.
func journal(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: journal DIR TARGET PAYLOAD")
	}
	dir, target := ts.MkAbs(args[0]), ts.MkAbs(args[1])
	old, payload := []byte(ts.ReadFile(args[1])), []byte(ts.ReadFile(args[2]))
	sum := func(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
	items := fmt.Appendf(nil, `{"format":"recollect/memory/1","branch":"main","markdown":%q,"updated":"2026-11-20T10:00:00Z"}`+"\n", sum(payload))
	head := fmt.Appendf(nil, `{"format":"recollect/version/1","branch":"main","saved":"2026-11-20T10:00:00Z","active":0,`+
		`"markdown":%d,"items":%d,"old_markdown":%q,"old_items":%q}`+"\n", len(payload), len(items), sum(old), sum(nil))
	put := func(data []byte, elem ...string) {
		path := filepath.Join(append([]string{dir, ".recollect"}, elem...)...)
		ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
		ts.Check(os.WriteFile(path, data, 0o644))
	}
	put(items, "branches", "main.items.jsonl")
	put(bytes.Join([][]byte{head, payload, items}, nil), "local", "history", "main", "saving")
	link := filepath.Join(dir, ".recollect", "branches", "main.md")
	_ = os.Remove(link)
	ts.Check(os.Symlink(target, link))
}

// readers are the commands that read.
var readers = [][]string{
	{"status"}, {"branches"}, {"show"}, {"show", "--block"}, {"show", "--branch", "side"}, {"show", "--versions"},
	{"inject", "--dry-run"}, {"doctor"}, {"maintain", "full", "--dry-run"}, {"memorize", "--all", "--dry-run"},
	{"history", "sessions"}, {"projects"}, {"config", "list"}, {"review", "list"}, {"conflicts", "list"}, {"trust", "--show"}, {"model"},
}

// reads [OUTSIDE...] runs every command that reads in the current folder. Each ends
// well, refuses, or refuses a part, and changes neither the folder nor what lies outside.
func reads(ts *testscript.TestScript, _ bool, args []string) {
	folders := append([]string{"."}, args...)
	before := make([]treetest.Tree, len(folders))
	look := func(i int) treetest.Tree {
		tree, err := treetest.Of(ts.MkAbs(folders[i]))
		ts.Check(err)
		return tree
	}
	for i := range folders {
		before[i] = look(i)
	}
	for _, command := range readers {
		err := ts.Exec("recollect", command...)
		var exit *exec.ExitError
		switch {
		case err == nil:
		case slices.Contains(command, "side") && strings.Contains(ts.ReadFile("stderr"), "no such branch"):
		case command[0] == "maintain" && errors.As(err, &exit) && exit.ExitCode() == 1: // a part of the run failed
		case !errors.As(err, &exit) || exit.ExitCode() != 4 && exit.ExitCode() != 5:
			ts.Fatalf("recollect %s: %v\n%s", strings.Join(command, " "), err, ts.ReadFile("stderr"))
		}
		for i := range folders {
			if changes := before[i].Changes(look(i)); changes != nil {
				ts.Fatalf("recollect %s: in %s: %q", strings.Join(command, " "), folders[i], changes)
			}
		}
	}
}
