package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/atomicfile"
)

// aged is a place with a memory that has items long gone and versions long
// saved, and the moments before which things are old.
func aged(t testing.TB) (place, PackOptions) {
	t.Helper()
	p := newPlace(t)
	now := t0
	s := p.store(StoreOptions{Now: func() time.Time { return now }})
	mustMerge(t, s, "main", find(1, "Use tabs for indentation"), find(2, "Wrap errors"), find(3, "Log with slog"))
	m, rev := mustLoad(t, s, "main")
	m, _, _ = Merge(m, []Found{find(9, "Use tabs for indentation"), find(10, "Use tabs for indentation"), find(11, "Use spaces for indentation")}, t0)
	for i := range m.Items {
		m.Items[i].Rationale = "it was said in a long and winding conversation"
	}
	if _, err := s.Save(t.Context(), m, rev); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(t.Context(), "main", m.Items[1].ID); err != nil {
		t.Fatal(err)
	}
	for i := range 14 {
		now = now.Add(24 * time.Hour)
		mustMerge(t, s, "main", find(20+i, unique(1, i)))
	}
	return p, PackOptions{Items: now.Add(time.Hour), Versions: now.Add(time.Hour), KeepVersions: 5}
}

func TestPack(t *testing.T) {
	t.Parallel()
	p, o := aged(t)
	s := p.store(StoreOptions{})
	before, _ := mustLoad(t, s, "main")
	versions, err := s.Versions("main")
	if err != nil {
		t.Fatal(err)
	}
	dry := o
	dry.DryRun = true
	would, err := s.Pack(t.Context(), "main", dry)
	if now, _ := mustLoad(t, s, "main"); err != nil || !reflect.DeepEqual(now, before) {
		t.Fatal("a dry run wrote", err)
	}
	did, err := s.Pack(t.Context(), "main", o)
	if err != nil || did != would || did.Items != 2 || did.Versions < 8 {
		t.Fatalf("packed %+v, said %+v, %v", did, would, err)
	}
	after, _ := mustLoad(t, s, "main")
	if !slices.Equal(activeContents(before), activeContents(after)) || len(before.Items) != len(after.Items) {
		t.Fatal("items are not as they were")
	}
	archived, err := s.Archived("main")
	if err != nil || len(archived) != 2 {
		t.Fatalf("archived %+v, %v", archived, err)
	}
	for _, whole := range archived {
		at := byID(before.Items)[whole.ID]
		if !reflect.DeepEqual(whole, before.Items[at]) {
			t.Errorf("archived %+v, was %+v", whole, before.Items[at])
		}
		at = byID(after.Items)[whole.ID]
		if it := after.Items[at]; it.Content != whole.Content || it.State != whole.State || it.SupersededBy != whole.SupersededBy || it.Rationale != "" {
			t.Errorf("what stays is %+v", it)
		}
	}
	// Packing wrote one more version; all are listed, and can be read.
	now, err := s.Versions("main")
	if err != nil || len(now) != len(versions)+1 {
		t.Fatalf("%d versions, were %d, %v", len(now), len(versions), err)
	}
	for _, v := range now {
		if _, err := s.LoadVersion("main", v.ID); err != nil {
			t.Error(v.ID, err)
		}
	}
	if again, err := s.Pack(t.Context(), "main", o); err != nil || again != (Packed{}) {
		t.Errorf("packed twice: %+v, %v", again, err)
	}
	// What is kept out stays out, and an old version can be brought back.
	m, _, _ := Merge(after, []Found{find(2, "Wrap errors"), find(1, "Use tabs for indentation")}, t0)
	if !slices.Equal(activeContents(m), activeContents(after)) {
		t.Errorf("found again: %q", activeContents(m))
	}
	if _, err := s.Restore(t.Context(), "main", versions[len(versions)-1].ID); err != nil {
		t.Error(err)
	}
	report, err := s.CheckArchive()
	if err != nil || len(report.Damage) > 0 || report.Items != 2 || report.Versions < did.Versions {
		t.Errorf("archive %+v, %v", report, err)
	}
}

func TestPackNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	if did, err := s.Pack(t.Context(), "none", PackOptions{Items: t0.Add(time.Hour), Versions: t0}); err != nil || did != (Packed{}) {
		t.Fatal(did, err)
	}
	if _, err := os.Stat(p.dir); err == nil {
		t.Error("it made a folder")
	}
	mustMerge(t, s, "main", find(1, "Wrap errors"))
	if did, err := s.Pack(t.Context(), "main", PackOptions{Items: t0.AddDate(9, 0, 0), Versions: t0.AddDate(99, 0, 0)}); err != nil || did != (Packed{}) {
		t.Error(did, err)
	}
}

// Whatever step is the last one: no item is lost, and the next pack completes it.
func TestPackFaults(t *testing.T) {
	t.Parallel()
	steps := 0
	p, o := aged(t)
	o.KeepVersions = 15 // two versions show what there is to see
	whole := t.TempDir()
	if err := os.CopyFS(whole, os.DirFS(filepath.Dir(p.dir))); err != nil {
		t.Fatal(err)
	}
	before, _ := mustLoad(t, p.store(StoreOptions{}), "main")
	count := p.store(StoreOptions{Before: func(string, atomicfile.Step) error { steps++; return nil }})
	did, err := count.Pack(t.Context(), "main", o)
	if err != nil || steps < 20 {
		t.Fatal(steps, err)
	}
	fault := errors.New("no space left")
	for _, cause := range []error{fault, atomicfile.Crash()} {
		for step := range steps {
			t.Run(fmt.Sprintf("%v %d", cause, step), func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				if err := os.CopyFS(filepath.Dir(p.dir), os.DirFS(whole)); err != nil {
					t.Fatal(err)
				}
				n := 0
				s := p.store(StoreOptions{Before: func(string, atomicfile.Step) error {
					if n++; n == step+1 {
						return cause
					}
					return nil
				}})
				if _, err := s.Pack(t.Context(), "main", o); !errors.Is(err, cause) {
					t.Fatal(err)
				}
				s = p.store(StoreOptions{})
				if _, err := s.Pack(t.Context(), "main", o); err != nil {
					t.Fatal(err)
				}
				after, _ := mustLoad(t, s, "main")
				archived, err := s.Archived("main")
				if err != nil || len(archived) != did.Items || !slices.Equal(activeContents(before), activeContents(after)) || len(before.Items) != len(after.Items) {
					t.Fatalf("%d archived, %d items of %d, %v", len(archived), len(after.Items), len(before.Items), err)
				}
				now, err := s.Versions("main")
				if err != nil || len(now) < 16 {
					t.Errorf("%d versions, %v", len(now), err)
				}
				if left, _ := filepath.Glob(filepath.Join(p.local, "*", "*", ".*.tmp")); len(left) > 0 && cause == fault {
					t.Errorf("left behind: %q", left)
				}
			})
		}
	}
}

func TestArchiveDamage(t *testing.T) {
	t.Parallel()
	p, o := aged(t)
	s := p.store(StoreOptions{})
	put(t, s.archivedItems("main").path(), "no archive")
	if _, err := s.Pack(t.Context(), "main", o); !errors.Is(err, ErrArchive) {
		t.Fatal(err)
	}
	report, err := s.CheckArchive()
	if err != nil || len(report.Damage) != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	if s.SetArchiveAside("../memory.lock") == nil {
		t.Error("a path out of the archive was taken")
	}
	if err := s.SetArchiveAside(report.Damage[0].File); err != nil {
		t.Fatal(err)
	}
	if did, err := s.Pack(t.Context(), "main", o); err != nil || did.Items != 2 {
		t.Errorf("%+v, %v", did, err)
	}
	if text := read(t, s.archivedItems("main").path()+damagedExt); !strings.Contains(text, "no archive") {
		t.Errorf("aside: %q", text)
	}
}

// Saying what would be packed needs no lock, makes no folder and completes no save.
func TestPackingDryLeavesTheStateAlone(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{Make: func() error {
		t.Error("the state was made")
		return nil
	}})
	write := "# Branch Memory: main\n\n## Facts\n\n- one\n"
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "main.md"), []byte(write), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Pack(t.Context(), "main", PackOptions{Items: time.Now(), Versions: time.Now(), DryRun: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p.local); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", p.local, err)
	}
}
