package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

// screenOf is a screen of some columns, as of a terminal.
func screenOf(w io.Writer, columns int, styled bool) *screen {
	s := newScreen(w, func(string) string { return "" })
	s.flow.columns, s.styled = columns, styled
	return s
}

var widths = []int{40, 80, 120, 200}

func TestLinesFitTheTerminal(t *testing.T) {
	t.Parallel()
	text := "Prose that is longer than a terminal of forty columns is wide, so that it has to be broken.\n" +
		"  - an item of a list whose rest stands below its beginning, wherever the line is broken; /a/path/that/is/longer/than/any/line/of/forty/columns/is.md\n" +
		"价格总是以整数分存储，从不使用浮点数，因为四舍五入会丢失分。请不要在这里使用浮点数。发票总额应按总和四舍五入。\n" +
		"\t--a-flag-is-not-broken --nor-this-one --or-that\n\n"
	for _, columns := range widths {
		var b bytes.Buffer
		s := screenOf(&b, columns, false)
		for _, r := range text { // whatever the pieces are
			fmt.Fprint(s, string(r))
		}
		pieces := b.String()
		b.Reset()
		fmt.Fprint(screenOf(&b, columns, false), text)
		for _, line := range strings.Split(b.String()+pieces, "\n") {
			if n := uniseg.StringWidth(line); n > columns {
				t.Errorf("%d columns: %q has %d", columns, line, n)
			}
			if strings.HasSuffix(line, "-") && columns > 40 {
				t.Errorf("%d columns: %q is broken within a word", columns, line)
			}
		}
		same := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if same(b.String()) != same(text) || same(pieces) != same(text) {
			t.Errorf("%d columns: the text is another one: %q", columns, b.String())
		}
		if columns == 40 && !strings.Contains(b.String(), "\n    below its beginning") {
			t.Errorf("the rest of an item stands elsewhere: %s", b.String())
		}
	}
	var b bytes.Buffer
	fmt.Fprint(newScreen(&b, func(string) string { return "" }), text)
	if b.String() != text {
		t.Errorf("no terminal: %q", b.String())
	}
}

func TestTablesFitTheTerminal(t *testing.T) {
	t.Parallel()
	headings := []string{"PROJECT", "SESSIONS", "LAST ACTIVE", "FOLDER"}
	rows := func() [][]string {
		return [][]string{
			{"shop", "3", "2026-11-20 09:00 UTC", "/home/a/very/long/way/to/the/folder/of/the/project/shop"},
			{"价格和发票的项目", "12", "–", "/srv/价格"},
			{"evil\x1b[2J\u202e", "1", "–", "/x"},
		}
	}
	for _, columns := range append([]int{10, 20}, widths...) {
		var b bytes.Buffer
		table(screenOf(&b, columns, false), headings, rows())
		for _, line := range strings.Split(b.String(), "\n") {
			if n := uniseg.StringWidth(line); n > columns {
				t.Errorf("%d columns: %q has %d", columns, line, n)
			}
		}
		if list := strings.Contains(b.String(), "FOLDER:"); list != (columns <= 40) {
			t.Errorf("%d columns: %s", columns, b.String())
		}
		if columns == 80 && !strings.Contains(b.String(), "…") || columns == 80 && !strings.Contains(b.String(), "project/shop") {
			t.Errorf("%d columns: the end of the path is lost: %s", columns, b.String())
		}
	}
	var b bytes.Buffer
	table(&b, headings, rows())
	if !strings.Contains(b.String(), "/home/a/very/long/way/to/the/folder/of/the/project/shop") || strings.Contains(b.String(), "\x1b") {
		t.Errorf("no terminal: %q", b.String())
	}
	// Columns stand below each other, whatever is in them.
	at := -1
	for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n")[1:] {
		n := uniseg.StringWidth(line[:strings.Index(line, "/")])
		if at >= 0 && n != at {
			t.Errorf("the folder stands at %d and at %d:\n%s", at, n, b.String())
		}
		at = n
	}
}

func TestStylesAreOursAlone(t *testing.T) {
	t.Parallel()
	for _, styled := range []bool{true, false} {
		var b bytes.Buffer
		s := screenOf(&b, 80, styled)
		paint(s, added, "+ \x1b[31mevil\x1b[2J")
		fmt.Fprint(s, " \x1b[1mplain\n")
		writeDiff(s, "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same\n")
		if got := strings.Contains(b.String(), "\x1b[32m+"); got != styled {
			t.Errorf("styled %t: %q", styled, b.String())
		}
		if strings.Contains(b.String(), "\x1b[31mevil") || strings.Contains(b.String(), "\x1b[2J") || strings.Contains(b.String(), "\x1b[1mplain") {
			t.Errorf("a stranger's style is passed on: %q", b.String())
		}
		// What is begun is ended before the line is.
		for _, line := range strings.Split(b.String(), "\n") {
			if open := strings.LastIndex(line, "\x1b["); open >= 0 && !strings.HasPrefix(line[open:], "\x1b[0") && !strings.HasPrefix(line[open:], "\x1b[2") {
				t.Errorf("%q goes on in the next line", line)
			}
		}
	}
}
