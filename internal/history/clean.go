package history

import "strings"

// The comments between which a block that we injected stands, up to where a
// version or a name may follow.
const (
	blockBegin = "<!-- recollect:begin"
	blockEnd   = "<!-- recollect:end"
)

// Clean gives a text as messages hold it: valid UTF-8 (each run of other bytes
// becomes U+FFFD), without NUL and without the blocks that we injected, from
// the comment that begins one to the comment that ends it. A comment without
// its partner stays, and so does what follows: a person may speak of it.
//
// Sources apply it to all text that they take from records.
func Clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "")
	}
	if !strings.Contains(text, blockBegin) {
		return text
	}
	var out strings.Builder
	at := 0
	for _, cut := range blocks(text) {
		out.WriteString(text[at:cut.from])
		at = cut.to
	}
	out.WriteString(text[at:])
	return out.String()
}

type span struct{ from, to int }

// blocks finds the blocks in text, in order and apart from each other. An end
// belongs to the nearest begin before it that is still open.
func blocks(text string) []span {
	var found []span
	var open []int
	for at := 0; ; {
		next := strings.Index(text[at:], "<!-- recollect:")
		if next < 0 {
			return found
		}
		at += next
		switch {
		case strings.HasPrefix(text[at:], blockBegin):
			open = append(open, at)
			at += len(blockBegin)
		case strings.HasPrefix(text[at:], blockEnd) && len(open) > 0:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			at = blockTail(text, from, at+len(blockEnd))
			for len(found) > 0 && found[len(found)-1].from > from {
				found = found[:len(found)-1]
			}
			found = append(found, span{from, at})
		default:
			at++
		}
	}
}

// blockTail gives where a block ends whose ending comment goes on at i: behind
// the comment, or its line if the comment is not closed there; with the line
// break if the block began a line.
func blockTail(text string, from, i int) int {
	line := len(text)
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		line = i + n
	}
	n := strings.Index(text[i:line], "-->")
	if n < 0 {
		return line
	}
	i += n + len("-->")
	if from > 0 && text[from-1] != '\n' {
		return i
	}
	rest := text[i:]
	for _, eol := range []string{"\n", "\r\n"} {
		if strings.HasPrefix(rest, eol) {
			return i + len(eol)
		}
	}
	return i
}
