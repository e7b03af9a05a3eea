package cli

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// flow breaks lines between words so that they fit the columns of a terminal; the
// rest of a line stands below its beginning, or below what two spaces set off from a
// name. What comes without a line ending is
// passed on at once.
type flow struct {
	to      io.Writer
	columns int // 0: lines stay as they are

	at, indent int
	begun      bool // the line has more than spaces
	spaces     int  // that came last
	hung       bool // the rest stands below what is set off
}

// Write implements io.Writer.
func (f *flow) Write(p []byte) (int, error) {
	if f.columns == 0 {
		return f.to.Write(p)
	}
	var out bytes.Buffer
	for s := string(p); s != ""; {
		s = s[f.next(&out, s):]
	}
	if _, err := f.to.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// next takes what s begins with, and says how long that is.
func (f *flow) next(out *bytes.Buffer, s string) int {
	switch s[0] {
	case '\n', '\r':
		out.WriteByte(s[0])
		f.at, f.indent, f.begun, f.spaces, f.hung = 0, 0, false, 0, false
		return 1
	case ' ', '\t':
		if f.at < f.columns {
			out.WriteByte(' ')
			f.at++
		}
		f.spaces++
		if !f.begun {
			f.indent = min(f.at, f.columns/2)
		}
		return 1
	case '\x1b':
		n := sequence(s)
		out.WriteString(s[:n])
		return n
	}
	n := strings.IndexAny(s, " \t\n\r\x1b")
	if n < 0 {
		n = len(s)
	}
	f.word(out, s[:n])
	return n
}

// sequence is the length of the style that s begins with.
func sequence(s string) int {
	if end := strings.IndexByte(s, 'm'); end >= 0 {
		return end + 1
	}
	return len(s)
}

func (f *flow) word(out *bytes.Buffer, word string) {
	if !f.begun && uniseg.StringWidth(word) == 1 && strings.ContainsAny(word, "-+~!>*#") {
		f.indent = min(f.indent+2, f.columns/2)
	}
	if f.begun && f.spaces > 1 && !f.hung && f.at <= f.columns/2 {
		f.indent, f.hung = f.at, true
	}
	f.spaces = 0
	wide := uniseg.StringWidth(word) > utf8.RuneCountInString(word)
	if f.put(out, word, !wide) {
		return
	}
	// A word of a language that breaks within words, or one longer than a line.
	for state := -1; word != ""; {
		var piece string
		if wide {
			piece, word, _, state = uniseg.FirstLineSegmentInString(word, state)
		} else {
			piece, word, _, state = uniseg.FirstGraphemeClusterInString(word, state)
		}
		if !f.put(out, piece, true) {
			out.WriteString(piece)
			f.at += uniseg.StringWidth(piece)
		}
	}
}

// put writes a piece if it fits the line, or, where that may be, the next one.
func (f *flow) put(out *bytes.Buffer, piece string, below bool) bool {
	n := uniseg.StringWidth(piece)
	if f.at+n > f.columns {
		if !below || f.indent+n > f.columns {
			return false
		}
		out.WriteString("\n" + strings.Repeat(" ", f.indent))
		f.at = f.indent
	}
	out.WriteString(piece)
	f.at += n
	f.begun = true
	return true
}
