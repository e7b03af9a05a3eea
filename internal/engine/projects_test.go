package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
	"recollect/internal/history"
)

// home is a person's folders in a test.
type home struct {
	dir string // symlink-free
	o   Options
}

func newHome(tb testing.TB) home {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	env := map[string]string{config.EnvHome: filepath.Join(dir, "home"), "CLAUDE_CONFIG_DIR": filepath.Join(dir, "claude")}
	return home{dir, Options{Dir: dir, Version: "test", Getenv: func(name string) string { return env[name] }}}
}

func (h home) path(elem ...string) string { return filepath.Join(append([]string{h.dir}, elem...)...) }

// git makes the least that git takes for a repository.
func (h home) git(tb testing.TB, root string) {
	tb.Helper()
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "objects/.keep": "", "refs/.keep": ""} {
		write(tb, filepath.Join(root, ".git", filepath.FromSlash(name)), []byte(text))
	}
}

// worktree makes a linked work tree of root.
func (h home) worktree(tb testing.TB, root, top string) {
	tb.Helper()
	own := filepath.Join(root, ".git", "worktrees", filepath.Base(top))
	write(tb, filepath.Join(top, ".git"), []byte("gitdir: "+own+"\n"))
	write(tb, filepath.Join(own, "HEAD"), []byte("ref: refs/heads/side\n"))
	write(tb, filepath.Join(own, "commondir"), []byte("../..\n"))
	write(tb, filepath.Join(own, "gitdir"), []byte(filepath.Join(top, ".git")+"\n"))
}

// session writes a transcript that begins in cwd on a minute of a day.
func (h home) session(tb testing.TB, folder, name, cwd string, minute int, prompt string) {
	tb.Helper()
	var b strings.Builder
	for i, role := range []string{"user", "assistant"} {
		line, err := json.Marshal(map[string]any{
			"type": role, "uuid": fmt.Sprintf("%s-%d", name, i), "parentUuid": nil, "sessionId": name, "cwd": cwd, "gitBranch": "main",
			"timestamp": time.Date(2026, 11, 20, 9, minute, i, 0, time.UTC).Format("2006-01-02T15:04:05.000Z"),
			"message":   map[string]any{"role": role, "content": prompt},
		})
		if err != nil {
			tb.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	write(tb, h.path("claude", "projects", folder, name+".jsonl"), []byte(b.String()))
}

func (h home) list(tb testing.TB) []string {
	tb.Helper()
	projects, err := Projects(tb.Context(), h.o)
	if err != nil {
		tb.Fatal(err)
	}
	out := []string{}
	for _, p := range projects {
		rel, err := filepath.Rel(h.dir, p.Root)
		if err != nil || strings.HasPrefix(rel, "..") {
			rel = p.Root
		}
		line := fmt.Sprintf("%s (%q): %d %v", filepath.ToSlash(rel), p.Name, p.Sessions, p.Assistants)
		if !p.Exists {
			line += " gone"
		}
		if p.Memory {
			line += " memory"
		}
		out = append(out, line)
	}
	return out
}

func TestProjects(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	orchard, mill := h.path("orchard"), h.path("mill")
	h.git(t, orchard)
	h.worktree(t, orchard, h.path("trees", "side"))
	if err := os.MkdirAll(filepath.Join(orchard, "api", "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(orchard, history.MemoryDir), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(stateDir(t, Options{Dir: orchard, Getenv: h.o.Getenv}), "worktrees.json"), []byte(`{"version":1,"worktrees":[`+quote(h.path("trees", "old"))+`]}`))
	write(t, filepath.Join(mill, "wheel.txt"), []byte("x"))

	h.session(t, "a", "s1", orchard, 1, "P")
	h.session(t, "a", "s2", filepath.Join(orchard, "api", "src"), 2, "P")
	h.session(t, "b", "s3", h.path("trees", "side"), 30, "P")
	h.session(t, "b", "s4", h.path("trees", "old", "deep"), 4, "P") // a removed work tree
	h.session(t, "c", "s5", mill, 20, "P")
	h.session(t, "d", "s6", h.path("gone"), 10, "P")
	h.session(t, "d", "s7", h.path("odd\nname"), 9, "P")
	h.session(t, "d", "s8", `C:\Users\dev\barn`, 8, "P")
	h.session(t, "d", "s9", "relative/dir", 50, "P")
	h.session(t, "d", "s10", "/"+strings.Repeat("x", 5000), 7, "P")
	h.session(t, "e", "own", "/tmp/recollect-model-7", 40, history.OwnMarker+"\nwhat is worth keeping?")
	write(t, filepath.Join(mill, ".puffin", "history.json"), []byte(`{"branches":{"b":{"id":"b","prompts":[
		{"id":"1","parentId":null,"content":"P","timestamp":1700000000000,"response":{"content":"A","sessionId":"s"}}]}}}`))

	want := []string{
		`orchard ("orchard"): 4 [claude-code] memory`,
		`mill ("mill"): 2 [claude-code puffin]`,
		`gone ("gone"): 1 [claude-code] gone`,
		`odd` + "\n" + `name ("odd\nname"): 1 [claude-code] gone`,
		`C:\Users\dev\barn ("barn"): 1 [claude-code] gone`,
	}
	for range 2 {
		got := h.list(t)
		if len(got) == 6 && strings.HasPrefix(got[5], "/xxx") {
			got = got[:5] // the overlong one, cut
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
	assistants, err := Assistants(t.Context(), h.o)
	if err != nil || len(assistants) != 2 {
		t.Fatal(assistants, err)
	}
	a, p := assistants[0], assistants[1]
	if a.Name != "claude-code" || !a.Found || a.Where != h.path("claude", "projects") || a.Projects != 6 || a.Sessions != 9 || a.Problem != nil {
		t.Errorf("%+v", a)
	}
	if p.Name != "puffin" || !p.Found || p.Projects != 1 || p.Sessions != 1 {
		t.Errorf("%+v", p)
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func TestAddProject(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	if got := h.list(t); len(got) != 0 {
		t.Errorf("a new home has %v", got)
	}
	h.git(t, h.path("barn"))
	sub := h.path("barn", "doors")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	o := h.o
	for range 2 {
		o.Dir = sub
		p, err := AddProject(t.Context(), o)
		if err != nil || p.Root != h.path("barn") || !p.Exists || p.Memory || p.Sessions != 0 {
			t.Errorf("%+v, %v", p, err)
		}
	}
	if d := cmp.Diff([]string{`barn ("barn"): 0 []`}, h.list(t)); d != "" {
		t.Error(d)
	}
	if entries, _ := os.ReadDir(h.path("barn")); len(entries) != 2 {
		t.Errorf("something was written in the project: %v", entries)
	}
	for _, dir := range []string{h.path("nothing"), h.path("barn", ".git", "HEAD")} {
		o.Dir = dir
		if p, err := AddProject(t.Context(), o); err == nil || Explain(err).Code != "project" {
			t.Errorf("%s: %+v, %v", dir, p, err)
		}
	}
	// One that a person added stays in the list without its folder, damaged
	// records don't hurt.
	write(t, h.path("home", "data", "projects", "broken.json"), []byte("{"))
	write(t, h.path("home", "data", "projects", "relative.json"), []byte(`{"version":1,"root":"x","added":"2026-01-01T00:00:00Z"}`))
	if err := os.RemoveAll(h.path("barn")); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{`barn ("barn"): 0 [] gone`}, h.list(t)); d != "" {
		t.Error(d)
	}
}

// What can't be read is no empty list, and hides nothing that can.
func TestProjectsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	write(t, h.path("claude", "projects"), []byte("no folder"))
	if got, err := Projects(t.Context(), h.o); err == nil {
		t.Errorf("%v", got)
	}
	o := h.o
	if _, err := AddProject(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if got := h.list(t); len(got) != 1 {
		t.Errorf("%v", got)
	}
	a, err := Assistants(t.Context(), h.o)
	if err != nil || a[0].Problem == nil || !a[0].Found {
		t.Errorf("%+v, %v", a, err)
	}
	if a[1].Problem != nil || a[1].Found {
		t.Errorf("%+v", a[1])
	}
}

// A project that was memorized stays in the list when the assistant has removed
// its transcripts, as long as its memory is there.
func TestMemorizedProjectsStay(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.git(t, h.path("ebb"))
	o := h.o
	o.Dir = h.path("ebb")
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.noteMemorize(nil, nil)
	if got := h.list(t); len(got) != 0 {
		t.Errorf("without a memory: %v", got)
	}
	if _, err := e.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{`ebb ("ebb"): 0 [] memory`}, h.list(t)); d != "" {
		t.Error(d)
	}
}

func TestProjectsOfTheCorpus(t *testing.T) {
	t.Parallel()
	corpus, err := filepath.Abs(filepath.Join("..", "..", "..", "shared", "corpus", "claude-code"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no corpus")
	}
	h := newHome(t)
	if err := os.MkdirAll(h.path("claude", "projects"), 0o755); err != nil {
		t.Fatal(err)
	}
	n := 0
	err = filepath.WalkDir(corpus, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			n++
			err = os.Symlink(path, h.path("claude", "projects", fmt.Sprintf("folder-%d", n)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	projects, err := Projects(t.Context(), h.o)
	if err != nil || len(projects) < 5 {
		t.Fatal(projects, err)
	}
	for _, p := range projects {
		if p.Name == "" || p.Sessions == 0 || p.LastActive.IsZero() {
			t.Errorf("%+v", p)
		}
	}
}

// FuzzRecord reads any bytes as a record, and as counts.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"version":1,"root":"/home/dev/ebb","added":"2026-01-01T00:00:00Z","memorize":{"at":"2026-01-01T00:00:00Z","problem":{"code":"x","message":"y","exit":1}}}`))
	f.Add([]byte(`{"version":1,"root":"x"}`))
	f.Add([]byte(`{"version":1,"root":"/x","memories":{"main":{"stamp":"1","items":-1}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, ok := decodeRecord(b); ok && !history.Absolute(r.Root) {
			t.Errorf("%+v", r)
		}
		if c := decodeCounts(b, "/x"); c.Memories == nil || c.Root != "/x" {
			t.Errorf("%+v", c)
		}
	})
}

// BenchmarkProjects lists a home with 200 projects and 5,000 transcripts.
func BenchmarkProjects(b *testing.B) {
	h := newHome(b)
	for i := range 200 {
		h.git(b, h.path(fmt.Sprintf("p%d", i)))
	}
	for i := range 5000 {
		p := fmt.Sprintf("p%d", i%200)
		h.session(b, p, fmt.Sprintf("s%d", i), h.path(p), i%60, strings.Repeat("words ", 4000))
	}
	time.Sleep(2 * time.Second) // until what is found of a file may be kept
	for b.Loop() {
		if p, err := Projects(b.Context(), h.o); err != nil || len(p) != 200 {
			b.Fatal(len(p), err)
		}
	}
}
