// Package printable makes what a stranger wrote fit for a sentence, a list or a
// log of ours: names of files, plug-ins and their parts, messages, errors. It is
// to be called where such a text comes in.
package printable

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Quote is a name from outside in a message: in quotes, in one printable line,
// at most n characters of it. What can't be seen, or could pass for something
// else, is written as an escape.
func Quote(s string, n int) string {
	s, cut := firstRunes(s, n)
	var b strings.Builder
	b.WriteByte('"')
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == utf8.RuneError && size == 1 || !Rune(r):
			b.WriteString(strings.Trim(strconv.QuoteToASCII(s[:size]), `"`))
		default:
			b.WriteRune(r)
		}
		s = s[size:]
	}
	if cut {
		b.WriteString("…")
	}
	b.WriteByte('"')
	return b.String()
}

// Line is a text from outside in a message or a list: one printable line of at
// most n characters. Lines are joined by blanks, and what can't be seen is left
// out.
func Line(s string, n int) string {
	return line(s, n, false)
}

// Lines is Line for texts of several lines, which stay.
func Lines(s string, n int) string {
	return line(s, n, true)
}

func line(s string, n int, lines bool) string {
	s, cut := firstRunes(s, n)
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s { // what is not UTF-8 comes as RuneError
		switch {
		case (r == '\n' || r == '\t') && lines || Rune(r):
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		}
	}
	if cut {
		b.WriteString("…")
	}
	return b.String()
}

// firstRunes gives the first n runes of s, and whether there are more.
func firstRunes(s string, n int) (string, bool) {
	for i := range s {
		if n == 0 {
			return s[:i], true
		}
		n--
	}
	return s, false
}

// Name holds for the runes that a name of a file may have: those of [Rune]
// without the joiners.
func Name(r rune) bool {
	return Rune(r) && r != '\u200c' && r != '\u200d' && r != '\ufe0f' && r != utf8.RuneError
}

// Rune holds for what shows as itself in a line: no control characters, no
// marks of direction or without width, no blank but the usual one. The joiners
// that scripts and emoji need are let through.
func Rune(r rune) bool {
	switch {
	case r >= ' ' && r < 0x7f, r == '\u200c', r == '\u200d', r == '\ufe0f', r == utf8.RuneError:
		return true
	case r < 0xa0, r >= '\ufe00' && r <= '\ufe0e', r >= 0xe0100 && r <= 0xe01ef:
		return false
	}
	switch r {
	case '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u3164', '\uffa0': // letters and marks that show as nothing
		return false
	}
	return unicode.IsGraphic(r) && !unicode.IsSpace(r)
}

// JSON is valid JSON from outside as it may be printed: in one line, with an
// escape for what is no [Rune]. It means the same.
func JSON(raw []byte) []byte {
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return []byte("null")
	}
	var b []byte
	for s := compact.Bytes(); len(s) > 0; {
		r, size := utf8.DecodeRune(s)
		s, b = s[size:], append(b, s[:size]...)
		if !Rune(r) {
			b = b[:len(b)-size]
			for _, unit := range utf16.AppendRune(nil, r) {
				b = fmt.Appendf(b, `\u%04x`, unit)
			}
		}
	}
	return b
}
