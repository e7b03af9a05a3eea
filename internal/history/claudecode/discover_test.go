package claudecode

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
)

func TestDiscovery(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	side := fields{"isSidechain": true}
	write(t, filepath.Join(dir, "a", "s1.jsonl"), user("a", "", 1, "P1"))
	write(t, filepath.Join(dir, "a", "agent-1.jsonl"), user("x1", "", 1, "old agent"))
	write(t, filepath.Join(dir, "a", "s1", "subagents", "agent-2.jsonl"), user("x2", "", 1, "agent", side))
	write(t, filepath.Join(dir, "a", "s1", "subagents", "agent-2.meta.json"), "{}")
	write(t, filepath.Join(dir, "a", "s1", "subagents", "workflows", "w", "journal.jsonl"), `{"type":"started"}`)
	write(t, filepath.Join(dir, "a", "memory", "notes.md"), "text")
	write(t, filepath.Join(dir, "a", "b", "c", "d", "s2.jsonl"), user("b", "", 2, "P2"))
	write(t, filepath.Join(dir, "empty.jsonl"))
	elsewhere := t.TempDir()
	write(t, filepath.Join(elsewhere, "s3.jsonl"), user("c", "", 3, "P3"))
	damage := 0
	for link, target := range map[string]string{
		filepath.Join(dir, "loop"):         dir,
		filepath.Join(dir, "a", "up"):      "..",
		filepath.Join(dir, "linked"):       elsewhere,
		filepath.Join(dir, "linked2"):      elsewhere,
		filepath.Join(dir, "gone.jsonl"):   filepath.Join(dir, "nothing"),
		filepath.Join(dir, "gone"):         filepath.Join(dir, "nothing"),
		filepath.Join(dir, "self.jsonl"):   filepath.Join(dir, "self.jsonl"),
		filepath.Join(dir, "file-s1.json"): filepath.Join(dir, "a", "s1.jsonl"),
	} {
		if err := os.Symlink(target, link); err != nil {
			t.Skipf("no symbolic links: %v", err)
		}
		if strings.HasSuffix(link, ".jsonl") {
			damage++
		}
	}
	write(t, filepath.Join(dir, "folder.jsonl", "s9.jsonl"), user("f", "", 9, "in what is no transcript"))
	damage++
	if os.Getuid() > 0 {
		closed := write(t, filepath.Join(dir, "closed.jsonl"), user("z", "", 9, "unreadable"))
		if err := os.Chmod(closed, 0); err != nil {
			t.Fatal(err)
		}
		damage++
	}
	s := New(Options{IndexDir: t.TempDir()})
	h := openPath(t, s, dir)
	if d := cmp.Diff([]string{"P1", "P2", "P3"}, talk(t, h)); d != "" {
		t.Errorf("turns (-want +got):\n%s", d)
	}
	if got := h.Report().Damage; len(got) != damage {
		t.Errorf("damage: %+v", got)
	}
	for _, d := range h.Report().Damage {
		if d.Kind != history.DamageFile || d.Note == "" {
			t.Errorf("damage: %+v", d)
		}
	}
	given := openPath(t, s, filepath.Join(dir, "a", "s1.jsonl"), filepath.Join(dir, "a"), filepath.Join(dir, "file-s1.json"))
	if d := cmp.Diff([]string{"P1", "P2", "P3"}, talk(t, given)); d != "" {
		t.Errorf("given paths (-want +got):\n%s", d)
	}
	if _, err := s.Open(t.Context(), history.Scope{Transcripts: []string{filepath.Join(dir, "missing")}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing path gives %v", err)
	}
	none, err := New(Options{ConfigDir: filepath.Join(dir, "missing")}).Open(t.Context(), project(t, "/home/dev/orchard"))
	if err != nil || len(none.Refs("*")) != 0 {
		t.Errorf("no configuration folder: %v", err)
	}
}

func TestConfigDir(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "projects", "x", "s1.jsonl"), user("a", "", 1, "P1"))
	t.Setenv("CLAUDE_CONFIG_DIR", dir)
	h, err := New(Options{}).Open(t.Context(), project(t, "/home/dev/orchard"))
	if err != nil || len(h.Refs("*")) != 1 {
		t.Errorf("CLAUDE_CONFIG_DIR: %v", err)
	}
	home := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	write(t, filepath.Join(home, ".claude", "projects", "x", "s1.jsonl"), user("a", "", 1, "P1"))
	h, err = New(Options{}).Open(t.Context(), project(t, "/home/dev/orchard"))
	if err != nil || len(h.Refs("*")) != 1 {
		t.Errorf("home: %v", err)
	}
}

// One file with records of two projects and of none is split by record.
func TestSplitByDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, two, none := fields{"cwd": "/home/dev/one"}, fields{"cwd": "/home/dev/two/sub"}, fields{"cwd": "absent"}
	write(t, filepath.Join(dir, "projects", "x", "s1.jsonl"),
		user("z", "", 0, "before any", none),
		user("a", "z", 1, "P1", one), answer("b", "a", 2, "A1", none), user("c", "b", 3, "P2", two), answer("d", "c", 4, "A2", none),
		answer("e", "d", 5, "back in one", one), user("f", "e", 6, "P3", one))
	s := New(Options{ConfigDir: dir, IndexDir: t.TempDir()})
	for root, want := range map[string][]string{
		"/home/dev/one": {"P1 / A1", "back in one", "P3"},
		"/home/dev/two": {"P2 / A2"},
	} {
		for range 2 {
			h, err := s.Open(t.Context(), project(t, root))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, talk(t, h)); d != "" {
				t.Errorf("%s (-want +got):\n%s", root, d)
			}
		}
	}
}

// What happens in other projects changes nothing in the view of this one.
func TestOtherProjects(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "projects", "x", "s1.jsonl"), user("a", "", 1, "P1", fields{"cwd": "/home/dev/one"}))
	other := write(t, filepath.Join(dir, "projects", "x", "s2.jsonl"), user("b", "", 1, "P2", fields{"cwd": "/home/dev/two"}))
	s := New(Options{ConfigDir: dir, IndexDir: t.TempDir()})
	open := func() history.History {
		h, err := s.Open(t.Context(), project(t, "/home/dev/one"))
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	before := open()
	appendTo(t, other, "broken\n", recordLine("summary", "absent", "", 0, nil, fields{"uuid": "absent", "summary": "about one", "leafUuid": "a"}))
	after := open()
	if r := after.Report(); r.Files != 1 || r.Records != 1 || len(r.Damage) != 0 || r.BytesRead == 0 {
		t.Errorf("report: %+v", r)
	}
	if d := cmp.Diff(before.Refs("*"), after.Refs("*")); d != "" {
		t.Error(d)
	}
	if got := after.Sessions()[0].Title; got != "about one" {
		t.Errorf("title %q: a summary in another file names the session", got)
	}
	appendTo(t, other, user("c", "b", 2, "P3", fields{"cwd": "/home/dev/two"}))
	if again := open(); again.Revision() != after.Revision() {
		t.Error("another project's turn changes the revision")
	}
}

func TestGoneFile(t *testing.T) {
	t.Parallel()
	path := write(t, filepath.Join(t.TempDir(), "s1.jsonl"), user("a", "", 1, "P1"), user("b", "a", 2, "P2"))
	h := openPath(t, New(Options{}), path)
	same := strings.Replace(user("a", "", 1, "P1"), `"P1"`, `"PX"`, 1)
	for name, change := range map[string]func(){
		"other words":   func() { write(t, path, same, user("b", "a", 2, "PY")) },
		"other records": func() { write(t, path, user("x", "", 1, "P1"), user("y", "x", 2, "P2")) },
		"shorter":       func() { write(t, path, "x") },
		"removed":       func() { _ = os.Remove(path) },
	} {
		change()
		n := 0
		for _, err := range h.Turns(t.Context(), h.Refs("*")) {
			if n++; !errors.Is(err, history.ErrGone) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n != 2 {
			t.Errorf("%s: %d turns", name, n)
		}
	}
}
