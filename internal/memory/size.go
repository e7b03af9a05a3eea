package memory

import (
	"bytes"
	"errors"
	"fmt"
)

// ErrTooMuch says that a memory is larger than any that can be worked with. The
// error that wraps it names the file, what there is too much of, and the limit.
var ErrTooMuch = errors.New("the memory is too large to work with")

// Limits of one memory. A branch that was worked on every day for years has some
// hundreds of items.
const (
	maxBullets = 20_000 // in the Markdown
	maxLines   = 50_000 // items that are kept, also those that left the memory
	maxText    = 500_000
)

// checkSize refuses files of a memory that would take minutes to work with. A nil
// slice is a file that is not there.
func checkSize(f file, markdown, items []byte) error {
	for _, c := range []struct {
		what string
		n    int
		most int
	}{
		{"list items", bullets(markdown), maxBullets},
		{"lines", bytes.Count(markdown, []byte("\n")), maxText},
		{"items beside it", bytes.Count(items, []byte("\n")), maxLines},
	} {
		if c.n > c.most {
			return fmt.Errorf("%s has %d %s, %d can be worked with: %w", f.path(), c.n, c.what, c.most, ErrTooMuch)
		}
	}
	return nil
}

// bullets counts the lines that begin a list item.
func bullets(markdown []byte) int {
	n := 0
	for l := range bytes.Lines(markdown) {
		l = bytes.TrimLeft(l, " \t")
		if len(l) > 1 && (l[0] == '-' || l[0] == '*' || l[0] == '+') && (l[1] == ' ' || l[1] == '\t') {
			n++
		}
	}
	return n
}
