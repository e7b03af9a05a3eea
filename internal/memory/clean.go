package memory

import (
	"strings"
	"unicode"
)

// Clean returns text as one line of an item: valid UTF-8, every run of white
// space and control characters one space, none at the ends. Characters that
// reorder or hide text are dropped; joiners that scripts need are kept.
func Clean(text string) string {
	if isClean(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	space := false
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			space = b.Len() > 0
			continue
		case isHidden(r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isClean spares the copy for the usual case.
func isClean(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			return false
		}
	}
	return true
}

// isHidden reports marks of direction, zero-width spaces and tags: text in
// them would be read by a model and not be seen by a person.
func isHidden(r rune) bool {
	switch {
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, // overrides, isolates
		r == 0x200B, r == 0x200E, r == 0x200F, r == 0x2060, r == 0xFEFF,
		r >= 0xE0000 && r <= 0xE007F: // tags
		return true
	}
	return false
}
