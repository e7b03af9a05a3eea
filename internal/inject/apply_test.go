package inject

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

// Whatever step of a write fails or is the last one before a crash, the file
// holds either what it held or the complete block, and a later run completes
// the work.
func TestApplyFaults(t *testing.T) {
	t.Parallel()
	const src = "# Rules\r\nlast line"
	whole, err := Splice([]byte(src), testBlock)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	for _, fault := range []error{full, atomicfile.Crash()} {
		for _, step := range atomicfile.Steps() {
			dir := t.TempDir()
			path := write(t, dir, "CLAUDE.md", src)
			w := writer{atomicfile.Options{Before: func(s atomicfile.Step) error {
				if s == step {
					return fault
				}
				return nil
			}}}
			r := w.apply(t.Context(), locate(t, path), testBlock, forReal)
			if r.Outcome != Failed || !errors.Is(r.Err, fault) {
				t.Errorf("%s: %s, %v", step, r.Outcome, r.Err)
			}
			if got := contents(t, dir, "CLAUDE.md"); got != src && got != string(whole) {
				t.Errorf("%s: file holds %q", step, got)
			}
			again := apply(t.Context(), locate(t, path), testBlock, forReal)
			if again.Err != nil || contents(t, dir, "CLAUDE.md") != string(whole) {
				t.Errorf("%s: then %s, %v, %q", step, again.Outcome, again.Err, contents(t, dir, "CLAUDE.md"))
			}
		}
	}
}

// An edit that is saved while we write is kept, and the block is put into what
// the person saved.
func TestApplyEditInBetween(t *testing.T) {
	t.Parallel()
	for _, step := range []atomicfile.Step{atomicfile.StepCheck, atomicfile.StepSync, atomicfile.StepRecheck} {
		dir := t.TempDir()
		path := write(t, dir, "CLAUDE.md", "one\n")
		edits := 0
		w := writer{atomicfile.Options{Before: func(s atomicfile.Step) error {
			if s == step && edits < 3 {
				edits++
				write(t, dir, "CLAUDE.md", contents(t, dir, "CLAUDE.md")+"edit\n")
			}
			return nil
		}}}
		r := w.apply(t.Context(), locate(t, path), testBlock, forReal)
		if r.Outcome != Written || r.Err != nil {
			t.Errorf("%s: %s, %v", step, r.Outcome, r.Err)
		}
		if got, want := contents(t, dir, "CLAUDE.md"), "one\nedit\nedit\nedit\n\n"+framed(1, "", testBlock, "\n"); got != want {
			t.Errorf("%s: got %q", step, got)
		}
	}
}

func TestApplyGivesUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := write(t, dir, "CLAUDE.md", "one\n")
	w := writer{atomicfile.Options{Before: func(s atomicfile.Step) error {
		if s == atomicfile.StepRecheck {
			write(t, dir, "CLAUDE.md", contents(t, dir, "CLAUDE.md")+"x\n")
		}
		return nil
	}}}
	r := w.apply(t.Context(), locate(t, path), testBlock, forReal)
	var refusal *Refusal
	if !errors.As(r.Err, &refusal) || refusal.Problem != Busy {
		t.Errorf("got %s, %v", r.Outcome, r.Err)
	}
	if got := contents(t, dir, "CLAUDE.md"); got != "one\n"+strings.Repeat("x\n", maxTries) {
		t.Errorf("got %q", got)
	}
	onlyFiles(t, dir, "CLAUDE.md")
}

// An editor that saves while we write and remove blocks loses nothing. It
// replaces the file blindly, as editors do.
func TestApplyBesideAnEditor(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere a file can't be swapped, so a moment remains between check and rename")
	}
	dir := t.TempDir()
	path := write(t, dir, "CLAUDE.md", "# Rules\n")
	const edits = 60
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range edits {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
				return
			}
			next := filepath.Join(dir, "editor~")
			if err := errors.Join(os.WriteFile(next, append([]byte("edit\n"), src...), 0o644), os.Rename(next, path)); err != nil {
				t.Error(err)
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	blocks := []string{testBlock, otherBlock, ""}
	for i, running := 0, true; running; i++ {
		select {
		case <-done:
			running = false
		default:
			r := apply(t.Context(), locate(t, path), blocks[i%len(blocks)], forReal)
			var refusal *Refusal
			if r.Err != nil && (!errors.As(r.Err, &refusal) || refusal.Problem != Busy) {
				t.Error(r.Err)
			}
		}
	}
	if r := apply(t.Context(), locate(t, path), "", forReal); r.Err != nil {
		t.Fatal(r.Err)
	}
	if got := contents(t, dir, "CLAUDE.md"); got != strings.Repeat("edit\n", edits)+"# Rules\n" {
		t.Errorf("%d edits left in %q", strings.Count(got, "edit\n"), got)
	}
	onlyFiles(t, dir, "CLAUDE.md")
}

func TestRemoveExact(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "CLAUDE.md", "edited")
	if err := removeExact(safefile.Beneath(dir), "CLAUDE.md", []byte("as read")); !errors.Is(err, atomicfile.ErrChanged) {
		t.Errorf("got %v", err)
	}
	if got := contents(t, dir, "CLAUDE.md"); got != "edited" {
		t.Errorf("got %q", got)
	}
	onlyFiles(t, dir, "CLAUDE.md")
	if err := removeExact(safefile.Beneath(dir), "CLAUDE.md", []byte("edited")); err != nil {
		t.Error(err)
	}
	onlyFiles(t, dir)
}

// benchFile is a context file of about n bytes.
func benchFile(n int) []byte {
	const part = "## Section\n\nSome text with `code` and a [link](http://x).\n\n- item one\n- item two\n  more of it\n\n```sh\ngo test ./...\n```\n\n"
	return bytes.Repeat([]byte(part), n/len(part)+1)
}

func BenchmarkSplice1MiB(b *testing.B) {
	src, err := Splice(benchFile(1<<20), otherBlock)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := Splice(src, testBlock); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSplice20KB(b *testing.B) {
	src, err := Splice(benchFile(20_000), otherBlock)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := Splice(src, testBlock); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRun is a whole injection from 200 items into a file of 20 KB, without
// the plug-in: every second one writes, in turn with an unchanged one.
func BenchmarkRun(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "CLAUDE.md"), benchFile(20_000), 0o644); err != nil {
		b.Fatal(err)
	}
	in := input(dir, "CLAUDE.md")
	for i := range 200 {
		in.Memory.Items = append(in.Memory.Items, item(string(rune('a'+i)), "facts", "A sentence of the usual length about `something()` that somebody decided."))
	}
	for name, change := range map[string]bool{"Written": true, "Unchanged": false} {
		b.Run(name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				if n++; change {
					in.Memory.Items[0].Content = strings.Repeat("x", n%9+1)
				}
				r, err := Run(b.Context(), in)
				if err != nil || r.Targets[0].Err != nil {
					b.Fatal(err, r.Targets)
				}
			}
		})
	}
}

// locate finds the place of a file in a work tree that is its folder.
func locate(t *testing.T, path string) *place {
	t.Helper()
	places, err := locateAll(Input{Top: filepath.Dir(path), Targets: []Target{{Path: path}}})
	if err != nil {
		t.Fatal(err)
	}
	return places[0]
}
