package secrets

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// keywords finds many words in a text in one pass, whatever their case. Each
// word must have at least three bytes. Of words beyond ASCII the forms are added
// that begin with a capital or have nothing else.
type keywords struct {
	list  []keyword
	at    map[string]int // where in it a word is
	class [256]uint8
	heads []uint16     // by the code of three bytes: which of group, 0 is none
	group [][]uint16   // words that begin with the same code
	first [1024]uint64 // a bit for what four bytes hash to that begin a word: it stays in a core's cache
}

// manyWords is about how many words there are.
const manyWords = 1500

type keyword struct {
	text  string // in lower case
	check []check
}

// check looks at the place where a word was found: text[at:end].
type check func(s *scan, at, end int)

func (k *keywords) add(word string, c check) {
	k.one(word, c)
	if word[0] < utf8.RuneSelf && word[1] < utf8.RuneSelf && word[2] < utf8.RuneSelf {
		return
	}
	upper := strings.ToUpper(word)
	_, n := utf8.DecodeRuneInString(upper)
	title := upper[:n] + word[min(n, len(word)):]
	for _, form := range []string{title, upper} {
		if len(form) == len(word) && code3(form) != code3(word) {
			k.one(form, c)
		}
	}
}

func (k *keywords) one(word string, c check) {
	if k.at == nil {
		k.at = make(map[string]int, manyWords)
		k.list = make([]keyword, 0, manyWords)
	}
	i, ok := k.at[word]
	if !ok {
		i = len(k.list)
		k.at[word] = i
		k.list = append(k.list, keyword{text: word})
	}
	k.list[i].check = append(k.list[i].check, c)
}

func (k *keywords) index() {
	for c := range 256 {
		k.class[c] = class(byte(c))
	}
	k.heads = make([]uint16, 1<<15)
	k.group = make([][]uint16, 1)
	for i, w := range k.list {
		code := code3(w.text)
		if k.heads[code] == 0 {
			k.heads[code] = uint16(len(k.group))
			k.group = append(k.group, nil)
		}
		g := k.heads[code]
		k.group[g] = append(k.group[g], uint16(i))
		for next := range uint32(32) {
			if len(w.text) == 3 || next == uint32(class(w.text[3])) {
				h := hash4(uint32(code)<<5 | next)
				k.first[h>>6] |= 1 << (h & 63)
			}
		}
	}
}

// hash4 gives sixteen bits of the classes of four bytes.
func hash4(code uint32) uint32 { return code * 0x9E3779B1 >> 16 }

// class gives a byte five bits: letters of both cases, digits and signs that
// words use, and what stands beyond ASCII. Others are 0.
func class(c byte) uint8 {
	switch {
	case c >= utf8.RuneSelf:
		return c & 0x1f
	case isLetter(c):
		return c & 0x1f
	case isDigit(c):
		return 27
	case c == '_':
		return 28
	case c == '-':
		return 29
	case c == '.':
		return 30
	case c == ':', c == '/':
		return 31
	}
	return 0
}

func code3(s string) uint16 {
	return uint16(class(s[0]))<<10 | uint16(class(s[1]))<<5 | uint16(class(s[2]))
}

type span struct{ from, to int }

// scan is one pass over a text.
type scan struct {
	*Redactor
	words   *keywords
	text    string
	spans   []span
	named   int         // where the last name that was looked at ends
	tried   map[int]int // by rule of the library: how far it was applied
	decoded int         // how far base64 was decoded
	read    int         // to where the commands in it are counted
	lines   int         // how many command lines were read up to there
}

// find gives the secrets of a text, in order and apart.
func (r *Redactor) find(text string) []span {
	v, ok := normal(text)
	if !ok {
		return merged(append(r.scan(text), r.joined(text)...))
	}
	spans := append(r.scan(v.text), r.joined(v.text)...)
	for i := range spans {
		spans[i] = v.span(spans[i])
	}
	return merged(spans)
}

// scan gives the secrets of a text as it stands, in any order.
func (r *Redactor) scan(text string) []span {
	words := &r.known().words
	s := scan{Redactor: r, words: words, text: text}
	class, first := &words.class, &words.first
	code := uint32(0)
	for i := range len(text) {
		if i&0xfff == 0 && r.over() {
			break
		}
		code = (code<<5 | uint32(class[text[i]])) & (1<<20 - 1)
		if h := hash4(code); first[h>>6]>>(h&63)&1 != 0 {
			s.word(i-3, code>>5)
		}
	}
	s.word(len(text)-3, code&(1<<15-1))
	s.cards()
	return s.spans
}

// word looks at the words that begin at a place with the code of three bytes.
func (s *scan) word(at int, code uint32) {
	g := s.words.heads[code]
	if g == 0 || at < 0 {
		return
	}
	for _, w := range s.words.group[g] {
		word := &s.words.list[w]
		end := at + len(word.text)
		if end > len(s.text) || len(word.text) > 3 && s.text[at+3] != word.text[3] && s.text[at+3]|0x20 != word.text[3] || !strings.EqualFold(s.text[at:end], word.text) {
			continue
		}
		for _, c := range word.check {
			c(s, at, end)
		}
	}
}

// take marks text[from:to] as a secret.
func (s *scan) take(from, to int) {
	if from < to && strings.Trim(strings.ReplaceAll(s.text[from:to], Mark, ""), " \t\r\n") != "" {
		s.spans = append(s.spans, span{from, to})
	}
}

// merged gives the spans in order; those that overlap or touch are one.
func merged(spans []span) []span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	out := spans[:1]
	for _, next := range spans[1:] {
		last := &out[len(out)-1]
		if next.from <= last.to {
			last.to = max(last.to, next.to)
			continue
		}
		out = append(out, next)
	}
	return out
}

// How far around a keyword a rule of the library looks.
const (
	nameReach = 400  // of one with a name: from the name on
	runReach  = 1100 // of one for a token, on both sides
	leastRun  = 18   // bytes that any token has
)

// library applies a rule of the library where its keyword is.
func (s *scan) library(r *rule, id, at int) {
	if r.Named {
		s.namedRule(r, at)
		return
	}
	if at < s.tried[id] {
		return // the same run was gone through
	}
	from, to := s.run(at)
	if s.tried == nil {
		s.tried = map[int]int{}
	}
	s.tried[id] = to
	if to-from < leastRun || !strings.ContainsAny(s.text[from:to], "0123456789") {
		return
	}
	re, err := r.compile()
	if err != nil {
		return
	}
	from, to = max(0, from-1), min(len(s.text), to+1) // the rule looks at what is around
	for _, m := range re.FindAllStringSubmatchIndex(s.text[from:to], -1) {
		s.takeMatch(r, m, from)
	}
}

// namedRule applies a rule that looks for a value behind a name.
func (s *scan) namedRule(r *rule, at int) {
	if strings.IndexAny(s.text[at:min(len(s.text), at+48)], "=>:|,") < 0 {
		return
	}
	re, err := r.compile()
	if err != nil {
		return
	}
	if m := re.FindStringSubmatchIndex(s.text[at:min(len(s.text), at+nameReach)]); m != nil {
		s.takeMatch(r, m, at)
	}
}

// run gives the run of bytes around a place that tokens and their addresses
// have.
func (s *scan) run(at int) (from, to int) {
	from, to = at, at
	for least := max(0, at-runReach); from > least && isRunByte(s.text[from-1]); {
		from--
	}
	for most := min(len(s.text), at+runReach); to < most && isRunByte(s.text[to]); {
		to++
	}
	return from, to
}

func isRunByte(c byte) bool { return isTokenByte(c) || strings.IndexByte("+/=.~:@%#", c) >= 0 }

// takeMatch takes the secret of a match in text[base:].
func (s *scan) takeMatch(r *rule, m []int, base int) {
	from, end := m[0], m[1]
	if r.Group > 0 {
		from, end = m[2*r.Group], m[2*r.Group+1]
	} else {
		for g := 2; g+1 < len(m); g += 2 {
			if m[g] >= 0 && m[g] < m[g+1] {
				from, end = m[g], m[g+1]
				break
			}
		}
	}
	if from < 0 {
		return
	}
	from, end = base+from, base+end
	found := s.text[from:end]
	if placeholder(found) || r.Entropy > 0 && entropy(found) <= r.Entropy || !strings.ContainsAny(found, "0123456789") && wordy(found) {
		return
	}
	for end < len(s.text) && isWordByte(s.text[end]) && isWordByte(s.text[end-1]) {
		end++ // it is longer than the rule, or than where we looked
	}
	s.take(from, end)
}
