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

// sorts are what speaks for each sort, in tenths; facts are what nothing else
// speaks for.
var sorts = [...]struct {
	feature feature
	weight  [4]int // fact, decision, convention, bug
}{
	{feature(cBehave), [4]int{3, 0, 0, 0}},
	{feature(cProject), [4]int{2, 0, 0, 0}},
	{feature(cNames), [4]int{5, 0, 0, 0}},
	{feature(cWhere), [4]int{5, 0, 0, 0}},
	{feature(cLimit), [4]int{2, 0, 0, 3}},
	{feature(cDecide), [4]int{0, 12, 0, 0}},
	{feature(cDesign), [4]int{0, 9, 0, 0}},
	{feature(cPrefer), [4]int{0, 5, 2, 0}},
	{feature(cDone), [4]int{0, 5, 0, 0}},
	{feature(cMeans), [4]int{0, 2, 0, 0}},
	{feature(cNow), [4]int{0, 3, 0, 0}},
	{feature(cAlways), [4]int{0, 2, 0, 0}},
	{feature(cMust), [4]int{0, 0, 7, 0}},
	{feature(cForbid), [4]int{0, 0, 1, 0}},
	{feature(cTooling), [4]int{0, 0, 3, 0}},
	{feature(cBug), [4]int{0, 0, 0, 10}},
	{feature(cCause), [4]int{0, 0, 0, 7}},
	{feature(cFound), [4]int{0, 0, 0, 10}},
	{front(cForbid), [4]int{0, 0, 6, 0}},
	{fUser, [4]int{-3, 7, 4, 0}},
	{user(cDecide), [4]int{-2, 0, 0, 0}},
	{user(cWe), [4]int{0, 6, 1, 0}},
	{user(cShould), [4]int{0, 4, 5, 0}},
	{user(cPrefer), [4]int{0, 5, 2, 0}},
	{user(cTask), [4]int{0, 3, 0, 0}},
	{user(cHedge), [4]int{0, 3, 0, 0}},
	{user(cForbid), [4]int{0, 0, 6, 0}},
	{user(cAlways), [4]int{0, 0, 12, 0}},
	{user(cTooling), [4]int{0, 0, 4, 0}},
	{user(cBug), [4]int{0, 0, 0, -3}},
	{fHeadSummary, [4]int{0, 4, 0, 0}},
	{fLabelRule, [4]int{0, 3, 0, 0}},
	{fLabelCause, [4]int{0, 0, 0, 10}},
	{fHeadCause, [4]int{0, 0, 0, 5}},
}

// factBias is what speaks for a fact from the start.
const factBias = 6

// sortOf says what sort of knowledge a candidate is.
func sortOf(x *candidate) sort {
	v := [4]int{fact: factBias}
	for i := range sorts {
		if x.facts.has(sorts[i].feature) {
			for s, w := range sorts[i].weight {
				v[s] += w
			}
		}
	}
	best := fact
	for s := decision; s <= bug; s++ {
		if v[s] > v[best] && (s != convention || x.general()) {
			best = s
		}
	}
	return best
}

// general says that a sentence tells how things are to be done: what may stand
// among the conventions, which are shown first. What was pasted tells how other
// people's things are.
func (x *candidate) general() bool {
	c := x.cues
	return !x.facts.has(fPaste) && (x.user || !c.has(cMe)) &&
		(x.facts.has(fAsked) || c.has(cMust) || c.has(cForbid) || c.has(cPrefer) || c.has(cShould) || x.user && c.has(cAlways))
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
