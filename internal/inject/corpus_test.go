package inject

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var foreignMarker = regexp.MustCompile(`(?i)<!-- (end )?auto-managed(: [a-z]+)? -->`)

// ours puts our markers in the place of another tool's, in the same case.
func ours(src []byte) []byte {
	return foreignMarker.ReplaceAllFunc(src, func(m []byte) []byte {
		word := "begin"
		if bytes.Contains(bytes.ToLower(m), []byte("end")) {
			word = "end"
		}
		if !bytes.Contains(m, []byte("AUTO")) {
			return []byte("<!-- Recollect:" + word + " -->")
		}
		return []byte("<!-- recollect:" + word + " -->")
	})
}

func TestMarkerCases(t *testing.T) {
	t.Parallel()
	dir := shared(t, "corpus/cases/13-markers")
	const replaced, appended = "replaced", "appended"
	cases := map[string]struct {
		outcome string
		lines   []int
	}{
		"valid.md": {replaced, nil}, "crlf.md": {replaced, nil}, "manual-block.md": {replaced, nil},
		"no-final-newline.md": {appended, nil}, "empty.md": {appended, nil},
		"in-code-fence.md": {appended, nil}, "foreign-tools.md": {appended, nil},
		"orphan-start.md": {"", []int{3}}, "orphan-end.md": {"", []int{4}}, "reversed.md": {"", []int{2, 4}},
		"duplicate.md": {"", []int{1, 3, 5, 7}}, "nested.md": {"", []int{1, 3, 5, 7}},
		"start-twice-one-end.md": {"", []int{1, 3, 5}}, "end-with-trailing-text.md": {"", []int{3}},
		"indented-and-case.md": {"", []int{1, 3}},
	}
	seen := 0
	for name, want := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			checkMarkerCase(t, ours(raw), want.outcome == "", want.outcome == appended, want.lines)
		})
		seen++
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(files) != seen+1 { // and expected.md
		t.Errorf("%d files in the case, %d known", len(files)-1, seen)
	}
}

func checkMarkerCase(t *testing.T, src []byte, refused, appended bool, lines []int) {
	t.Helper()
	var kept [][]byte
	for line := range bytes.Lines(src) {
		if bytes.HasPrefix(line, []byte("Keep me")) {
			kept = append(kept, line)
		}
	}
	once, err := Splice(src, testBlock)
	if refused {
		var r *Refusal
		if !errors.As(err, &r) || !slices.Equal(r.Lines, lines) {
			t.Fatalf("got %q, %v", once, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	twice, err := Splice(once, testBlock)
	if err != nil || !bytes.Equal(once, twice) {
		t.Fatalf("second run: %v\n%q\n%q", err, once, twice)
	}
	removed, err := Remove(twice)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.HasPrefix(once, src) != appended || appended && !bytes.Equal(removed, src) {
		t.Errorf("got\n%q\nremoved\n%q\nwas\n%q", once, removed, src)
	}
	for _, k := range kept {
		for _, now := range [][]byte{once, removed} {
			if !bytes.Contains(now, k) {
				t.Errorf("%q is lost in\n%q", k, now)
			}
		}
	}
	if bytes.Contains(src, []byte("\r\n")) && bytes.Count(once, []byte("\r\n")) != bytes.Count(once, []byte("\n")) {
		t.Errorf("not CRLF throughout: %q", once)
	}
	if n := bytes.Count(once, []byte("\n<!-- recollect:end -->")); n != 1 && !bytes.Contains(src, []byte("```")) {
		t.Errorf("%d blocks in\n%q", n, once)
	}
}

// Real context files of many projects: only lines are added, and removing
// gives the file back.
func TestInstructionFiles(t *testing.T) {
	t.Parallel()
	n := 0
	for _, dir := range []string{"corpus/instruction-files", "corpus/auto-managed", "corpus/puffin"} {
		err := filepath.WalkDir(shared(t, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !strings.HasSuffix(path, ".md") && !strings.HasSuffix(path, ".template") {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			n++
			for _, v := range [][]byte{
				src, bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")), append([]byte("\ufeff"), src...), bytes.TrimRight(src, "\r\n"),
			} {
				out, err := Splice(v, testBlock)
				if err != nil {
					t.Errorf("%s: %v", path, err)
					return nil
				}
				if !bytes.HasPrefix(out, v) {
					t.Errorf("%s: more than an addition", path)
				}
				checkFile(t, v)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 30 {
		t.Errorf("only %d files", n)
	}
}

// What is previewed of files that people wrote is what is written.
func TestPreviewOfRealFiles(t *testing.T) {
	t.Parallel()
	n := 0
	for _, corpus := range []string{"corpus/instruction-files", "corpus/cases/13-markers"} {
		err := filepath.WalkDir(shared(t, corpus), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !isMarkdownName(d.Name()) {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			n++
			dir := t.TempDir()
			write(t, dir, "CLAUDE.md", string(ours(text)))
			previewed(t, input(dir, "CLAUDE.md"))
			in := input(dir, "CLAUDE.md")
			in.Remove = true
			previewed(t, in)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 20 {
		t.Errorf("only %d files", n)
	}
}
