package inject

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/memory"
	"recollect/internal/tokens"
)

// filled makes a memory of random items and a ranking of them all.
func filled(r *rand.Rand) (memory.Memory, Ranking) {
	words := strings.Fields("cache branch `go test` naïve transactions path token error window harbour tide letter parser")
	m, k := memory.Memory{Branch: "main"}, Ranking{Shares: map[string]float64{}}
	for i := range r.IntN(60) {
		var text []string
		for range 1 + r.IntN(30) {
			text = append(text, words[r.IntN(len(words))])
		}
		m.Items = append(m.Items, item(fmt.Sprint(i), notes.Sections[r.IntN(4)].ID, strings.Join(text, " ")))
		k.Choices = append(k.Choices, Choice{ID: fmt.Sprint(i)})
	}
	r.Shuffle(len(k.Choices), func(i, j int) { k.Choices[i], k.Choices[j] = k.Choices[j], k.Choices[i] })
	for _, s := range notes.Sections {
		if r.IntN(5) > 0 {
			k.Shares[s.ID] = r.Float64()
		}
	}
	return m, k
}

func shown(b Block) map[string]bool {
	out := map[string]bool{}
	for _, s := range b.Shown {
		out[s.ID] = true
	}
	return out
}

// A section shows at least what would fit into its share alone, whatever the others
// hold; and what was left for want of room does not fit.
func TestSharesAreKept(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 9))
	alone := 0
	for round := range 100 {
		m, k := filled(r)
		budget := r.IntN(1500)
		b := Pack(m, notes, k, memory.NewRivals(m, nil), File, budget)
		if b.Tokens > budget || len(b.Shown)+len(b.Left) != len(m.Items) {
			t.Fatalf("round %d: %d of %d tokens, %d shown and %d left of %d", round, b.Tokens, budget, len(b.Shown), len(b.Left), len(m.Items))
		}
		all, frame := shown(b), tokens.Count(Wrap(File, title(notes)))
		for id, share := range inTokens(k.Shares, budget-frame) {
			of := m
			of.Items = slices.DeleteFunc(slices.Clone(m.Items), func(it memory.Item) bool { return it.Section != id })
			own := Ranking{Choices: slices.DeleteFunc(slices.Clone(k.Choices), func(c Choice) bool {
				return !slices.ContainsFunc(of.Items, func(it memory.Item) bool { return it.ID == c.ID })
			})}
			for _, s := range Pack(of, notes, own, memory.NewRivals(of, nil), File, frame+share).Shown {
				if alone++; !all[s.ID] {
					t.Fatalf("round %d: %s would fit into the share of %s, %d tokens, and is left out", round, s.ID, id, share)
				}
			}
		}
		for _, l := range b.Left {
			i := slices.IndexFunc(m.Items, func(it memory.Item) bool { return it.ID == l.ID })
			if own := tokens.Count(heading(notes, m.Items[i].Section) + bullet(clean(m.Items[i].Content))); l.Reason != OverBudget || budget-max(b.Tokens, frame) > own+3*len(b.Shown) {
				t.Fatalf("round %d: %+v, which takes %d tokens, with %d of %d taken", round, l, own, b.Tokens, budget)
			}
		}
	}
	if alone < 500 {
		t.Errorf("only %d items in shares", alone)
	}
}

func TestSharesGiveWhatIsLeft(t *testing.T) {
	t.Parallel()
	var m memory.Memory
	var ids []string
	for i := range 200 {
		id := fmt.Sprint(i)
		section := "conventions"
		if i >= 100 {
			section = "facts"
		}
		ids = append(ids, id)
		m.Items = append(m.Items, item(id, section, "A handler validates its input before it opens a transaction."))
	}
	count := func(m memory.Memory, shares map[string]float64) map[string]int {
		out := map[string]int{}
		for _, s := range Pack(m, notes, Ranking{Choices: choices(ids...), Shares: shares}, memory.NewRivals(m, nil), File, DefaultBudget).Shown {
			out[s.Section]++
		}
		return out
	}
	all := count(m, nil)
	if all["facts"] != 0 || all["conventions"] < 20 {
		t.Fatalf("without shares: %v", all)
	}
	if got := count(m, map[string]float64{"conventions": 0.7, "facts": 0.3}); got["facts"] < all["conventions"]/5 || got["conventions"] < all["conventions"]/2 {
		t.Errorf("seven and three tenths: %v", got)
	}
	few := m
	few.Items = m.Items[95:]
	if got := count(few, map[string]float64{"conventions": 0.9, "facts": 0.1}); got["conventions"] != 5 || got["facts"] < all["conventions"]-7 {
		t.Errorf("what five conventions leave: %v", got)
	}
	for i := range m.Items {
		m.Items[i].Pinned = i >= 100
	}
	ids = append(slices.Clone(ids[100:]), ids[:100]...)
	if got := count(m, map[string]float64{"conventions": 1}); got["facts"] < all["conventions"]-2 {
		t.Errorf("pinned ones are bound to a share: %v", got)
	}
}

// Whatever the memory holds and in whatever order, of the items that contradict
// each other a block has one, and it says of the others which that is.
func TestNoTwoContradict(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 2))
	day := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	subjects := strings.Fields("parser harbour window letter tide cache queue mail index lexer router loader broker")
	left := 0
	for round := range 30 {
		var m memory.Memory
		var k Ranking
		newest := map[string]string{}
		for i := range 40 {
			subject := subjects[r.IntN(len(subjects))]
			it := item(fmt.Sprint(i), notes.Sections[r.IntN(4)].ID, fmt.Sprintf("The timeout of %s is %d seconds.", subject, i))
			it.Origins = []memory.Origin{{Extractor: "x", Time: day.AddDate(0, 0, i)}}
			newest[subject] = it.ID
			m.Items = append(m.Items, it)
			k.Choices = append(k.Choices, Choice{ID: it.ID})
		}
		k.Shares = map[string]float64{"facts": 0.2, "conventions": 0.5}
		r.Shuffle(len(k.Choices), func(i, j int) { k.Choices[i], k.Choices[j] = k.Choices[j], k.Choices[i] })
		b := Pack(m, notes, k, memory.NewRivals(m, nil), File, 2000)
		for _, l := range b.Left {
			if l.Reason != Contradicted || l.Why == "" || !slices.ContainsFunc(b.Shown, func(s Shown) bool { return s.ID == l.By }) {
				t.Fatalf("round %d: %+v", round, l)
			}
			left++
		}
		all := shown(b)
		for subject, id := range newest {
			if !all[id] {
				t.Fatalf("round %d: of %s, %s is not shown", round, subject, id)
			}
		}
		if len(all) != len(newest) {
			t.Fatalf("round %d: %d shown of %d subjects", round, len(all), len(newest))
		}
		r.Shuffle(len(m.Items), func(i, j int) { m.Items[i], m.Items[j] = m.Items[j], m.Items[i] })
		again := Pack(m, notes, k, memory.NewRivals(m, nil), File, 2000)
		byID := func(x, y Left) int { return cmp.Compare(x.ID, y.ID) }
		slices.SortFunc(b.Left, byID)
		slices.SortFunc(again.Left, byID)
		if again.Text != b.Text || !slices.Equal(again.Left, b.Left) {
			t.Fatalf("round %d: in another order\n%s\n%+v\nand not\n%s\n%+v", round, again.Text, again.Left, b.Text, b.Left)
		}
	}
	if left == 0 {
		t.Error("nothing contradicted anything")
	}
}

func TestPackForHookSaysWhy(t *testing.T) {
	t.Parallel()
	m := memory.Memory{Items: []memory.Item{item("a", "facts", strings.Repeat("word ", 1900)), item("b", "facts", strings.Repeat("other ", 200))}}
	b := pack(m, []string{"a", "b"}, Hook, 100_000)
	if len(b.Shown) != 1 || len(b.Left) != 1 || b.Left[0] != (Left{ID: "b", Reason: OverLength, Needs: 303}) {
		t.Errorf("shown %v, left %v", b.Shown, b.Left)
	}
}

// What a block says that it would take with all that lacks room is enough for it.
func TestFullIsEnough(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 3))
	lacked := 0
	for round := range 100 {
		m, k := filled(r)
		b := Pack(m, notes, k, memory.NewRivals(m, nil), File, r.IntN(600))
		room := func(b Block) (n int) {
			for _, l := range b.Left {
				if l.Reason == OverBudget {
					n++
					if l.Needs <= 0 && b.Full > 0 {
						t.Fatalf("round %d: %s lacks room and needs nothing", round, l.ID)
					}
				}
			}
			return n
		}
		if n := room(b); (n > 0) != (b.Full > 0) {
			t.Fatalf("round %d: %d lack room, full is %d", round, n, b.Full)
		} else if n == 0 {
			continue
		}
		lacked++
		// Counted part by part the sum is close to that of the whole.
		all := Pack(m, notes, k, memory.NewRivals(m, nil), File, b.Full+b.Full/50+5)
		if n := room(all); n > 0 {
			t.Errorf("round %d: %d lack room within %d tokens", round, n, b.Full)
		}
	}
	if lacked == 0 {
		t.Error("nothing lacked room")
	}
}
