package memory

import (
	"slices"
	"strings"
)

// How alike two items must be. Both are shares of common tokens (Dice).
const (
	sameShare    = 0.85 // to say the same
	removedShare = 0.70 // to say what a person removed: rather too often than back again
)

// same reports whether two contents say the same in other words. Different
// numbers, a negation, or a word that only the one has where the other has a
// different one mean that they do not.
func (l *lexicon) same(a, b *shape, share float64) bool {
	if len(a.words) == 0 || len(b.words) == 0 || a.denials != b.denials || !slices.Equal(a.numbers, b.numbers) {
		return false
	}
	if !l.alike(a.words, b.words, a.pairs, b.pairs, share) {
		return false
	}
	return 20*commonInOrder(a.seq, b.seq) >= 13*min(len(a.seq), len(b.seq))
}

func (l *lexicon) alike(aw, bw, ap, bp []token, share float64) bool {
	onlyA, onlyB := difference(aw, bw), difference(bw, aw)
	common := len(aw) - len(onlyA) + overlap(ap, bp)
	for _, t := range onlyA {
		if slices.ContainsFunc(onlyB, func(u token) bool { return inflected(l, t, u) }) {
			common++
		}
	}
	if 2*float64(common) < share*float64(len(aw)+len(bw)+len(ap)+len(bp)) {
		return false
	}
	if len(onlyA) == 0 || len(onlyB) == 0 {
		// The longer one only adds words; a denial among them is no detail.
		return !slices.ContainsFunc(append(onlyA, onlyB...), func(t token) bool { return t&negated != 0 })
	}
	if len(onlyA) > len(onlyB) {
		onlyA, onlyB = onlyB, onlyA
	}
	for _, t := range onlyA {
		if !slices.ContainsFunc(onlyB, func(u token) bool { return inflected(l, t, u) }) {
			return false
		}
	}
	return true
}

// inflected reports two forms of one word: "validate", "validation".
func inflected(l *lexicon, a, b token) bool {
	if a&negated != b&negated {
		return false
	}
	s, t := l.name(a), l.name(b)
	if isNumber(s) || isNumber(t) {
		return false
	}
	k := 0
	for k < len(s) && k < len(t) && s[k] == t[k] {
		k++
	}
	return k >= 4 && len(s)-k+len(t)-k <= 4
}

// difference returns what only a has; both are sorted.
func difference(a, b []token) []token {
	var out []token
	for _, t := range a {
		if _, ok := slices.BinarySearch(b, t); !ok {
			out = append(out, t)
		}
	}
	return out
}

func overlap(a, b []token) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}

// maxOrdered bounds the quadratic comparison of orders.
const maxOrdered = 256

// commonInOrder is the length of the longest common subsequence: "a before b"
// and "b before a" have the same words.
func commonInOrder(a, b []token) int {
	a, b = a[:min(len(a), maxOrdered)], b[:min(len(b), maxOrdered)]
	row := make([]int, len(b)+1)
	for _, t := range a {
		diagonal := 0
		for j, u := range b {
			above := row[j+1]
			if t == u {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// contradicts says why the newer content cannot hold beside the older one, or
// "". It rather misses a contradiction than invents one:
//   - opposite: the same words, some of them denied on one side only;
//   - another number: the same words in the same order, but for numbers;
//   - another value: one word differs, and the two are opposites of each other
//     or the newer one says that something changed;
//   - replaced: the newer one denies what the older one is about ("pnpm instead
//     of npm"), and the rest of the older one is mostly in the newer one.
func (l *lexicon) contradicts(newer, older *shape) string {
	switch {
	case l.opposite(newer, older):
		return "it says the opposite"
	case l.otherNumber(newer, older):
		return "it gives another number"
	case l.otherValue(newer, older):
		return "it gives another value"
	case l.replaced(newer, older):
		return "it replaces what this one says"
	}
	return ""
}

func (l *lexicon) opposite(a, b *shape) bool {
	x, y := a.bases, b.bases
	if !a.denies && !b.denies || len(x) < 2 || len(a.numbers) != len(b.numbers) || !slices.Equal(bases(a.numbers), bases(b.numbers)) {
		return false
	}
	share := sameShare
	flipped := a.denials != b.denials
	if flipped {
		share = removedShare // the denying character counts among the words itself
	}
	for _, t := range a.words {
		if flipped {
			break
		}
		_, other := slices.BinarySearch(b.words, t^negated)
		_, too := slices.BinarySearch(b.words, t)
		flipped = flipped || other && !too
	}
	return flipped && l.alike(x, y, a.pairs, b.pairs, share)
}

func bases(ts []token) []token {
	out := make([]token, len(ts))
	for i, t := range ts {
		out[i] = t.base()
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (l *lexicon) otherNumber(a, b *shape) bool {
	if len(a.numbers) == 0 || len(a.numbers) != len(b.numbers) || len(a.seq) != len(b.seq) || len(a.seq)-len(a.numbers) < 2 || a.denials != b.denials {
		return false
	}
	differ := false
	for i, t := range a.seq {
		if t == b.seq[i] {
			continue
		}
		if !isNumber(l.name(t)) || !isNumber(l.name(b.seq[i])) || t&negated != b.seq[i]&negated {
			return false
		}
		differ = true
	}
	return differ
}

func (l *lexicon) otherValue(newer, older *shape) bool {
	if len(newer.seq) != len(older.seq) || len(newer.seq) < 2 || newer.denials != older.denials {
		return false
	}
	at := -1
	for i, t := range newer.seq {
		if t == older.seq[i] {
			continue
		}
		if at >= 0 || t&negated != older.seq[i]&negated {
			return false
		}
		at = i
	}
	if at < 0 {
		return false
	}
	a, b := l.name(newer.seq[at]), l.name(older.seq[at])
	if isNumber(a) || isNumber(b) || inflected(l, newer.seq[at], older.seq[at]) {
		return false
	}
	return opposites[a] == b && b != "" || newer.shift && (len(newer.seq) >= 3 || at == 1)
}

func (l *lexicon) replaced(newer, older *shape) bool {
	if !newer.strong && !newer.shift {
		return false
	}
	var gone, kept []token
	for _, t := range newer.words {
		switch _, also := slices.BinarySearch(newer.words, t.base()); {
		case t&negated == 0:
			kept = append(kept, t)
		case !also:
			gone = append(gone, t.base())
		}
	}
	rest := difference(older.words, gone)
	if len(gone) == 0 || len(gone) > 3 || len(rest) == 0 || overlap(gone, older.words) != len(gone) {
		return false
	}
	return 2*overlap(rest, kept) >= len(rest)
}

// opposites are pairs of which only one can be right.
var opposites = pairUp(`tab space enabled disabled enable disable true false on off sync async synchronous asynchronous
	required optional allowed forbidden public private mutable immutable singular plural single double
	strict lenient camelcase snake_case ascending descending static dynamic manual automatic before after
	dark light online offline stateless stateful`)

func pairUp(words string) map[string]string {
	out := map[string]string{}
	var first string
	for i, w := range strings.Fields(words) {
		w = stem(w)
		if i%2 == 0 {
			first = w
			continue
		}
		out[first], out[w] = w, first
	}
	return out
}
