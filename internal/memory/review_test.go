package memory

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Whatever happens in whatever order: nothing that was found is lost, nothing
// that a person sees changes without them, and what was refused stays out.
func TestReviewProperties(t *testing.T) {
	t.Parallel()
	for seed := range seeds() {
		r := rand.New(rand.NewPCG(seed, 7))
		w := world{t: t, r: r, seed: seed, m: Memory{Branch: "main", Layout: DefaultLayout()}, b: Inbox{Branch: "main", Layout: DefaultLayout()}}
		for range 12 {
			w.step()
		}
	}
}

// seeds is how many worlds a property is tried in.
func seeds() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("RECOLLECT_SEEDS"), 10, 32); err == nil {
		return n
	}
	return 120
}

type world struct {
	t         *testing.T
	r         *rand.Rand
	seed      uint64
	m         Memory
	b         Inbox
	n         int
	found     []Found
	refused   []string
	conflicts []Conflict
}

var tools = []string{"tabs", "spaces", "npm", "pnpm", "slog", "zap"}

func (w *world) content() string {
	a, b := tools[w.r.IntN(6)], tools[w.r.IntN(6)]
	return []string{
		"Use " + a + " for the build", "Never use " + a + " for the build", "We use " + a + " instead of " + b + " now",
		"The limit of " + a + " is " + fmt.Sprint(w.r.IntN(3)) + " seconds", "Deploy with " + a + " and " + b,
	}[w.r.IntN(5)]
}

func (w *world) step() {
	switch w.r.IntN(6) {
	case 0, 1, 2:
		w.memorize()
	case 5:
		w.evolve()
	case 3:
		w.review()
	case 4:
		w.edit()
	}
	for _, f := range w.found {
		if !w.kept(f) {
			w.t.Fatalf("seed %d: %q is lost\n%s\n%q", w.seed, f.Content, states(w.m), waitingLines(w.b))
		}
	}
	data, err := w.b.Encode()
	if err != nil {
		w.t.Fatal(err)
	}
	if b, err := DecodeInbox(data); err != nil || !slices.Equal(waitingLines(b), waitingLines(w.b)) {
		w.t.Fatalf("seed %d: %v", w.seed, err)
	}
	ids := map[string]bool{}
	for _, p := range w.b.Settle(w.m, t0).Proposals() {
		if ids[p.ID] {
			w.t.Fatalf("seed %d: two proposals %s", w.seed, p.ID)
		}
		ids[p.ID] = true
	}
}

func (w *world) memorize() {
	var fs []Found
	for range w.r.IntN(4) + 1 {
		w.n++
		fs = append(fs, find(w.n, w.content()))
	}
	if w.r.IntN(5) == 0 && len(w.found) > 0 {
		fs = append(fs, w.found[w.r.IntN(len(w.found))])
	}
	before := w.m
	m, b, conflicts := proposed(w.m, w.b, t0, fs...)
	w.found, w.conflicts = append(w.found, fs...), append(w.conflicts, conflicts...)
	if !slices.Equal(activeContents(m), activeContents(before)) {
		w.t.Fatalf("seed %d: the memory changed unasked:\n%s\n%s", w.seed, states(before), states(m))
	}
	w.safe(before, m)
	for _, p := range b.Proposals() {
		if slices.Contains(w.refused, exactKey(p.Content)) && p.Action == ProposeAdd {
			w.t.Fatalf("seed %d: %q is proposed again", w.seed, p.Content)
		}
	}
	m2, b2, _ := proposed(m, b, t0.Add(time.Hour), fs...)
	if !slices.Equal(waitingLines(b), waitingLines(b2)) || states(m2) != states(m) {
		w.t.Fatalf("seed %d: again, %q became %q", w.seed, waitingLines(b), waitingLines(b2))
	}
	w.m, w.b = m, b
}

// evolve rewords an item, removes another and lets one take the place of a
// third, of those that extraction may touch.
func (w *world) evolve() {
	b := w.b.Settle(w.m, t0)
	over := b.Over(w.m)
	var p Proposal
	var free []int
	for _, it := range over.Active() {
		if !it.Protected() {
			free = append(free, len(p.Items))
		}
		p.Items = append(p.Items, it)
	}
	w.r.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	gone := map[string]bool{}
	for i, at := range free[:min(len(free), w.r.IntN(4))] {
		it := &p.Items[at]
		switch i {
		case 0:
			it.Content = w.content() + " and elsewhere"
			p.Changes = append(p.Changes, Change{Action: Updated, ID: it.ID})
		case 1:
			p.Changes = append(p.Changes, Change{Action: Deleted, ID: it.ID})
			gone[it.ID] = true
		case 2:
			p.Changes = append(p.Changes, Change{Action: Replaced, ID: it.ID, By: p.Items[free[0]].ID})
			gone[it.ID] = true
		}
	}
	p.Items = slices.DeleteFunc(p.Items, func(it Item) bool { return gone[it.ID] })
	next, _, err := Evolve(over, nil, p, t0)
	if err != nil {
		w.t.Fatalf("seed %d: %v", w.seed, err)
	}
	m, b := b.Propose(w.m, next, t0)
	if !slices.Equal(activeContents(m), activeContents(w.m)) {
		w.t.Fatalf("seed %d: the memory changed unasked:\n%s\n%s", w.seed, states(w.m), states(m))
	}
	w.safe(w.m, m)
	// What was asked now and is refused is not asked again.
	var vs []Verdict
	for _, p := range b.Settle(m, t0).Proposals() {
		vs = append(vs, Verdict{ID: p.ID})
	}
	r, err := b.Review(m, vs, t0)
	if err != nil || len(r.Stale) > 0 {
		w.t.Fatalf("seed %d: %v, stale %q", w.seed, err, r.Stale)
	}
	if next, _, err := Evolve(r.Inbox.Over(r.Memory), nil, p, t0); err == nil {
		_, again := r.Inbox.Propose(r.Memory, next, t0)
		for _, q := range again.Proposals() {
			if slices.ContainsFunc(vs, func(v Verdict) bool { return v.ID == q.ID }) {
				w.t.Fatalf("seed %d: %s %q is asked again", w.seed, q.Action, q.Content)
			}
		}
	}
	w.m, w.b = m, b
}

// safe looks that no item vanished and none of a person's was changed.
func (w *world) safe(before, after Memory) {
	at := byID(after.Items)
	for _, it := range before.Items {
		i, ok := at[it.ID]
		if !ok || it.Protected() && (differs(it, after.Items[i]) || it.Confidence != after.Items[i].Confidence) {
			w.t.Fatalf("seed %d: %+v became %+v", w.seed, it, after.Items[i])
		}
	}
	if len(at) != len(after.Items) {
		w.t.Fatalf("seed %d: an id twice", w.seed)
	}
}

func (w *world) review() {
	var vs []Verdict
	settled := w.b.Settle(w.m, t0)
	for _, p := range settled.Proposals() {
		switch w.r.IntN(4) {
		case 0:
			vs = append(vs, Verdict{ID: p.ID})
		case 1:
			vs = append(vs, Verdict{ID: p.ID, Accept: true})
		case 2:
			if w.r.IntN(3) == 0 {
				vs = append(vs, Verdict{ID: p.ID, Accept: true, Content: "A person's words " + fmt.Sprint(w.r.IntN(9))})
			}
		}
	}
	vs = append(vs, Verdict{ID: "nosuch", Accept: true})
	r, err := w.b.Review(w.m, vs, t0)
	if err != nil {
		w.t.Fatal(err)
	}
	if r.Decided+len(r.Stale) != len(vs) || len(r.Stale) != len(r.Conflicts)+1 {
		w.t.Fatalf("seed %d: %d decided, %q stale, of %d", w.seed, r.Decided, r.Stale, len(vs))
	}
	w.safe(w.m, r.Memory)
	for _, p := range settled.Proposals() {
		for _, v := range vs {
			if v.ID == p.ID && !v.Accept && p.Action == ProposeAdd {
				w.refused = append(w.refused, exactKey(p.Content))
			}
		}
	}
	done := w.b.Reviewed(r.Inbox, "t", "", "")
	if back := done.Undone(); len(back.Waiting) != len(w.b.Waiting) || len(back.Waiting) > 0 && !reflect.DeepEqual(back.Waiting, w.b.Waiting) || len(back.Refused) != len(w.b.Refused) {
		w.t.Fatalf("seed %d: taken back, %q became %q", w.seed, waitingLines(w.b), waitingLines(back))
	}
	// The same once more, as after a crash before the inbox was written.
	again, err := w.b.Review(r.Memory, vs, t0)
	if err != nil || !slices.Equal(activeContents(again.Memory), activeContents(r.Memory)) {
		w.t.Fatalf("seed %d: accepted twice, %q became %q, %v", w.seed, activeContents(r.Memory), activeContents(again.Memory), err)
	}
	w.m, w.b, w.conflicts = r.Memory, r.Inbox, append(w.conflicts, r.Conflicts...)
}

func (w *world) edit() {
	active := w.m.Active()
	e := Edit{Do: Add, Section: "facts", Content: w.content()}
	if len(active) > 0 {
		it := active[w.r.IntN(len(active))]
		switch w.r.IntN(4) {
		case 0:
			e = Edit{Do: Remove, ID: it.ID}
		case 1:
			e = Edit{Do: Pin, ID: it.ID}
		case 2:
			e = Edit{Do: Reword, ID: it.ID, Content: w.content()}
		}
	}
	if m, _, err := Apply(w.m, []Edit{e}, t0); err == nil {
		w.m = m
	}
	// A person may reword what a find said; what they add is no refusal any more.
	w.b = w.b.Settle(w.m, t0)
	w.found = slices.DeleteFunc(w.found, func(f Found) bool { return !w.kept(f) })
	w.refused = slices.DeleteFunc(w.refused, func(k string) bool { return k == exactKey(e.Content) })
}

// kept says whether a find is in the memory, waits, is a conflict, or says what
// a person removed, refused or wrote themselves.
func (w *world) kept(f Found) bool {
	var items []Item
	items = append(items, w.m.Items...)
	for _, k := range w.b.Waiting {
		items = append(items, k.Item)
	}
	l := newLexicon()
	a := l.shape(f.Content)
	for _, it := range items {
		b := l.shape(it.Content)
		if known(it, f.Origin) || exactKey(it.Content) == exactKey(f.Content) ||
			(it.State == Removed || it.Protected()) && l.same(&a, &b, removedShare) {
			return true
		}
	}
	return slices.ContainsFunc(w.conflicts, func(c Conflict) bool {
		return reflect.DeepEqual(c.Found.Origin, f.Origin) || exactKey(c.Found.Content) == exactKey(f.Content)
	})
}

// Reviewed and accepted all along, a memory says what it says without review.
func TestAcceptingAllIsMerging(t *testing.T) {
	t.Parallel()
	for seed := range seeds() {
		w := world{t: t, r: rand.New(rand.NewPCG(seed, 1)), seed: seed}
		plain, m, b := Memory{Branch: "main"}, Memory{Branch: "main"}, Inbox{Branch: "main"}
		for range 6 {
			var fs []Found
			for range w.r.IntN(5) {
				w.n++
				fs = append(fs, find(w.n, w.content()))
			}
			plain, _, _ = Merge(plain, fs, t0)
			m, b, _ = proposed(m, b, t0, fs...)
			if over := b.Over(m); !slices.Equal(sortedContents(over), sortedContents(plain)) {
				t.Fatalf("seed %d: %q, want %q", seed, sortedContents(over), sortedContents(plain))
			}
		}
		r := decide(t, m, b, true)
		got := activeContents(r.Memory)
		for _, c := range r.Conflicts { // with one that it did not replace
			got = append(got, c.Found.Content)
		}
		if slices.Sort(got); !slices.Equal(got, sortedContents(plain)) || len(r.Conflicts) != len(r.Stale) {
			t.Fatalf("seed %d: %q, want %q", seed, got, sortedContents(plain))
		}
	}
}

func sortedContents(m Memory) []string {
	out := activeContents(m)
	slices.Sort(out)
	return out
}
