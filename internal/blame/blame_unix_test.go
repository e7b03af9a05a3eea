//go:build unix

package blame

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestNobodyIsWaitedFor has git itself hang, and its answer have no end.
func TestNobodyIsWaitedFor(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   error
	}{
		"sleeps":      {"exec sleep 600", context.DeadlineExceeded},
		"a child":     {"sleep 20 & exit 0", nil},
		"without end": {"exec cat /dev/zero", errLong},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			s := r.source()
			bin := t.TempDir()
			if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			got, err := File(t.Context(), s)
			if err == nil || len(got) > 0 || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

// TestPipesAndLinksAreRefused puts pipes and links where git would open them.
func TestPipesAndLinksAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, objects string) error{
		"alternates": func(_ *testing.T, o string) error {
			return syscall.Mkfifo(filepath.Join(o, "info", "alternates"), 0o600)
		},
		"a pack": func(_ *testing.T, o string) error {
			return syscall.Mkfifo(filepath.Join(o, "pack", "pack-1.idx"), 0o600)
		},
		"graph": func(_ *testing.T, o string) error {
			return syscall.Mkfifo(filepath.Join(o, "info", "commit-graph"), 0o600)
		},
		"a link": func(t *testing.T, o string) error { return os.Symlink(t.TempDir(), filepath.Join(o, "00")) },
		"all a link": func(t *testing.T, o string) error {
			to := filepath.Join(t.TempDir(), "objects")
			return errors.Join(os.Rename(o, to), os.Symlink(to, o))
		},
		"written by all": func(_ *testing.T, o string) error { return os.Chmod(o, 0o777) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			s := r.source()
			if err := spoil(t, filepath.Join(s.Common, "objects")); err != nil {
				t.Fatal(err)
			}
			if got, err := File(t.Context(), s); !errors.Is(err, ErrRefused) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}
