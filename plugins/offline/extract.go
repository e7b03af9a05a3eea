package main

import (
	"slices"
	"strings"

	"recollect/hostapi/guest"
)

// Bounds on what is remembered while turns are read, so that memory stays flat
// however long a history is.
const (
	maxSessions   = 512  // that go on at once
	maxPerPart    = 200  // candidates kept of a session that goes on
	maxCandidates = 8000 // of all these sessions
	maxDone       = 1000 // of sessions that were let go of
	maxEvidence   = 6
	defaultItems  = 200
)

// A call may take only so long. What is beyond fullText bytes of one history,
// oldest first, is skimmed: the user's messages and the last of each answer, of
// each the beginning.
const (
	fullText = 6 << 20
	skimmed  = 4 << 10
)

// candidate is a sentence that may become an item.
type candidate struct {
	text     string
	evidence []string
	score    float32
	facts    facts
	cues     set
	print    fingerprint
	order    int // in which it was said
	user     bool
	names    []uint32
	figures  []uint32 // set with print, as are code and negative
	code     []uint32
	subject  uint32
	negative bool
	session  int // counted over the collector
	message  int // counted over the session, as is the unit that it stands in
	unit     int
}

// part is what was found in one session.
type part struct {
	model                   *model
	found                   []candidate
	bytes                   int // of text read
	turn                    int // index in found where the turn before began
	next                    int // and where this one began
	gone                    []retired
	filled                  []retired // names that an edit put something to
	number, messages, units int       // of the session; read so far
}

// collector reads turns one by one and keeps candidates only.
type collector struct {
	model    *model
	perPart  int
	lexicon  *lexicon
	sections []guest.Section
	parts    map[string]*part
	names    []string    // of parts, in order
	done     []candidate // of sessions that were let go of
	seen     int         // sessions
	order    int         // sentences read
	bytes    int         // of text read
	held     int         // candidates, about
	why      *explainer  // nil: nobody asks
}

func newCollector(sections []guest.Section) *collector {
	return &collector{model: fitted(), perPart: maxPerPart, lexicon: newLexicon(), sections: sections, parts: map[string]*part{}}
}

// turn reads one turn.
func (c *collector) turn(t guest.Turn) {
	p := c.parts[t.Session]
	if p == nil {
		if len(c.names) == maxSessions {
			c.finish(maxSessions / 2)
		}
		c.seen++
		p = &part{model: c.model, number: c.seen}
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
			p.refute()
		}
		if c.bytes > fullText {
			if m.Role != guest.RoleUser && i != last {
				continue
			}
			m.Text = head(m.Text, skimmed)
		}
		c.message(p, m, i == last)
	}
	if p.shrink(c.perPart); c.held > maxCandidates {
		c.settle()
	}
}

// refute marks what the assistant said in the turn before and in this one.
func (p *part) refute() {
	for i := p.turn; i < len(p.found); i++ {
		if x := &p.found[i]; !x.user {
			x.facts.set(fRefuted, true)
		}
	}
}

// finish lets go of the oldest n sessions but for what would be taken of them.
func (c *collector) finish(n int) {
	for _, name := range c.names[:n] {
		c.done = append(c.done, c.parts[name].best()...)
		delete(c.parts, name)
	}
	c.names = slices.Clone(c.names[n:])
	if len(c.done) > maxDone {
		slices.SortStableFunc(c.done, byScore)
		c.done = slices.Clip(c.done[:maxDone])
	}
}

// settle lets go of all candidates but those that would be taken now.
func (c *collector) settle() {
	c.held = 0
	for _, name := range c.names {
		p := c.parts[name]
		p.found = p.best()
		slices.SortStableFunc(p.found, inOrder)
		p.turn, p.next = len(p.found), len(p.found)
		c.held += len(p.found)
	}
	if c.held <= maxCandidates/2 {
		return
	}
	// A history of many hundred sessions: the best of each.
	c.held = 0
	for _, name := range c.names {
		p := c.parts[name]
		slices.SortStableFunc(p.found, byScore)
		p.found = slices.Clip(p.found[:min(len(p.found), maxCandidates/2/maxSessions)])
		c.held += len(p.found)
	}
}

// message reads one message.
func (c *collector) message(p *part, m guest.Message, final bool) {
	us := units(memo(m.Role, m.Text))
	p.bytes += min(len(m.Text), maxMessageBytes)
	c.bytes += min(len(m.Text), maxMessageBytes)
	at := place{user: m.Role == guest.RoleUser, size: len(m.Text), units: len(us), final: final}
	at.manual = at.user && manual(m.Text)
	for i, u := range us {
		list := sentences(u.text, at.user)
		at.unit, at.index, at.of, at.found = u, i, len(list), false
		before := ""
		for j, s := range list {
			at.sentence = j
			before = c.sentence(p, m.ID, s, before, &at)
		}
	}
	p.units += len(us)
	p.messages++
}

// manual says that a user's text is a page of somebody's documentation: long, and
// it speaks to its reader, not of its writers.
func manual(s string) bool {
	if len(s) <= longMessage {
		return false
	}
	l := lower(head(s, maxMessageBytes))
	reader := strings.Count(l, " you ") + strings.Count(l, " your ") + strings.Count(l, "by default") + strings.Count(l, "for example") + strings.Count(l, "e.g.") + strings.Count(l, " --")/2
	writers := strings.Count(l, " we ") + strings.Count(l, " our ") + strings.Count(l, " i ") + strings.Count(l, "i'm ") + strings.Count(l, " us ")
	return reader >= 4 && reader >= 3*writers
}

// sentence reads one sentence and gives it as it can stand for itself, for the
// one that follows.
func (c *collector) sentence(p *part, message, s, before string, at *place) string {
	c.order++
	if at.user {
		s = unplaced(s)
	}
	text, f, cs := c.lexicon.read(s[ordinal(s):], at)
	if at.user {
		if rest, asked := at.told(s); asked {
			text = rest
			f.set(fAsked, true)
			f.set(fRule, imperative(rest, words(rest)) || lasting(lower(at.unit.heading+" "+at.unit.intro+" "+strings.TrimSuffix(s, rest))))
		}
	}
	at.found = cs.has(cFound) && len(text) < 60
	if cs&retiringCues != 0 {
		for _, name := range retires(text) {
			if len(p.gone) < maxRetired {
				p.gone = append(p.gone, retired{name, c.order})
			}
		}
	}
	if !at.user && cs.has(cDone) {
		for _, name := range codes(text) {
			if len(p.filled) < maxRetired {
				p.filled = append(p.filled, retired{name, c.order})
			}
		}
	}
	// What comes to light from here on only lowers a score.
	points := c.model.score(&f)
	if points < c.model.threshold {
		c.why.weigh(text, message, &f, points, c.order)
		return text
	}
	text, alone := resolve(clean(text), clean(before))
	f.set(fPronoun, !alone || pronounStart(text))
	if points = c.model.score(&f); points < c.model.threshold {
		c.why.weigh(text, message, &f, points, c.order)
		return text
	}
	if why := verdict(text, &f, cs, alone); why != "" {
		c.why.note(text, message, why, points, c.order)
		return text
	}
	c.held++
	p.found = append(p.found, candidate{
		text: text, evidence: []string{message}, score: points, facts: f, cues: cs, order: c.order, user: at.user, names: names(text),
		session: p.number, message: p.messages, unit: p.units + at.index,
	})
	return text
}

// verdict says why a sentence that scores enough is not kept all the same; "" if it is.
func verdict(text string, f *facts, cs set, alone bool) string {
	switch {
	case hostile(lower(text)):
		return "it reads like an order to whoever reads it"
	case unsafe(text):
		return "it holds a secret, or the place of one"
	case f.has(fAsked):
		return unfit(text)
	case !alone:
		return "it speaks of something that is not named in it"
	}
	return refused(text, f, cs)
}

// shrink keeps the best of a part.
func (p *part) shrink(most int) {
	if len(p.found) <= 2*most {
		return
	}
	slices.SortStableFunc(p.found, byScore)
	p.found = slices.Clip(p.found[:most])
	slices.SortStableFunc(p.found, inOrder)
	p.turn, p.next = len(p.found), len(p.found)
}

func inOrder(a, b candidate) int { return a.order - b.order }

func byScore(a, b candidate) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return b.order - a.order // the later word counts
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
