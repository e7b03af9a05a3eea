package secrets

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// keywords finds many words in a text in one pass, whatever their case. Each
// word must have at least three bytes.
type keywords struct {
	list  []keyword
	heads []uint16   // by the code of three bytes: which of groups, 0 is none
	group [][]uint16 // words that begin with the same code
}

type keyword struct {
	text  string // in lower case
	check []check
}

// check looks at the place where a word was found: text[at:end].
type check func(s *scan, at, end int)

func (k *keywords) add(word string, c check) {
	for i := range k.list {
		if k.list[i].text == word {
			k.list[i].check = append(k.list[i].check, c)
			return
		}
	}
	k.list = append(k.list, keyword{word, []check{c}})
}

func (k *keywords) index() {
	k.heads = make([]uint16, 1<<15)
	k.group = make([][]uint16, 1)
	for i, w := range k.list {
		code := code3(w.text)
		if k.heads[code] == 0 {
			k.heads[code] = uint16(len(k.group))
			k.group = append(k.group, nil)
		}
		g := &k.group[k.heads[code]]
		*g = append(*g, uint16(i))
	}
}

// class gives a byte five bits: letters of both cases, digits and signs that
// words use. Others are 0.
var class = func() (t [256]uint8) {
	for c := range 26 {
		t['a'+c], t['A'+c] = uint8(c+1), uint8(c+1)
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = 27
	}
	t['_'], t['-'], t['.'], t[':'], t['/'] = 28, 29, 30, 31, 31
	return t
}()

func code3(s string) uint16 {
	return uint16(class[s[0]])<<10 | uint16(class[s[1]])<<5 | uint16(class[s[2]])
}

type span struct{ from, to int }

// scan is one pass over a text.
type scan struct {
	*Redactor
	text  string
	spans []span
	named int // where the last name that was looked at ends
}

// find gives the secrets of a text, in order and apart.
func (r *Redactor) find(text string) []span {
	s := scan{Redactor: r, text: text}
	code := uint16(0)
	for i := range len(text) {
		code = (code<<5 | uint16(class[text[i]])) & (1<<15 - 1)
		g := r.words.heads[code]
		if g == 0 || i < 2 {
			continue
		}
		for _, w := range r.words.group[g] {
			word := &r.words.list[w]
			at, end := i-2, i-2+len(word.text)
			if end > len(text) || !strings.EqualFold(text[at:end], word.text) {
				continue
			}
			for _, c := range word.check {
				c(&s, at, end)
			}
		}
	}
	return s.merged()
}

// take marks text[from:to] as a secret.
func (s *scan) take(from, to int) {
	if from < to && strings.Trim(strings.ReplaceAll(s.text[from:to], Mark, ""), " \t\r\n") != "" {
		s.spans = append(s.spans, span{from, to})
	}
}

// merged gives the spans in order; those that overlap or touch are one.
func (s *scan) merged() []span {
	if len(s.spans) < 2 {
		return s.spans
	}
	slices.SortFunc(s.spans, func(a, b span) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	out := s.spans[:1]
	for _, next := range s.spans[1:] {
		last := &out[len(out)-1]
		if next.from <= last.to {
			last.to = max(last.to, next.to)
			continue
		}
		out = append(out, next)
	}
	return out
}

// How far around a keyword a pattern of the library is looked for.
const (
	before = 64
	behind = 1100
)

// library applies a rule of the library around its keyword. The match must hold
// the keyword, or the rule would be applied far from what it is about.
func (s *scan) library(r *rule, at int) {
	from, to := max(0, at-before), min(len(s.text), at+behind)
	for from < at && !utf8.RuneStart(s.text[from]) {
		from++
	}
	if r.assigns {
		// A value must follow a name within a few bytes.
		to = min(to, at+400)
		if strings.IndexAny(s.text[at:min(len(s.text), at+48)], "=>:|,") < 0 {
			return
		}
	}
	re, err := r.compile()
	if err != nil {
		return
	}
	for try := from; try <= at; {
		m := re.FindStringSubmatchIndex(s.text[try:to])
		if m == nil || try+m[0] > at {
			return
		}
		if try+m[1] > at {
			s.takeMatch(r.Entropy, r.Group, m, try)
			return
		}
		try += max(m[1], 1)
	}
}

// takeMatch takes the secret of a match in text[base:].
func (s *scan) takeMatch(least float64, group int, m []int, base int) {
	from, end := m[0], m[1]
	if group > 0 {
		from, end = m[2*group], m[2*group+1]
	} else {
		for g := 2; g+1 < len(m); g += 2 {
			if m[g] >= 0 && m[g] < m[g+1] {
				from, end = m[g], m[g+1]
				break
			}
		}
	}
	if from < 0 || placeholder(s.text[base+from:base+end]) || least > 0 && entropy(s.text[base+from:base+end]) <= least {
		return
	}
	from, end = base+from, base+end
	for end < len(s.text) && isWordByte(s.text[end]) && isWordByte(s.text[end-1]) {
		end++ // it is longer than the rule, or than the window
	}
	s.take(from, end)
}
