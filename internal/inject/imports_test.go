package inject

import (
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/safefile"
)

func TestRunImports(t *testing.T) {
	t.Parallel()
	blocksIn := func(t *testing.T, dir string) (n int) {
		names, err := entries(safefile.Beneath(dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			n += strings.Count(contents(t, dir, name), EndMarker)
		}
		return n
	}
	tests := []struct {
		name    string
		files   map[string]string
		targets []string
		written string
		reason  string // of those that are skipped
	}{
		{"the shim alone is asked for", map[string]string{"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": "a\n"}, []string{"CLAUDE.md"}, "CLAUDE.md", ""},
		{"both, the shim first", map[string]string{"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": "a\n"}, []string{"CLAUDE.md", "AGENTS.md"}, "AGENTS.md", "imports"},
		{"both, the shim last", map[string]string{"CLAUDE.md": "# x\nSee @./AGENTS.md.\n", "AGENTS.md": "a\n"}, []string{"AGENTS.md", "CLAUDE.md"}, "AGENTS.md", "imports"},
		{"over another file", map[string]string{"CLAUDE.md": "@a.md\n", "a.md": "@AGENTS.md\n", "AGENTS.md": "a\n"}, []string{"CLAUDE.md", "AGENTS.md"}, "AGENTS.md", "imports"},
		{"a file that is not there yet", map[string]string{"CLAUDE.md": "@AGENTS.md\n"}, []string{"CLAUDE.md", "AGENTS.md"}, "AGENTS.md", "imports"},
		{"each other", map[string]string{"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": "@CLAUDE.md\n"}, []string{"CLAUDE.md", "AGENTS.md"}, "CLAUDE.md", "imports"},
		{"has it already", map[string]string{"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": string(Create(testBlock))}, []string{"CLAUDE.md"}, "AGENTS.md", "has the block already"},
		{"the importer has it already", map[string]string{"CLAUDE.md": "@AGENTS.md\n" + string(Create(testBlock)), "AGENTS.md": "a\n"}, []string{"AGENTS.md"}, "CLAUDE.md", "has the block already"},
		{"the same file twice", map[string]string{"CLAUDE.md": "a\n"}, []string{"CLAUDE.md", "claude.md"}, "CLAUDE.md", "the same file"},
		{"a link as text", map[string]string{"CLAUDE.md": "AGENTS.md", "AGENTS.md": "a\n"}, []string{"CLAUDE.md", "AGENTS.md"}, "AGENTS.md", "has the block"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range tt.files {
				write(t, dir, name, text)
			}
			in := input(dir, tt.targets...)
			for range 2 {
				for _, r := range runAll(t, in) {
					if base := filepath.Base(r.Path); base != tt.written {
						want(t, r, Skipped, tt.reason)
					} else if r.Outcome != Written && r.Outcome != Unchanged {
						want(t, r, Written, "")
					}
				}
				if n := blocksIn(t, dir); n != 1 || !strings.Contains(contents(t, dir, tt.written), EndMarker) {
					t.Errorf("%d blocks; %s holds %q", n, tt.written, contents(t, dir, tt.written))
				}
			}
		})
	}
	t.Run("not imports", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, "CLAUDE.md", "`@AGENTS.md` me@AGENTS.md\n\n```\n@AGENTS.md\n```\n<!-- @AGENTS.md -->\n")
		write(t, dir, "AGENTS.md", "a\n")
		for _, r := range runAll(t, input(dir, "CLAUDE.md", "AGENTS.md")) {
			want(t, r, Written, "")
		}
	})
	t.Run("a stale block in the shim goes", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, "CLAUDE.md", "@AGENTS.md\n\n"+framed(1, "", otherBlock, "\n"))
		write(t, dir, "AGENTS.md", "a\n")
		r := runAll(t, input(dir, "CLAUDE.md", "AGENTS.md"))
		want(t, r[0], TakenOut, "imports")
		want(t, r[1], Written, "")
		if contents(t, dir, "CLAUDE.md") != "@AGENTS.md\n" {
			t.Errorf("got %q", contents(t, dir, "CLAUDE.md"))
		}
	})
	t.Run("a link as text alone", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, "CLAUDE.md", "AGENTS.md")
		write(t, dir, "AGENTS.md", "a\n")
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Refused, "checked out as text")
	})
}
