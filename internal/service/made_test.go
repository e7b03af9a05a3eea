package service

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
)

// Folders that a command made on the way to its own go with these, also where the
// service is uninstalled first; those that were there stay.
func TestMade(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		there func(config.Dirs) []string // before
	}{
		{"a fresh home", func(config.Dirs) []string { return nil }},
		{"a home with settings of others", func(d config.Dirs) []string { return []string{filepath.Dir(d.Config)} }},
		{"a home with all of them", func(d config.Dirs) []string {
			return []string{filepath.Dir(d.Config), filepath.Dir(d.Data), filepath.Dir(d.Cache)}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			dirs := config.Dirs{
				Config: filepath.Join(home, "config", "recollect"), Data: filepath.Join(home, "local", "share", "recollect"), Cache: filepath.Join(home, "cache", "recollect"),
			}
			makeAll(t, tt.there(dirs)...)
			before := below(t, home)

			after := made(dirs)
			makeAll(t, dirs.Config, dirs.Cache)
			after()
			made(dirs)() // a command that makes nothing
			settings := filepath.Join(dirs.Config, "config.json")
			if err := os.WriteFile(settings, []byte("{}"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := (&Installer{dirs: dirs}).forget(); err != nil { // service uninstall
				t.Fatal(err)
			}
			if !there(settings) {
				t.Fatal("the settings are gone")
			}
			folders := readRecord(dirs).Made // uninstall
			err := errors.Join(remove(settings), remove(recordFile(dirs)), os.RemoveAll(dirs.Cache), settle(dirs, folders))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(before, below(t, home)); d != "" {
				t.Errorf("the home is not as it was:\n%s", d)
			}
		})
	}
}

func makeAll(t *testing.T, all ...string) {
	t.Helper()
	for _, d := range all {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

// below names all that is below a folder.
func below(t *testing.T, folder string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		all = append(all, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
