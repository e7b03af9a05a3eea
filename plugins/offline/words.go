package main

import (
	"unicode"
	"unicode/utf8"
)

// codeWord stands for a code span among the words of a sentence: what is in code
// is a name, never a cue.
const codeWord = "`"

// words gives the lower-case words of a sentence in order: letters, digits and
// inner apostrophes. A code span is one codeWord. Han, kana and Hangul give no
// words: their cues are looked up in the text.
func words(s string) []string {
	out := make([]string, 0, len(s)/6+1)
	start, ascii := -1, true
	end := func(i int) {
		if start >= 0 {
			w := s[start:i]
			for len(w) > 0 && w[len(w)-1] == '\'' {
				w = w[:len(w)-1]
			}
			if len(w) > 0 {
				out = append(out, straight(lower(w), ascii))
			}
		}
		start, ascii = -1, true
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c == '`' {
				end(i)
				n := span(s[i:])
				if n > 1 {
					out = append(out, codeWord)
				}
				i += n
				continue
			}
			if wordByte(c) || c == '\'' && start >= 0 {
				if start < 0 {
					start = i
				}
			} else {
				end(i)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '’' && start >= 0 || unicode.IsLetter(r) && !cjk(r) {
			if start < 0 {
				start = i
			}
			ascii = false
		} else {
			end(i)
		}
		i += n
	}
	end(len(s))
	return out
}

// straight writes the typographic apostrophe of a word as the plain one.
func straight(w string, ascii bool) string {
	if ascii {
		return w
	}
	for i := 0; i+2 < len(w); i++ {
		if w[i:i+3] == "’" {
			return w[:i] + "'" + straight(w[i+3:], false)
		}
	}
	return w
}

func cjk(r rune) bool {
	return r >= 0x3040 && r <= 0x30FF || r >= 0x3400 && r <= 0x4DBF || r >= 0x4E00 && r <= 0x9FFF ||
		r >= 0xAC00 && r <= 0xD7AF || r >= 0xF900 && r <= 0xFAFF
}

// countCJK counts the runes of Chinese, Japanese and Korean text.
func countCJK(s string) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, w := utf8.DecodeRuneInString(s[i:])
		if cjk(r) {
			n++
		}
		i += w
	}
	return n
}

// badlyRead says that s is Japanese or Korean: a quarter of its letters outside of
// code are kana or Hangul. A label that an English sentence quotes is less.
func badlyRead(s string) bool {
	read, badly := 0, 0
	for i := 0; i < len(s); {
		if s[i] == '`' {
			i += span(s[i:])
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if !unicode.IsLetter(r) {
			continue
		}
		if r >= 0x3040 && r <= 0x30FF || r >= 0xAC00 && r <= 0xD7AF {
			badly++
		} else {
			read++
		}
	}
	return badly > 0 && 3*badly >= read
}
