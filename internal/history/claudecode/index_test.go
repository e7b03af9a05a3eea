package claudecode

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
)

// long is a session of several hundred kilobytes.
func long(n int) []string {
	var lines []string
	parent := ""
	for i := range n {
		id := string(rune('A'+i%26)) + strings.Repeat("x", i/26)
		lines = append(lines, user(id, parent, i, "Prompt "+id+" "+strings.Repeat("words ", 200)))
		parent = id
	}
	return lines
}

func TestIncremental(t *testing.T) {
	t.Parallel()
	dir, index := t.TempDir(), t.TempDir()
	lines := long(300)
	path := write(t, filepath.Join(dir, "s1.jsonl"), lines...)
	s := New(Options{IndexDir: index})
	size := int64(len(strings.Join(lines, "")))
	if got := openPath(t, s, dir).Report().BytesRead; got != size {
		t.Errorf("first run read %d bytes of %d", got, size)
	}
	if got := openPath(t, s, dir).Report().BytesRead; got != 0 {
		t.Errorf("run with nothing new read %d bytes", got)
	}

	steps := []struct {
		name   string
		change func()
		read   int64 // -1: all
	}{
		{"append", func() { appendTo(t, path, answer("n1", "A", 900, "new")) }, int64(len(answer("n1", "A", 900, "new")))},
		{"append within the clock's grain", func() {
			keepTime(t, path, func() { appendTo(t, path, answer("n2", "A", 901, "new")) })
		}, int64(len(answer("n2", "A", 901, "new")))},
		{"touched", func() { setTime(t, path, time.Now().Add(time.Hour)) }, -1},
		{"changed in the middle, same size and time", func() {
			keepTime(t, path, func() { edit(t, path, "Prompt Axxx words", "Prompt Axxx WORDS") })
		}, -1},
		{"shortened", func() { edit(t, path, answer("n2", "A", 901, "new"), "") }, -1},
		{"another beginning and more at the end", func() {
			edit(t, path, "Prompt A words", "Prompt A Words")
			appendTo(t, path, answer("n3", "A", 902, "new"))
		}, -1},
		{"one record less in the middle, more at the end", func() {
			edit(t, path, lines[150], "")
			appendTo(t, path, answer("n4", "A", 903, "new"), answer("n5", "n4", 904, strings.Repeat("longer ", 300)))
		}, -1},
		{"much changed in the middle, more at the end", func() {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			n := len(b) / 4
			text := string(b[:n]) + strings.ReplaceAll(string(b[n:3*n]), "words", "WORDS") + string(b[3*n:])
			write(t, path, text, answer("n7", "A", 902, "new"))
		}, -1},
		{"put in its place with more at the end", func() {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, path+".new", string(b), answer("n6", "A", 905, "new"))
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
		}, int64(len(answer("n6", "A", 905, "new")))},
	}
	for _, step := range steps {
		step.change()
		h := openPath(t, s, dir)
		want := step.read
		if want < 0 {
			want = h.Report().Bytes
		}
		if got := h.Report().BytesRead; got != want {
			t.Errorf("%s: read %d bytes, want %d", step.name, got, want)
		}
		fresh := openPath(t, New(Options{}), dir)
		if h.Revision() != fresh.Revision() {
			t.Errorf("%s: the view differs from a fresh one", step.name)
		}
		if d := cmp.Diff(talk(t, fresh), talk(t, h)); d != "" {
			t.Errorf("%s:\n%s", step.name, d)
		}
	}
}

func setTime(t *testing.T, path string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// keepTime makes a change that the modification time does not show.
func keepTime(t *testing.T, path string, change func()) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	change()
	setTime(t, path, info.ModTime())
}

func edit(t *testing.T, path, from, to string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), from) {
		t.Fatalf("nothing to edit: %.60q", from)
	}
	write(t, path, strings.Replace(string(b), from, to, 1))
}

func TestUnfinishedLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := New(Options{IndexDir: t.TempDir()})
	first, second := user("a", "", 1, "P1"), answer("b", "a", 2, "A1")
	third := user("c", "b", 3, "P2")
	path := write(t, filepath.Join(dir, "s1.jsonl"), first, second[:50])
	check := func(name string, want []string, damage string, records int) {
		t.Helper()
		for range 2 {
			h := openPath(t, s, dir)
			if d := cmp.Diff(want, talk(t, h)); d != "" {
				t.Errorf("%s (-want +got):\n%s", name, d)
			}
			got := ""
			for _, d := range h.Report().Damage {
				got += d.Kind
			}
			if got != damage || h.Report().Records != records {
				t.Errorf("%s: damage %q and %d records, want %q and %d", name, got, h.Report().Records, damage, records)
			}
		}
	}
	check("half", []string{"P1"}, history.DamageTail, 1)
	appendTo(t, path, strings.TrimSuffix(second[50:], "\n"))
	check("whole without its LF", []string{"P1 / A1"}, "", 2)
	appendTo(t, path, "\n")
	check("with its LF", []string{"P1 / A1"}, "", 2)
	appendTo(t, path, strings.TrimSuffix(third, "\n"))
	check("next", []string{"P1 / A1", "P2"}, "", 3)
	appendTo(t, path, answer("d", "c", 4, "spliced"))
	check("spliced", []string{"P1 / A1", "P2 / spliced"}, "", 4)
	appendTo(t, path, "  \x00\x00")
	check("white space", []string{"P1 / A1", "P2 / spliced"}, "", 4)
}

func TestIndexFiles(t *testing.T) {
	t.Parallel()
	dir, index := t.TempDir(), t.TempDir()
	secret := "ghp_EXAMPLEEXAMPLEEXAMPLEEXAMPLE"
	path := write(t, filepath.Join(dir, "s1.jsonl"), user("a", "", 1, "P1 "+secret, fields{"gitBranch": "fix/" + secret}), answer("b", "a", 2, secret),
		recordLine("custom-title", "absent", "", 0, nil, fields{"uuid": "absent", "customTitle": "about " + secret}))
	s := New(Options{IndexDir: index})
	want := openPath(t, s, dir).Revision()
	name := indexFile(index, path)
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(good), secret) {
		t.Error("the index holds text of the transcript")
	}
	other := write(t, filepath.Join(t.TempDir(), "s1.jsonl"), user("a", "", 1, "other"))
	openPath(t, s, other)
	foreign, err := os.ReadFile(indexFile(index, other))
	if err != nil {
		t.Fatal(err)
	}
	for what, bad := range map[string]string{
		"empty": "", "short": string(good[:len(good)/2]), "one bit": flip(good, len(good)/2), "checksum": flip(good, len(good)-1),
		"older": "recollect claude-code index 0\n" + string(good[len(indexVersion):]), "foreign": "SQLite format 3\x00",
		"of another file": string(foreign), "longer": string(good) + "x",
	} {
		if err := os.WriteFile(name, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		h := openPath(t, s, dir)
		if h.Revision() != want || h.Report().BytesRead == 0 {
			t.Errorf("%s index: revision %s, want %s; read %d bytes", what, h.Revision(), want, h.Report().BytesRead)
		}
	}
	for _, opt := range []Options{{IndexDir: index, OwnMarkers: []string{"P1"}}, {IndexDir: index}} {
		if got := openPath(t, New(opt), dir).Report().BytesRead; got == 0 {
			t.Error("other markers use the same index")
		}
	}
	if err := os.RemoveAll(index); err != nil {
		t.Fatal(err)
	}
	if got := openPath(t, s, dir).Revision(); got != want {
		t.Error("without its folder the view differs")
	}
	left, err := filepath.Glob(filepath.Join(index, "new-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v %v", left, err)
	}
}

func flip(b []byte, i int) string {
	c := []byte(string(b))
	c[i] ^= 1
	return string(c)
}

// An index that cannot be written costs time only.
func TestIndexFolderUnusable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "s1.jsonl"), user("a", "", 1, "P1"))
	s := New(Options{IndexDir: write(t, filepath.Join(t.TempDir(), "file"), "x")})
	for range 2 {
		if d := cmp.Diff([]string{"P1"}, talk(t, openPath(t, s, dir))); d != "" {
			t.Error(d)
		}
	}
}

// Several processes append, read and rebuild at once.
func TestSeveralAtOnce(t *testing.T) {
	t.Parallel()
	dir, index := t.TempDir(), t.TempDir()
	lines := long(60)
	path := write(t, filepath.Join(dir, "s1.jsonl"), lines[0])
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s := New(Options{IndexDir: index})
			for range 30 {
				h, err := s.Open(t.Context(), history.Scope{Transcripts: []string{dir}})
				if err != nil {
					t.Error(err)
					return
				}
				for _, err := range h.Turns(t.Context(), h.Refs("*")) {
					if err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for _, l := range lines[1:] {
		appendTo(t, path, l[:100])
		appendTo(t, path, l[100:])
	}
	wg.Wait()
	h := openPath(t, New(Options{IndexDir: index}), dir)
	if got := len(h.Refs("*")); got != len(lines) {
		t.Errorf("%d turns of %d", got, len(lines))
	}
	if fresh := openPath(t, New(Options{}), dir); fresh.Revision() != h.Revision() {
		t.Error("the view differs from a fresh one")
	}
}
