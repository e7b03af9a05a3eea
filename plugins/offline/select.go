package main

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// items are the best of what was found, in the order in which it was said.
func (c *collector) items(limits hostapi.Limits) []guest.Item {
	items, _ := c.choose(limits)
	return items
}

// choose is items, also as candidates.
func (c *collector) choose(limits hostapi.Limits) ([]guest.Item, []candidate) {
	limit, runes := limits.MaxItems, limits.MaxItemRunes
	if limit <= 0 {
		limit = defaultItems
	}
	best := slices.Clone(c.done)
	for _, name := range c.names {
		best = append(best, c.parts[name].best()...)
	}
	best = distinct(best, limit, c.model.sure)
	if len(best) > limit {
		slices.SortStableFunc(best, byScore)
		best = best[:limit]
	}
	slices.SortStableFunc(best, inOrder)
	out := make([]guest.Item, 0, len(best))
	for i := range best {
		x := &best[i]
		content := sentence(x.text)
		section := sectionOf(c.sections, x)
		if section == "" || runes > 0 && utf8.RuneCountInString(content) > runes {
			continue
		}
		out = append(out, guest.Item{Section: section, Content: content, Confidence: c.model.confidence(x), Evidence: x.evidence, Suggestion: x.guessed()})
	}
	return out, best
}

// best gives the candidates of one session that pass, at most as many as its
// length can be expected to hold: the root of it, since a long session mostly
// says the same things again.
func (p *part) best() []candidate {
	list := make([]candidate, 0, len(p.found))
	for _, x := range p.found {
		gone := p.late(&x)
		x.score = p.model.score(&x.facts)
		if x.score >= p.model.threshold && !(gone && (x.facts.has(fRefuted) || lacks(x.text))) {
			list = append(list, x)
		}
	}
	return distinct(list, int(capBase+capSlope*math.Sqrt(float64(p.bytes)/1024)), p.model.sure)
}

// late sets what only the end of a session tells of a candidate, and says whether it
// was overtaken.
func (p *part) late(x *candidate) bool {
	gone := p.overtaken(x) || p.mended(x)
	x.facts.set(fRetired, gone)
	return gone
}

// mended says that x tells of a lack and that somebody put something to the
// thing later.
func (p *part) mended(x *candidate) bool {
	if x.cues.has(cCause) || !lacks(x.text) {
		return false
	}
	code := codes(x.text)
	for _, f := range p.filled {
		if f.order > x.order && slices.Contains(code, f.name) {
			return true
		}
	}
	return false
}

// lacks says that a sentence tells what something has not, yet.
func lacks(s string) bool {
	l := lower(s)
	for _, x := range [...]string{"missing", "doesn't have", "does not have", "don't have", "has no ", "doesn't track", "not being used", "isn't used", "not wired", "doesn't exist", "does not exist", "no longer exists",
		"отсутствует", "не хватает", "缺少", "没有实现", "누락", "없습니다"} {
		if strings.Contains(l, x) {
			return true
		}
	}
	return false
}

// overtaken says that a name in x was taken out of use after x was said.
func (p *part) overtaken(x *candidate) bool {
	for _, g := range p.gone {
		if g.order > x.order && slices.Contains(x.names, g.name) {
			return true
		}
	}
	return false
}

// Thresholds of the selection.
const capBase, capSlope = 3.0, 1.5

// What one paragraph or list entry, and one message, may give. An assistant's
// paragraph makes one point and explains it; a user's is often all rules.
const (
	perUnit, perUserUnit       = 1, 4
	perMessage, perUserMessage = 4, 10
	perPlainUnit               = 3 // of short statements of what is
	perRuleMessage             = 60
)

// crowded says that x's paragraph or message has given enough.
func crowded(out []candidate, x *candidate) bool {
	inUnit, inMessage := 0, 0
	for i := range out {
		if out[i].session == x.session && out[i].message == x.message {
			inMessage++
			if out[i].unit == x.unit {
				inUnit++
			}
		}
	}
	if x.facts.has(fAsked) || x.facts.has(fRule) {
		return inMessage >= perRuleMessage
	}
	if x.facts.has(fPlain) {
		return inUnit >= perPlainUnit || inMessage >= perMessage
	}
	if x.user && !x.facts.has(fPaste) {
		return inUnit >= perUserUnit || inMessage >= perUserMessage
	}
	return inUnit >= perUnit || inMessage >= perMessage
}

// guessed says that x is in a language that is read badly: on projects that nothing
// was chosen on, of what is taken in Japanese 4 in 90 and in Korean 5 in 37 was worth
// keeping to a reader (docs/quality.md). A rule that a user gave
// is not guessed.
func (x *candidate) guessed() bool {
	return !x.facts.has(fAsked) && !x.facts.has(fRule) && badlyRead(x.text)
}

// rule says that a user said how things are always to be done, not what to do
// now.
func (x *candidate) rule() bool {
	c := x.cues
	if x.facts.has(fAsked) || x.facts.has(fRule) {
		return true
	}
	if !x.user || c.has(cNow) || c.has(cMe) || c.has(cHedge) || c.has(cAsk) || c.has(cMoment) || x.facts.has(fPaste) {
		return false
	}
	return c.has(cForbid) || c.has(cMust) || c.has(cPrefer) || c.has(cAlways) && (c.has(cWe) || c.has(cShould))
}
