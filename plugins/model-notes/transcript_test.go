package main

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

func TestShorten(t *testing.T) {
	words := strings.Repeat("слово ", 500)
	for _, x := range []struct {
		name  string
		texts []string // user, assistant, assistant …
		shown int      // messages
		runes int      // at most
	}{
		{"as it is", []string{"a", "b", "c"}, 3, 3},
		{"blank ones are nothing", []string{" ", "b", "\n"}, 1, 1},
		{"each side has its own limit", []string{words, words}, 2, 4000},
		{"a short one stays beside a long one", []string{"a", "b", words}, 3, 2001},
		{"the first of too many go", append([]string{"a"}, strings.Split(strings.Repeat(words+"|", 29)+words, "|")...), 11, 2001},
	} {
		t.Run(x.name, func(t *testing.T) {
			turn := guest.Turn{}
			for i, s := range x.texts {
				role := guest.RoleAssistant
				if i == 0 {
					role = guest.RoleUser
				}
				turn.Messages = append(turn.Messages, guest.Message{ID: string(rune('a' + i)), Role: role, Text: s})
			}
			k := shorten(turn, 2000)
			if len(k.said) != x.shown || k.runes > x.runes {
				t.Errorf("%d messages with %d runes", len(k.said), k.runes)
			}
			if last := k.said[len(k.said)-1]; x.shown > 1 && last.id != turn.Messages[len(turn.Messages)-1].ID {
				t.Errorf("the last message is not shown")
			}
		})
	}
}

func TestCutKeepsBothEnds(t *testing.T) {
	s := "begin " + strings.Repeat("ü", 1000) + " end"
	got := cut(s, 100)
	if !strings.HasPrefix(got, "begin ") || !strings.HasSuffix(got, " end") || !strings.Contains(got, "[...910 characters left out]") {
		t.Errorf("%q", got)
	}
	if n := utf8.RuneCountInString(got); n > 100 {
		t.Errorf("%d runes", n)
	}
}

// TestPartsLoseNothing cuts many transcripts: every message is in one part, in
// order, and no part is longer than it may be.
func TestPartsLoseNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var tr transcript
		longest, n := 0, 0
		for range r.IntN(40) {
			k := talk{runes: 1 + r.IntN(3000)}
			for range 1 + r.IntN(3) {
				n++
				k.said = append(k.said, said{id: string(rune(n))})
			}
			tr.talks = append(tr.talks, k)
			longest = max(longest, k.runes)
		}
		limit := 2000 + r.IntN(20000)
		at := 0
		size := map[string]int{}
		for _, k := range tr.talks {
			size[k.said[0].id] = k.runes
		}
		for i, p := range tr.parts(limit) {
			sum := 0
			for _, s := range p.said {
				if at++; s.id != string(rune(at)) {
					t.Fatal("out of order")
				}
				sum += size[s.id]
			}
			if sum > max(limit, longest) || sum == 0 || p.number != i+1 {
				t.Fatalf("part %d has %d runes, limit %d", p.number, sum, limit)
			}
		}
		if at != n {
			t.Fatalf("%d messages of %d", at, n)
		}
	}
}
