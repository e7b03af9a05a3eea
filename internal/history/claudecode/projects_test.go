package claudecode

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
)

func discover(t testing.TB, s *Source) history.Discovery {
	t.Helper()
	d, err := s.Discover(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// places gives a discovery as text: "dir: sessions, last".
func places(d history.Discovery) []string {
	out := []string{}
	for _, u := range d.Used {
		out = append(out, fmt.Sprintf("%q: %d, %s", u.Dir, u.Sessions, u.LastActive.Format("15:04:05")))
	}
	return out
}

func TestDiscover(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(elem ...string) string { return filepath.Join(append([]string{dir, "projects"}, elem...)...) }
	sdk := fields{"entrypoint": "sdk-cli", "cwd": "/tmp/recollect-model-1"}
	one, two := fields{"cwd": "/home/dev/one-a"}, fields{"cwd": "/home/dev/one/a"}
	huge := strings.Repeat("x", maxHeadSize)
	noDir := fields{"cwd": "absent"}

	// Two directories share a folder's name.
	write(t, at("-home-dev-one-a", "s1.jsonl"), user("a", "", 1, "P", one), answer("b", "a", 2, "A", one))
	write(t, at("-home-dev-one-a", "s2.jsonl"), user("a", "", 1, "P", two), answer("b", "a", 60, "A", one))
	// No directory in the first records; a summary first.
	write(t, at("-home-dev-one-a", "s3.jsonl"), recordLine("summary", "absent", "", 0, nil, fields{"cwd": "absent", "leafUuid": "x", "summary": "s"}),
		recordLine("file-history-snapshot", "absent", "", 0, nil, noDir), user("a", "", 3, "P", two))
	// Nobody said anything, our own calls, agents, other files.
	write(t, at("-home-dev-one-a", "s4.jsonl"), recordLine("summary", "absent", "", 0, nil, fields{"leafUuid": "x", "summary": "s"}))
	write(t, at("-home-dev-one-a", "s5.jsonl"), user("a", "", 1, "meta", one, fields{"isMeta": true}))
	write(t, at("-home-dev-one-a", "empty.jsonl"))
	write(t, at("-tmp", "o1.jsonl"), recordLine("queue-operation", "absent", "", 0, nil, fields{"cwd": "absent", "content": history.OwnMarker}),
		user("a", "", 1, history.OwnMarker+"\ntext", sdk))
	write(t, at("-tmp", "o2.jsonl"), user("a", "", 1, history.OwnMarker+huge, sdk))
	write(t, at("-home-dev-one-a", "agent-1.jsonl"), user("a", "", 1, "P", one))
	write(t, at("-home-dev-one-a", "notes.md"), "text")
	write(t, at("-home-dev-one-a", "s1", "subagents", "deep.jsonl"), user("a", "", 1, "P", one))
	// A first prompt that is longer than what is looked at, one behind such a line
	// without a directory, and one that only such lines precede.
	write(t, at("-huge", "h1.jsonl"), user("a", "", 1, huge, fields{"cwd": "/home/dev/huge"}))
	write(t, at("-huge", "h2.jsonl"), recordLine("file-history-snapshot", "absent", "", 0, nil, noDir, fields{"snapshot": huge}), user("a", "", 5, "P", fields{"cwd": "/home/dev/huge"}))
	// Names with line ends and quotes; damaged lines before.
	write(t, at("-odd", "d1.jsonl"), "{broken\n", "null\n", user("a", "", 1, "P", fields{"cwd": "/home/dev/odd\nname \"x\""}))

	s := New(Options{ConfigDir: dir, IndexDir: t.TempDir()})
	want := []string{
		`"/home/dev/huge": 2, 09:00:05`, `"/home/dev/odd\nname \"x\"": 1, 09:00:01`, `"/home/dev/one-a": 1, 09:00:02`, `"/home/dev/one/a": 2, 09:01:00`,
	}
	for range 2 {
		d := discover(t, s)
		if diff := cmp.Diff(want, places(d)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if !d.Found || d.Where != at() || d.Source != Name || len(d.Damage) != 0 {
			t.Errorf("%+v", d)
		}
	}
}

func TestDiscoverAmongHostileFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	top := filepath.Join(dir, "projects")
	write(t, filepath.Join(top, "a", "s1.jsonl"), user("a", "", 1, "P"))
	write(t, filepath.Join(top, "top.jsonl"), user("a", "", 2, "P"))
	elsewhere := t.TempDir()
	write(t, filepath.Join(elsewhere, "s2.jsonl"), user("a", "", 3, "P"))
	for link, target := range map[string]string{
		filepath.Join(top, "loop"):              top,
		filepath.Join(top, "self"):              filepath.Join(top, "self"),
		filepath.Join(top, "twin"):              filepath.Join(top, "a"),
		filepath.Join(top, "b"):                 elsewhere,
		filepath.Join(top, "b2"):                elsewhere,
		filepath.Join(top, "gone"):              filepath.Join(dir, "nothing"),
		filepath.Join(top, "a", "loop.jsonl"):   filepath.Join(top, "a", "loop.jsonl"),
		filepath.Join(top, "a", "gone.jsonl"):   filepath.Join(dir, "nothing"),
		filepath.Join(top, "a", "up"):           "..",
		filepath.Join(top, "a", "device.jsonl"): os.DevNull,
	} {
		if err := os.Symlink(target, link); err != nil {
			t.Skipf("no symbolic links: %v", err)
		}
	}
	if err := os.MkdirAll(filepath.Join(top, "a", "folder.jsonl"), 0o755); err != nil {
		t.Fatal(err)
	}
	damage := 2 // the device and the folder
	if os.Getuid() > 0 {
		closed := write(t, filepath.Join(top, "a", "closed.jsonl"), user("z", "", 9, "unreadable"))
		locked := filepath.Join(top, "locked")
		if err := os.Chmod(closed, 0); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(locked, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(locked, 0o700) })
		damage += 2
	}
	d := discover(t, New(Options{ConfigDir: dir, IndexDir: t.TempDir()}))
	if n := len(d.Used); n != 1 || d.Used[0].Sessions < 3 {
		t.Errorf("%+v", d.Used)
	}
	if len(d.Damage) != damage {
		t.Errorf("damage %+v", d.Damage)
	}
}

// Nothing there, something else there, and not allowed to look are different.
func TestDiscoverNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := New(Options{ConfigDir: dir})
	if d := discover(t, s); d.Found || len(d.Used) != 0 || d.Where == "" {
		t.Errorf("no folder: %+v", d)
	}
	if err := os.Mkdir(filepath.Join(dir, "projects"), 0o755); err != nil {
		t.Fatal(err)
	}
	if d := discover(t, s); !d.Found || len(d.Used) != 0 {
		t.Errorf("an empty folder: %+v", d)
	}
	file := t.TempDir()
	write(t, filepath.Join(file, "projects"), "no folder")
	if _, err := New(Options{ConfigDir: file}).Discover(t.Context(), nil); err == nil {
		t.Error("a file in the folder's place is no error")
	}
}

// age makes files look as if they were changed long ago.
func age(t testing.TB, paths ...string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	for _, p := range paths {
		if err := os.Chtimes(p, old, old); err != nil {
			t.Fatal(err)
		}
	}
}

// What is kept is used as long as a file is as it was, and no longer.
func TestDiscoverSeesChanges(t *testing.T) {
	t.Parallel()
	dir, index := t.TempDir(), t.TempDir()
	one := write(t, filepath.Join(dir, "projects", "x", "s1.jsonl"), user("a", "", 1, "P", fields{"cwd": "/home/dev/one"}))
	two := write(t, filepath.Join(dir, "projects", "x", "s2.jsonl"), user("a", "", 2, "P", fields{"cwd": "/home/dev/two"}))
	age(t, one, two)
	s := New(Options{ConfigDir: dir, IndexDir: index})
	steps := []struct {
		name   string
		change func()
		want   []string
	}{
		{"first", func() {}, []string{`"/home/dev/one": 1, 09:00:01`, `"/home/dev/two": 1, 09:00:02`}},
		{"append", func() { appendTo(t, one, answer("b", "a", 30, "A")); age(t, one) }, []string{`"/home/dev/one": 1, 09:00:30`, `"/home/dev/two": 1, 09:00:02`}},
		{"another of the same size", func() {
			write(t, two, user("a", "", 2, "P", fields{"cwd": "/home/dev/six"}))
			age(t, two)
		}, []string{`"/home/dev/one": 1, 09:00:30`, `"/home/dev/six": 1, 09:00:02`}},
		{"removed", func() { _ = os.Remove(one) }, []string{`"/home/dev/six": 1, 09:00:02`}},
		{"damaged catalog", func() {
			files, err := filepath.Glob(filepath.Join(index, "catalog-*"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			write(t, files[0], catalogVersion+"damaged")
		}, []string{`"/home/dev/six": 1, 09:00:02`}},
	}
	for _, step := range steps {
		step.change()
		for range 2 {
			if diff := cmp.Diff(step.want, places(discover(t, s))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step.name, diff)
			}
		}
	}
}

// What was found of a transcript that is as it was is kept.
func TestDiscoverKeepsWhatItFound(t *testing.T) {
	t.Parallel()
	dir, index := t.TempDir(), t.TempDir()
	path := write(t, filepath.Join(dir, "projects", "x", "s1.jsonl"), user("a", "", 1, "P"))
	age(t, path)
	s := New(Options{ConfigDir: dir, IndexDir: index})
	discover(t, s)
	c := s.refresh.openCatalog(t.Context(), filepath.Join(dir, "projects"))
	e, ok := c.entries[path]
	if !ok || e.head.kind != headSession || e.head.dir != "/home/dev/orchard" || e.head.last == 0 {
		t.Errorf("the catalog has %+v", c.entries)
	}
}

// A transcript of another project is not opened again, one that names sessions
// is, and what becomes ours is seen.
func TestForeignTranscripts(t *testing.T) {
	t.Parallel()
	dir, index := t.TempDir(), t.TempDir()
	top := filepath.Join(dir, "projects")
	mine := write(t, filepath.Join(top, "x", "s1.jsonl"), user("a", "", 1, "P1", fields{"cwd": "/home/dev/one"}))
	other := write(t, filepath.Join(top, "x", "s2.jsonl"), user("b", "", 2, "P2", fields{"cwd": "/home/dev/two"}))
	naming := write(t, filepath.Join(top, "x", "s3.jsonl"), user("c", "", 3, "P3", fields{"cwd": "/home/dev/two"}),
		recordLine("summary", "absent", "", 0, nil, fields{"uuid": "absent", "summary": "about one", "leafUuid": "a"}))
	age(t, mine, other, naming)
	s := New(Options{ConfigDir: dir, IndexDir: index})
	look := func(root string) history.History {
		t.Helper()
		h, err := s.Open(t.Context(), project(t, root))
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	look("/home/dev/one")
	c := s.refresh.openCatalog(t.Context(), top)
	for path, want := range map[string]verdict{mine: known, other: foreign, naming: unknown} {
		if _, got := c.judge(path, owner(project(t, "/home/dev/one"))); got != want {
			t.Errorf("%s is %d, want %d", filepath.Base(path), got, want)
		}
	}
	h := look("/home/dev/one")
	if d := cmp.Diff([]string{"P1"}, talk(t, h)); d != "" || h.Sessions()[0].Title != "about one" {
		t.Errorf("%s %+v", d, h.Sessions())
	}
	if d := cmp.Diff([]string{"P2", "P3"}, talk(t, look("/home/dev/two"))); d != "" {
		t.Error(d)
	}
	appendTo(t, other, user("d", "b", 4, "P4", fields{"cwd": "/home/dev/one"}))
	if d := cmp.Diff([]string{"P1", "P4"}, talk(t, look("/home/dev/one"))); d != "" {
		t.Error(d)
	}
}

// On real histories the sessions that are counted are those that Open gives.
func TestDiscoverAgreesWithOpen(t *testing.T) {
	t.Parallel()
	s := New(Options{ConfigDir: shared(t, "corpus", "claude-code", "daaain-real-projects")})
	d := discover(t, s)
	if len(d.Used) == 0 {
		t.Fatal("nothing was found")
	}
	for _, u := range d.Used {
		h, err := s.Open(t.Context(), project(t, u.Dir))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(h.Sessions()); n != u.Sessions {
			t.Errorf("%s: %d sessions were counted, Open gives %d", u.Dir, u.Sessions, n)
		}
	}
}

// FuzzHead reads any bytes as the beginning and the end of a transcript.
func FuzzHead(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, b []byte, whole bool) {
		h, done := scanHead(b, whole, []string{history.OwnMarker})
		if !utf8.ValidString(h.dir) || strings.Contains(h.dir, "\x00") || len(h.dir) > maxLabel {
			t.Errorf("not clean: %q", h.dir)
		}
		if h.kind == headUnread || whole && !done {
			t.Errorf("%+v, %v", h, done)
		}
		lastTime(b)
	})
}

// FuzzCatalog reads any bytes as a catalog.
func FuzzCatalog(f *testing.F) {
	name := filepath.Join(f.TempDir(), "c")
	entries := map[string]entryOf{
		"/a": {identity: identity{1, 2, 3}, head: head{headSession, "/home/dev", 5}, dirs: []string{"/home/dev", "/tmp"}},
		"/b": {identity: identity{0, -1, 1 << 60}},
	}
	if err := writeCache(name, func(w *os.File) error { return encodeCatalog(w, 7, entries) }); err != nil {
		f.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	got, err := decodeCatalog(b, 7)
	if d := cmp.Diff(entries, got, cmp.AllowUnexported(entryOf{}, identity{}, head{})); d != "" || err != nil {
		f.Fatal(d, err)
	}
	if _, err := decodeCatalog(b, 8); err == nil {
		f.Fatal("the catalog of other options is read")
	}
	f.Add(b[len(catalogVersion) : len(b)-8])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = decodeCatalog(b, 7)
		sealed := append([]byte(catalogVersion), b...)
		sealed = binary.LittleEndian.AppendUint64(sealed, xxhash.Sum64(sealed))
		if entries, err := decodeCatalog(sealed, 7); err == nil && len(entries) > len(b) {
			t.Errorf("%d entries out of %d bytes", len(entries), len(b))
		}
	})
}

// BenchmarkDiscover lists a home with 200 folders and 5,000 transcripts.
func BenchmarkDiscover(b *testing.B) {
	dir := b.TempDir()
	for i := range 5000 {
		name := filepath.Join(dir, "projects", fmt.Sprintf("-p%d", i%200), fmt.Sprintf("s%d.jsonl", i))
		cwd := fields{"cwd": fmt.Sprintf("/home/dev/p%d", i%200)}
		write(b, name, user("a", "", 1, "P", cwd), answer("b", "a", 2, strings.Repeat("words ", 4000), cwd))
		age(b, name)
	}
	index := b.TempDir()
	for name, indexDir := range map[string]func() string{"first": b.TempDir, "warm": func() string { return index }} {
		b.Run(name, func(b *testing.B) {
			discover(b, New(Options{ConfigDir: dir, IndexDir: indexDir()}))
			for b.Loop() {
				if d := discover(b, New(Options{ConfigDir: dir, IndexDir: indexDir()})); len(d.Used) != 200 {
					b.Fatal(len(d.Used))
				}
			}
		})
	}
}
