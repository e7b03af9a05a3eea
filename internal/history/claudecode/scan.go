package claudecode

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The scanner below checks the structure of JSON (braces, brackets, colons,
// commas, strings) and nothing more: it is what tells a whole record from a
// half one at the speed of a search for quotes. Numbers, literals and escapes
// are taken as they come; the few that we read are cleaned when we read them.

// maxDepth bounds the nesting of a record; the format needs about a dozen.
const maxDepth = 200

// skipSpace gives the index of the first byte at or after i that is not white
// space. NULs, which a crash leaves in runs, count as white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] <= ' ' && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n' || b[i] == 0)) {
		i++
	}
	return i
}

// Where no whole value is, the functions below give the complement of the index
// that they came to, which is negative.

// skipString gives the index after the string that begins at b[i].
func skipString(b []byte, i int) int {
	i++
	for {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return ^len(b)
		}
		end := i + n
		slashes := 0
		for end-slashes > i && b[end-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return end + 1
		}
		i = end + 1
	}
}

// skipValue gives the index after the value that begins at b[i].
func skipValue(b []byte, i, depth int) int {
	if i >= len(b) || depth > maxDepth {
		return ^i
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{':
		return eachMember(b, i, depth, nil)
	case '[':
		return eachElement(b, i, depth, nil)
	}
	start := i
	for i < len(b) && isScalar(b[i]) {
		i++
	}
	if i == start {
		return ^i
	}
	return i
}

func isScalar(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

// eachMember calls f, if there is one, with each key (raw, without its quotes)
// and value of the object that begins at b[i], and gives the index after it.
func eachMember(b []byte, i, depth int, f func(key, value []byte)) int {
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return ^i
		}
		end := skipString(b, i)
		if end < 0 {
			return end
		}
		key := b[i+1 : end-1]
		i = skipSpace(b, end)
		if i >= len(b) || b[i] != ':' {
			return ^i
		}
		i = skipSpace(b, i+1)
		if end = skipValue(b, i, depth+1); end < 0 {
			return end
		}
		if f != nil {
			f(key, b[i:end])
		}
		i = skipSpace(b, end)
		if i >= len(b) {
			return ^i
		}
		switch b[i] {
		case ',':
			i = skipSpace(b, i+1)
		case '}':
			return i + 1
		default:
			return ^i
		}
	}
}

// eachElement is eachMember for arrays.
func eachElement(b []byte, i, depth int, f func(value []byte)) int {
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1
	}
	for {
		end := skipValue(b, i, depth+1)
		if end < 0 {
			return end
		}
		if f != nil {
			f(b[i:end])
		}
		i = skipSpace(b, end)
		if i >= len(b) {
			return ^i
		}
		switch b[i] {
		case ',':
			i = skipSpace(b, i+1)
		case ']':
			return i + 1
		default:
			return ^i
		}
	}
}

func isString(v []byte) bool { return len(v) >= 2 && v[0] == '"' }
func isObject(v []byte) bool { return len(v) >= 2 && v[0] == '{' }
func isArray(v []byte) bool  { return len(v) >= 2 && v[0] == '[' }
func isTrue(v []byte) bool   { return string(v) == "true" }

// unquote gives the text of a JSON string, quotes included, as valid UTF-8
// without NUL: lone surrogates and invalid bytes become U+FFFD. Anything but a
// string gives "".
func unquote(v []byte) string {
	if !isString(v) {
		return ""
	}
	v = v[1 : len(v)-1]
	if bytes.IndexByte(v, '\\') < 0 {
		return clean(string(v))
	}
	var s strings.Builder
	s.Grow(len(v))
	for i := 0; i < len(v); {
		n := bytes.IndexByte(v[i:], '\\')
		if n < 0 {
			s.Write(v[i:])
			break
		}
		s.Write(v[i : i+n])
		i += n + 1
		if i >= len(v) {
			break
		}
		if v[i] == 'u' {
			r, size := unescapeRune(v[i-1:])
			s.WriteRune(r)
			i += size - 1
			continue
		}
		s.WriteByte(unescapeByte(v[i]))
		i++
	}
	return clean(s.String())
}

func unescapeByte(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	}
	return c
}

// unescapeRune reads the \uXXXX at the start of v, both halves of a pair, and
// gives its size.
func unescapeRune(v []byte) (rune, int) {
	r, ok := hex4(v)
	if !ok {
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := hex4(v[6:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(v []byte) (rune, bool) {
	if len(v) < 6 || v[0] != '\\' || v[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range v[2:6] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

func clean(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	return s
}

// integer reads a JSON number's whole part; anything else is 0.
func integer(v []byte) int64 {
	var n int64
	for _, c := range v {
		if c < '0' || c > '9' || n > 1<<53 {
			break
		}
		n = n*10 + int64(c-'0')
	}
	return n
}
