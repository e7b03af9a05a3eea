package claudecode

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSeveralConfigFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	first := user("a", "", 1, "P1")
	write(t, filepath.Join(a, "projects", "x", "s1.jsonl"), first)
	write(t, filepath.Join(b, "projects", "x", "s1.jsonl"), first) // moved to another account by copying
	write(t, filepath.Join(b, "projects", "x", "s2.jsonl"), user("b", "", 2, "P2", fields{"sessionId": "s2"}))
	if err := os.Symlink(a, filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	comma := filepath.Join(dir, "c,d")
	write(t, filepath.Join(comma, "projects", "x", "s3.jsonl"), user("c", "", 3, "P3"))
	for name, c := range map[string]struct {
		value    string
		want     []string
		looked   []bool
		sessions int
	}{
		"two":        {a + "," + b, []string{"P1", "P2"}, []bool{true, true}, 2},
		"with space": {" " + b + " , " + a + ", ", []string{"P1", "P2"}, []bool{true, true}, 2},
		"one twice":  {a + "," + filepath.Join(dir, "link") + "," + a, []string{"P1"}, []bool{true, true}, 1},
		"one gone":   {filepath.Join(dir, "none") + "," + b, []string{"P1", "P2"}, []bool{false, true}, 2},
		"a comma":    {comma, []string{"P3"}, []bool{true}, 1},
	} {
		for range 2 {
			s := New(Options{ConfigDir: c.value, IndexDir: filepath.Join(dir, "index")})
			h, err := s.Open(t.Context(), project(t, "/home/dev/orchard"))
			if err != nil {
				t.Fatal(name, err)
			}
			if d := cmp.Diff(c.want, talk(t, h)); d != "" {
				t.Errorf("%s (-want +got):\n%s", name, d)
			}
			var looked []bool
			for _, l := range h.Report().Looked {
				looked = append(looked, l.Found)
			}
			if !slices.Equal(looked, c.looked) {
				t.Errorf("%s: looked %v", name, h.Report().Looked)
			}
			d, err := s.Discover(t.Context(), nil)
			if err != nil || !d.Found || len(d.Used) != 1 || d.Used[0].Sessions != c.sessions || len(d.Tops) != len(c.looked) {
				t.Errorf("%s: %+v %v", name, d, err)
			}
		}
	}
}

func TestConfigFolderBesideTheUsualOne(t *testing.T) {
	home := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	write(t, filepath.Join(home, ".config", "claude", "projects", "x", "s1.jsonl"), user("a", "", 1, "P1"))
	open := func(looked ...string) []string {
		t.Helper()
		h, err := New(Options{}).Open(t.Context(), project(t, "/home/dev/orchard"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range h.Report().Looked {
			got = append(got, l.Folder)
		}
		if !slices.Equal(got, looked) {
			t.Errorf("looked in %q", got)
		}
		return talk(t, h)
	}
	usual, other := filepath.Join(home, ".claude", "projects"), filepath.Join(home, ".config", "claude", "projects")
	if d := cmp.Diff([]string{"P1"}, open(usual, other)); d != "" {
		t.Error(d)
	}
	write(t, filepath.Join(home, ".claude", "projects", "x", "s2.jsonl"), user("b", "", 2, "P2"))
	if d := cmp.Diff([]string{"P1", "P2"}, open(usual, other)); d != "" {
		t.Error(d)
	}
}
