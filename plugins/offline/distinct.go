package main

import (
	"slices"
	"strings"
)

// From these shares of common words on two candidates say the same: of both,
// and of the shorter one.
const (
	twin, inside = 0.36, 0.65
	// If they speak of the same names, or one answers the other.
	kinTwin  = 0.3
	kinNames = 2
	// A user's rules are short and differ in a word.
	userTwin, userInside = 0.6, 0.8
	// If they name other things or figures, or only one says no.
	otherTwin = 0.7
	longTwin  = 0.45
	brief     = 8 // words of a sentence in which "no" changes everything
	// An answer comes at most so many messages later.
	echo = 3
)

// maxDistinct bounds what is compared with each candidate.
const maxDistinct = 1000

// same says that two candidates say the same thing in other words.
func same(a, b *candidate, x, y *weighed) bool {
	n, both := x.shared(y)
	if n < 2 && n < min(len(x.print), len(y.print)) || x.total == 0 || y.total == 0 {
		return false
	}
	alike, within := 2*both/(x.total+y.total), both/min(x.total, y.total)
	short := min(len(x.print), len(y.print)) <= 3
	if a.subject != 0 && b.subject != 0 && a.subject != b.subject {
		return false
	}
	terse := max(len(x.print), len(y.print)) <= brief
	switch {
	case a.negative != b.negative && terse, apartFrom(a.figures, b.figures), apartFrom(a.code, b.code) && terse:
		return alike >= otherTwin
	case apartFrom(a.code, b.code):
		return alike >= longTwin
	case a.user && b.user:
		return alike >= userTwin || !short && within >= userInside
	case echoes(a, b) || common(a.names, b.names) >= kinNames:
		return alike >= kinTwin || !short && within >= inside
	}
	return alike >= twin || !short && within >= inside
}

// renewed says that two candidates of one session give different figures for
// the same thing: only the later one counts.
func renewed(a, b *candidate, x, y *weighed) bool {
	if a.session != b.session || a.message == b.message || !apartFrom(a.figures, b.figures) {
		return false
	}
	_, both := x.shared(y)
	if 2*both/(x.total+y.total) < twin {
		return false
	}
	subject := subjectOf(a.text)
	return subject != "" && lower(subject) == lower(subjectOf(b.text))
}

// echoes says that an assistant's sentence follows a user's closely.
func echoes(a, b *candidate) bool {
	if a.user == b.user || a.session != b.session {
		return false
	}
	if b.user {
		a, b = b, a
	}
	return b.message > a.message && b.message-a.message <= echo
}

// apartFrom says that two ascending sets, neither empty, share nothing.
func apartFrom(a, b []uint32) bool {
	return len(a) > 0 && len(b) > 0 && common(a, b) == 0
}

// distinct takes candidates best first, leaves out those that say what one of
// them says, and stops at limit. Of several that say the same the best worded
// one stays, with the evidence of all.
func distinct(list []candidate, limit int, sure float32) []candidate {
	slices.SortStableFunc(list, byScore)
	prints := make([]fingerprint, len(list))
	for i := range list {
		x := &list[i]
		if x.print == nil {
			x.print = fingerprintOf(pathless(x.text))
			x.subject = subjectCode(pathless(x.text))
			x.negative, x.figures, x.code = denies(x.text), figures(x.text), codes(x.text)
		}
		prints[i] = x.print
	}
	weights := weigh(prints)
	var out []candidate
	var taken []weighed
	full := 0
next:
	for j := range list {
		if len(out) == maxDistinct {
			break
		}
		x := &list[j]
		for i := range out {
			if renewed(&out[i], x, &taken[i], &weights[j]) {
				if x.order > out[i].order {
					score := out[i].score
					out[i], taken[i] = *x, weights[j]
					out[i].score = score
				}
				continue next
			}
			if !same(&out[i], x, &taken[i], &weights[j]) {
				continue
			}
			if y := &out[i]; x.worded() > y.worded() {
				y.takeWords(x)
				taken[i] = weights[j]
			} else {
				y.evidence = join(y.evidence, x.evidence)
			}
			continue next
		}
		// A user's own rules are never too many, nor is what is surely worth it.
		if (full < limit || x.rule() || x.score > sure) && !crowded(out, x) {
			out = append(out, *x)
			taken = append(taken, weights[j])
			if !x.rule() {
				full++
			}
		}
	}
	return out
}

// pathless takes the file off the front that a sentence is filed under: it says
// where, not what.
func pathless(s string) string {
	if s != "" && s[0] == '`' {
		if i := strings.Index(s, "` - "); i > 0 && fileName(s[:i]) {
			return s[i+4:]
		}
	}
	return s
}

// subjectCode is the hash of the code span that a sentence begins with, or 0.
func subjectCode(s string) uint32 {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "The "), "the ")
	if s == "" || s[0] != '`' {
		return 0
	}
	n := span(s)
	if n < 3 {
		return 0
	}
	return hash(lower(strings.TrimSuffix(s[1:n-1], "()")))
}

// takeWords puts the words of y, which says the same, in the place of x's.
func (x *candidate) takeWords(y *candidate) {
	points, evidence := max(x.score, y.score), x.evidence
	*x = *y
	x.score, x.evidence = points, join(y.evidence, evidence)
}

func join(a, b []string) []string {
	a = slices.Clone(a)
	for _, e := range b {
		if len(a) < maxEvidence && !slices.Contains(a, e) {
			a = append(a, e)
		}
	}
	return a
}

// worded says how well a candidate is put: a user's own rule before anything
// else, then what names things and stands alone.
func (x *candidate) worded() int {
	n := 0
	switch {
	case x.facts.has(fAsked):
		n += 300
	case x.rule():
		n += 200
	case x.user && !x.facts.has(fPaste) && (!x.facts.has(feature(cHedge)) || x.cues.has(cShould) || x.cues.has(cPrefer)):
		n += 10
	}
	if x.facts.has(feature(cYou)) {
		n -= 3
	}
	n += 2 * min(len(x.code)+len(x.figures), 4)
	if x.facts.has(fMedium) || x.facts.has(fLong) {
		n += 2
	}
	if x.facts.has(feature(cCause)) || x.facts.has(feature(cMeans)) {
		n += 2
	}
	if x.facts.has(fPronoun) {
		n -= 4
	}
	if x.facts.has(feature(cMe)) || x.facts.has(feature(cHedge)) || x.facts.has(feature(cNow)) || x.facts.has(fHeadPlan) {
		n -= 3
	}
	if x.facts.has(front(cDone)) || x.facts.has(fRefuted) || x.facts.has(fRetired) {
		n -= 3
	}
	return n
}

// denies says that a sentence says what is not.
func denies(s string) bool {
	for _, w := range words(s) {
		switch w {
		case "not", "no", "never", "don't", "doesn't", "isn't", "aren't", "won't", "can't", "cannot", "without", "didn't", "wasn't", "shouldn't", "mustn't", "не", "нет", "нельзя", "никогда", "без":
			return true
		}
	}
	for _, x := range [...]string{"不", "没", "禁止", "无法", "않", "금지", "없", "마세요", "말고"} {
		if strings.Contains(s, x) {
			return true
		}
	}
	return false
}

// figures are the hashes of the numbers in a sentence, in ascending order.
func figures(s string) []uint32 {
	var out []uint32
	for _, w := range words(strings.ReplaceAll(s, "`", " ")) {
		if w[0] >= '0' && w[0] <= '9' && len(out) < 16 {
			out = append(out, hash(w))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// codes are the hashes of what a sentence names as code does: spans, identifiers
// and files, in ascending order.
func codes(s string) []uint32 {
	var out []uint32
	for w := range strings.FieldsSeq(s) {
		t := strings.Trim(w, ".,:;!?\"'()[]*")
		code := strings.Trim(t, "`")
		if len(code) >= 3 && len(out) < 16 && (code != t || identifiers(t) > 0 || fileName(t)) {
			out = append(out, hash(lower(strings.TrimSuffix(code, "()"))))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
