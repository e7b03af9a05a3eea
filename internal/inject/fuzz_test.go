package inject

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// parts are what random files are made of: all that may hide, break or look
// like a marker.
var parts = []string{
	"<!-- recollect:begin -->\n", "<!-- recollect:end -->\n", "<!-- recollect:begin gap=1 -->\n", "<!-- recollect:begin gap=2 new -->\n",
	"<!-- recollect:begin\n", "-->\n", "<!--\n", "<!-- MANUAL -->\n", "<!-- END MANUAL -->\n", "  ", "    ", "\t", "> ", "- ", "1. ",
	"```\n", "~~~\n", "````md\n", "text\n", "text", "\n", "\n\n", "\r\n", "\r", "# h\n", "<div>\n", "</div>\n", "<pre>\n", "</pre>\n", "<script>", "<?x\n", "<![CDATA[\n", "]]>\n",
	"[a]: b\n", "===\n", "---\n", "`", "\\", "é", "\ufeff", "| a |\n|---|\n", "* * *\n", "<x>\n", "&lt;", "<!-->", "Recollect:Begin",
	testBlock, string(Create(testBlock)), framed(2, "", otherBlock, "\r\n"),
}

func FuzzSplice(f *testing.F) {
	for _, s := range parts {
		f.Add([]byte(s))
		f.Add([]byte("a\n" + s + "b"))
	}
	for _, s := range []string{"", "\xff\xfe", "a\x00", "```\n<!-- recollect:begin -->\n```\n<!-- recollect:end -->", "- a\n\n  ```\n<!-- recollect:end -->"} {
		f.Add([]byte(s))
	}
	f.Fuzz(checkFile)
}

func TestSpliceRandomFiles(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		var b strings.Builder
		for range r.IntN(9) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		checkFile(t, []byte(b.String()))
	}
}

// checkFile checks the laws, and that nothing but the block changes.
func checkFile(t *testing.T, src []byte) {
	t.Helper()
	checkLaws(t, src)
	checkScan(t, src)
	f, err := read(src)
	if err != nil {
		return
	}
	before, after := src, []byte(nil)
	if f.pair != nil {
		before, after = src[:len(f.mark)+f.pair.begin.start], src[len(f.mark)+f.pair.end.end:]
	}
	out, err := Splice(src, testBlock)
	if err == nil && (!bytes.HasPrefix(out, before) || !bytes.HasSuffix(out, after)) {
		t.Fatalf("bytes around the block changed:\n%q\n%q", src, out)
	}
	if err == nil && !strings.Contains(strings.ReplaceAll(string(out), "\r\n", "\n"), "\n"+testBlock+"\n") {
		t.Fatalf("the block is not in\n%q", out)
	}
	gone, err := Remove(src)
	if err != nil {
		t.Fatal(err)
	}
	if f.pair == nil {
		if !bytes.Equal(gone, src) {
			t.Fatalf("Remove changed a file without a block:\n%q\n%q", src, gone)
		}
		return
	}
	if !bytes.HasSuffix(gone, after) || len(gone) < len(before)+len(after)-4 || !bytes.HasPrefix(gone, before[:max(0, len(before)-4)]) {
		t.Fatalf("Remove took more than the block:\n%q\n%q", src, gone)
	}
	for _, m := range f.pair.manual {
		if !bytes.Contains(gone, f.text[m.start:m.end]) || !bytes.Contains(out, f.text[m.start:m.end]) {
			t.Fatalf("a by-hand part is lost:\n%q\n%q", src, gone)
		}
	}
}

var markerWord = regexp.MustCompile(`^<!-- recollect:(?:begin|end)(?:-->|[^-\w])`)

// checkScan compares the markers that look finds with what a complete Markdown
// parser takes for comments of their own.
func checkScan(t *testing.T, src []byte) {
	t.Helper()
	src = bytes.TrimPrefix(src, byteOrderMark)
	if checkText(src) != nil {
		return
	}
	s := look(src)
	got := map[int]bool{}
	for _, m := range append(s.begins, s.ends...) {
		got[m.start] = true
	}
	want := map[int]bool{}
	_ = ast.Walk(goldmark.New().Parser().Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		h, ok := n.(*ast.HTMLBlock)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		for i := range h.Lines().Len() {
			at := h.Lines().At(i)
			line := string(at.Value(src))
			comment := h.HTMLBlockType == ast.HTMLBlockType2 && i == 0 || h.HTMLBlockType >= ast.HTMLBlockType6
			marker := markerWord.MatchString(line)
			alone := strings.HasSuffix(strings.TrimRight(line, " \t\r\n"), "-->") && strings.Count(line, "-->") == 1
			if comment && marker && alone && (at.Start == 0 || src[at.Start-1] == '\n') {
				want[at.Start] = true
			}
		}
		return ast.WalkContinue, nil
	})
	for at := range want {
		if !got[at] {
			t.Fatalf("marker at %d not found in %q", at, src)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("markers at %v, want %v, in %q", got, want, src)
	}
}

// shared finds a folder of test data beside the repository.
func shared(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	path := filepath.Join(dir, "..", "shared", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no ../shared/%s beside the repository", name)
	}
	return path
}
