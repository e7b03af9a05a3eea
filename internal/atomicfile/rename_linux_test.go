package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFolders replaces in folders that give less than usual, as a user
// without privileges.
func TestFolders(t *testing.T) {
	t.Parallel()
	const user = 65534
	root := os.Geteuid() == 0
	if root {
		// The thread is never given back, so it ends with this test.
		runtime.LockOSThread()
	}
	old := Content(SumOf([]byte("old")))
	tests := []struct {
		name   string
		mode   os.FileMode
		want   error
		holds  string
		others []string
	}{
		{"writable but not readable", 0o300, nil, "new", []string{".f.dead.tmp", "f"}},
		{"read-only", 0o500, unix.EACCES, "old", []string{".f.dead.tmp", "f"}},
		{"usual", 0o700, nil, "new", []string{"f"}},
	}
	for _, tt := range tests {
		dir := t.TempDir()
		p := filepath.Join(dir, "f")
		orphan := filepath.Join(dir, ".f.dead.tmp")
		write(t, p, "old")
		write(t, orphan, "")
		if root {
			err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chown(p, user, user), os.Chown(dir, user, user), os.Chown(orphan, user, user))
			if err != nil {
				t.Skip(err)
			}
		}
		if err := os.Chmod(dir, tt.mode); err != nil {
			t.Fatal(err)
		}
		if root {
			if err := unix.Setfsuid(user); err != nil {
				t.Fatal(err)
			}
		}
		err := Replace(p, []byte("new"), old, Options{})
		if root {
			if err := unix.Setfsuid(0); err != nil {
				t.Fatal(err)
			}
		}
		os.Chmod(dir, 0o700)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		wantContent(t, p, tt.holds)
		wantOnly(t, dir, tt.others...)
	}
}

func TestGiveBack(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		after func(temp, target string) error // what happens after the swap
		want  error
		holds string
	}{
		{"nothing happened", func(temp, target string) error { return nil }, nil, "new"},
		{"old file edited", func(temp, target string) error { return os.WriteFile(temp, []byte("edit"), 0o644) }, ErrChanged, "edit"},
		{"new file edited too", func(temp, target string) error {
			return errors.Join(os.WriteFile(temp, []byte("edit"), 0o644), os.WriteFile(target, []byte("later"), 0o644))
		}, ErrChanged, "later"},
		{"replaced since", func(temp, target string) error {
			return errors.Join(os.WriteFile(temp, []byte("edit"), 0o644),
				os.WriteFile(target+"~", []byte("new"), 0o644), os.Rename(target+"~", target))
		}, ErrChanged, "new"},
		{"became a link", func(temp, target string) error {
			return errors.Join(os.Remove(temp), os.WriteFile(target+".far", []byte("old"), 0o644), os.Symlink(target+".far", temp))
		}, ErrChanged, "old"},
		{"removed since", func(temp, target string) error {
			return errors.Join(os.WriteFile(temp, []byte("edit"), 0o644), os.Remove(target))
		}, ErrChanged, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := filepath.Join(dir, "f")
			write(t, p, "old")
			at := spotOf(t, p)
			f, err := createTemp(at, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			f.WriteString("new")
			settle, err := rename(f, at, []byte("new"), Content(SumOf([]byte("old"))))
			if err != nil {
				t.Fatal(err)
			}
			if settle == nil {
				t.Skip("no swap of names here")
			}
			if err := tt.after(f.Name(), p); err != nil {
				t.Fatal(err)
			}
			if err := settle(); !errors.Is(err, tt.want) {
				t.Fatalf("error %v, want %v", err, tt.want)
			}
			if tt.holds != "" {
				wantContent(t, p, tt.holds)
			} else if _, err := os.Lstat(p); err == nil {
				t.Fatal("it is back")
			}
		})
	}
}

// TestGiveBackRaced has an editor save right before each of the first swaps.
func TestGiveBackRaced(t *testing.T) {
	t.Parallel()
	save := func(target, s string) error {
		return errors.Join(os.WriteFile(target+"~", []byte(s), 0o644), os.Rename(target+"~", target))
	}
	for _, tt := range []struct {
		name  string
		saves int
		err   error // of the swap after the saves
		holds string
		saved string // what is kept aside
	}{
		{"none", 0, nil, "edit", ""},
		{"one", 1, nil, "save 1", ""},
		{"some", 4, nil, "save 4", ""},
		{"removed", 2, unix.ENOENT, "save 1", ""},
		{"folder became read-only", 0, unix.EROFS, "new", "edit"},
		{"never ends", maxSwaps, nil, "save 99", "save 100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p, temp := filepath.Join(dir, "f"), filepath.Join(dir, ".f.abc.tmp")
			write(t, p, "new")
			write(t, temp, "edit")
			at := spotOf(t, p)
			put, err := look(at.in, at.base)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			err = giveBack(at.in, filepath.Base(temp), at.base, put, SumOf([]byte("old")), func(in *folder, temp, target string) error {
				if n++; n <= tt.saves {
					if err := save(p, fmt.Sprint("save ", n)); err != nil {
						return err
					}
				} else if tt.err != nil {
					return tt.err
				}
				return exchange(in, temp, target)
			})
			if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
				t.Skip("no swap of names here")
			}
			if !errors.Is(err, ErrChanged) {
				t.Fatal(err)
			}
			wantContent(t, p, tt.holds)
			if tt.saved != "" {
				wantContent(t, p+".abc.saved", tt.saved)
			}
		})
	}
}

func TestRescue(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p, temp := filepath.Join(dir, "f.md"), filepath.Join(dir, ".f.md.abc.tmp")
	write(t, temp, "a save")
	in := spotOf(t, p).in
	if err := rescue(in, filepath.Base(temp), "f.md"); !errors.Is(err, ErrChanged) {
		t.Fatal(err)
	}
	wantContent(t, p+".abc.saved", "a save")
	wantOnly(t, dir, "f.md.abc.saved")
	if err := rescue(in, filepath.Base(temp), "f.md"); !errors.Is(err, errLeaveTemp) {
		t.Fatal(err)
	}
}

func spotOf(t *testing.T, path string) spot {
	t.Helper()
	at, err := locate(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(at.close)
	return at
}
