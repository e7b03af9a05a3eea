package safefile_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/safefile"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skipf("links can't be made here: %v", err)
	}
}

func TestReadKeepsToItsLimit(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "12345")
	for limit, want := range map[int64]error{5: nil, 4: safefile.ErrTooLarge, safefile.NoLimit: nil, 0: safefile.ErrTooLarge} {
		data, info, err := safefile.Read(context.Background(), path, limit)
		if !errors.Is(err, want) {
			t.Errorf("limit %d: %v, want %v", limit, err, want)
		}
		if want == nil && (string(data) != "12345" || info.Size() != 5) {
			t.Errorf("limit %d: %q, %v", limit, data, info)
		}
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "12345")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := safefile.Read(ctx, path, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	t.Parallel()
	if _, _, err := safefile.Read(context.Background(), t.TempDir(), 10); !errors.Is(err, safefile.ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
	if _, _, err := safefile.Read(context.Background(), filepath.Join(t.TempDir(), "none"), 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
}

func TestAFolderIsReadUpToItsLimit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if entries, err := safefile.ReadDir(dir, 0); err != nil || len(entries) != 0 {
		t.Errorf("an empty folder: %v, %v", entries, err)
	}
	for _, name := range []string{"b", "a", "c"} {
		write(t, filepath.Join(dir, name), "")
	}
	entries, err := safefile.ReadDir(dir, 3)
	if err != nil || len(entries) != 3 || entries[0].Name() != "a" {
		t.Errorf("%v, %v", entries, err)
	}
	if _, err := safefile.ReadDir(dir, 2); !errors.Is(err, safefile.ErrTooMany) {
		t.Errorf("%v, want %v", err, safefile.ErrTooMany)
	}
	if _, err := safefile.ReadDir(filepath.Join(dir, "a"), 2); err == nil {
		t.Error("a file was read as a folder")
	}
}

func TestNothingLeadsOutOfAFolder(t *testing.T) {
	t.Parallel()
	top, away := t.TempDir(), t.TempDir()
	write(t, filepath.Join(away, "f"), "theirs")
	write(t, filepath.Join(top, "in", "f"), "ours")
	link(t, filepath.Join(away, "f"), filepath.Join(top, "in", "absolute"))
	link(t, filepath.Join("..", "..", filepath.Base(away), "f"), filepath.Join(top, "in", "relative"))
	link(t, away, filepath.Join(top, "dir"))
	link(t, "in", filepath.Join(top, "again"))
	in := safefile.Beneath(top).Sub("in")
	out := safefile.Beneath(top).Sub("dir")
	ctx := context.Background()
	if data, _, err := safefile.Beneath(top).Sub("again").Read(ctx, "f", 10); err != nil || string(data) != "ours" {
		t.Errorf("a link beneath the top: %q, %v", data, err)
	}
	tries := map[string]func() error{
		"read an absolute link": func() error { _, _, err := in.Read(ctx, "absolute", 10); return err },
		"read a relative link":  func() error { _, _, err := in.Read(ctx, "relative", 10); return err },
		"read by dots":          func() error { _, _, err := in.Read(ctx, filepath.Join("..", "..", "x"), 10); return err },
		"read in a link":        func() error { _, _, err := out.Read(ctx, "f", 10); return err },
		"stat":                  func() error { _, err := in.Stat("absolute"); return err },
		"list":                  func() error { _, err := out.ReadDir(10); return err },
		"make":                  func() error { return out.Sub("new").Make(0o755) },
		"remove":                func() error { return out.Remove("f") },
		"remove all":            func() error { return out.RemoveAll("f") },
		"rename":                func() error { return out.Rename("f", "g") },
	}
	for name, try := range tries {
		if err := try(); !errors.Is(err, safefile.ErrOutside) {
			t.Errorf("%s: %v, want %v", name, err, safefile.ErrOutside)
		}
	}
	if data, err := os.ReadFile(filepath.Join(away, "f")); err != nil || string(data) != "theirs" {
		t.Errorf("outside there is now %q, %v", data, err)
	}
	if entries, err := os.ReadDir(away); err != nil || len(entries) != 1 {
		t.Errorf("outside there is now %v, %v", entries, err)
	}
}

func TestErrorsNameTheWholePath(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	_, _, err := safefile.Beneath(top).Sub("a").Read(context.Background(), "b", 10)
	if err == nil || !strings.Contains(err.Error(), filepath.Join(top, "a", "b")) {
		t.Errorf("%v does not name %s", err, filepath.Join(top, "a", "b"))
	}
}

func TestAFolderIsMadeAndUsed(t *testing.T) {
	t.Parallel()
	f := safefile.Beneath(t.TempDir()).Sub("a", "b")
	if f.IsDir() {
		t.Error("it is there before it was made")
	}
	for range 2 {
		if err := f.Make(0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, f.Path("x"), "x")
	if err := f.Rename("x", "y"); err != nil {
		t.Fatal(err)
	}
	entries, err := f.ReadDir(5)
	if err != nil || len(entries) != 1 || entries[0].Name() != "y" {
		t.Fatalf("%v, %v", entries, err)
	}
	if err := f.Remove("y"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Lstat("y"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want %v", err, fs.ErrNotExist)
	}
}

func TestOpenInAFolderThatIsHeld(t *testing.T) {
	t.Parallel()
	top, away := t.TempDir(), t.TempDir()
	write(t, filepath.Join(top, "f"), "12345")
	write(t, filepath.Join(away, "f"), "theirs")
	link(t, filepath.Join(away, "f"), filepath.Join(top, "out"))
	root, err := os.OpenRoot(top)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f, info, err := safefile.OpenIn(root, "f", 5)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if data, err := safefile.ReadAll(context.Background(), f, info, 5); err != nil || string(data) != "12345" {
		t.Errorf("%q, %v", data, err)
	}
	for name, want := range map[string]error{"out": safefile.ErrOutside, ".": safefile.ErrNotRegular, "none": fs.ErrNotExist} {
		if _, _, err := safefile.OpenIn(root, name, 5); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}
