package memory

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

const day = 24 * time.Hour

// suggest is what a run makes of finds that are only suggestions.
func suggest(m Memory, b Inbox, now time.Time, found ...Found) Inbox {
	for i := range found {
		found[i].Suggestion = true
	}
	return b.Settle(m, now).Suggest(m, found, now)
}

func wantSuggested(t *testing.T, m Memory, b Inbox, now time.Time, want ...string) []Proposed {
	t.Helper()
	var got []string
	all := b.Settle(m, now).Suggestions()
	for _, p := range all {
		if got = append(got, p.Content); !p.Suggestion || p.Action != ProposeAdd {
			t.Errorf("%+v", p)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("suggested %q, want %q", got, want)
	}
	return all
}

func sure(n int, confidence float64, content string) Found {
	f := find(n, content)
	f.Confidence = confidence
	return f
}

func TestWhatIsSuggestedWaitsBeside(t *testing.T) {
	t.Parallel()
	m := remembered("Use tabs for indentation")
	m, b, _ := proposed(m, Inbox{Branch: "main"}, t0, find(5, "Log with slog"))
	b = suggest(m, b, t0, sure(6, 0.3, "Deploy on Fridays"), sure(7, 0.4, "Invoices are kept for ten years"))
	wantWaiting(t, b, "add Log with slog")
	wantSuggested(t, m, b, t0, "Invoices are kept for ten years", "Deploy on Fridays")
	if n, k := b.Count(); n != 1 || k != 2 {
		t.Error(n, k)
	}
	if got := activeContents(b.Over(m)); !slices.Equal(got, []string{"Use tabs for indentation", "Log with slog"}) {
		t.Errorf("laid over the memory: %q", got)
	}
	// What is found meanwhile leaves them where they are.
	_, after, _ := proposed(m, b, t0, find(8, "Wrap errors once"))
	wantWaiting(t, after, "add Log with slog", "add Wrap errors once")
	wantSuggested(t, m, after, t0, "Invoices are kept for ten years", "Deploy on Fridays")
}

func TestWhatIsKnownIsNotSuggested(t *testing.T) {
	t.Parallel()
	m := remembered("Use spaces for indentation", "Use tabs for indentation", "Tests run in parallel", "Rates are cached for 3 hours")
	m.Items[1].State = Removed
	m.Items[2].Pinned = true
	m, b, _ := proposed(m, Inbox{Branch: "main"}, t0, find(5, "Log with slog"))
	b.Refused = []Refusal{{Item: m.Items[0].ID, Before: m.Items[0].Content, Section: "facts", Content: "Indent Go files with tabs, YAML with blanks", Time: t0}}
	known := []string{
		"Indentation: use tabs", "Use spaces for indentation.", "The tests run in parallel", "We log with slog.",
		"Indent Go files with tabs, YAML with blanks", "Rates are cached for 2 hours", "Rates are never cached for 3 hours",
	}
	for i, c := range known {
		if got := suggest(m, b, t0, find(20+i, c)).Suggestions(); len(got) > 0 {
			t.Errorf("%q: %+v", c, got)
		}
	}
	if got := suggest(m, b, t0, find(-9, "Never use tabs for indentation")).Suggestions(); len(got) > 0 {
		t.Errorf("older than what it contradicts: %+v", got)
	}
	b = suggest(m, b, t0, find(30, "Retry three times"))
	wantSuggested(t, m, b, t0, "Retry three times")
}

func TestSuggestedAgain(t *testing.T) {
	t.Parallel()
	m := Memory{Branch: "main"}
	b := suggest(m, Inbox{Branch: "main"}, t0, find(1, "Retry three times"))
	if again := suggest(m, b, t0.Add(day), find(1, "Retry three times")); !reflect.DeepEqual(again, b) {
		t.Fatalf("the same find once more changed %+v to %+v", b, again)
	}
	b.Done = []Decided{{Token: "1-x"}}
	b = suggest(m, b, t0.Add(day), find(2, "We retry three times."))
	p := wantSuggested(t, m, b, t0.Add(day), "Retry three times")[0]
	if len(p.Origins) != 2 || p.Confidence <= 0.6 || !p.Created.Equal(t0) || b.Done != nil {
		t.Fatalf("%+v, %+v", p, b.Done)
	}
	// Of two that contradict each other, the one that was said later waits.
	b = suggest(m, b, t0.Add(day), find(3, "Retry 5 times at most"))
	b = suggest(m, b, t0.Add(day), find(4, "Retry 7 times at most"), find(2, "Retry 6 times at most"))
	wantSuggested(t, m, b, t0.Add(day), "Retry three times", "Retry 7 times at most")
}

func TestTheSurestWait(t *testing.T) {
	t.Parallel()
	m := Memory{Branch: "main"}
	all := manyFound(50)
	for i := range all {
		all[i].Confidence = float64((i*7)%50) / 100
	}
	once := suggest(m, Inbox{Branch: "main"}, t0, slices.Clone(all)...)
	bit := Inbox{Branch: "main"}
	for part := range slices.Chunk(all, 5) {
		bit = suggest(m, bit, t0, part...)
	}
	got := once.Suggestions()
	if len(got) != MaxSuggestions || got[0].Confidence != 0.49 || got[19].Confidence != 0.30 {
		t.Fatalf("%d: %+v", len(got), got)
	}
	if !reflect.DeepEqual(bit.Suggestions(), got) {
		t.Fatal("bit by bit others wait")
	}
	// A full inbox has no room for them, and none for an error.
	for i := range MaxWaiting - 1 {
		bit.Waiting = append(bit.Waiting, Waiting{Item: Item{ID: fmt.Sprint(i), Section: "facts", Content: fmt.Sprint("value ", i), State: Active}})
	}
	full := suggest(m, bit, t0, find(1, "Retry three times"))
	if n, k := full.Count(); n != MaxWaiting-1 || k != 1 {
		t.Fatal(n, k)
	}
}

func TestSuggestionsExpire(t *testing.T) {
	t.Parallel()
	m := Memory{Branch: "main"}
	b := suggest(m, Inbox{Branch: "main"}, t0, find(1, "Retry three times"))
	b = suggest(m, b, t0.Add(20*day), find(2, "Deploy on Fridays"), find(3, "Retry three times"))
	wantSuggested(t, m, b, t0.Add(30*day-time.Second), "Retry three times", "Deploy on Fridays")
	late := t0.Add(30 * day)
	p := wantSuggested(t, m, b, late, "Deploy on Fridays")
	if b = suggest(m, b, late); len(b.Waiting) != 1 {
		t.Fatalf("%+v", b.Waiting)
	}
	// Nobody can decide about one that is over.
	r, err := b.Review(m, []Verdict{{ID: p[0].ID, Accept: true}}, t0.Add(50*day))
	if err != nil || r.Decided != 0 || len(r.Stale) != 1 || len(r.Memory.Items) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	// What must be decided waits for as long as that takes.
	_, b, _ = proposed(m, b, t0, find(5, "Log with slog"))
	if n, _ := b.Settle(m, t0.Add(900*day)).Count(); n != 1 {
		t.Error(n)
	}
}

func TestDecideAboutSuggestions(t *testing.T) {
	t.Parallel()
	m := remembered("Use tabs for indentation")
	b := suggest(m, Inbox{Branch: "main", Layout: DefaultLayout()}, t0, find(5, "Retry three times"), find(6, "Deploy on Fridays"))
	ids := wantSuggested(t, m, b, t0, "Retry three times", "Deploy on Fridays")
	r, err := b.Review(m, []Verdict{{ID: ids[0].ID, Accept: true}, {ID: ids[1].ID}}, t0.Add(time.Hour))
	if err != nil || r.Decided != 2 || len(r.Inbox.Waiting) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	wantActive(t, r.Memory, "Use tabs for indentation", "Retry three times")
	if it := r.Memory.Items[1]; it.Why != "accepted by a person" || len(it.Origins) != 1 {
		t.Errorf("%+v", it)
	}
	// Refused is refused: later, in other words, after 30 days.
	after := suggest(r.Memory, r.Inbox, t0.Add(40*day), find(90, "We deploy on Fridays."), find(91, "Retry three times"))
	wantSuggested(t, r.Memory, after, t0.Add(40*day))
	// Taken back, both wait as they did.
	back := b.Reviewed(r.Inbox, "1-x", "", "").Undone()
	wantSuggested(t, m, back, t0, "Retry three times", "Deploy on Fridays")
	// In a person's own words.
	r, err = b.Review(m, []Verdict{{ID: ids[1].ID, Accept: true, Content: "Deploy on Thursdays"}}, t0)
	if err != nil || !r.Memory.Items[1].Protected() {
		t.Fatalf("%+v, %v", r.Memory.Items, err)
	}
	wantSuggested(t, r.Memory, r.Inbox, t0, "Retry three times")
}

// What is found for sure later is no suggestion any more, with review and
// without.
func TestSuggestionsArePromoted(t *testing.T) {
	t.Parallel()
	m := Memory{Branch: "main"}
	b := suggest(m, Inbox{Branch: "main"}, t0, find(1, "Retry three times"), find(2, "Deploy on Fridays"))
	merged, _, _ := Merge(m, []Found{find(3, "We retry three times.")}, t0)
	wantSuggested(t, merged, suggest(merged, b, t0), t0, "Deploy on Fridays")
	for _, again := range []string{"Retry three times", "We retry three times."} {
		m, b, _ := proposed(m, b, t0, find(3, again))
		wantWaiting(t, b, "add "+again)
		wantSuggested(t, m, b, t0, "Deploy on Fridays")
		if _, err := b.Encode(); err != nil {
			t.Fatal(err)
		}
	}
}

// A program that knows of no suggestions reads every inbox that has none.
func TestVersionOfAnInbox(t *testing.T) {
	t.Parallel()
	_, b := someInbox(t)
	data, err := b.Encode()
	if err != nil || !bytes.HasPrefix(data, []byte(`{"version":1,`)) || bytes.Contains(data, []byte("suggestion")) {
		t.Fatalf("%s, %v", data, err)
	}
	b = suggest(Memory{}, b, t0, find(99, "Retry three times"))
	data, err = b.Encode()
	if err != nil || !bytes.HasPrefix(data, []byte(`{"version":2,`)) {
		t.Fatalf("%s, %v", data, err)
	}
	got, err := DecodeInbox(data)
	if err != nil || !reflect.DeepEqual(got, b) {
		t.Fatalf("%v\n%+v\n%+v", err, got, b)
	}
	done := b.Reviewed(Inbox{Branch: b.Branch}, "1-x", "", "")
	if data, err = done.Encode(); err != nil || !bytes.HasPrefix(data, []byte(`{"version":2,`)) {
		t.Fatalf("%s, %v", data, err)
	}
	last := b.Waiting[len(b.Waiting)-1]
	for name, w := range map[string]Waiting{
		"base":     {Item: last.Item, Suggestion: true, Base: &Base{"facts", "x", Active}},
		"replaced": {Item: Item{ID: "x", Section: "facts", Content: "y", State: Superseded}, Suggestion: true},
		"replaces": {Item: Item{ID: "x", Section: "facts", Content: "y", State: Superseded, SupersededBy: last.Item.ID}},
	} {
		wrong := Inbox{Branch: "main", Waiting: []Waiting{last, w}}
		if name == "base" {
			wrong.Waiting = wrong.Waiting[1:]
		}
		if _, err := wrong.Encode(); err == nil || !strings.Contains(err.Error(), "suggestion") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What was said again and again is suggested the same, however it came in.
func TestSuggestedInParts(t *testing.T) {
	t.Parallel()
	said := manyFound(15)
	for seed := range seeds() {
		r := rand.New(rand.NewPCG(seed, 3))
		var all []Found
		for i := range 40 {
			all = append(all, find(i, said[r.IntN(len(said))].Content))
		}
		once := suggest(Memory{}, Inbox{}, t0, slices.Clone(all)...)
		var parts Inbox
		for len(all) > 0 {
			n := 1 + r.IntN(len(all))
			parts = suggest(Memory{}, parts, t0, all[:n]...)
			all = all[n:]
		}
		if !reflect.DeepEqual(parts.Waiting, once.Waiting) {
			t.Fatalf("seed %d: in parts others wait than at once", seed)
		}
	}
}

// Whatever else happens: what must be decided is as if nothing was suggested, and
// nothing that is known is suggested.
func TestSuggestionProperties(t *testing.T) {
	t.Parallel()
	for seed := range seeds() {
		w := world{t: t, r: rand.New(rand.NewPCG(seed, 5)), seed: seed, m: Memory{Branch: "main", Layout: DefaultLayout()}, b: Inbox{Branch: "main", Layout: DefaultLayout()}}
		for range 12 {
			w.step()
			plain, _ := w.b.parted()
			var fs []Found
			for range w.r.IntN(6) {
				w.n++
				fs = append(fs, find(w.n, w.content()))
			}
			before := waitingLines(w.b.Settle(w.m, t0))
			w.b = suggest(w.m, w.b, t0, fs...)
			w.suggested(before)
			w.decideSuggested()
			next := find(w.n+1, w.content())
			m1, b1, _ := proposed(w.m, plain, t0, next)
			m2, b2, _ := proposed(w.m, w.b, t0, next)
			if states(m1) != states(m2) || !slices.Equal(waitingLines(b1), waitingLines(b2)) {
				t.Fatalf("seed %d: with suggestions %q waits, without %q", seed, waitingLines(b2), waitingLines(b1))
			}
		}
	}
}

// suggested checks what waits.
func (w *world) suggested(before []string) {
	all := w.b.Suggestions()
	said := map[string]bool{}
	for _, it := range w.b.Over(w.m).Items {
		said[exactKey(it.Content)] = true
	}
	ids := map[string]bool{}
	for _, p := range all {
		if ids[p.ID] || said[exactKey(p.Content)] || slices.Contains(w.refused, exactKey(p.Content)) {
			w.t.Fatalf("seed %d: %q is suggested", w.seed, p.Content)
		}
		ids[p.ID] = true
	}
	if len(all) > MaxSuggestions || !slices.Equal(waitingLines(w.b), before) {
		w.t.Fatalf("seed %d: %d suggestions, and %q wait", w.seed, len(all), waitingLines(w.b))
	}
}

// decideSuggested refuses one, so that it never comes back.
func (w *world) decideSuggested() {
	all := w.b.Suggestions()
	if len(all) == 0 || w.r.IntN(3) > 0 {
		return
	}
	p := all[w.r.IntN(len(all))]
	r, err := w.b.Review(w.m, []Verdict{{ID: p.ID}}, t0)
	if err != nil || r.Decided != 1 {
		w.t.Fatalf("seed %d: %+v, %v", w.seed, r, err)
	}
	w.m, w.b, w.refused = r.Memory, r.Inbox, append(w.refused, exactKey(p.Content))
}
