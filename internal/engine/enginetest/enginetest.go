// Package enginetest lays out the sample project for tests of what opens it.
package enginetest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Sample is a home with one project that has the sample's history.
type Sample struct {
	Dir     string // holds all of it
	Project string
	Home    string // RECOLLECT_HOME
	Claude  string // CLAUDE_CONFIG_DIR
}

// LayOut makes a Sample in a folder of the test's own. root is the top of this
// repository. The compiled plug-ins are those of all tests.
func LayOut(t testing.TB, root string) Sample {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := Sample{Dir: dir, Project: filepath.Join(dir, "ebb"), Home: filepath.Join(dir, "home"), Claude: filepath.Join(dir, "claude")}
	cache := filepath.Join(os.TempDir(), "recollect-test-compiled")
	for _, d := range []string{filepath.Join(s.Project, ".git", "objects"), filepath.Join(s.Project, ".git", "refs", "heads"),
		filepath.Join(s.Home, "cache"), cache} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(cache, filepath.Join(s.Home, "cache", "compiled")); err != nil {
		t.Fatal(err)
	}
	// What the cache holds is another's without the key of all tests.
	Write(t, filepath.Join(s.Home, "data", "plugins", "cache.key"), bytes.Repeat([]byte("k"), 32))
	Write(t, filepath.Join(s.Project, ".git", "HEAD"), []byte("ref: refs/heads/main\n"))
	source := filepath.Join(root, "build", "sample")
	if err := os.CopyFS(s.Project, os.DirFS(filepath.Join(source, "project"))); err != nil {
		t.Fatal(err)
	}
	transcripts, err := filepath.Glob(filepath.Join(source, "history", "*.jsonl"))
	if err != nil || len(transcripts) == 0 {
		t.Fatal("the sample has no history", err)
	}
	slug := strings.NewReplacer("/", "-", "\\", "-", ":", "-", ".", "-").Replace(s.Project)
	for _, name := range transcripts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte("@PROJECT@"), []byte(filepath.ToSlash(s.Project)))
		Write(t, filepath.Join(s.Claude, "projects", slug, filepath.Base(name)), text)
	}
	return s
}

// Write makes a file and its folder.
func Write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
