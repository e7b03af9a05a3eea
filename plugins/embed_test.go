package plugins

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"
)

func TestPackagesAreTopLevelFolders(t *testing.T) {
	t.Parallel()
	got := packages(fstest.MapFS{
		"dist/README.md":          {Data: []byte("x")},
		"dist/notes/plugin.json":  {Data: []byte("{}")},
		"dist/notes/plugin.wasm":  {Data: []byte("\x00asm")},
		"dist/ranked/plugin.json": {Data: []byte("{}")},
	})
	if b, err := fs.ReadFile(got, "notes/plugin.json"); err != nil || string(b) != "{}" {
		t.Errorf("notes/plugin.json: %q, %v", b, err)
	}
}

func TestNothingBuiltSaysSo(t *testing.T) {
	t.Parallel()
	got := packages(fstest.MapFS{"dist/README.md": {Data: []byte("x")}})
	if _, err := fs.ReadDir(got, "."); !errors.Is(err, ErrNotBuilt) {
		t.Errorf("ReadDir: %v", err)
	}
	if _, err := fs.ReadFile(got, "notes/plugin.json"); !errors.Is(err, ErrNotBuilt) {
		t.Errorf("ReadFile: %v", err)
	}
}
