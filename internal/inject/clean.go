package inject

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes one line of plain Markdown text of s, which may come from anyone:
// what it says stays readable, and it can't open a heading, list, quote, fence,
// rule, reference, HTML tag or comment, or import a file. Code spans are kept.
// The result is valid UTF-8 without control or invisible characters, and empty
// if nothing visible is left.
func clean(s string) string {
	s = oneLine(s)
	if s == "" {
		return ""
	}
	var b strings.Builder
	before := byte(' ')
	pieces := split(s)
	for i, p := range pieces {
		if p.code {
			b.WriteString(cleanCode(p.text))
		} else {
			cleanText(&b, p.text, before, i+1 < len(pieces))
		}
		before = p.text[len(p.text)-1]
	}
	if pieces[0].code {
		return b.String()
	}
	return escapeStart(b.String())
}

// visible reports whether clean leaves anything of s; most contents show it early.
func visible(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; 'a' <= c && c <= 'z' || '0' <= s[i] && s[i] <= '9' {
			return true
		}
	}
	return oneLine(s) != ""
}

// oneLine folds every run of space into one blank and drops what can't be seen:
// controls, direction overrides, tags and the like. The joiners that scripts
// and emoji need stay.
func oneLine(s string) string {
	var b strings.Builder
	space := false
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case r == '\u200c' || r == '\u200d':
		case unicode.Is(unicode.C, r) || !unicode.IsGraphic(r) || isFiller(r):
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	if strings.Trim(b.String(), "\u200c\u200d ") == "" {
		return ""
	}
	return b.String()
}

// isFiller reports letters that show as nothing.
func isFiller(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u034f', '\u17b4', '\u17b5':
		return true
	}
	return r >= 0xfe00 && r <= 0xfe0e || r >= 0xe0100 && r <= 0xe01ef
}

// piece is a run of a line that is a code span, its backticks included, or is
// not.
type piece struct {
	text string
	code bool
}

// split finds the code spans of a line as Markdown does: a run of backticks up
// to the next run of the same length; a backslash before the first one makes it
// text.
func split(s string) []piece {
	var out []piece
	text := 0
	closers := newRuns(s)
	for i := 0; i < len(s); {
		switch s[i] {
		case '\\':
			i += 2
		case '`':
			n := run(s, i)
			end := closers.next(n, i+n)
			if end < 0 {
				i += n
				continue
			}
			if text < i {
				out = append(out, piece{text: s[text:i]})
			}
			out = append(out, piece{text: s[i : end+n], code: true})
			i, text = end+n, end+n
		default:
			i++
		}
	}
	if text < len(s) {
		out = append(out, piece{text: s[text:]})
	}
	return out
}

// run is the number of backticks in s from i on.
func run(s string, i int) int {
	return len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
}

// runs holds where the runs of backticks of each length start, so that looking
// for a closing one takes no second pass.
type runs map[int][]int

func newRuns(s string) runs {
	r := runs{}
	for i := 0; i < len(s); {
		n := run(s, i)
		if n == 0 {
			i++
			continue
		}
		r[n] = append(r[n], i)
		i += n
	}
	return r
}

// next is the start of the first run of n backticks at or after from, or -1.
// Calls must come with rising from.
func (r runs) next(n, from int) int {
	for len(r[n]) > 0 && r[n][0] < from {
		r[n] = r[n][1:]
	}
	if len(r[n]) == 0 {
		return -1
	}
	return r[n][0]
}

// In a code span nothing can be escaped, so comments are taken apart by a blank.
func withoutComments(code string) string {
	return strings.ReplaceAll(strings.ReplaceAll(code, "-->", "-- >"), "<!--", "< !--")
}

// cleanCode also gives a span of fenced look, "```x```", the usual backtick.
func cleanCode(s string) string {
	s = withoutComments(s)
	n := run(s, 0)
	if inner := s[n : len(s)-n]; n > 2 && !strings.Contains(inner, "`") {
		return "`" + inner + "`"
	}
	return s
}

// cleanText writes the text between code spans. before is the byte that stands
// before it, and codeAfter says that a code span follows.
func cleanText(b *strings.Builder, s string, before byte, codeAfter bool) {
	for i := 0; i < len(s); {
		n := 1
		switch c, rest := s[i], s[i:]; {
		case strings.HasPrefix(rest, `\<!`):
			n = 3
			b.WriteString(`\<\!`)
		case strings.HasPrefix(rest, `\-->`):
			n = 4
			b.WriteString(`\--\>`)
		case c == '\\' && len(rest) > 1 && isPunctuation(rest[1]):
			n = 2
			b.WriteString(rest[:n])
		case c == '@':
			var code bool
			if n, code = cleanMention(b, rest, before, codeAfter); code {
				i, before = i+n, '`'
				continue
			}
		case c == '`':
			b.WriteString("\\`")
		case strings.HasPrefix(rest, "<!"):
			n = 2
			b.WriteString(`<\!`)
		case c == '<' && len(rest) > 1 && opensTag(rest[1]):
			b.WriteString(`\<`)
		case strings.HasPrefix(rest, "-->"):
			n = 3
			b.WriteString(`--\>`)
		default:
			b.WriteByte(c)
		}
		i += n
		before = s[i-1]
	}
}

// mention is what a reader of imports may take for a path after an @.
var mention = regexp.MustCompile("^@[^\\s`<>\"'(){}\\[\\]|,;@]+")

// cleanMention writes an @ at the start of s, and what belongs to it, so that no
// file is imported: as code, where imports are not looked for, or escaped where
// code would run into other backticks. It returns how many bytes of s it took and
// whether they became code.
func cleanMention(b *strings.Builder, s string, before byte, codeAfter bool) (n int, code bool) {
	if len(s) == 1 || s[1] == ' ' || continuesWord(before) {
		b.WriteByte('@')
		return 1, false
	}
	word := strings.TrimRight(mention.FindString(s), `.:!?\*_~`)
	if len(word) < 2 || before == '`' || strings.HasPrefix(s[len(word):], "`") || codeAfter && len(word) == len(s) {
		b.WriteString(`\@`)
		return 1, false
	}
	b.WriteString("`" + word + "`")
	return len(word), true
}

// continuesWord reports whether an @ after c is inside an address or a URL.
func continuesWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("+.-/", c) >= 0
}

func isPunctuation(c byte) bool {
	return c > ' ' && c < utf8.RuneSelf && !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
}

func opensTag(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '/' || c == '?'
}

var (
	blockStart   = regexp.MustCompile(`^(?:#{1,6}(?: |$)|>|[-+*](?: |$)|-[- ]*$|(?:[-*_] *){3,}$|~{3,}|\[[^\]]*\]:)`)
	orderedStart = regexp.MustCompile(`^([0-9]{1,9})[.)](?: |$)`)
)

// escapeStart escapes a beginning that would make a line more than text.
func escapeStart(s string) string {
	if m := orderedStart.FindStringSubmatch(s); m != nil {
		return m[1] + `\` + s[len(m[1]):]
	}
	if blockStart.MatchString(s) {
		return `\` + s
	}
	return s
}
