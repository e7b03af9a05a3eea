package main

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// fingerprint is the set of a sentence's content words, stemmed and hashed, in
// ascending order; Chinese, Japanese and Korean give pairs of characters.
type fingerprint []uint32

func fingerprintOf(s string) fingerprint {
	s = strings.ReplaceAll(s, "`", " ") // names count as words here
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

// alike is the Dice value of two fingerprints, 0 to 1.
func alike(a, b fingerprint) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	return 2 * float64(common(a, b)) / float64(len(a)+len(b))
}

// within is the share of the smaller fingerprint that the other one has.
func within(a, b fingerprint) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	return float64(common(a, b)) / float64(min(len(a), len(b)))
}

func common(a, b fingerprint) int {
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
