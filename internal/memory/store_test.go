package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/atomicfile"
)

type place struct{ root, dir, local string }

func newPlace(t testing.TB) place {
	root := t.TempDir()
	return place{root, filepath.Join(root, ".recollect", "branches"), filepath.Join(root, ".recollect", "local")}
}

func (p place) store(o StoreOptions) *Store { return NewStore(p.dir, p.local, o) }

func (p place) markdown(branch string) string { return filepath.Join(p.dir, FileStem(branch)+".md") }
func (p place) items(branch string) string {
	return filepath.Join(p.dir, FileStem(branch)+".items.jsonl")
}

func mustLoad(t testing.TB, s *Store, branch string) (Memory, Revision) {
	t.Helper()
	m, rev, err := s.Load(branch)
	if err != nil {
		t.Fatal(err)
	}
	return m, rev
}

func mustMerge(t testing.TB, s *Store, branch string, found ...Found) Revision {
	t.Helper()
	m, rev := mustLoad(t, s, branch)
	m, _, _ = Merge(m, found, t0)
	rev, err := s.Save(m, rev)
	if err != nil {
		t.Fatal(err)
	}
	return rev
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func activeContents(m Memory) []string {
	var out []string
	for _, it := range m.Active() {
		out = append(out, it.Content)
	}
	return out
}

func wantActive(t testing.TB, m Memory, want ...string) {
	t.Helper()
	if got := activeContents(m); !slices.Equal(got, want) {
		t.Fatalf("active items\n%q, want\n%q", got, want)
	}
}

func TestStoreSaveAndLoad(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	m, rev := mustLoad(t, s, "feature/auth")
	if rev != "" || len(m.Items) != 0 || m.Branch != "feature/auth" {
		t.Fatalf("%q %+v", rev, m)
	}
	if _, err := os.Stat(filepath.Join(p.root, ".recollect")); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("reading made a folder")
	}
	m, _, _ = Merge(m, []Found{find(1, "Use tabs"), find(2, "# Wrap errors @once")}, t0)
	saved, err := s.Save(m, rev)
	if err != nil {
		t.Fatal(err)
	}
	got, rev := mustLoad(t, s, "feature/auth")
	if rev != saved {
		t.Fatalf("revision %s, saved %s", rev, saved)
	}
	wantActive(t, got, "Use tabs", "# Wrap errors @once")
	for i := range got.Items {
		if fmt.Sprint(got.Items[i]) != fmt.Sprint(m.Items[i]) {
			t.Errorf("item differs\n%+v\n%+v", got.Items[i], m.Items[i])
		}
	}
	if !got.Updated.Equal(t0) {
		t.Error(got.Updated)
	}
	if _, err := s.Save(m, ""); !errors.Is(err, ErrChanged) {
		t.Fatalf("stale save: %v", err)
	}
	if again, err := s.Save(got, rev); err != nil || again != rev {
		t.Fatalf("saving the same: %v %v", again, err)
	}
	if !strings.Contains(read(t, p.markdown("feature/auth")), `- \# Wrap errors \@once`) {
		t.Error("not escaped")
	}
	for _, dir := range []string{p.dir} {
		entries, _ := os.ReadDir(dir)
		if len(entries) != 2 {
			t.Errorf("%v", entries)
		}
	}
}

func TestStoreRefuses(t *testing.T) {
	t.Parallel()
	s := newPlace(t).store(StoreOptions{})
	rev := mustMerge(t, s, "main", find(1, "Use tabs"), find(2, "Wrap errors"))
	m, _ := mustLoad(t, s, "main")
	less := m
	less.Items = m.Items[:1]
	if _, err := s.Save(less, rev); !errors.Is(err, ErrVanished) {
		t.Error(err)
	}
	twice := m
	twice.Items = append(slices.Clone(m.Items), m.Items[0])
	if _, err := s.Save(twice, rev); err == nil {
		t.Error("an id twice was accepted")
	}
	empty := m
	empty.Items = append(slices.Clone(m.Items), Item{Section: "facts", Content: "\n"})
	if _, err := s.Save(empty, rev); err == nil {
		t.Error("an empty item was accepted")
	}
	if _, now := mustLoad(t, s, "main"); now != rev {
		t.Error("a refused save wrote")
	}
	more := m
	more.Items = append(slices.Clone(m.Items), Item{Section: "facts", Content: "Two\nlines"})
	if _, err := s.Save(more, rev); err != nil {
		t.Error(err)
	}
}

func TestStoreEditsByHand(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	rev := mustMerge(t, s, "main", find(1, "Use tabs for indentation"), find(2, "Wrap errors once"), find(3, "Test with race detector"))
	text := read(t, p.markdown("main"))
	text = strings.Replace(text, "- Wrap errors once\n", "", 1)
	text = strings.Replace(text, "Use tabs for indentation", "Use tabs for indentation of Go", 1)
	text = strings.Replace(text, "## Facts\n\n_No entries yet._", "## Facts\n\nMy words.\n\n* My fact", 1)
	put(t, p.markdown("main"), text)

	stale := Memory{Branch: "main"}
	if _, err := s.Save(stale, rev); !errors.Is(err, ErrChanged) {
		t.Fatal(err)
	}
	m, rev := mustLoad(t, s, "main")
	wantActive(t, m, "My fact", "Use tabs for indentation of Go", "Test with race detector")
	m, _, conflicts := Merge(m, []Found{
		find(9, "Wrap errors once"), find(10, "Use spaces for indentation of Go"), find(11, "Log with slog"),
	}, t0)
	if len(conflicts) != 1 {
		t.Errorf("conflicts %+v", conflicts)
	}
	if _, err := s.Save(m, rev); err != nil {
		t.Fatal(err)
	}
	got := read(t, p.markdown("main"))
	if want := strings.Replace(text, "- Test with race detector\n", "- Test with race detector\n- Log with slog\n", 1); got != want {
		t.Fatalf("got\n%s", got)
	}
	// The edit itself was kept as a version before it was built upon.
	vs, err := s.Versions("main")
	if err != nil || len(vs) != 3 || !vs[0].Current {
		t.Fatalf("%+v %v", vs, err)
	}
	old, err := s.LoadVersion("main", vs[2].ID)
	if err != nil {
		t.Fatal(err)
	}
	wantActive(t, old, "Use tabs for indentation", "Wrap errors once", "Test with race detector")
}

func TestStoreRestoreForgetDelete(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	mustMerge(t, s, "main", find(1, "Use tabs"), find(2, "Wrap errors"))
	first := read(t, p.markdown("main"))
	m, _ := mustLoad(t, s, "main")
	if err := s.Forget("main", m.Items[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Forget("main", m.Items[0].ID); !errors.Is(err, ErrNoItem) {
		t.Fatal(err)
	}
	mustMerge(t, s, "main", find(3, "Log with slog"), find(4, "Use tabs"))
	m, _ = mustLoad(t, s, "main")
	wantActive(t, m, "Wrap errors", "Log with slog")

	vs, _ := s.Versions("main")
	if len(vs) != 3 || vs[0].Items != 2 || vs[1].Items != 1 {
		t.Fatalf("%+v", vs)
	}
	if _, err := s.Restore("main", vs[2].ID); err != nil {
		t.Fatal(err)
	}
	if got := read(t, p.markdown("main")); got != first {
		t.Fatalf("restored\n%s", got)
	}
	m, _ = mustLoad(t, s, "main")
	wantActive(t, m, "Use tabs", "Wrap errors")
	if len(m.Items) != 3 || m.Items[2].State != Removed {
		t.Fatalf("%+v", m.Items)
	}
	for _, id := range []string{"99", "x", "-1", "../1"} {
		if _, err := s.Restore("main", id); !errors.Is(err, ErrNoVersion) {
			t.Errorf("%s: %v", id, err)
		}
		if _, err := s.LoadVersion("main", id); !errors.Is(err, ErrNoVersion) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if err := s.Delete("main"); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete("main"); err != nil {
		t.Fatal(err)
	}
	if m, rev := mustLoad(t, s, "main"); rev != "" || len(m.Items) != 0 {
		t.Fatal("still there")
	}
	vs, _ = s.Versions("main")
	if _, err := s.Restore("main", vs[0].ID); err != nil {
		t.Fatal(err)
	}
	m, _ = mustLoad(t, s, "main")
	wantActive(t, m, "Use tabs", "Wrap errors")
}

func TestStoreBoundsVersions(t *testing.T) {
	t.Parallel()
	s := newPlace(t).store(StoreOptions{MaxVersions: 3})
	for i := range 8 {
		mustMerge(t, s, "main", find(i, fmt.Sprintf("Fact %d stands alone as %c", i, 'a'+i)))
	}
	vs, err := s.Versions("main")
	if err != nil || len(vs) != 3 || !vs[0].Current || vs[0].ID != "8" {
		t.Fatalf("%+v %v", vs, err)
	}
}

func TestStoreBranchNames(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	names := allNames(t)
	for i, n := range names {
		mustMerge(t, s, n, find(1, fmt.Sprintf("Word%d belongs here", i)))
	}
	for i, n := range names {
		m, _ := mustLoad(t, s, n)
		wantActive(t, m, fmt.Sprintf("Word%d belongs here", i))
	}
	got, err := s.Branches()
	slices.Sort(names)
	if err != nil || !slices.Equal(got, names) {
		t.Fatalf("%q %v", got, err)
	}
	// The titles alone give the names back, too.
	for _, n := range names {
		if err := os.Remove(p.items(n)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err = s.Branches(); err != nil || !slices.Equal(got, names) {
		t.Fatalf("%q %v", got, err)
	}
	err = filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		if len(d.Name()) > 120 {
			t.Errorf("%d bytes: %s", len(d.Name()), path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

const seedFile = "# Branch Memory: %s\n\n> Auto-generated by Memory Plugin | Last updated: 2025-01-15T10:30:00.000Z\n\n## Facts\n\n- %s\n\n## Conventions\n\n_No entries yet._\n"

func TestStoreReadsSeedNames(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	seed := filepath.Join(p.dir, "feature_auth.md")
	put(t, seed, fmt.Sprintf(seedFile, "feature/auth", "Seeded"))
	put(t, filepath.Join(p.dir, "README.md"), "# About this folder\n")
	if names, _ := s.Branches(); !slices.Equal(names, []string{"feature/auth"}) {
		t.Fatal(names)
	}
	m, rev := mustLoad(t, s, "feature_auth")
	if rev != "" || len(m.Items) != 0 {
		t.Fatal("another branch's memory")
	}
	m, rev = mustLoad(t, s, "feature/auth")
	wantActive(t, m, "Seeded")
	if m.Items[0].Protected() {
		t.Error("a generated item counts as a person's")
	}
	m, _, _ = Merge(m, []Found{find(1, "Found later")}, t0)
	if _, err := s.Save(m, rev); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(seed); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the seed's name is still there")
	}
	m, _ = mustLoad(t, s, "feature/auth")
	wantActive(t, m, "Seeded", "Found later")

	// A branch that needs the name for itself makes the other one move.
	put(t, seed, fmt.Sprintf(seedFile, "feature.auth", "Other"))
	mustMerge(t, s, "feature_auth", find(1, "My own"))
	for branch, want := range map[string]string{"feature_auth": "My own", "feature.auth": "Other"} {
		m, _ := mustLoad(t, s, branch)
		wantActive(t, m, want)
	}
}

func TestStoreKeepsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	mustMerge(t, s, "main", find(1, "Use tabs"), find(2, "Wrap errors"))
	text := read(t, p.items("main"))
	text = strings.Replace(text, `{"format":`, `{"format":"recollect/memory/1","future":[1],"x":`, 1)
	text = strings.Replace(text, `"section":"conventions","content":"Use tabs"`, `"section":"conventions","stars":{"n":5},"content":"Use tabs"`, 1)
	put(t, p.items("main"), text+"{\"kind\":\"vote\",\"on\":1}\n<<<<<<< HEAD\n")
	m, rev := mustLoad(t, s, "main")
	if len(m.Damage) != 1 || m.Damage[0].Line != 5 {
		t.Fatalf("%+v", m.Damage)
	}
	m, _, _ = Merge(m, []Found{find(8, "Use tabs"), find(9, "Log with slog")}, t0)
	if _, err := s.Save(m, rev); err != nil {
		t.Fatal(err)
	}
	text = read(t, p.items("main"))
	for _, want := range []string{`"future":[1]`, `"stars":{"n":5}`, `{"kind":"vote","on":1}`} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%s is gone:\n%s", want, text)
		}
	}
	if got := read(t, p.items("main")+damagedExt); got != "<<<<<<< HEAD\n" {
		t.Errorf("set aside: %q", got)
	}
	m, _ = mustLoad(t, s, "main")
	if len(m.Damage) != 0 {
		t.Errorf("%+v", m.Damage)
	}
	wantActive(t, m, "Use tabs", "Wrap errors", "Log with slog")
}

func TestStoreWithoutItemLines(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	mustMerge(t, s, "main", find(1, "Use tabs"))
	if err := os.Remove(p.items("main")); err != nil {
		t.Fatal(err)
	}
	m, _ := mustLoad(t, s, "main")
	wantActive(t, m, "Use tabs")
	if it := m.Items[0]; it.Protected() || it.Confidence != 0.5 || it.Origins[0].Extractor != Unknown {
		t.Fatalf("%+v", it)
	}
	mustMerge(t, s, "main", find(2, "Wrap errors"))
	m, _ = mustLoad(t, s, "main")
	wantActive(t, m, "Use tabs", "Wrap errors")
}

func TestStoreOtherLayout(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	mustMerge(t, s, "main", find(1, "Use tabs"))
	m, rev := mustLoad(t, s, "main")
	put(t, p.markdown("main"), read(t, p.markdown("main"))+"\n## Risks\n\n- My risk\n")
	m, rev = mustLoad(t, s, "main")
	m.Layout = Layout{Title: "Branch Memory", Sections: []Section{{ID: "risks", Heading: "Risks"}, {ID: "open", Heading: "Open Questions"}}}
	m.Items = append(m.Items, Item{Section: "open", Content: "Who pays"})
	if _, err := s.Save(m, rev); err != nil {
		t.Fatal(err)
	}
	m, _ = mustLoad(t, p.store(StoreOptions{}), "main")
	wantActive(t, m, "Who pays", "Use tabs", "My risk")
	var ids []string
	for _, sec := range m.Layout.Sections {
		ids = append(ids, sec.ID)
	}
	if !slices.Equal(ids, []string{"risks", "open", "conventions"}) {
		t.Error(ids)
	}
}

func TestStoreImport(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	from := filepath.Join(p.root, ".puffin", "memory", "branches")
	if _, err := s.Import(from); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	adopted := fmt.Sprintf(seedFile, "feature/auth", "Seeded @here") + "\n## Mine\n\nwords\n"
	put(t, filepath.Join(from, "feature_auth.md"), adopted)
	put(t, filepath.Join(from, "main.md"), strings.Replace(fmt.Sprintf(seedFile, "main", "Use tabs for indentation"), "## Facts\n", "## Facts\n\n- Removed before\n", 1)+"\n## Mine\n\nwords\n")
	put(t, filepath.Join(from, "untitled.md"), "## Facts\n\n- No title\n")
	put(t, filepath.Join(from, "empty.md"), "")
	mustMerge(t, s, "main", find(1, "Indentation: use tabs"), find(2, "Removed before"))
	m, _ := mustLoad(t, s, "main")
	if err := s.Forget("main", m.Items[1].ID); err != nil {
		t.Fatal(err)
	}

	got, err := s.Import(from)
	if err != nil || len(got) != 4 {
		t.Fatalf("%+v %v", got, err)
	}
	if got[0].Problem == "" || got[1].Branch != "feature/auth" || len(got[1].Changes) != 1 || len(got[2].Changes) != 1 || got[3].Branch != "untitled" {
		t.Fatalf("%+v", got)
	}
	if read(t, p.markdown("feature/auth")) != adopted {
		t.Error("not adopted byte for byte")
	}
	m, _ = mustLoad(t, s, "feature/auth")
	wantActive(t, m, "Seeded @here")
	if it := m.Items[0]; it.Protected() || it.Origins[0].Extractor != Puffin || it.Confidence != importConfidence {
		t.Errorf("%+v", it)
	}
	m, _ = mustLoad(t, s, "main")
	wantActive(t, m, "Use tabs for indentation", "Indentation: use tabs")
	if text := read(t, p.markdown("main")); !strings.HasSuffix(text, "\n## Imported from main.md\n\n## Mine\nwords\n") {
		t.Errorf("text:\n%s", text)
	}
	revs := map[string]Revision{}
	for _, b := range []string{"main", "feature/auth", "untitled"} {
		_, revs[b] = mustLoad(t, s, b)
	}
	if got, err = s.Import(from); err != nil {
		t.Fatal(err)
	}
	for b, rev := range revs {
		if _, now := mustLoad(t, s, b); now != rev {
			t.Errorf("importing again changed %s", b)
		}
	}
	for _, r := range got {
		if len(r.Changes) > 0 || r.Text > 0 {
			t.Errorf("%+v", r)
		}
	}
}

// TestStoreFaults stops a save at each of its steps, by an error and by a
// crash, with and without an edit by hand right after it.
func TestStoreFaults(t *testing.T) {
	t.Parallel()
	count := func() int {
		p := newPlace(t)
		mustMerge(t, p.store(StoreOptions{}), "main", find(1, "Use tabs for indentation"), find(2, "Wrap errors"))
		n := 0
		s := p.store(StoreOptions{Before: func(string, atomicfile.Step) error { n++; return nil }})
		mustMerge(t, s, "main", find(3, "Log with slog"))
		return n
	}()
	if count < 20 {
		t.Fatalf("only %d steps", count)
	}
	fault := errors.New("no space left")
	for _, cause := range []error{fault, atomicfile.Crash()} {
		for _, editing := range []bool{false, true} {
			for step := range count {
				faultAt(t, step, cause, editing)
			}
		}
	}
}

func faultAt(t *testing.T, step int, cause error, editing bool) {
	t.Helper()
	p := newPlace(t)
	mustMerge(t, p.store(StoreOptions{}), "main", find(1, "Use tabs for indentation"), find(2, "Wrap errors"))
	n, where := 0, ""
	s := p.store(StoreOptions{Before: func(file string, st atomicfile.Step) error {
		if n++; n == step+1 {
			where = file + ": " + string(st)
			return cause
		}
		return nil
	}})
	m, rev := mustLoad(t, s, "main")
	m, _, _ = Merge(m, []Found{find(3, "Log with slog"), find(4, "Use spaces for indentation")}, t0)
	if _, err := s.Save(m, rev); !errors.Is(err, cause) {
		t.Fatalf("%s: %v", where, err)
	}
	if editing {
		text := read(t, p.markdown("main"))
		text = strings.Replace(text, "## Facts\n", "## Facts\n\n- My own fact\n", 1)
		put(t, p.markdown("main"), strings.Replace(text, "- Wrap errors\n", "- Wrap errors once\n", 1))
	}
	s = p.store(StoreOptions{})
	m, rev = mustLoad(t, s, "main")
	var want []string
	if editing {
		want = []string{"My own fact"}
	}
	active := activeContents(m)
	saved := slices.Contains(active, "Log with slog")
	if saved {
		want = append(want, "Wrap errors", "Log with slog", "Use spaces for indentation")
	} else {
		want = append(want, "Use tabs for indentation", "Wrap errors")
	}
	if editing {
		want[slices.Index(want, "Wrap errors")] = "Wrap errors once"
	}
	slices.Sort(active)
	slices.Sort(want)
	if !slices.Equal(active, want) {
		t.Fatalf("%s, %v, editing %v: %q, want %q", where, cause, editing, active, want)
	}
	for _, it := range m.Items {
		if wantState := map[bool]State{true: Superseded, false: Active}[saved]; it.Content == "Use tabs for indentation" && it.State != wantState {
			t.Fatalf("%s: %s", where, it.State)
		}
		if mine := it.Content == "My own fact" || it.Content == "Wrap errors once"; it.Protected() != mine {
			t.Fatalf("%s: %q protected: %v", where, it.Content, !mine)
		}
	}
	m, _, _ = Merge(m, []Found{find(7, "Always rebase before merging")}, t0)
	if _, err := s.Save(m, rev); err != nil {
		t.Fatalf("%s: the next save: %v", where, err)
	}
	for _, dir := range []string{p.dir, filepath.Join(p.local, "history", "main")} {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".tmp") && dir == p.dir || e.Name() == announcedName {
				t.Fatalf("%s left %s", where, e.Name())
			}
		}
	}
}

func TestStoreEditWhileSaving(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	mustMerge(t, p.store(StoreOptions{}), "main", find(1, "Use tabs"))
	before := read(t, p.items("main"))
	edit := strings.Replace(read(t, p.markdown("main")), "- Use tabs\n", "- Use tabs\n- My own\n", 1)
	s := p.store(StoreOptions{Before: func(file string, st atomicfile.Step) error {
		if file == "main.md" && st == atomicfile.StepRecheck {
			put(t, p.markdown("main"), edit)
		}
		return nil
	}})
	m, rev := mustLoad(t, s, "main")
	m, _, _ = Merge(m, []Found{find(3, "Log with slog")}, t0)
	if _, err := s.Save(m, rev); !errors.Is(err, ErrChanged) {
		t.Fatal(err)
	}
	if read(t, p.markdown("main")) != edit || read(t, p.items("main")) != before {
		t.Fatal("the edit is lost")
	}
	s = p.store(StoreOptions{})
	mustMerge(t, s, "main", find(3, "Log with slog"))
	m, _ = mustLoad(t, s, "main")
	wantActive(t, m, "Use tabs", "My own", "Log with slog")
}

func TestStoreReadOnly(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	p := newPlace(t)
	mustMerge(t, p.store(StoreOptions{}), "main", find(1, "Use tabs"))
	put(t, p.markdown("main"), read(t, p.markdown("main"))+"\nedit\n")
	os.RemoveAll(p.local)
	os.Chmod(filepath.Dir(p.local), 0o555)
	defer os.Chmod(filepath.Dir(p.local), 0o755)
	m, _ := mustLoad(t, p.store(StoreOptions{}), "main")
	wantActive(t, m, "Use tabs")
}

func bigMemory(b testing.TB) (*Store, place) {
	p := newPlace(b)
	s := p.store(StoreOptions{LockWait: time.Minute})
	m, _, _ := Merge(Memory{Branch: "main"}, manyFound(500), t0)
	if _, err := s.Save(m, ""); err != nil {
		b.Fatal(err)
	}
	return s, p
}

func BenchmarkLoad500Items(b *testing.B) {
	s, _ := bigMemory(b)
	for b.Loop() {
		mustLoad(b, s, "main")
	}
}

func BenchmarkSave500Items(b *testing.B) {
	s, _ := bigMemory(b)
	for i := 0; b.Loop(); i++ {
		m, rev := mustLoad(b, s, "main")
		m.Items[i%500].Content = fmt.Sprint("Another content ", i)
		if _, err := s.Save(m, rev); err != nil {
			b.Fatal(err)
		}
	}
}
