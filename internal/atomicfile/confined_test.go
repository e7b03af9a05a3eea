package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"recollect/internal/safefile"
)

// tree makes a top with links of all kinds, and a folder away from it.
func tree(t *testing.T) (top safefile.Folder, away string) {
	t.Helper()
	dir, away := t.TempDir(), t.TempDir()
	for _, d := range []string{"sub", "real"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "f"), "old")
	write(t, filepath.Join(away, "f"), "theirs")
	for name, to := range map[string]string{
		"inside": "f", "sub/up": "../f", "absolute": filepath.Join(dir, "f"), "folder": "real", "new": "real/new",
		"out": filepath.Join(away, "f"), "climbs": "../" + filepath.Base(away) + "/f", "outdir": away, "nothing": filepath.Join(away, "none"),
		"loop": "loop",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skipf("links can't be made here: %v", err)
		}
	}
	return safefile.Beneath(dir), away
}

func TestConfinedLinks(t *testing.T) {
	t.Parallel()
	top, away := tree(t)
	for _, name := range []string{"inside", "sub/up", "absolute", "folder/../f"} {
		if err := ReplaceIn(top, "f", []byte("old"), Expect{}, Options{}); err != nil {
			t.Fatal(err)
		}
		data, sum, _, err := ReadIn(top, name, 10)
		if err != nil || string(data) != "old" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
		if err := errors.Join(CheckIn(top, name, Content(sum), Options{}), ReplaceIn(top, name, []byte("new"), Content(sum), Options{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		wantContent(t, top.Path("f"), "new")
	}
	for _, name := range []string{"out", "climbs", "outdir/f", "outdir/g", "nothing", "../" + filepath.Base(away) + "/f"} {
		_, _, _, err := ReadIn(top, name, 10)
		for what, err := range map[string]error{
			"read":    err,
			"check":   CheckIn(top, name, Expect{}, Options{}),
			"replace": ReplaceIn(top, name, []byte("x"), Expect{}, Options{CreateDangling: true}),
		} {
			if !errors.Is(err, safefile.ErrOutside) {
				t.Errorf("%s %s: %v, want %v", what, name, err, safefile.ErrOutside)
			}
		}
	}
	wantContent(t, filepath.Join(away, "f"), "theirs")
	wantOnly(t, away, "f")
	if err := ReplaceIn(top, "loop", nil, Expect{}, Options{}); !errors.Is(err, ErrLoop) {
		t.Errorf("a loop: %v", err)
	}
	if _, _, _, err := ReadIn(top, "new", 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading a link to nothing: %v", err)
	}
	if err := ReplaceIn(top, "new", nil, Absent(), Options{}); !errors.Is(err, ErrDangling) {
		t.Errorf("a link to nothing: %v", err)
	}
	if err := ReplaceIn(top, "new", []byte("made"), Absent(), Options{CreateDangling: true}); err != nil {
		t.Error(err)
	}
	wantContent(t, top.Path("real", "new"), "made")
	if at, err := ResolveIn(top, "sub/up"); err != nil || at != "f" {
		t.Errorf("resolved to %q, %v", at, err)
	}
}

// A folder and a link out of the top take turns under one name, and so do a file
// and a link: what is written ends beneath the top or nowhere.
func TestConfinedWhileLinksCome(t *testing.T) {
	t.Parallel()
	top, away := tree(t)
	if err := os.Mkdir(filepath.Join(away, "spare"), 0o755); err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		p := func(name string) string { return top.Path(name) }
		for !stop.Load() {
			_ = os.Rename(p("sub"), p("aside"))
			_ = os.Symlink(away, p("sub"))
			_ = os.Symlink(filepath.Join(away, "f"), p("next"))
			_ = os.Rename(p("next"), p("f"))
			_ = os.Remove(p("sub"))
			_ = os.Rename(p("aside"), p("sub"))
		}
	}()
	did := 0
	for range 300 {
		for _, name := range []string{"sub/f", "f"} {
			if ReplaceIn(top, name, []byte("ours"), Expect{}, Options{}) == nil {
				did++
			}
			if data, _, _, err := ReadIn(top, name, 100); err == nil && string(data) == "theirs" {
				t.Fatalf("%s: read what lies outside", name)
			}
		}
	}
	stop.Store(true)
	<-done
	if did == 0 {
		t.Error("nothing was ever written: nothing was tried")
	}
	wantContent(t, filepath.Join(away, "f"), "theirs")
	wantOnly(t, away, "f", "spare")
}

// What lies beside a file under the name that a write in place uses is no word of
// ours unless it names this very file; reading never completes anything.
func TestForeignInPlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := filepath.Join(dir, "f")
	write(t, p, "abcdef6789")
	if err := os.Link(p, filepath.Join(dir, "g")); err != nil {
		t.Skip(err)
	}
	info, err := os.Lstat(p)
	if err != nil {
		t.Fatal(err)
	}
	if links(info) < 2 {
		t.Skip("the link count is not looked at")
	}
	pending := filepath.Join(dir, ".f.inplace")
	head := asideHead(info, 10)
	body := []byte("0123456789" + "abcdefghi")
	foreign := append([]byte{}, head...)
	foreign[15]++
	write(t, pending, string(foreign)+string(body))
	if data, _, err := Read(p, 100); err != nil || string(data) != "abcdef6789" {
		t.Errorf("%q, %v", data, err)
	}
	if err := Replace(p, []byte("abcdef6789"), Expect{}, Options{HardLinks: WriteInPlace}); err != nil {
		t.Fatal(err)
	}
	wantContent(t, p, "abcdef6789")
	write(t, pending, string(head)+string(body))
	if data, _, err := Read(p, 100); err != nil || string(data) != "abcdefghi" {
		t.Errorf("%q, %v", data, err)
	}
	wantContent(t, p, "abcdef6789")
	wantOnly(t, dir, ".f.inplace", "f", "g")
}
