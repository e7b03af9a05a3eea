package lookup

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// most are suggested, and longest a word that is compared may be, in bytes.
const (
	most    = 3
	longest = 200
)

// Near gives the candidates that word could be meant for, at most three, the likeliest
// first: those that differ by a typing error or two, begin with word, or have it as
// one of their parts between dots, dashes, slashes and the like.
func Near(word string, candidates []string) []string {
	type hit struct {
		name     string
		distance int
	}
	low := strings.ToLower(word)
	if low == "" || len(low) > longest {
		return nil
	}
	var hits []hit
	for _, c := range candidates {
		if len(c) > longest {
			continue
		}
		other := strings.ToLower(c)
		d := distance(low, other)
		allowed := min(3, 1+utf8.RuneCountInString(low)/4)
		switch {
		case d <= allowed:
		case strings.HasPrefix(other, low):
			d = allowed + 1
		case len(low) > 2 && slices.Contains(parts(other), low):
			d = allowed + 2
		case samePlace(low, other, allowed):
			d = allowed + 3
		default:
			continue
		}
		hits = append(hits, hit{c, d})
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, h := range hits[:min(len(hits), most)] {
		names = append(names, h.name)
	}
	return names
}

// samePlace holds for names of the same last part, mistyped or not: "budjet" and
// "inject.budget", "injects.budget" and "inject.budget".
func samePlace(word, name string, allowed int) bool {
	w, n := parts(word), parts(name)
	if len(n) < 2 || len(w) == 0 {
		return false
	}
	last := w[len(w)-1]
	return len(last) > 3 && distance(last, n[len(n)-1]) <= min(allowed, 2)
}

func parts(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("._-/ ", r) })
}

// distance counts the characters to put in, take out, change or swap with their
// neighbour to make b of a.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before []int
	last := make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row := make([]int, len(y)+1)
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}

// Ask is the question that a message ends with: `; did you mean "a" or "b"?`. It is
// "" if nothing is near.
func Ask(word string, candidates []string, quote func(string) string) string {
	return ask(Near(word, candidates), quote)
}

func ask(names []string, quote func(string) string) string {
	if len(names) == 0 {
		return ""
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	return "; did you mean " + strings.Join(quoted, " or ") + "?"
}
