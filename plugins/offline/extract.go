package main

import (
	"math"
	"slices"
	"strings"

	"recollect/hostapi/guest"
)

// Bounds on what is remembered while turns are read, so that memory stays flat
// however long a history is.
const (
	maxSessions  = 512
	maxPerPart   = 400 // candidates kept of one session
	maxEvidence  = 6
	defaultItems = 200
)

// candidate is a sentence that may become an item.
type candidate struct {
	text     string
	section  string
	evidence []string
	score    float32
	facts    facts
	cues     set
	print    fingerprint
	order    int // in which it was said
	user     bool
	names    []uint32
	session  int // counted over the collector
	message  int // counted over the session, as is the unit that it stands in
	unit     int
}

// part is what was found in one session.
type part struct {
	found                   []candidate
	bytes                   int // of text read
	turn                    int // index in found where the turn before began
	next                    int // and where this one began
	gone                    []retired
	number, messages, units int // of the session; read so far
}

// collector reads turns one by one and keeps candidates only.
type collector struct {
	lexicon  *lexicon
	sections []guest.Section
	parts    map[string]*part
	names    []string // of parts, in order
	order    int
}

func newCollector(sections []guest.Section) *collector {
	return &collector{lexicon: newLexicon(), sections: sections, parts: map[string]*part{}}
}

// turn reads one turn.
func (c *collector) turn(t guest.Turn) {
	p := c.parts[t.Session]
	if p == nil {
		if len(c.names) == maxSessions {
			return
		}
		p = &part{number: len(c.names)}
		c.parts[t.Session] = p
		c.names = append(c.names, t.Session)
	}
	p.turn, p.next = p.next, len(p.found)
	last := len(t.Messages) - 1
	for last >= 0 && t.Messages[last].Role == guest.RoleUser {
		last--
	}
	for i, m := range t.Messages {
		if corrects(m) {
			for j := p.turn; j < len(p.found); j++ {
				if x := &p.found[j]; !x.user {
					x.facts.set(fRefuted, true)
				}
			}
		}
		c.message(p, m, i == last)
	}
	p.shrink()
}

// message reads one message.
func (c *collector) message(p *part, m guest.Message, final bool) {
	fromUser := m.Role == guest.RoleUser
	us := units(m.Text)
	defer func() {
		p.units += len(us)
		p.messages++
	}()
	p.bytes += min(len(m.Text), maxMessageBytes)
	for i, u := range us {
		list := sentences(u.text, fromUser)
		found, before := false, ""
		for j, s := range list {
			where := place{unit: u, user: fromUser, size: len(m.Text), units: len(us), index: i, sentence: j, of: len(list), found: found, final: final}
			text, f, cs := c.lexicon.read(s[ordinal(s):], where)
			text, alone := resolve(clean(text), before)
			before = text
			f.set(fPronoun, !alone || pronounStart(text))
			found = cs.has(cFound) && len(text) < 60
			c.order++
			for _, name := range retires(text) {
				if len(p.gone) < maxRetired {
					p.gone = append(p.gone, retired{name, c.order})
				}
			}
			if !alone || refused(text, fromUser, cs) || fromUser && task(&f, cs) {
				continue
			}
			p.found = append(p.found, candidate{text: text, evidence: []string{m.ID}, facts: f, cues: cs, order: c.order, user: fromUser, session: p.number, message: p.messages, unit: p.units + i, names: names(text), score: score(&f)})
		}
	}
}

// task says that a user's sentence is an order for now, not a rule.
func task(f *facts, cs set) bool {
	return f.has(front(cTask)) && !cs.has(cAlways) && !cs.has(cForbid) && !cs.has(cMust) && !cs.has(cPrefer) && !cs.has(cDecide) && !cs.has(cWe)
}

// shrink keeps the best of a part.
func (p *part) shrink() {
	if len(p.found) <= 2*maxPerPart {
		return
	}
	slices.SortStableFunc(p.found, byScore)
	p.found = slices.Clip(p.found[:maxPerPart])
	slices.SortStableFunc(p.found, func(a, b candidate) int { return a.order - b.order })
	p.turn, p.next = len(p.found), len(p.found)
}

func byScore(a, b candidate) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return b.order - a.order // the later word counts
}

// score is the log odds of the model.
func score(f *facts) float32 {
	s := float32(bias)
	for c := range cue(cues) {
		if !f.has(feature(c)) {
			continue
		}
		w := &cueWeights[c]
		s += w[0]
		if f.has(user(c)) {
			s += w[1]
		}
		if f.has(front(c)) {
			s += w[2]
		}
	}
	for i := fUser; i < features; i++ {
		if f.has(i) {
			s += placeWeights[i]
		}
	}
	return s
}

// corrects says that a message takes back what was said before it.
func corrects(m guest.Message) bool {
	t := lower(m.Text[:min(len(m.Text), 200)])
	for _, x := range [...]string{"no,", "no.", "no ", "nope", "wrong", "that's not", "that is not", "that's wrong", "not quite", "revert", "undo",
		"actually", "wait", "hmm", "нет", "не так", "неверно", "不对", "不是", "아니", "틀렸",
		"you're right", "you're absolutely right", "good catch", "i was wrong", "my mistake", "i apologize", "sorry", "i misunderstood",
		"ah, i see", "oh,", "i see the", "ты прав", "вы правы", "你说得对", "抱歉", "죄송", "맞습니다"} {
		if strings.HasPrefix(t, x) {
			return true
		}
	}
	return false
}

// items are the best of what was found.
func (c *collector) items(limit int) []guest.Item {
	if limit <= 0 {
		limit = defaultItems
	}
	var best []candidate
	for _, name := range c.names {
		best = append(best, c.parts[name].best()...)
	}
	best = distinct(best, len(best))
	if len(best) > limit {
		slices.SortStableFunc(best, byScore)
		best = best[:limit]
	}
	slices.SortStableFunc(best, func(a, b candidate) int { return a.order - b.order })
	out := make([]guest.Item, 0, len(best))
	for _, x := range best {
		section := sectionOf(c.sections, &x)
		if section == "" {
			continue
		}
		out = append(out, guest.Item{Section: section, Content: sentence(x.text), Confidence: confidence(&x), Evidence: x.evidence})
	}
	return out
}

// best gives the candidates of one session that pass, at most as many as its
// length can be expected to hold: the root of it, since a long session mostly
// says the same things again.
func (p *part) best() []candidate {
	last := 1
	for _, x := range p.found {
		last = max(last, x.order)
	}
	list := make([]candidate, 0, len(p.found))
	for _, x := range p.found {
		x.facts.set(fRetired, p.overtaken(&x))
		x.score = score(&x.facts)
		if x.score >= threshold {
			list = append(list, x)
		}
	}
	return distinct(list, int(capBase+capSlope*math.Sqrt(float64(p.bytes)/1024)))
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
const (
	threshold = -1.2
	capBase   = 2.0
	capSlope  = 2.6
	twin      = 0.5  // two candidates that alike say the same
	inside    = 0.75 // as does one that is to this share within the other
)

// What one paragraph or list entry, and one message, may give. An assistant's
// paragraph makes one point and explains it; a user's is often all rules.
const (
	perUnit, perUserUnit       = 1, 4
	perMessage, perUserMessage = 4, 10
)

// distinct takes candidates best first, leaves out those that say what one of
// them says, and stops at limit. The evidence of what it leaves out is kept.
func distinct(list []candidate, limit int) []candidate {
	slices.SortStableFunc(list, byScore)
	var out []candidate
	taken := 0
next:
	for _, x := range list {
		if x.print == nil {
			x.print = fingerprintOf(x.text)
		}
		for i := range out {
			if alike(out[i].print, x.print) >= twin || len(x.print) > 2 && within(out[i].print, x.print) >= inside {
				for _, e := range x.evidence {
					if len(out[i].evidence) < maxEvidence && !slices.Contains(out[i].evidence, e) {
						out[i].evidence = append(out[i].evidence, e)
					}
				}
				continue next
			}
		}
		// A user's own rules are never too many.
		if (taken < limit || x.rule()) && !crowded(out, &x) {
			out = append(out, x)
			if !x.rule() {
				taken++
			}
		}
	}
	return out
}

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
	if x.user {
		return inUnit >= perUserUnit || inMessage >= perUserMessage
	}
	return inUnit >= perUnit || inMessage >= perMessage
}

// confidence maps the log odds to 0.3 to 0.95; a user's own rule has at least
// 0.8.
func confidence(x *candidate) float64 {
	p := 0.3 + 0.65/(1+math.Exp(-float64(x.score)))
	if x.rule() {
		p = max(p, 0.8)
	}
	return math.Round(p*100) / 100
}

// rule says that a user said how things are always to be done, not what to do
// now.
func (x *candidate) rule() bool {
	c := x.cues
	if !x.user || c.has(cNow) || c.has(cMe) || c.has(cHedge) || c.has(cAsk) || c.has(cMoment) || x.facts.has(fPaste) {
		return false
	}
	return c.has(cForbid) || c.has(cMust) || c.has(cPrefer) || c.has(cAlways) && (c.has(cWe) || c.has(cShould))
}
