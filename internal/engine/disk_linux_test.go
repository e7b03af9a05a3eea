package engine

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"recollect/internal/memory"
)

// disk puts a file system of its own over a folder, with what was in it, and gives
// a function that makes it read-only or not.
func disk(t *testing.T, folder string, kilobytes string) (readOnly func(bool)) {
	t.Helper()
	aside := t.TempDir()
	if err := os.CopyFS(filepath.Join(aside, "x"), os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size="+kilobytes+"k"); err != nil {
		t.Skip("no file system can be mounted here:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(folder, unix.MNT_DETACH) })
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(aside, "x"))); err != nil {
		t.Fatal(err)
	}
	return func(on bool) {
		var flags uintptr = unix.MS_REMOUNT
		if on {
			flags |= unix.MS_RDONLY
		}
		if err := unix.Mount("tmpfs", folder, "tmpfs", flags, ""); err != nil {
			t.Fatal(err)
		}
	}
}

// fill takes up all room of a disk but some kilobytes, until the function is
// called.
func fill(t *testing.T, folder string, left int) (free func()) {
	t.Helper()
	path := filepath.Join(folder, "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(make([]byte, max(0, int(s.Bavail)*int(s.Bsize)-left<<10))); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// With a full disk, what is there stays as it was, the problem is named, and with
// room again all is well. How much is left decides which write fails.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e := openSample(t, o)
	main := "main"
	if _, err := e.Memorize(t.Context(), MemorizeOptions{Branch: &main}); err != nil {
		t.Fatal(err)
	}
	before := itemsOf(t, e)
	folder := filepath.Join(o.Dir, ".recollect")
	disk(t, folder, "512")
	say(t, o, "later", "We always paint the buoys red before the season, and never in winter.")
	for left := 0; left <= 40; left += 4 {
		free := fill(t, folder, left)
		reports, err := e.Memorize(t.Context(), MemorizeOptions{All: true})
		code := ""
		if err != nil {
			code = Explain(err).Code
		}
		for _, r := range reports {
			if r.Problem != nil {
				code = r.Problem.Code
			}
		}
		if _, eerr := e.Edit(t.Context(), main, memory.Edit{Do: memory.Add, Section: "facts", Content: "Room " + words50(left)}); eerr != nil && code == "" {
			code = Explain(eerr).Code
		}
		if code != "" && code != "disk_full" || left == 0 && code == "" {
			t.Errorf("with %d KB left: %q", left, code)
		}
		free()
		now := itemsOf(t, openSample(t, o))
		for id, content := range before {
			if now[id] == "" {
				t.Errorf("with %d KB left %q was lost", left, content)
			}
		}
		before = now
		if d, err := e.Doctor(t.Context(), false); err != nil || len(d.Findings) > 0 && strings.Contains(d.Findings[0].Where, "main") {
			t.Errorf("with %d KB left: %+v %v", left, d.Findings, err)
		}
	}
	if reports, err := e.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil || reports[0].Problem != nil {
		t.Errorf("with room: %+v %v", reports, err)
	}
}

// What can't be written to is named, and what is there can be read.
func TestReadOnlyFolders(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e := openSample(t, o)
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	before := itemsOf(t, e)
	say(t, o, "later", "We always paint the buoys red before the season.")

	// The person's folders, where the lock and the versions are.
	home := o.Getenv("RECOLLECT_HOME")
	if err := os.Remove(filepath.Join(home, "cache", "compiled")); err != nil { // a link, which can't be copied
		t.Fatal(err)
	}
	readOnly := disk(t, home, "65536")
	readOnly(true)
	again := openSample(t, o)
	if _, err := again.Memorize(t.Context(), MemorizeOptions{All: true}); err == nil || Explain(err).Code != "permission" {
		t.Errorf("%v", err)
	}
	after := itemsOf(t, again)
	for id := range before {
		if after[id] == "" {
			t.Errorf("%q is lost", before[id])
		}
	}
	readOnly(false)

	// The archive alone: memory goes on.
	archive := filepath.Join(home, "data", "archive")
	if err := os.Rename(archive, archive+".aside"); err != nil {
		t.Fatal(err)
	}
	write(t, archive, []byte("no folder"))
	reports, err := again.Memorize(t.Context(), MemorizeOptions{All: true})
	told := ""
	for _, r := range reports {
		told += strings.Join(r.Warnings, " ")
	}
	if err != nil || len(reports) == 0 || reports[0].Problem != nil || !strings.Contains(told, "could not be archived") {
		t.Errorf("%+v %v", reports, err)
	}
	after = itemsOf(t, again)

	// The project's.
	readOnly = disk(t, filepath.Join(o.Dir, ".recollect"), "4096")
	readOnly(true)
	say(t, o, "later", "We never paint the bridge in the rain, whoever asks.")
	reports, err = again.Memorize(t.Context(), MemorizeOptions{All: true})
	if err != nil || !slices.ContainsFunc(reports, func(r BranchReport) bool { return r.Problem != nil && r.Problem.Code == "permission" }) {
		t.Errorf("%+v, %v", reports, err)
	}
	if _, err := again.Edit(t.Context(), "main", memory.Edit{Do: memory.Add, Section: "facts", Content: "Nothing can be written."}); err == nil || Explain(err).Code != "permission" {
		t.Errorf("%v", err)
	}
	if got := itemsOf(t, again); !maps.Equal(got, after) {
		t.Errorf("%v, was %v", got, after)
	}
}
