package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rivo/uniseg"
)

const (
	gap       = 2  // between columns
	narrowest = 10 // that a column of long texts may become
	tells     = 20 // that the last one has before others become narrower
)

// table writes rows under headings in aligned columns. On a terminal it fits: long
// cells are cut, and where that is not enough each row is a list.
func table(w io.Writer, headings []string, rows [][]string) {
	widths := make([]int, len(headings))
	for i, h := range headings {
		widths[i] = uniseg.StringWidth(h)
	}
	for _, r := range rows {
		for i := range r {
			r[i] = plain(r[i])
			widths[i] = max(widths[i], uniseg.StringWidth(r[i]))
		}
	}
	if room := columns(w); room > 0 && !fitted(widths, headings, room) {
		writeAsLists(w, headings, rows)
		return
	}
	paint(w, heading, tableLine(headings, widths))
	io.WriteString(w, "\n")
	for _, r := range rows {
		fmt.Fprintln(w, tableLine(r, widths))
	}
}

// fitted makes columns narrower until all fit, and says whether they do: first the
// last one, which tells most, then the widest of the others, and the first, which
// names what a row is of, only where it would take half the room.
func fitted(widths []int, headings []string, room int) bool {
	over := gap*(len(widths)-1) - room
	for _, n := range widths {
		over += n
	}
	last := len(widths) - 1
	for ; over > 0; over-- {
		at := -1
		for i, n := range widths {
			least := max(narrowest, uniseg.StringWidth(headings[i]))
			if i == 0 {
				least = max(least, room/2)
			}
			if n > least && (at < 0 || n > widths[at] || i == last && n > tells) {
				at = i
			}
		}
		if at < 0 {
			return false
		}
		widths[at]--
	}
	return true
}

func tableLine(cells []string, widths []int) string {
	var b strings.Builder
	for i, c := range cells {
		c = cut(c, widths[i])
		b.WriteString(c)
		if i < len(cells)-1 {
			b.WriteString(strings.Repeat(" ", widths[i]-uniseg.StringWidth(c)+gap))
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// writeAsLists writes each row as lines of a heading and a cell.
func writeAsLists(w io.Writer, headings []string, rows [][]string) {
	for i, r := range rows {
		if i > 0 {
			io.WriteString(w, "\n")
		}
		for k, cell := range r {
			if cell == "" {
				continue
			}
			if headings[k] != "" {
				paint(w, heading, headings[k]+":")
				io.WriteString(w, " ")
			}
			fmt.Fprintln(w, cell)
		}
	}
}

// cut leaves n columns of a text: the beginning of one, of a path both ends.
func cut(s string, n int) string {
	if uniseg.StringWidth(s) <= n {
		return s
	}
	end := 0
	if strings.ContainsRune(s, os.PathSeparator) && !strings.Contains(s, " ") {
		end = (n - 1) * 2 / 3 // the name is at the end
	}
	return beginning(s, n-1-end) + "…" + ending(s, end)
}

// beginning is as much of s as fits n columns.
func beginning(s string, n int) string {
	at := 0
	for rest, state := s, -1; rest != ""; {
		var one string
		var width int
		if one, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state); width > n {
			break
		}
		n -= width
		at += len(one)
	}
	return s[:at]
}

// ending is as much of the end of s as fits n columns.
func ending(s string, n int) string {
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if from, _ := g.Positions(); uniseg.StringWidth(s[from:]) <= n {
			return s[from:]
		}
	}
	return ""
}
