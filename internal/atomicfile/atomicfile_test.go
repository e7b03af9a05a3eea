package atomicfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

func write(t *testing.T, path, s string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(s), 0o644); err != nil {
		t.Fatal(err)
	}
}

func wantContent(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Fatalf("%s = %q, want %q", filepath.Base(path), got, want)
	}
}

func wantOnly(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Fatalf("folder holds %q, want %q", got, names)
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	sum := func(s string) Expect { return Content(SumOf([]byte(s))) }
	tests := []struct {
		name   string
		old    string
		exists bool
		expect Expect
		want   error
	}{
		{"new file", "", false, Absent(), nil},
		{"new file, anything", "", false, Expect{}, nil},
		{"new file, content expected", "", false, sum("a"), ErrChanged},
		{"same content", "a", true, sum("a"), nil},
		{"anything", "a", true, Expect{}, nil},
		{"edited", "b", true, sum("a"), ErrChanged},
		{"appeared", "b", true, Absent(), ErrChanged},
		{"appeared empty", "", true, Absent(), ErrChanged},
		{"empty is content", "", true, sum(""), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := filepath.Join(dir, "f")
			if tt.exists {
				write(t, p, tt.old)
			}
			err := Replace(p, []byte("new"), tt.expect, Options{})
			if !errors.Is(err, tt.want) {
				t.Fatalf("error %v, want %v", err, tt.want)
			}
			switch {
			case err == nil:
				wantContent(t, p, "new")
				wantOnly(t, dir, "f")
			case tt.exists:
				wantContent(t, p, tt.old)
				wantOnly(t, dir, "f")
			default:
				wantOnly(t, dir)
			}
		})
	}
}

func TestReplaceChecksAgain(t *testing.T) {
	t.Parallel()
	for _, step := range []Step{StepRecheck, StepRename} {
		for _, exists := range []bool{true, false} {
			dir := t.TempDir()
			p := filepath.Join(dir, "f")
			expect := Absent()
			if exists {
				write(t, p, "old")
				expect = Content(SumOf([]byte("old")))
			}
			err := Replace(p, []byte("new"), expect, Options{Before: func(s Step) error {
				if s == step {
					write(t, p, "edited")
				}
				return nil
			}})
			if step == StepRename && runtime.GOOS != "linux" && exists {
				continue // nothing but a swap of names closes this window
			}
			if !errors.Is(err, ErrChanged) {
				t.Fatalf("%s: %v", step, err)
			}
			wantContent(t, p, "edited")
			wantOnly(t, dir, "f")
		}
	}
}

// TestLateAppend has a program open the file before the swap and write after.
func TestLateAppend(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("needs a swap of names")
	}
	dir := t.TempDir()
	p := filepath.Join(dir, "f")
	write(t, p, "old\n")
	late, err := os.OpenFile(p, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer late.Close()
	err = Replace(p, []byte("new\n"), Content(SumOf([]byte("old\n"))), Options{Before: func(s Step) error {
		if s == StepSyncFolder {
			late.WriteString("appended\n")
		}
		return nil
	}})
	if !errors.Is(err, ErrChanged) {
		t.Fatal(err)
	}
	wantContent(t, p, "old\nappended\n")
	wantOnly(t, dir, "f")
}

func TestFaultAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, fault := range []error{syscall.ENOSPC, Crash()} {
		for _, step := range Steps() {
			for _, old := range []string{"", "the old content"} {
				dir := t.TempDir()
				p := filepath.Join(dir, "f")
				expect := Absent()
				if old != "" {
					write(t, p, old)
					expect = Content(SumOf([]byte(old)))
				}
				hit := false
				err := Replace(p, []byte("the new content"), expect, Options{Before: func(s Step) error {
					if s == step {
						hit = true
						return fault
					}
					return nil
				}})
				if !hit || !errors.Is(err, fault) {
					t.Fatalf("%s: hit %v, error %v", step, hit, err)
				}
				got, rerr := os.ReadFile(p)
				switch {
				case step == StepSyncFolder:
					if string(got) != "the new content" {
						t.Fatalf("%s: %q", step, got)
					}
				case old == "":
					if !errors.Is(rerr, fs.ErrNotExist) {
						t.Fatalf("%s: file appeared: %q %v", step, got, rerr)
					}
				case string(got) != old:
					t.Fatalf("%s: %q", step, got)
				}
				if err := Replace(p, []byte("again"), Expect{}, Options{}); err != nil {
					t.Fatal(err)
				}
				wantContent(t, p, "again")
				wantOnly(t, dir, "f")
			}
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege")
	}
	dir := t.TempDir()
	link := func(to, name string) string {
		p := filepath.Join(dir, name)
		if err := os.Symlink(to, p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	if err := os.MkdirAll(filepath.Join(dir, "sub", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "sub", "target"), "old")
	link("sub/deep", "d")
	good := link("d/../target", "good") // through a linked folder, as the system reads it
	if err := Replace(good, []byte("new"), Content(SumOf([]byte("old"))), Options{}); err != nil {
		t.Fatal(err)
	}
	wantContent(t, filepath.Join(dir, "sub", "target"), "new")
	if info, _ := os.Lstat(good); info.Mode()&fs.ModeSymlink == 0 {
		t.Fatal("the link is gone")
	}

	a := link("b", "a")
	link("a", "b")
	if err := Replace(a, nil, Expect{}, Options{}); !errors.Is(err, ErrLoop) {
		t.Fatalf("loop: %v", err)
	}
	dang := link("sub/nothing", "dang")
	if err := Replace(dang, nil, Expect{}, Options{}); !errors.Is(err, ErrDangling) {
		t.Fatalf("dangling: %v", err)
	}
	if err := Replace(dang, []byte("x"), Absent(), Options{CreateDangling: true}); err != nil {
		t.Fatal(err)
	}
	wantContent(t, filepath.Join(dir, "sub", "nothing"), "x")
	if err := Replace(filepath.Join(dir, "sub"), nil, Expect{}, Options{}); !errors.Is(err, ErrNotRegular) {
		t.Fatalf("folder: %v", err)
	}
}

func TestKeepsModeAndRefusesReadOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := filepath.Join(dir, "f")
	write(t, p, "old")
	if runtime.GOOS != "windows" {
		os.Chmod(p, 0o750)
		if err := Replace(p, []byte("new"), Expect{}, Options{}); err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(p); info.Mode().Perm() != 0o750 {
			t.Fatalf("mode %v", info.Mode())
		}
	}
	os.Chmod(p, 0o444)
	if err := Replace(p, []byte("x"), Expect{}, Options{}); !errors.Is(err, ErrReadOnly) {
		t.Fatalf("read-only: %v", err)
	}
}

func TestHardLinks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the link count is not looked at")
	}
	const old, data = "the old text, rather long", "the new text"
	setup := func() (dir, p, q string) {
		dir = t.TempDir()
		p, q = filepath.Join(dir, "f"), filepath.Join(dir, "g")
		write(t, p, old)
		if err := os.Link(p, q); err != nil {
			t.Fatal(err)
		}
		return dir, p, q
	}
	dir, p, q := setup()
	if err := Replace(p, []byte(data), Expect{}, Options{}); !errors.Is(err, ErrHardLinked) {
		t.Fatal(err)
	}
	if err := Replace(p, []byte(data), Content(SumOf([]byte(old))), Options{HardLinks: WriteInPlace}); err != nil {
		t.Fatal(err)
	}
	wantContent(t, q, data)
	wantOnly(t, dir, "f", "g")

	for _, fault := range []error{syscall.ENOSPC, Crash()} {
		for _, step := range append(Steps(), StepInPlace) {
			dir, p, q := setup()
			err := Replace(p, []byte(data), Expect{}, Options{HardLinks: WriteInPlace, Before: func(s Step) error {
				if s == step {
					return fault
				}
				return nil
			}})
			if !errors.Is(err, fault) {
				t.Fatalf("%s: %v", step, err)
			}
			got, _, err := Read(q, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			// Read of the other name cannot know; of the name itself it repairs.
			got, _, err = Read(p, 1<<20)
			if err != nil || string(got) != old && string(got) != data {
				t.Fatalf("%s: %q %v", step, got, err)
			}
			if err := Replace(p, []byte("again"), Expect{}, Options{HardLinks: WriteInPlace}); err != nil {
				t.Fatal(err)
			}
			wantContent(t, q, "again")
			wantOnly(t, dir, "f", "g")
		}
	}
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	old, data := []byte("0123456789"), []byte("abcdef")
	for k := range len(data) + 1 {
		now := append(bytes.Clone(data[:k]), old[k:]...)
		if want := k > 0; interrupted(now, old, data) != want {
			t.Errorf("%q: want %v", now, want)
		}
	}
	for _, now := range []string{"abcdef", "abXdef6789", "edited", ""} {
		if interrupted([]byte(now), old, data) {
			t.Errorf("%q taken for an interrupted write", now)
		}
	}
}

func TestReadLimit(t *testing.T) {
	t.Parallel()
	p := filepath.Join(t.TempDir(), "f")
	write(t, p, "12345")
	if _, _, err := Read(p, 4); !errors.Is(err, ErrTooLarge) {
		t.Fatal(err)
	}
	got, sum, err := Read(p, 5)
	if err != nil || string(got) != "12345" || sum != SumOf(got) {
		t.Fatal(got, sum, err)
	}
	if _, _, err := Read(filepath.Dir(p), 5); !errors.Is(err, ErrNotRegular) {
		t.Fatal(err)
	}
	if _, _, err := Read(p+"x", 5); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

// TestKilled kills real writers at random moments; a reader never sees half.
func TestKilled(t *testing.T) {
	if target := os.Getenv("ATOMICFILE_TEST_TARGET"); target != "" {
		for i := 0; ; i++ {
			if err := Replace(target, bytes.Repeat([]byte{byte('a' + i%26)}, 1<<16), Expect{}, Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir := t.TempDir()
	p := filepath.Join(dir, "f")
	write(t, p, strings.Repeat("z", 1<<16))
	for i := range 15 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "ATOMICFILE_TEST_TARGET="+p)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+i*7) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		got, err := os.ReadFile(p)
		if err != nil || len(got) != 1<<16 || bytes.Count(got, got[:1]) != 1<<16 {
			t.Fatalf("partial file of %d bytes: %v", len(got), err)
		}
	}
	if err := Replace(p, []byte("end"), Expect{}, Options{}); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		wantOnly(t, dir, "f")
	}
}

func BenchmarkReplace(b *testing.B) {
	p := filepath.Join(b.TempDir(), "f")
	data := bytes.Repeat([]byte("x"), 64<<10)
	for b.Loop() {
		if err := Replace(p, data, Expect{}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
