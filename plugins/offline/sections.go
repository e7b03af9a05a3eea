package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

// sort of knowledge that sections hold.
type sort uint8

const (
	fact sort = iota
	decision
	convention
	bug
)

// sectionOf gives the section that a candidate belongs in: the one of its sort's
// id, else the first whose heading or guidance speaks of it, else the first.
// "" if there are none.
func sectionOf(sections []guest.Section, x *candidate) string {
	if len(sections) == 0 {
		return ""
	}
	want := sortOf(x)
	ids := [...]string{fact: "facts", decision: "architectural-decisions", convention: "conventions", bug: "bug-patterns"}
	for _, s := range sections {
		if s.ID == ids[want] {
			return s.ID
		}
	}
	speaks := [...][]string{
		fact:       {"fact", "knowledge", "context", "glossary"},
		decision:   {"decision", "architect", "design", "choice", "trade"},
		convention: {"convention", "rule", "standard", "style", "preference", "guideline", "practice"},
		bug:        {"bug", "issue", "problem", "pitfall", "root cause", "gotcha", "lesson", "error"},
	}
	for _, s := range sections {
		about := lower(s.ID + " " + s.Heading + " " + s.Guidance)
		for _, word := range speaks[want] {
			if strings.Contains(about, word) {
				return s.ID
			}
		}
	}
	return sections[0].ID
}

// sentence makes a candidate's text a sentence: a capital in front if it begins
// with a plain word, a full stop behind.
func sentence(s string) string {
	s = strings.TrimSpace(strings.TrimRight(s, " ,;-–—"))
	if w, _, _ := strings.Cut(s, " "); identifiers(w) == 0 && !strings.ContainsAny(w, "-/.`") {
		if r, n := utf8.DecodeRuneInString(s); r != utf8.RuneError && unicode.IsLower(r) {
			s = string(unicode.ToUpper(r)) + s[n:]
		}
	}
	if strings.HasSuffix(s, "?") {
		s = strings.TrimRight(s, "? ")
	}
	switch r, _ := utf8.DecodeLastRuneInString(s); r {
	case '.', '!', '。', '！', '…', ')', '"', '”', '`':
		if r == '.' || r == '!' || r == '。' || r == '！' || r == '…' {
			return s
		}
	}
	if han(s)*2 > utf8.RuneCountInString(s) {
		return s + "。"
	}
	return s + "."
}

// han counts the Chinese characters and kana of a text, whose full stop is not
// the Latin one.
func han(s string) int {
	n := 0
	for _, r := range s {
		if cjk(r) && (r < 0xAC00 || r > 0xD7AF) {
			n++
		}
	}
	return n
}
