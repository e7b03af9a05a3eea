package inject

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

const (
	testBlock  = "## Branch Memory (auto-extracted)\n\n### Conventions\n\n- Use tabs.\n"
	otherBlock = "## Branch Memory (auto-extracted)\n\n### Bug Patterns\n\n- Windows: a\n- Paths: b\n"
)

// framed is the block as it stands in a file.
func framed(gap int, flags, block, eol string) string {
	note := "; written by Recollect: changes between these lines are replaced -->"
	s := "<!-- recollect:begin gap=" + string(rune('0'+gap)) + flags + note + "\n\n" + block + "\n<!-- recollect:end -->\n"
	return strings.ReplaceAll(s, "\n", eol)
}

func TestSpliceAdds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src, want string
	}{
		{"empty", "", framed(0, "", testBlock, "\n")},
		{"byte order mark only", "\ufeff", "\ufeff" + framed(0, "", testBlock, "\n")},
		{"one line", "a\n", "a\n\n" + framed(1, "", testBlock, "\n")},
		{"blank line at the end", "a\n\n", "a\n\n" + framed(0, "", testBlock, "\n")},
		{"space line at the end", "a\n \t\n", "a\n \t\n" + framed(0, "", testBlock, "\n")},
		{"no final newline", "a\nb", "a\nb\n\n" + framed(2, "", testBlock, "\n")},
		{"CRLF", "a\r\nb\r\n", "a\r\nb\r\n\r\n" + framed(1, "", testBlock, "\r\n")},
		{"CRLF, no final newline", "a\r\nb", "a\r\nb\r\n\r\n" + framed(2, "", testBlock, "\r\n")},
		{"mostly CRLF", "a\r\nb\r\nc\n", "a\r\nb\r\nc\n\r\n" + framed(1, "", testBlock, "\r\n")},
		{"tie", "a\r\nb\n", "a\r\nb\n\n" + framed(1, "", testBlock, "\n")},
		{"carriage return at the end", "a\n\r", "a\n\r\n\n" + framed(2, "", testBlock, "\n")},
		{"open list", "- a\n  - b\n", "- a\n  - b\n\n" + framed(1, "", testBlock, "\n")},
		{"open quote", "> a\n", "> a\n\n" + framed(1, "", testBlock, "\n")},
		{"open div", "<div>\na\n", "<div>\na\n\n" + framed(1, "", testBlock, "\n")},
		{"fence left open in a list", "- a\n  ```\n  b\n", "- a\n  ```\n  b\n\n" + framed(1, "", testBlock, "\n")},
		{"markers in a fence", "```\n<!-- recollect:begin -->\n```\n", "```\n<!-- recollect:begin -->\n```\n\n" + framed(1, "", testBlock, "\n")},
		{"markers in indented code", "a\n\n    <!-- recollect:begin -->\n", "a\n\n    <!-- recollect:begin -->\n\n" + framed(1, "", testBlock, "\n")},
		{"markers in a comment", "<!-- a\n<!-- recollect:begin -->\n", "<!-- a\n<!-- recollect:begin -->\n\n" + framed(1, "", testBlock, "\n")},
		{"marker in a code span", "`<!-- recollect:end -->`\n", "`<!-- recollect:end -->`\n\n" + framed(1, "", testBlock, "\n")},
		{"marker amid a line", "see <!-- recollect:end -->\n", "see <!-- recollect:end -->\n\n" + framed(1, "", testBlock, "\n")},
		{"markers in <pre>", "<pre>\n<!-- recollect:end -->\n</pre>\n", "<pre>\n<!-- recollect:end -->\n</pre>\n\n" + framed(1, "", testBlock, "\n")},
		{"longer word", "<!-- recollect:beginning -->\n", "<!-- recollect:beginning -->\n\n" + framed(1, "", testBlock, "\n")},
		{"other tools", "<!-- puffin:begin -->\n<!-- END AUTO-MANAGED -->\n", "<!-- puffin:begin -->\n<!-- END AUTO-MANAGED -->\n\n" + framed(1, "", testBlock, "\n")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checkLaws(t, []byte(tt.src))
			got, err := Splice([]byte(tt.src), testBlock)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got\n%q\nwant\n%q", got, tt.want)
			}
		})
	}
}

// checkLaws checks what must hold for any file: a refusal has no result, and
// for a file without a block, injecting twice is injecting once, changing the
// block in between makes no difference, and removing gives the file back.
func checkLaws(t *testing.T, src []byte) {
	t.Helper()
	before := bytes.Clone(src)
	once, err := Splice(src, testBlock)
	if !bytes.Equal(src, before) {
		t.Fatalf("Splice changed its input")
	}
	if err != nil {
		var r *Refusal
		if !errors.As(err, &r) || r.Reason == "" || r.Problem == "" || once != nil {
			t.Fatalf("refused with %q and %v", once, err)
		}
		return
	}
	twice, err := Splice(once, testBlock)
	if err != nil || !bytes.Equal(twice, once) {
		t.Fatalf("second time: %v\n%q\nfirst\n%q", err, twice, once)
	}
	hadBlock := !bytes.HasPrefix(once, src)
	if f, _ := read(src); f.pair != nil {
		hadBlock = true
	}
	if hadBlock {
		return
	}
	other, err := Splice(once, otherBlock)
	if err != nil {
		t.Fatal(err)
	}
	for _, injected := range [][]byte{once, other} {
		back, err := Remove(injected)
		if err != nil || !bytes.Equal(back, src) {
			t.Fatalf("removed: %v\n%q\nwas\n%q\ninjected\n%q", err, back, src, injected)
		}
	}
	again, err := Splice(other, testBlock)
	if err != nil || !bytes.Equal(again, once) {
		t.Fatalf("there and back: %v\n%q\nwas\n%q", err, again, once)
	}
}

func TestSpliceReplaces(t *testing.T) {
	t.Parallel()
	const bare = "<!-- recollect:begin -->\n- old\n<!-- recollect:end -->\n"
	tests := []struct {
		name, src, want, removed string
	}{
		{"alone", bare, framed(0, "", testBlock, "\n"), ""},
		{"between", "a\n\n" + bare + "b\n", "a\n\n" + framed(0, "", testBlock, "\n") + "b\n", "a\n\nb\n"},
		{"no newline after it", "a\n" + strings.TrimSuffix(bare, "\n"), "a\n" + framed(0, "", testBlock, "\n"), "a\n"},
		{"the rest is CRLF", "a\r\n" + bare + "b\r\n", "a\r\n" + framed(0, "", testBlock, "\r\n") + "b\r\n", "a\r\nb\r\n"},
		{"only the block, CRLF", strings.ReplaceAll(bare, "\n", "\r\n"), framed(0, "", testBlock, "\r\n"), ""},
		{"blanks after the markers", "<!-- recollect:begin --> \n<!-- recollect:end -->\t\nb\n", framed(0, "", testBlock, "\n") + "b\n", "b\n"},
		{"in another tag", "<details>\n" + bare + "</details>\n", "<details>\n" + framed(0, "", testBlock, "\n") + "</details>\n", "<details>\n</details>\n"},
		{"directly after a paragraph", "a\n" + bare, "a\n" + framed(0, "", testBlock, "\n"), "a\n"},
		{"created file", framed(0, " new", otherBlock, "\n"), framed(0, " new", testBlock, "\n"), ""},
		{"unknown attributes", "a\n\n<!-- recollect:begin gap=1 gap=9 x=y -->\n<!-- recollect:end -->\n", "a\n\n" + framed(1, "", testBlock, "\n"), "a\n"},
		{"by-hand part", "a\n\n<!-- recollect:begin gap=1 -->\n- a\n<!-- MANUAL -->\nkeep\n<!-- END MANUAL -->\n<!-- recollect:end -->\n",
			"a\n\n" + framed(1, "", testBlock+"\n<!-- MANUAL -->\nkeep\n<!-- END MANUAL -->\n", "\n"), "a\n<!-- MANUAL -->\nkeep\n<!-- END MANUAL -->\n"},
		{"markers in a fence of the block", "<!-- recollect:begin -->\n```\n<!-- recollect:end -->\n```\n<!-- recollect:end -->\n", framed(0, "", testBlock, "\n"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checkLaws(t, []byte(tt.src))
			got, err := Splice([]byte(tt.src), testBlock)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got\n%q\nwant\n%q", got, tt.want)
			}
			for _, src := range []string{tt.src, tt.want} {
				removed, err := Remove([]byte(src))
				if err != nil || string(removed) != tt.removed {
					t.Errorf("removed from\n%q\ngot  %q, %v\nwant %q", src, removed, err, tt.removed)
				}
			}
		})
	}
}

// What a person does around the block stays when the block goes.
func TestRemoveAfterEdits(t *testing.T) {
	t.Parallel()
	inject := func(s string) string {
		out, err := Splice([]byte(s), testBlock)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	tests := []struct{ name, edited, want string }{
		{"text after", inject("a\n") + "b\n", "a\nb\n"},
		{"text after a file without final newline", inject("a") + "b", "a\nb"},
		{"text before", "b\n" + inject("a\n"), "b\na\n"},
		{"gap taken away", strings.Replace(inject("a\n"), "\n\n<!--", "\n<!--", 1), "a\n"},
		{"gap doubled", strings.Replace(inject("a\n"), "\n\n<!--", "\n\n\n<!--", 1), "a\n\n"},
		{"line added before", strings.Replace(inject("a\n"), "<!--", "b\n\n<!--", 1), "a\n\nb\n"},
		{"text taken away", strings.TrimPrefix(inject("a\n"), "a\n"), "\n"},
		{"turned to CRLF", strings.ReplaceAll(inject("a\nb"), "\n", "\r\n"), "a\r\nb"},
		{"moved to the top", func() string { s := inject("a\nb\n"); return s[len("a\nb\n\n"):] + "a\nb\n" }(), "a\nb\n"},
		{"last newline stripped", strings.TrimSuffix(inject("a\n"), "\n"), "a\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Remove([]byte(tt.edited))
			if err != nil || string(got) != tt.want {
				t.Errorf("removed from\n%q\ngot  %q, %v\nwant %q", tt.edited, got, err, tt.want)
			}
			checkLaws(t, []byte(tt.edited))
		})
	}
}

func TestSpliceRefuses(t *testing.T) {
	t.Parallel()
	const b, e = "<!-- recollect:begin -->\n", "<!-- recollect:end -->\n"
	tests := []struct {
		name, src string
		problem   Problem
		lines     []int
	}{
		{"orphan begin", "a\n" + b + "c\n", BrokenMarkers, []int{2}},
		{"orphan end", "a\n\n" + e, BrokenMarkers, []int{3}},
		{"reversed", e + "a\n" + b, BrokenMarkers, []int{1, 3}},
		{"two blocks", b + e + b + e, BrokenMarkers, []int{1, 2, 3, 4}},
		{"nested", b + b + e + e, BrokenMarkers, []int{1, 2, 3, 4}},
		{"begin twice", b + "x\n" + b + e, BrokenMarkers, []int{1, 3, 4}},
		{"text after a marker", b + "<!-- recollect:end --> do not edit\n", BrokenMarkers, []int{2}},
		{"two markers on a line", "<!-- recollect:begin --><!-- recollect:end -->\n", BrokenMarkers, []int{1}},
		{"indented", "  " + b + e, BrokenMarkers, []int{1}},
		{"other case", "<!-- Recollect:Begin -->\n" + e, BrokenMarkers, []int{1}},
		{"no blank", "<!--recollect:begin-->\n" + e, BrokenMarkers, []int{1}},
		{"over two lines", "<!-- recollect:begin\n-->\n" + e, BrokenMarkers, []int{1}},
		{"in a list", "- a\n\n  " + b + e, BrokenMarkers, []int{3}},
		{"in a quote", "> " + b + e, BrokenMarkers, []int{1}},
		{"end in an open fence", b + "```\n" + e, BrokenMarkers, []int{1}},
		{"with a byte order mark", "\ufeffa\n" + b, BrokenMarkers, []int{2}},
		{"CRLF", "a\r\n<!-- recollect:begin -->\r\n", BrokenMarkers, []int{2}},
		{"open by-hand part", b + "<!-- MANUAL -->\nx\n" + e, BrokenMarkers, []int{2}},
		{"end of a by-hand part alone", b + "x\n<!-- END MANUAL -->\n" + e, BrokenMarkers, []int{3}},
		{"by-hand parts nested", b + "<!-- MANUAL -->\n<!-- MANUAL -->\n<!-- END MANUAL -->\n" + e, BrokenMarkers, []int{3}},
		{"open fence", "a\n\n```go\nx\n", OpenBlock, []int{3}},
		{"empty open fence", "a\n~~~", OpenBlock, []int{2}},
		{"open comment", "a\n<!-- b\n\nc\n", OpenBlock, []int{2}},
		{"open script", "<script>\nx\n", OpenBlock, []int{1}},
		{"UTF-16", "\xff\xfea\x00", NotText, nil},
		{"UTF-16, big end first", "\xfe\xff\x00a", NotText, nil},
		{"NUL", "a\nb\x00", NotText, []int{2}},
		{"Latin-1", "a\n\xe9t\xe9\n", NotText, []int{2}},
		{"too large", strings.Repeat("a", MaxFile+1), TooLarge, nil},
		{"lists nested too deep", "a\n" + strings.Repeat(" ", 300) + "- b\n", TooDeep, []int{2}},
		{"nested too deep", "a\n" + strings.Repeat("> ", 1000) + "b\n", TooDeep, []int{2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Splice([]byte(tt.src), testBlock)
			var r *Refusal
			if !errors.As(err, &r) || r.Problem != tt.problem || !slices.Equal(r.Lines, tt.lines) || got != nil {
				t.Errorf("got %.100q, %#v", got, err)
			}
			if r != nil && tt.problem != OpenBlock { // taking a block out of such a file is safe
				if got, err := Remove([]byte(tt.src)); err == nil {
					t.Errorf("Remove gave %.100q", got)
				}
			}
		})
	}
}

func TestIsOnlyOurs(t *testing.T) {
	t.Parallel()
	fresh := string(Create(testBlock))
	tests := []struct {
		name, src string
		want      bool
	}{
		{"as created", fresh, true},
		{"space around", "\n" + fresh + " \n", true},
		{"with another's text", fresh + "a\n", false},
		{"empty before", framed(0, "", testBlock, "\n"), false},
		{"with a by-hand part", strings.Replace(fresh, "<!-- recollect:end", "<!-- MANUAL -->\n<!-- END MANUAL -->\n<!-- recollect:end", 1), false},
		{"no block", "", false},
		{"broken", "<!-- recollect:begin new -->\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := IsOnlyOurs([]byte(tt.src)); got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestRefusalMessage(t *testing.T) {
	t.Parallel()
	r := &Refusal{Path: "CLAUDE.md", Lines: []int{3, 5, 9}, Reason: "broken"}
	if got, want := r.Error(), "CLAUDE.md:3: broken (also line 5, 9)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r = &Refusal{Lines: []int{3}, Reason: "broken"}
	if got, want := r.Error(), "line 3: broken"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
