package printable

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// Writer passes text on to a screen, or to a file that is shown on one: without
// what would move the cursor, change what stands there, or turn the direction of
// reading. Lines, tabs and all other characters stay. It is the last guard; a name
// from outside is made a [Quote] or [Line] where it comes in.
type Writer struct {
	To io.Writer
	// JSON has what is left out written as an escape, so that the text means the
	// same; else U+FFFD stands in its place.
	JSON bool

	rest []byte // the beginning of a character
}

// Write implements io.Writer. The beginning of a character waits for the rest of
// it, which Flush gives up.
func (w *Writer) Write(p []byte) (int, error) {
	in := append(w.rest, p...)
	w.rest = nil
	out := make([]byte, 0, len(in))
	for len(in) > 0 {
		if !utf8.FullRune(in) {
			w.rest = append([]byte(nil), in...)
			break
		}
		r, size := utf8.DecodeRune(in)
		switch {
		case moves(r) && w.JSON:
			out = fmt.Appendf(out, `\u%04x`, r)
		case moves(r), r == utf8.RuneError && size == 1:
			out = append(out, "\ufffd"...)
		default:
			out = append(out, in[:size]...)
		}
		in = in[size:]
	}
	if _, err := w.To.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is left of a character that never became whole.
func (w *Writer) Flush() error {
	if len(w.rest) == 0 {
		return nil
	}
	w.rest = nil
	_, err := io.WriteString(w.To, "\ufffd")
	return err
}

// moves holds for control characters other than those of lines and tabs, and for
// marks of direction that reach over other text.
func moves(r rune) bool {
	switch {
	case r == '\n', r == '\t', r == '\r':
		return false
	case r < ' ', r >= 0x7f && r < 0xa0:
		return true
	}
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
