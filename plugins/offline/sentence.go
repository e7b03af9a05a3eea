package main

import (
	"strings"
	"unicode/utf8"
)

// sentences cuts a unit's text at the ends of its sentences. loose is for text
// that was typed in haste: there a small letter may begin a sentence.
func sentences(s string, loose bool) []string {
	var out []string
	start, code := 0, false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '`':
			code = !code
		case code:
		case r == '。' || r == '！' || r == '？' || r == '；':
			end := i + n
			out = add(out, s[start:end])
			start = end
		case r == '.' || r == '!' || r == '?':
			end := i + n
			for end < len(s) && strings.IndexByte(`.!?"')`, s[end]) >= 0 {
				end++
			}
			if ends(s, i, end, loose) {
				out = add(out, s[start:end])
				start = end
			}
			i = end
			continue
		}
		i += n
	}
	return add(out, s[start:])
}

func add(out []string, s string) []string {
	if s = strings.TrimSpace(s); s != "" {
		out = append(out, s)
	}
	return out
}

// ends says whether the stop at i, whose punctuation reaches to end, ends a
// sentence.
func ends(s string, i, end int, loose bool) bool {
	if end >= len(s) {
		return true
	}
	if s[end] != ' ' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(s[end:], " "))
	if s[i] != '.' {
		return true
	}
	if abbreviation(s[:i]) {
		return false
	}
	if end-i > 2 && next >= 'a' && next <= 'z' {
		return false // an ellipsis within a sentence
	}
	return loose || next < 'a' || next > 'z'
}

// abbreviation says that a text ends in a word that a full stop belongs to.
func abbreviation(s string) bool {
	i := strings.LastIndexAny(s, " (")
	switch lower(s[i+1:]) {
	case "e.g", "i.e", "eg", "ie", "etc", "vs", "cf", "approx", "no", "fig", "incl", "resp", "mr", "ms", "dr", "st",
		"т.е", "т.к", "т.д", "т.п", "напр", "см", "рис":
		return true
	case "1", "2", "3", "4", "5", "6", "7", "8", "9":
		return i < 0 || s[i] == ' ' && i == 0 // "1. text" in running text
	}
	return false
}
