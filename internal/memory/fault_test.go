package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/atomicfile"
)

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
	if _, err := s.Save(t.Context(), m, rev); !errors.Is(err, cause) {
		t.Fatalf("%s: %v", where, err)
	}
	if editing {
		text := read(t, p.markdown("main"))
		text = strings.Replace(text, "## Facts\n", "## Facts\n\n- My own fact\n", 1)
		put(t, p.markdown("main"), strings.Replace(text, "- Wrap errors\n", "- Wrap errors once\n", 1))
	}
	s = p.store(StoreOptions{})
	if step%2 == 0 { // the other half is completed by the save below
		completes(t, s, p, "main")
	}
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
	if vs, err := s.Versions("main"); err != nil || !editing && !vs[0].Current {
		t.Fatalf("%s: versions %+v %v", where, vs, err)
	}
	m, _, _ = Merge(m, []Found{find(7, "Always rebase before merging")}, t0)
	if _, err := s.Save(t.Context(), m, rev); err != nil {
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

// completes has a save that died completed as the next one would do it, and makes
// sure that reading said before what comes of it, and wrote nothing.
func completes(t *testing.T, s *Store, p place, branch string) {
	t.Helper()
	before := p.tree(t)
	said, rev := mustLoad(t, s, branch)
	listed, err := s.Versions(branch)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range listed {
		if _, err := s.LoadVersion(branch, v.ID); err != nil {
			t.Errorf("version %s is listed: %v", v.ID, err)
		}
	}
	last, lerr := s.LastChange(branch)
	if after := p.tree(t); after != before {
		t.Fatalf("reading changed\n%s\nto\n%s", before, after)
	}
	unlock, err := s.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = s.recover(branch)
	unlock()
	if err != nil {
		t.Fatal(err)
	}
	got, now := mustLoad(t, s, branch)
	if now != rev || fmt.Sprint(activeContents(got)) != fmt.Sprint(activeContents(said)) {
		t.Fatalf("read %q at %s, completed to %q at %s", activeContents(said), rev, activeContents(got), now)
	}
	vs, err := s.Versions(branch)
	if err != nil || len(vs) != len(listed) || len(vs) > 0 && (vs[0].ID != listed[0].ID || vs[0].Current != listed[0].Current) {
		t.Fatalf("listed %+v, then there were %+v, %v", listed, vs, err)
	}
	if token, err := s.LastChange(branch); token != last || (err == nil) != (lerr == nil) {
		t.Fatalf("the last change was %q, %v, then %q, %v", last, lerr, token, err)
	}
}

// tree is everything in a place: names, sizes, times and what is in it.
func (p place) tree(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(p.root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %s %d %s", path, info.Mode(), info.Size(), info.ModTime())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %s", digest(data))
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
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
	if _, err := s.Save(t.Context(), m, rev); !errors.Is(err, ErrChanged) {
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
	if _, err := s.Save(context.Background(), m, ""); err != nil {
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
		if _, err := s.Save(b.Context(), m, rev); err != nil {
			b.Fatal(err)
		}
	}
}
