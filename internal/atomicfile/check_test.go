package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Check says what Replace then does, and leaves everything as it is.
func TestCheckAgreesWithReplace(t *testing.T) {
	t.Parallel()
	put := func(t *testing.T, path string) {
		t.Helper()
		if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	known := []error{ErrChanged, ErrLoop, ErrDangling, ErrHardLinked, ErrReadOnly, ErrNotRegular}
	for name, tt := range map[string]struct {
		set    func(t *testing.T, path string)
		expect Expect
	}{
		"as expected":     {put, Content(SumOf([]byte("old")))},
		"anything":        {put, Expect{}},
		"absent":          {func(*testing.T, string) {}, Absent()},
		"not absent":      {put, Absent()},
		"other content":   {put, Content(SumOf([]byte("new")))},
		"gone":            {func(*testing.T, string) {}, Content(SumOf([]byte("old")))},
		"a folder":        {func(t *testing.T, path string) { os.Mkdir(path, 0o755) }, Expect{}},
		"read-only":       {func(t *testing.T, path string) { put(t, path); os.Chmod(path, 0o444) }, Expect{}},
		"hard link":       {func(t *testing.T, path string) { put(t, path); os.Link(path, path+".twin") }, Expect{}},
		"link":            {func(t *testing.T, path string) { put(t, path+".real"); os.Symlink(path+".real", path) }, Expect{}},
		"link in a loop":  {func(t *testing.T, path string) { os.Symlink(path, path) }, Expect{}},
		"link to nothing": {func(t *testing.T, path string) { os.Symlink(path+".none", path) }, Expect{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "f")
			tt.set(t, path)
			list := func() (names []string) {
				entries, err := os.ReadDir(dir)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range entries {
					info, _ := e.Info()
					names = append(names, e.Name()+info.ModTime().String())
				}
				return names
			}
			before := list()
			said := Check(path, tt.expect, Options{})
			if after := list(); !slices.Equal(before, after) {
				t.Errorf("%q became %q", before, after)
			}
			did := Replace(path, []byte("new"), tt.expect, Options{})
			if (said == nil) != (did == nil) {
				t.Errorf("Check: %v, Replace: %v", said, did)
			}
			for _, err := range known {
				if errors.Is(said, err) != errors.Is(did, err) {
					t.Errorf("Check: %v, Replace: %v", said, did)
				}
			}
		})
	}
}
