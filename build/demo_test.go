package main

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLayOutIsFreshEachTime(t *testing.T) {
	t.Parallel()
	tool, _ := testTool(t, filepath.Dir(mustGetwd(t)))
	dir := filepath.Join(t.TempDir(), "demo")
	s, err := tool.layOut(dir)
	if err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(s.project, ".recollect")
	if err := os.Mkdir(left, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := tool.layOut(dir); err != nil {
		t.Fatal(err)
	}
	if exists(left) {
		t.Error("the second run kept what the first made")
	}
}

func TestLayOutLeavesAForeignFolderAlone(t *testing.T) {
	t.Parallel()
	tool, _ := testTool(t, filepath.Dir(mustGetwd(t)))
	dir := t.TempDir()
	put(t, dir, map[string]string{"thesis.txt": "precious"})
	if _, err := tool.layOut(dir); err == nil {
		t.Error("no error")
	}
	if !exists(filepath.Join(dir, "thesis.txt")) {
		t.Error("a foreign file is gone")
	}
}

// The sample must be what the assistant would have written in the folder where
// the demo lies, also below a folder whose name needs escaping.
func TestSampleRecordsNameTheProject(t *testing.T) {
	t.Parallel()
	tool, _ := testTool(t, filepath.Dir(mustGetwd(t)))
	s, err := tool.layOut(filepath.Join(t.TempDir(), "O'Brien & söhne", "demo"))
	if err != nil {
		t.Fatal(err)
	}
	project, err := filepath.EvalSymlinks(s.project)
	if err != nil {
		t.Fatal(err)
	}
	branches := map[string]bool{}
	records := 0
	err = filepath.WalkDir(s.claude, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var r struct {
				Type, Cwd, UUID, GitBranch string
			}
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			records++
			if r.UUID != "" && r.Cwd != project {
				t.Errorf("%s: cwd %q, want %q", r.UUID, r.Cwd, project)
			}
			if r.GitBranch != "" {
				branches[r.GitBranch] = true
			}
			if strings.Contains(lines.Text(), placeholder) {
				t.Errorf("a placeholder is left: %s", lines.Text())
			}
		}
		return lines.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	if records < 40 {
		t.Errorf("%d records are too few", records)
	}
	for _, b := range sampleBranches {
		if !branches[b] {
			t.Errorf("no record is of branch %s", b)
		}
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	if got := slug("/home/ann/my_app.v2"); got != "-home-ann-my-app-v2" {
		t.Errorf("got %q", got)
	}
	if got := slug(`C:\Users\ann`); got != "C--Users-ann" {
		t.Errorf("got %q", got)
	}
}

func mustGetwd(t *testing.T) string {
	t.Helper()
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return wd
}
