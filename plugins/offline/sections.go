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

// sortOf says what sort of knowledge a candidate is.
func sortOf(x *candidate) sort {
	c := x.cues
	v := [4]int{fact: 2}
	add := func(s sort, n int, on bool) {
		if on {
			v[s] += n
		}
	}
	add(bug, 3, c.has(cBug))
	add(bug, 2, x.facts.has(fLabelCause))
	add(bug, 1, x.facts.has(fHeadCause))
	add(bug, 1, c.has(cCause))
	add(bug, 1, c.has(cFound))
	add(bug, 1, c.has(cLimit))
	add(decision, 3, c.has(cDecide))
	add(decision, 2, c.has(cDesign))
	add(decision, 1, c.has(cPrefer))
	add(decision, 1, c.has(cDone))
	add(decision, 1, x.user && c.has(cWe))
	add(decision, 1, x.user && c.has(cShould))
	add(convention, 2, c.has(cMust))
	add(convention, 3, c.has(cForbid) && x.user)
	add(convention, 1, c.has(cForbid))
	add(convention, 1, c.has(cAlways) && x.user)
	add(convention, 1, c.has(cPrefer) && x.user)
	add(convention, 2, c.has(cTooling))
	add(convention, 1, x.user)
	add(fact, 1, c.has(cBehave))
	add(fact, 1, c.has(cProject))
	best := fact
	for _, s := range [...]sort{bug, decision, convention} {
		if v[s] > v[best] {
			best = s
		}
	}
	return best
}

// sentence makes a candidate's text a sentence: a capital in front if it begins
// with a plain word, a full stop behind.
func sentence(s string) string {
	s = strings.TrimSpace(strings.TrimRight(s, " ,;-–—"))
	if w, _, _ := strings.Cut(s, " "); w != "" && w[0] >= 'a' && w[0] <= 'z' && identifiers(w) == 0 && !strings.ContainsAny(w, "-/.`") {
		r, n := utf8.DecodeRuneInString(s)
		s = string(unicode.ToUpper(r)) + s[n:]
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
	if countCJK(s)*2 > utf8.RuneCountInString(s) {
		return s + "。"
	}
	return s + "."
}
