// Package unmerged finds the marks that git leaves in a file where it could not
// bring two sides of a merge together.
package unmerged

import (
	"bytes"
	"slices"
	"strings"
)

// Hunk is one place where two sides differ. Lines count from 0 and the marks are
// part of the hunk. Base is where the mark of the text that both began with stands,
// which git writes in its diff3 style; without it, it is Middle.
type Hunk struct{ From, Base, Middle, To int }

// mark is how long git's marks are. Those in the text that both sides began with may
// be longer, and are none of ours.
const mark = 7

// kindOf gives the character that a line is a mark of, 0 if it is none.
func kindOf(line string) byte {
	line = strings.TrimRight(line, "\r\n")
	if len(line) < mark || strings.IndexByte("<|=>", line[0]) < 0 || strings.Trim(line[:mark], line[:1]) != "" {
		return 0
	}
	if len(line) > mark && (line[0] == '=' || line[mark] != ' ') {
		return 0
	}
	return line[0]
}

// Mark says that a line, with or without its ending, is one that git writes around
// the sides of a merge. One by itself may be text: "=======" underlines a heading.
func Mark(line []byte) bool {
	if len(line) < mark || strings.IndexByte("<|=>", line[0]) < 0 {
		return false
	}
	return kindOf(string(line)) != 0
}

// Find gives the outermost hunks among lines, ascending. Marks that are not whole, as
// a lone "=======", are text.
func Find(lines []string) []Hunk {
	var out, open []Hunk
	for i, line := range lines {
		k := kindOf(line)
		if k == '<' {
			open = append(open, Hunk{From: i, Base: -1, Middle: -1})
			continue
		}
		if k == 0 || len(open) == 0 {
			continue
		}
		top := &open[len(open)-1]
		switch {
		case k == '|' && top.Base < 0 && top.Middle < 0:
			top.Base = i
		case k == '=' && top.Middle < 0:
			top.Middle = i
		case k == '>' && top.Middle >= 0:
			h := *top
			open = open[:len(open)-1]
			if h.To = i + 1; h.Base < 0 {
				h.Base = h.Middle
			}
			out = slices.DeleteFunc(out, func(in Hunk) bool { return in.From > h.From })
			out = append(out, h)
		}
	}
	return out
}

// Sides gives both sides of a text as git had them, and the line of the first mark,
// from 1; 0 says that there is none, and then both are the text.
func Sides(text []byte) (ours, theirs []byte, line int) {
	if !bytes.Contains(text, []byte("<<<<<<<")) {
		return text, text, 0
	}
	lines := slices.Collect(strings.Lines(string(text)))
	hunks := Find(lines)
	if len(hunks) == 0 {
		return text, text, 0
	}
	at := 0
	for _, h := range hunks {
		same := strings.Join(lines[at:h.From], "")
		ours = append(append(ours, same...), strings.Join(h.Ours(lines), "")...)
		theirs = append(append(theirs, same...), strings.Join(h.Theirs(lines), "")...)
		at = h.To
	}
	same := strings.Join(lines[at:], "")
	return append(ours, same...), append(theirs, same...), hunks[0].From + 1
}

// Ours gives the lines of a hunk's first side. Marks of a merge within one, which
// somebody committed, are not among them: both of its sides are that side's.
func (h Hunk) Ours(lines []string) []string { return unmarked(lines[h.From+1 : h.Base]) }

// Theirs is Ours of the other side.
func (h Hunk) Theirs(lines []string) []string { return unmarked(lines[h.Middle+1 : h.To-1]) }

func unmarked(lines []string) []string {
	var out []string
	at := 0
	for _, h := range Find(lines) {
		out = append(out, lines[at:h.From]...)
		out = append(append(out, h.Ours(lines)...), h.Theirs(lines)...)
		at = h.To
	}
	return append(out, lines[at:]...)
}
