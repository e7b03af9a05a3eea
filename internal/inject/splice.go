package inject

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// MaxFile is the size in bytes beyond which a file is refused: Claude Code
// does not read larger ones.
const MaxFile = 4 << 20

var byteOrderMark = []byte("\xef\xbb\xbf")

// Splice returns src with block between our markers and every other byte as it
// was. A block that is there already is replaced where it stands; otherwise the
// block is added at the end, after a blank line. block is what [Render] gives;
// the empty block takes ours out, like [Remove].
//
//   - The block takes on the line endings that prevail in the rest of the file.
//   - Parts of our block between "<!-- MANUAL -->" and "<!-- END MANUAL -->"
//     lines are the person's and stay, after the generated text.
//   - Markers in code, in other comments and amid a paragraph are text.
//   - A file with markers that are not exactly one pair in order, that ends
//     inside a code fence or comment, is not UTF-8, or is larger than MaxFile
//     is refused with a [Refusal]: the result is nil then.
//
// Splice of its own result with the same block changes nothing, and Remove of
// it gives back src, byte for byte, if src had no block.
func Splice(src []byte, block string) ([]byte, error) {
	if block == "" {
		return Remove(src)
	}
	return splice(src, block, false)
}

// Create returns the contents of a new file that holds only block. Its marker
// says that the file was not there, so that [Remove] may leave nothing and the
// caller delete it again.
func Create(block string) []byte {
	out, err := splice(nil, block, true)
	if err != nil { // a rendered block can't break its own file
		return nil
	}
	return out
}

// Remove returns src without our block and without the line endings that were
// added before it. A src without a block comes back as it is. What is refused
// is refused as by Splice.
func Remove(src []byte) ([]byte, error) {
	f, err := read(src)
	if err != nil {
		return nil, err
	}
	if f.pair == nil {
		return src, nil
	}
	begin, after := f.text[f.pair.begin.start:f.pair.begin.end], f.text[f.pair.end.end:]
	var kept []byte
	for _, m := range f.pair.manual {
		kept = append(kept, f.text[m.start:m.end]...)
	}
	before := withoutGap(f.text[:f.pair.begin.start], parseAttributes(begin).gap, ending(begin), len(kept)+len(after) > 0)
	return f.join(before, kept, after), nil
}

// IsOnlyOurs reports whether src is a file that Create began and that holds
// nothing but our block and space, so that removing the block may remove the
// file.
func IsOnlyOurs(src []byte) bool {
	f, err := read(src)
	if err != nil || f.pair == nil || len(f.pair.manual) > 0 {
		return false
	}
	rest := len(bytes.TrimSpace(f.text[:f.pair.begin.start])) + len(bytes.TrimSpace(f.text[f.pair.end.end:]))
	return rest == 0 && parseAttributes(f.text[f.pair.begin.start:f.pair.begin.end]).created
}

// file is a text that may be edited.
type file struct {
	mark []byte // the byte order mark, or nothing
	text []byte // what follows it
	pair *pair
}

func read(src []byte) (file, error) {
	if err := checkText(src); err != nil {
		return file{}, err
	}
	f := file{text: bytes.TrimPrefix(src, byteOrderMark)}
	f.mark = src[:len(src)-len(f.text)]
	if !mayHoldMarker(f.text) {
		return f, nil
	}
	var err error
	f.pair, err = look(f.text).pair()
	return f, err
}

func (f file) join(parts ...[]byte) []byte {
	return bytes.Join(append([][]byte{f.mark}, parts...), nil)
}

func splice(src []byte, block string, created bool) ([]byte, error) {
	f, err := read(src)
	if err != nil {
		return nil, err
	}
	if f.pair != nil {
		return f.replace(block)
	}
	eol := prevailing(f.text)
	if eol == "" {
		eol = "\n"
	}
	a := attributes{gap: gapAfter(f.text), created: created}
	gap := bytes.Repeat([]byte(eol), a.gap)
	return f.checked(f.join(f.text, gap, frame(a, block, eol)), len(f.text)+len(gap))
}

func (f file) replace(block string) ([]byte, error) {
	p := f.pair
	before, after := f.text[:p.begin.start], f.text[p.end.end:]
	eol := prevailing(before, after)
	if eol == "" {
		eol = ending(f.text[p.begin.start:p.begin.end])
	}
	var kept [][]byte
	for _, m := range p.manual {
		kept = append(kept, f.text[m.start:m.end])
	}
	a := parseAttributes(f.text[p.begin.start:p.begin.end])
	return f.checked(f.join(before, frame(a, block, eol, kept...), after), len(before))
}

// frame is the block between its marker lines, with the person's parts last.
func frame(a attributes, block, eol string, kept ...[]byte) []byte {
	var b bytes.Buffer
	b.WriteString(a.line() + eol + eol)
	b.WriteString(strings.ReplaceAll(block, "\n", eol))
	b.WriteString(eol)
	for _, k := range kept {
		b.Write(k)
		b.WriteString(eol)
	}
	b.WriteString(endLine + eol)
	return b.Bytes()
}

// checked looks at a result as the next run will: our block must be found where
// it was put. It isn't when the file leaves a code fence or a comment open, and
// the next run would then add a second block.
func (f file) checked(out []byte, at int) ([]byte, error) {
	s := look(bytes.TrimPrefix(out, byteOrderMark))
	if len(s.begins) == 1 && len(s.ends) == 1 && len(s.malformed) == 0 && s.begins[0].start == at {
		return out, nil
	}
	var lines []int
	if n := look(f.text).lastBlock; n > 0 {
		lines = []int{n}
	}
	return nil, refuse(OpenBlock, lines, "a code fence, comment or HTML block is not closed, so a block at the end would become part of it")
}

// gapAfter is the number of line endings that stand between text and a block
// after it: a blank line, and the ending of the last line if it has none.
func gapAfter(text []byte) int {
	switch {
	case len(text) == 0:
		return 0
	case text[len(text)-1] != '\n':
		return 2
	}
	last := text[bytes.LastIndexByte(text[:len(text)-1], '\n')+1:]
	if len(bytes.TrimSpace(last)) == 0 {
		return 0
	}
	return 1
}

// withoutGap takes the gap away again if it is there as it was written. When
// something follows, the last line keeps an ending, so that two lines of a
// person's never become one.
func withoutGap(before []byte, gap int, eol string, more bool) []byte {
	switch {
	case gap == 1:
		if rest, ok := bytes.CutSuffix(before, []byte(eol)); ok && bytes.HasSuffix(rest, []byte("\n")) {
			return rest
		}
	case gap == 2:
		if rest, ok := bytes.CutSuffix(before, []byte(eol+eol)); ok {
			if more {
				return before[:len(rest)+len(eol)]
			}
			return rest
		}
	}
	return before
}

// ending is the line ending of a line: "\r\n", "\n", or "" for a last line
// without one.
func ending(line []byte) string {
	switch {
	case bytes.HasSuffix(line, []byte("\r\n")):
		return "\r\n"
	case bytes.HasSuffix(line, []byte("\n")):
		return "\n"
	}
	return ""
}

// prevailing is the line ending that most lines of the parts have, "\n" on a
// tie, and "" if there is none at all.
func prevailing(parts ...[]byte) string {
	var all, crlf int
	for _, p := range parts {
		all += bytes.Count(p, []byte("\n"))
		crlf += bytes.Count(p, []byte("\r\n"))
	}
	switch {
	case all == 0:
		return ""
	case crlf > all-crlf:
		return "\r\n"
	}
	return "\n"
}

// mayHoldMarker spares files without our name the parsing.
func mayHoldMarker(text []byte) bool {
	const word = "recollect:"
	for i := 0; ; {
		j := bytes.IndexByte(text[i:], ':')
		if j < 0 {
			return false
		}
		i += j + 1
		if i >= len(word) && bytes.EqualFold(text[i-len(word):i], []byte(word)) {
			return true
		}
	}
}

// checkText refuses what is not text that we can edit without harm.
func checkText(src []byte) error {
	switch {
	case len(src) > MaxFile:
		return refuse(TooLarge, nil, "larger than 4 MiB, which assistants do not read")
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		return refuse(NotText, nil, "UTF-16, not UTF-8; save it as UTF-8 first")
	}
	if i := bytes.IndexByte(src, 0); i >= 0 {
		return refuse(NotText, []int{lineOf(src, i)}, "holds NUL bytes, so it is not UTF-8 text")
	}
	if !utf8.Valid(src) {
		return refuse(NotText, []int{lineOf(src, firstInvalid(src))}, "not UTF-8; save it as UTF-8 first")
	}
	return checkNesting(src)
}

// maxNesting keeps the Markdown parser, which recurses, from exhausting the
// stack, and its time, which grows with the depth, in bounds.
const maxNesting = 150

func checkNesting(src []byte) error {
	number := 0
	for line := range bytes.Lines(src) {
		number++
		if nesting(line) > maxNesting {
			return refuse(TooDeep, []int{number}, "quotes or lists nested too deep")
		}
	}
	return nil
}

// nesting is an upper bound of how deep in quotes and lists a line begins: what
// it opens itself, and one level for every two columns of space.
func nesting(line []byte) int {
	opened, columns := 0, 0
	for i, c := range line {
		switch c {
		case '>':
			opened++
		case '*', '+', '-', '.', ')':
			if i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t') {
				opened++
			}
		case ' ':
			columns++
		case '\t':
			columns += 4
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		default:
			return depth(opened, columns)
		}
	}
	return depth(opened, columns)
}

func depth(opened, columns int) int {
	if opened == 0 { // indented text opens nothing
		return 0
	}
	return opened + columns/2
}

func lineOf(src []byte, offset int) int {
	return bytes.Count(src[:offset], []byte("\n")) + 1
}

func firstInvalid(src []byte) int {
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return len(src)
}
