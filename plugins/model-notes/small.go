package main

import (
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

// gap stands where sentences were left out.
const gap = "[...]"

// candidate is one sentence of a session.
type candidate struct {
	talk, said, at int // where it is: at counts within the message
	text           string
	heading        bool // it begins a line
	words          words
	score          float64
	shown          bool
}

// choose leaves of a session the most promising sentences with those beside them,
// at most n of the former, and fewer if all of it has more than limit runes. A
// small model reads that better than the whole, and in a tenth of the time. With
// n = 0 all stays.
func (s *session) choose(n, limit int) {
	if n <= 0 || s.runes == 0 {
		return
	}
	all := s.candidates()
	if len(all) <= n && s.runes <= limit {
		return
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case all[a].score > all[b].score:
			return -1
		case all[a].score < all[b].score:
			return 1
		}
		return 0
	})
	runes, chosen := 0, 0
	show := func(i, beside int) {
		if i >= 0 && i < len(all) && !all[i].shown && all[i].talk == all[beside].talk && all[i].said == all[beside].said {
			all[i].shown = true
			runes += utf8.RuneCountInString(all[i].text) + 1
		}
	}
	for _, i := range order {
		if chosen == n || runes >= limit*9/10 {
			break
		}
		chosen++
		for _, j := range []int{i, i - 1, i + 1} {
			if runes+utf8.RuneCountInString(all[i].text) < limit {
				show(j, i)
			}
		}
	}
	s.rebuild(all)
}

func (s *session) candidates() []candidate {
	var all []candidate
	for i, k := range s.talks {
		for j, m := range k.said {
			at := 0
			for line := range strings.SplitSeq(m.text, "\n") {
				for n, text := range sentences(line) {
					all = append(all, candidate{talk: i, said: j, at: at, text: text, heading: n == 0, words: wordsOf(text)})
					at++
				}
			}
		}
	}
	often := map[string]int{}
	for _, c := range all {
		for w := range c.words {
			often[w]++
		}
	}
	for i := range all {
		c := &all[i]
		k := s.talks[c.talk]
		m := k.said[c.said]
		c.score = promise(c.text, m.role == guest.RoleUser)
		if m.role != guest.RoleUser && c.said == len(k.said)-1 {
			c.score += 0.5 // a turn's last word sums it up
		}
		c.score += central(c.words, often) + 0.5*float64(c.talk+1)/float64(len(s.talks))
	}
	return all
}

// central is how much of a sentence is about what the session comes back to, up to
// 1.
func central(w words, often map[string]int) float64 {
	n := 0
	for k := range w {
		if often[k] >= 3 {
			n++
		}
	}
	return float64(n) / float64(max(len(w), 6))
}

// tells are parts of sentences that say what lasts: rules, choices, causes.
var tells = []string{
	"must", "never", "always", "should", "don't", "do not", "not allowed", "require", "only ", "instead", "rather than", "prefer", "decid", "chose", "choice", "agreed",
	"convention", "rule", "standard", "policy", "from now on", "by default", "because", "since ", "so that", "otherwise", "due to", "reason", "cause", "turns out",
	"the issue", "the problem", "bug", "fix", "fail", "break", "broke", "crash", "race", "workaround", "limit", "cannot", "can't", "doesn't", "won't", "avoid",
	"need", "depend", "expect", "intend", "tried", "version", "deprecat", "config", "keep ", "drop ", "use ",
	"нельзя", "всегда", "никогда", "должн", "потому", "нужно", "必须", "不要", "因为", "禁止", "总是", "必ず", "ない", "ため", "해야", "때문", "항상",
}

// promise is how much a sentence by itself looks worth noting.
func promise(text string, byDeveloper bool) float64 {
	low := " " + strings.ToLower(strings.ReplaceAll(text, "’", "'")) + " "
	score := 0.0
	for _, t := range tells {
		if strings.Contains(low, t) {
			score += 0.6
		}
	}
	score = min(score, 2.4)
	n := utf8.RuneCountInString(text)
	switch {
	case n < 20:
		score -= 1
	case n >= 40 && n <= 320:
		score += 0.4
	}
	if strings.ContainsAny(text, "`/_") {
		score += 0.3
	}
	asks := strings.HasSuffix(text, "?")
	switch {
	case byDeveloper && asks:
		score++ // a rule may be put as a question
	case byDeveloper:
		score += 1.5
	case asks:
		score--
	}
	if narrates(text) || announces(text) || bulky(text) {
		score -= 1.5
	}
	return score
}

// rebuild makes the messages of the sentences that are shown, with a gap where
// others stood between them.
func (s *session) rebuild(all []candidate) {
	i := 0
	s.runes = 0
	for t := range s.talks {
		k := &s.talks[t]
		k.runes = 0
		for m := range k.said {
			var b strings.Builder
			left := false
			for ; i < len(all) && all[i].talk == t && all[i].said == m; i++ {
				c := all[i]
				if !c.shown {
					left = true
					continue
				}
				switch {
				case left && b.Len() > 0:
					b.WriteString("\n" + gap + "\n")
				case b.Len() > 0 && c.heading:
					b.WriteByte('\n')
				case b.Len() > 0:
					b.WriteByte(' ')
				}
				left = false
				b.WriteString(c.text)
			}
			k.said[m].text = b.String()
			k.runes += utf8.RuneCountInString(k.said[m].text)
		}
		k.said = slices.DeleteFunc(k.said, func(m said) bool { return m.text == "" })
		s.runes += k.runes
	}
	s.talks = slices.DeleteFunc(s.talks, func(k talk) bool { return len(k.said) == 0 })
}
