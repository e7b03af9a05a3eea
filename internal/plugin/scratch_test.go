package plugin

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// onDisk is every file below a folder with its content.
func onDisk(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	})
	must(t, err)
	return all
}

// A scratch over a storage answers as the storage would, and leaves it as it is.
func TestScratchAnswersAsStorage(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		real, base := store{t.TempDir()}, store{t.TempDir()}
		for i := range r.IntN(4) {
			must(t, real.put(t.Context(), fmt.Sprint("k", i), "stored"))
			must(t, base.put(t.Context(), fmt.Sprint("k", i), "stored"))
		}
		before := onDisk(t, base.dir)
		laid := over{base, &Scratch{}}
		for range 60 {
			key := fmt.Sprint("k", r.IntN(6))
			var a, b any
			switch r.IntN(4) {
			case 0:
				v := fmt.Sprint("v", r.IntN(100))
				a, b = real.put(t.Context(), key, v), laid.put(t.Context(), key, v)
			case 1:
				a, b = real.delete(t.Context(), key), laid.delete(t.Context(), key)
			case 2:
				v, err := real.get(key)
				w, err2 := laid.get(key)
				a, b = fmt.Sprint(v, errors.Is(err, fs.ErrNotExist)), fmt.Sprint(w, errors.Is(err2, fs.ErrNotExist))
			case 3:
				prefix := []string{"", "k", key, "x"}[r.IntN(4)]
				v, err := real.list(prefix)
				w, err2 := laid.list(prefix)
				a, b = fmt.Sprint(v, err), fmt.Sprint(w, err2)
			}
			if a != b {
				t.Fatalf("seed %d: %v, the storage says %v", seed, b, a)
			}
		}
		if after := onDisk(t, base.dir); !maps.Equal(before, after) {
			t.Fatalf("seed %d: the scratch wrote: %v, before %v", seed, after, before)
		}
	}
}

func TestScratchHasTheQuota(t *testing.T) {
	t.Parallel()
	base := store{filepath.Join(t.TempDir(), "none")}
	laid := over{base, &Scratch{}}
	big := strings.Repeat("x", maxValueBytes)
	n := 0
	var err error
	for ; err == nil && n < 100; n++ {
		err = laid.put(t.Context(), fmt.Sprint(n), big)
	}
	if !errors.Is(err, errQuota) || n != maxStorageBytes/maxValueBytes {
		t.Errorf("%v after %d values", err, n)
	}
	must(t, laid.put(t.Context(), "0", "small"))
	for i := range maxKeys {
		err = laid.put(t.Context(), fmt.Sprint("k", i), "")
	}
	if !errors.Is(err, errQuota) {
		t.Errorf("%v after %d keys", err, maxKeys)
	}
	if _, err := os.Stat(base.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was made: %v", err)
	}
}

// A guest that stores something in a run on scratch leaves no file.
func TestRunOnScratch(t *testing.T) {
	t.Parallel()
	p := echo(t, manifest("org.example.echo"))
	dir := t.TempDir()
	x := extraction("methods", past{turn("1", "methods", "a")})
	set := Setting{Storage: dir, Scratch: &Scratch{}}
	items, err := founds(Extractor{Plugin: p, Setting: set}.Extract(t.Context(), x))
	must(t, err)
	answers := []string{}
	for _, it := range items {
		answers = append(answers, it.Content)
	}
	if !slices.ContainsFunc(answers, func(s string) bool { return strings.Contains(s, `"value" true`) }) {
		t.Errorf("nothing was stored: %q", answers)
	}
	if files := onDisk(t, dir); len(files) != 0 {
		t.Errorf("files: %v", files)
	}
}
