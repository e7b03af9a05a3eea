package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/internal/safefile"
)

type place struct{ root, dir, local string }

func newPlace(t testing.TB) place {
	root := t.TempDir()
	return place{root, filepath.Join(root, ".recollect", "branches"), filepath.Join(root, ".recollect", "local")}
}

// in is a folder by its path, beneath a top.
func in(top, dir string) safefile.Folder {
	rel, err := filepath.Rel(top, dir)
	if err != nil {
		panic(err)
	}
	return safefile.Beneath(top).Sub(rel)
}

func (p place) store(o StoreOptions) *Store {
	return NewStore(in(p.root, p.dir), At(in(p.root, p.local)), o)
}

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
	rev, err := s.Save(t.Context(), m, rev)
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
	saved, err := s.Save(t.Context(), m, rev)
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
	if _, err := s.Save(t.Context(), m, ""); !errors.Is(err, ErrChanged) {
		t.Fatalf("stale save: %v", err)
	}
	if again, err := s.Save(t.Context(), got, rev); err != nil || again != rev {
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
	if _, err := s.Save(t.Context(), less, rev); !errors.Is(err, ErrVanished) {
		t.Error(err)
	}
	twice := m
	twice.Items = append(slices.Clone(m.Items), m.Items[0])
	if _, err := s.Save(t.Context(), twice, rev); err == nil {
		t.Error("an id twice was accepted")
	}
	empty := m
	empty.Items = append(slices.Clone(m.Items), Item{Section: "facts", Content: "\n"})
	if _, err := s.Save(t.Context(), empty, rev); err == nil {
		t.Error("an empty item was accepted")
	}
	if _, now := mustLoad(t, s, "main"); now != rev {
		t.Error("a refused save wrote")
	}
	more := m
	more.Items = append(slices.Clone(m.Items), Item{Section: "facts", Content: "Two\nlines"})
	if _, err := s.Save(t.Context(), more, rev); err != nil {
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
	if _, err := s.Save(t.Context(), stale, rev); !errors.Is(err, ErrChanged) {
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
	if _, err := s.Save(t.Context(), m, rev); err != nil {
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
	if _, err := s.Forget(t.Context(), "main", m.Items[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(t.Context(), "main", m.Items[0].ID); !errors.Is(err, ErrNoItem) {
		t.Fatal(err)
	}
	mustMerge(t, s, "main", find(3, "Log with slog"), find(4, "Use tabs"))
	m, _ = mustLoad(t, s, "main")
	wantActive(t, m, "Wrap errors", "Log with slog")

	vs, _ := s.Versions("main")
	if len(vs) != 3 || vs[0].Items != 2 || vs[1].Items != 1 {
		t.Fatalf("%+v", vs)
	}
	if _, err := s.Restore(t.Context(), "main", vs[2].ID); err != nil {
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
		if _, err := s.Restore(t.Context(), "main", id); !errors.Is(err, ErrNoVersion) {
			t.Errorf("%s: %v", id, err)
		}
		if _, err := s.LoadVersion("main", id); !errors.Is(err, ErrNoVersion) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := s.Delete(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Delete(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	if m, rev := mustLoad(t, s, "main"); rev != "" || len(m.Items) != 0 {
		t.Fatal("still there")
	}
	vs, _ = s.Versions("main")
	if _, err := s.Restore(t.Context(), "main", vs[0].ID); err != nil {
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

func TestStoreKeepsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	mustMerge(t, s, "main", find(1, "Use tabs"), find(2, "Wrap errors"))
	text := read(t, p.items("main"))
	text = strings.Replace(text, `{"format":`, `{"format":"recollect/memory/1","future":[1],"x":`, 1)
	text = strings.Replace(text, `"section":"conventions","content":"Use tabs"`, `"section":"conventions","stars":{"n":5},"content":"Use tabs"`, 1)
	put(t, p.items("main"), text+"{\"kind\":\"vote\",\"on\":1}\n{broken\n")
	m, rev := mustLoad(t, s, "main")
	if len(m.Damage) != 1 || m.Damage[0].Line != 5 {
		t.Fatalf("%+v", m.Damage)
	}
	m, _, _ = Merge(m, []Found{find(8, "Use tabs"), find(9, "Log with slog")}, t0)
	if _, err := s.Save(t.Context(), m, rev); err != nil {
		t.Fatal(err)
	}
	text = read(t, p.items("main"))
	for _, want := range []string{`"future":[1]`, `"stars":{"n":5}`, `{"kind":"vote","on":1}`} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%s is gone:\n%s", want, text)
		}
	}
	if got := read(t, p.items("main")+damagedExt); got != "{broken\n" {
		t.Errorf("set aside: %q", got)
	}
	m, _ = mustLoad(t, s, "main")
	if len(m.Damage) != 0 {
		t.Errorf("%+v", m.Damage)
	}
	wantActive(t, m, "Use tabs", "Wrap errors", "Log with slog")
}

func TestStoreLeavesNewerFormats(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	mustMerge(t, s, "main", find(1, "Use tabs"))
	newer := strings.Replace(read(t, p.items("main")), linesFormat, "recollect/memory/2", 1)
	put(t, p.items("main"), newer)
	m, rev := mustLoad(t, s, "main")
	wantActive(t, m, "Use tabs")
	m, _, _ = Merge(m, []Found{find(2, "Wrap errors")}, t0)
	if _, err := s.Save(t.Context(), m, rev); !errors.Is(err, ErrNewer) {
		t.Fatal(err)
	}
	if _, err := s.Restore(t.Context(), "main", "1"); !errors.Is(err, ErrNewer) {
		t.Fatal(err)
	}
	if read(t, p.items("main")) != newer {
		t.Fatal("written")
	}
}

func TestStoreGoroutines(t *testing.T) {
	t.Parallel()
	s := newPlace(t).store(StoreOptions{LockWait: time.Minute})
	var wg sync.WaitGroup
	for who := range 8 {
		wg.Go(func() {
			if err := mergeOne(s, unique(who, 1)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if m, _ := mustLoad(t, s, "main"); len(m.Active()) != 8 {
		t.Fatalf("%q", activeContents(m))
	}
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
	if _, err := s.Save(t.Context(), m, rev); err != nil {
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
