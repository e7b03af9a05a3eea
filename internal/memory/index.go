package memory

import "slices"

// index finds the items that are like a content without comparing with all of
// them. Items are numbered in the order in which they were added.
type index struct {
	lex      *lexicon
	shapes   []shape
	exact    map[string][]int32
	postings map[token][]int32 // by base token
	common   []int32           // scratch: words in common with the query, by item
}

func newIndex(n int) *index {
	return &index{
		lex: newLexicon(), shapes: make([]shape, 0, n),
		exact: make(map[string][]int32, n), postings: make(map[token][]int32, n),
	}
}

func (x *index) add(content string) {
	i := int32(len(x.shapes))
	s := x.lex.shape(content)
	x.shapes = append(x.shapes, s)
	key := exactKey(content)
	x.exact[key] = append(x.exact[key], i)
	for _, t := range s.bases {
		x.postings[t] = append(x.postings[t], i)
	}
	x.common = append(x.common, 0)
}

// change gives an item another content.
func (x *index) change(i int, before, content string) {
	key := exactKey(before)
	x.exact[key] = slices.DeleteFunc(slices.Clone(x.exact[key]), func(j int32) bool { return j == int32(i) })
	key = exactKey(content)
	x.exact[key] = append(x.exact[key], int32(i))
	x.shapes[i] = x.lex.shape(content)
	// What is left of its words before makes a query look at it in vain.
	for _, t := range x.shapes[i].bases {
		x.postings[t] = append(x.postings[t], int32(i))
	}
}

// query is a content that is looked for.
type query struct {
	key   string
	shape shape
	hits  []int32 // items that share enough words to be looked at, ascending
}

// likelyShare is the share of common words, of the longer of two items, below
// which neither likeness nor contradiction needs a closer look.
const likelyShare = 0.45

// query finds the items worth comparing with a content. An item that is much
// shorter than the content matters only if the content replaces something.
func (x *index) query(content string) *query {
	q := &query{key: exactKey(content), shape: x.lex.shape(content)}
	var touched []int32
	for _, t := range q.shape.bases {
		for _, i := range x.postings[t] {
			if x.common[i] == 0 {
				touched = append(touched, i)
			}
			x.common[i]++
		}
	}
	for _, i := range touched {
		n := int(x.common[i])
		x.common[i] = 0
		if likely(n, &q.shape, &x.shapes[i]) {
			q.hits = append(q.hits, i)
		}
	}
	slices.Sort(q.hits)
	return q
}

// likely says whether n words in common make a newer content worth comparing with
// an older one.
func likely(n int, newer, older *shape) bool {
	return float64(n) >= likelyShare*float64(max(len(older.bases), len(newer.bases))) ||
		(newer.strong || newer.shift) && 2*n >= len(older.bases)
}

// likeness is how much an item says the same as a query.
type likeness int

const (
	exactly likeness = iota
	nearly           // enough for an item of the memory
	roughly          // enough for what a person removed
)

// twins calls f for each item that says the same: the exact ones, then the
// others, each in ascending order.
func (x *index) twins(q *query, exactOnly bool, f func(item int, like likeness)) {
	for _, i := range x.exact[q.key] {
		f(int(i), exactly)
	}
	if exactOnly {
		return
	}
	for _, i := range q.hits {
		s := &x.shapes[i]
		switch {
		case x.lex.same(&q.shape, s, sameShare):
			f(int(i), nearly)
		case x.lex.same(&q.shape, s, removedShare):
			f(int(i), roughly)
		}
	}
}

// rival is an item that a content contradicts.
type rival struct {
	item int
	why  string
}

func (x *index) rivals(q *query, want func(item int) bool) []rival {
	var out []rival
	for _, i := range q.hits {
		if !want(int(i)) {
			continue
		}
		if why := x.lex.contradicts(&q.shape, &x.shapes[i]); why != "" {
			out = append(out, rival{int(i), why})
		}
	}
	return out
}
