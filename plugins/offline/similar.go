package main

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// fingerprint is the set of a sentence's content words, stemmed and hashed, in
// ascending order; Chinese, Japanese and Korean give pairs of characters.
type fingerprint []uint32

func fingerprintOf(s string) fingerprint {
	s = apart(strings.ReplaceAll(s, "`", " ")) // names count as words here
	var out fingerprint
	for _, w := range words(s) {
		if !stop(w) {
			out = append(out, hash(stem(w)))
		}
	}
	var before rune
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !cjk(r) {
			before = 0
		} else {
			if before != 0 {
				out = append(out, uint32(before)*31+uint32(r))
			}
			before = r
		}
		i += n
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// apart cuts names like applyFilters into their words.
func apart(s string) string {
	cut := 0
	for i := 1; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z' {
			cut++
		}
	}
	if cut == 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + cut)
	for i := 0; i < len(s); i++ {
		if i > 0 && s[i] >= 'A' && s[i] <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z' {
			b.WriteByte(' ')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// weighed is a fingerprint with what each of its words tells: the rarer it is
// among the sentences at hand, the more.
type weighed struct {
	print  fingerprint
	weight []float32
	total  float32
}

// weigh gives the fingerprints their weights.
func weigh(list []fingerprint) []weighed {
	often := map[uint32]int{}
	for _, p := range list {
		for _, w := range p {
			often[w]++
		}
	}
	out := make([]weighed, len(list))
	for i, p := range list {
		x := weighed{print: p, weight: make([]float32, len(p))}
		for j, w := range p {
			x.weight[j] = float32(math.Log2(2 + float64(len(list))/float64(often[w])))
			x.total += x.weight[j]
		}
		out[i] = x
	}
	return out
}

// shared gives the number and the weight of the words that two have in common.
func (a *weighed) shared(b *weighed) (n int, weight float32) {
	for i, j := 0, 0; i < len(a.print) && j < len(b.print); {
		switch {
		case a.print[i] < b.print[j]:
			i++
		case a.print[i] > b.print[j]:
			j++
		default:
			weight += a.weight[i]
			n++
			i++
			j++
		}
	}
	return n, weight
}

// common counts what two ascending sets share.
func common(a, b []uint32) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n++
			i++
			j++
		}
	}
	return n
}

func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// stem takes common endings off, so that forms of one word meet.
func stem(w string) string {
	if len(w) < 4 {
		return w
	}
	if w[0] >= utf8.RuneSelf {
		r := 0
		for i := range w { // Russian: the first five letters carry the meaning
			if r == 5 {
				return w[:i]
			}
			r++
		}
		return w
	}
	for _, end := range [...]string{"ings", "ing", "ed", "es", "ly", "s", "e"} {
		if len(w)-len(end) >= 3 && strings.HasSuffix(w, end) {
			return w[:len(w)-len(end)]
		}
	}
	return w
}

func stop(w string) bool {
	switch w {
	case "the", "a", "an", "and", "or", "of", "in", "on", "to", "for", "with", "is", "are", "be", "was", "were", "it", "its", "this",
		"that", "these", "those", "as", "at", "by", "from", "so", "we", "you", "i", "our", "your", "my", "now", "just", "also", "then",
		"should", "must", "will", "can", "could", "would", "have", "has", "do", "does", "if", "when", "which", "there", "they", "them",
		"и", "в", "на", "с", "к", "у", "о", "от", "из", "за", "по", "для", "при", "что", "чтобы", "это", "как", "так", "а", "но", "или", "мы", "вы":
		return true
	}
	return false
}
