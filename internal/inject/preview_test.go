package inject

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// previewed runs in as a preview, then for real, and checks that each file is as
// the preview said, byte for byte, and that a second run finds nothing to do.
func previewed(t *testing.T, in Input) []Result {
	t.Helper()
	held := func(path string) (string, bool) {
		b, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", false // a folder or a broken link
		}
		return string(b), true
	}
	for i, target := range in.Targets {
		in.Targets[i].Path = filepath.Clean(target.Path)
	}
	dry := in
	dry.DryRun, dry.Texts = true, true
	var before []string
	for _, target := range in.Targets {
		text, _ := held(target.Path)
		before = append(before, text)
	}
	said := runAll(t, dry)
	for i, r := range said {
		if text, _ := held(r.Path); text != before[i] {
			t.Fatalf("%s: the preview changed the file", r.Path)
		}
		if r.Diff != "" {
			t.Errorf("%s: a diff beside the texts", r.Path)
		}
	}
	for i, done := range runAll(t, in) {
		p := said[i]
		if done.Outcome != p.Outcome || done.Reason != p.Reason || done.Created != p.Created || done.Deleted != p.Deleted || done.File != p.File {
			t.Errorf("%s: %+v, but the preview said %+v", done.Path, done, p)
		}
		if done.Before != "" || done.After != "" {
			t.Errorf("%s: texts without being asked", done.Path)
		}
		switch p.Outcome {
		case Refused, Skipped, Failed:
			if p.Before != "" || p.After != "" {
				t.Errorf("%s: texts of one that is %s", p.Path, p.Outcome)
			}
			continue
		}
		text, ok := held(done.Path)
		if ok && p.Before != before[i] && (p.Outcome == Written || p.Outcome == TakenOut || p.Outcome == Unchanged) {
			t.Errorf("%s: before\n%q\nsaid\n%q", p.Path, before[i], p.Before)
		}
		if ok && p.After != text && (p.Outcome != Nothing || p.After != "") {
			t.Errorf("%s: %s\n%q\nbut the preview said\n%q", p.Path, p.Outcome, text, p.After)
		}
	}
	return said
}

func TestPreviewIsWhatIsWritten(t *testing.T) {
	t.Parallel()
	const begin, end = "<!-- recollect:begin -->\n", "<!-- recollect:end -->\n"
	for name, text := range map[string]string{
		"empty":            "",
		"no last newline":  "# Rules",
		"BOM":              "\ufeff# Rules\n",
		"CRLF":             "# Rules\r\n\r\n- a\r\n",
		"mixed endings":    "a\r\nb\nc\r",
		"a block":          "a\n\n" + begin + "old\n" + end + "b\n",
		"CRLF block":       "a\r\n" + strings.ReplaceAll(begin+"old\n"+end, "\n", "\r\n") + "b\r\n",
		"by hand":          begin + "old\n<!-- MANUAL -->\nmine\n<!-- END MANUAL -->\n" + end,
		"only ours":        string(Create("old")),
		"half a block":     "a\n" + begin + "old\n",
		"two blocks":       begin + end + begin + end,
		"open fence":       "```\na\n",
		"marker in a code": "```\n" + begin + end + "```\n",
		"UTF-16":           "\xff\xfea\x00",
		"NUL":              "a\x00b\n",
		"not UTF-8":        "\xc3\x28\n",
	} {
		for _, remove := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				write(t, dir, "CLAUDE.md", text)
				in := input(dir, "CLAUDE.md", "NEW.md", "no/folder.md")
				in.Remove = remove
				previewed(t, in)
				if !remove {
					want(t, previewed(t, in)[1], Unchanged, "")
				}
			})
		}
	}
}

// What is random is which of three files reads which, and what is in them.
func TestPreviewOfRandomFiles(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	pieces := append([]string{"@A.md\n", "@B.md\n", "@./C.md\n", "see @B.md for more\n"}, parts...)
	for range 300 {
		dir := t.TempDir()
		names := []string{"A.md", "B.md", "C.md"}
		for _, n := range names {
			if r.IntN(4) == 0 {
				continue
			}
			var b strings.Builder
			for range r.IntN(7) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
			write(t, dir, n, b.String())
		}
		in := input(dir, names[:1+r.IntN(3)]...)
		in.Remove = r.IntN(4) == 0
		if r.IntN(5) == 0 {
			in.Memory.Items = nil
		}
		previewed(t, in)
	}
}
