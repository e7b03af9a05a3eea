package memory

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// proposed is what a run with review makes of finds.
func proposed(m Memory, b Inbox, now time.Time, found ...Found) (Memory, Inbox, []Conflict) {
	b = b.Settle(m, t0)
	next, _, conflicts := Merge(b.Over(m), found, now)
	m, b = b.Propose(m, next, now)
	return m, b, conflicts
}

// lines says what waits, a line each.
func waitingLines(b Inbox) []string {
	var out []string
	for _, p := range b.Proposals() {
		line := p.Action + " " + p.Content
		if p.Before != "" {
			line += " <- " + strings.ReplaceAll(p.Before, "\n", " | ")
		}
		out = append(out, line)
	}
	return out
}

func wantWaiting(t *testing.T, b Inbox, want ...string) {
	t.Helper()
	if got := waitingLines(b); !slices.Equal(got, want) {
		t.Fatalf("waiting %q, want %q", got, want)
	}
}

// decide decides the proposals whose content is given, all if none is.
func decide(t *testing.T, m Memory, b Inbox, accept bool, contents ...string) Review {
	t.Helper()
	var vs []Verdict
	for _, p := range b.Settle(m, t0).Proposals() {
		if len(contents) == 0 || slices.Contains(contents, p.Content) {
			vs = append(vs, Verdict{ID: p.ID, Accept: accept})
		}
	}
	r, err := b.Review(m, vs, t0.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func contentsIn(m Memory, s State) []string {
	var out []string
	for _, it := range m.Items {
		if it.State == s {
			out = append(out, it.Content)
		}
	}
	return out
}

func TestOnlyWhatIsSeenWaits(t *testing.T) {
	t.Parallel()
	m := remembered("Use tabs for indentation", "Wrap errors once")
	m2, b, _ := proposed(m, Inbox{Branch: "main"}, t0, find(10, "Indentation: use tabs"), find(11, "Log with slog"), find(12, "Never wrap errors once"))
	wantWaiting(t, b, "add Log with slog", "replace Never wrap errors once <- Wrap errors once")
	if !slices.Equal(activeContents(m2), activeContents(m)) || len(m2.Items[0].Origins) != 2 {
		t.Fatalf("%+v", m2.Items)
	}
	m3, again, _ := proposed(m2, b, t0.Add(time.Minute), find(10, "Indentation: use tabs"), find(11, "Log with slog"), find(12, "Never wrap errors once"))
	if !reflect.DeepEqual(m3, m2) || !reflect.DeepEqual(again, b) {
		t.Fatal("the same finds once more changed something")
	}
	_, again, _ = proposed(m2, b, t0.Add(time.Minute), find(20, "We log with slog."))
	wantWaiting(t, again, "add Log with slog", "replace Never wrap errors once <- Wrap errors once")
	if p, q := b.Proposals()[0], again.Proposals()[0]; len(q.Origins) != 2 || q.Confidence <= p.Confidence || q.ID != p.ID || q.Created != p.Created {
		t.Fatalf("%+v", again.Proposals()[0])
	}
}

func TestALaterFindReplacesWhatWaits(t *testing.T) {
	t.Parallel()
	m, b, _ := proposed(Memory{Branch: "main"}, Inbox{Branch: "main"}, t0, find(1, "Use 4 spaces for indentation"))
	m, b, _ = proposed(m, b, t0, find(2, "Use 2 spaces for indentation"))
	wantWaiting(t, b, "add Use 2 spaces for indentation")

	r := decide(t, m, b, true)
	wantActive(t, r.Memory, "Use 2 spaces for indentation")
	if got := contentsIn(r.Memory, Superseded); !slices.Equal(got, []string{"Use 4 spaces for indentation"}) {
		t.Fatal(got)
	}
	wantWaiting(t, r.Inbox)

	// Refused, the one before waits again.
	r = decide(t, m, b, false)
	wantWaiting(t, r.Inbox, "add Use 4 spaces for indentation")
	_, again, _ := proposed(r.Memory, r.Inbox, t0, find(2, "Use 2 spaces for indentation"), find(3, "Use 2 spaces for indentation"))
	wantWaiting(t, again, "add Use 4 spaces for indentation")
}

func TestSaidAgainWithdraws(t *testing.T) {
	t.Parallel()
	m := remembered("Use tabs for indentation")
	m, b, _ := proposed(m, Inbox{Branch: "main"}, t0, find(5, "Use spaces for indentation"))
	wantWaiting(t, b, "replace Use spaces for indentation <- Use tabs for indentation")
	m, b, _ = proposed(m, b, t0, find(9, "Use tabs for indentation"))
	wantWaiting(t, b)
	wantActive(t, m, "Use tabs for indentation")
	if got := contentsIn(m, Superseded); !slices.Equal(got, []string{"Use spaces for indentation"}) || len(b.Waiting) != 0 {
		t.Fatal(got, b.Waiting)
	}
}

func TestWhatComesBackWaits(t *testing.T) {
	t.Parallel()
	m := remembered("Use tabs for indentation", "Use spaces for indentation")
	m, b, _ := proposed(m, Inbox{Branch: "main"}, t0, find(9, "Use tabs for indentation"))
	wantWaiting(t, b, "replace Use tabs for indentation <- Use spaces for indentation")
	r := decide(t, m, b, true)
	wantActive(t, r.Memory, "Use tabs for indentation")
	r = decide(t, m, b, false)
	wantActive(t, r.Memory, "Use spaces for indentation")
	_, again, _ := proposed(r.Memory, r.Inbox, t0, find(9, "Use tabs for indentation"), find(12, "Use tabs for indentation"))
	wantWaiting(t, again)
}

func TestAcceptInOtherWords(t *testing.T) {
	t.Parallel()
	m, b, _ := proposed(remembered("Wrap errors once"), Inbox{Branch: "main", Layout: DefaultLayout()}, t0, find(1, "Log with slog"))
	id := b.Proposals()[0].ID
	for _, v := range []Verdict{
		{ID: id, Accept: true, Content: " \u200b "}, {ID: id, Accept: true, Section: "nosuch"},
		{ID: id, Accept: true, Content: strings.Repeat("x", MaxContentRunes+1)},
	} {
		if _, err := b.Review(m, []Verdict{v}, t0); err == nil {
			t.Errorf("%+v was followed", v)
		}
	}
	if _, err := b.Review(m, []Verdict{{ID: id}, {ID: id, Accept: true}}, t0); err == nil {
		t.Error("decided twice")
	}
	r, err := b.Review(m, []Verdict{{ID: id, Accept: true, Content: "Log with slog, never with\nfmt", Section: "facts"}}, t0)
	if err != nil || r.Decided != 1 {
		t.Fatal(r, err)
	}
	it := r.Memory.Items[len(r.Memory.Items)-2]
	if it.Content != "Log with slog, never with fmt" || it.Section != "facts" || !it.Protected() || it.Confidence != 1 || it.Origins[0].Extractor != "offline" {
		t.Fatalf("%+v", it)
	}
	// The find is known again, and so are its words when they are said later.
	for n, conflicts := range map[int]int{1: 0, 30: 1} {
		_, again, cs := proposed(r.Memory, r.Inbox, t0, find(n, "Log with slog"))
		if wantWaiting(t, again); len(cs) != conflicts {
			t.Errorf("said at %d: %+v", n, cs)
		}
	}
	// Deciding once more, as after a crash, does nothing.
	once := r.Memory
	r, err = b.Review(once, []Verdict{{ID: id, Accept: true, Content: "Log with slog, never with\nfmt", Section: "facts"}}, t0)
	if err != nil || !reflect.DeepEqual(r.Memory, once) || len(r.Stale) != 1 || len(r.Inbox.Waiting) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestWhatChangedMeanwhileIsStale(t *testing.T) {
	t.Parallel()
	base := remembered("Use tabs for indentation", "Wrap errors once")
	_, waiting, _ := proposed(base, Inbox{Branch: "main"}, t0, find(9, "Use spaces for indentation"))
	ids := func(b Inbox) (out []Verdict) {
		for _, p := range b.Proposals() {
			out = append(out, Verdict{ID: p.ID, Accept: true})
		}
		return out
	}
	for name, tt := range map[string]struct {
		change    func(*Item)
		then      []string // what waits then
		stale     int      // of what was seen before
		conflicts int      // when what waits then is accepted
		active    string   // after that
	}{
		"nothing":  {func(it *Item) {}, []string{"replace Use spaces for indentation <- Use tabs for indentation"}, 0, 0, "Wrap errors once|Use spaces for indentation"},
		"removed":  {func(it *Item) { it.State = Removed }, []string{"add Use spaces for indentation"}, 1, 0, "Wrap errors once|Use spaces for indentation"},
		"pinned":   {func(it *Item) { it.Pinned = true }, []string{"add Use spaces for indentation"}, 1, 1, "Use tabs for indentation|Wrap errors once"},
		"reworded": {func(it *Item) { it.Content = "Indent the Makefile with tabs" }, []string{"add Use spaces for indentation"}, 1, 0, "Indent the Makefile with tabs|Wrap errors once|Use spaces for indentation"},
	} {
		m := base
		m.Items = slices.Clone(base.Items)
		tt.change(&m.Items[0])
		b := waiting.Settle(m, t0)
		wantWaiting(t, b, tt.then...)
		r, err := waiting.Review(m, ids(waiting), t0)
		if err != nil || len(r.Stale) != tt.stale {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		r, err = waiting.Review(m, ids(b), t0)
		if err != nil || len(r.Conflicts) != tt.conflicts || len(r.Stale) != tt.conflicts || strings.Join(activeContents(r.Memory), "|") != tt.active {
			t.Errorf("%s: %q, %+v, %v", name, activeContents(r.Memory), r, err)
		}
		if len(r.Inbox.Waiting) != 0 {
			t.Errorf("%s: %+v waits on", name, r.Inbox.Waiting)
		}
	}
}

// evolving makes an extractor's proposal over what waits.
func evolving(t *testing.T, m Memory, b Inbox, found []Found, p func([]Item) Proposal) (Memory, Inbox) {
	t.Helper()
	b = b.Settle(m, t0)
	over := b.Over(m)
	next, _, err := Evolve(over, found, p(over.Active()), t0)
	if err != nil {
		t.Fatal(err)
	}
	return b.Propose(m, next, t0)
}

func TestRefusedChangesDoNotComeAgain(t *testing.T) {
	t.Parallel()
	m := remembered("Use tabs for indentation", "Wrap errors once", "Tests run in parallel")
	change := func(items []Item) Proposal {
		items[0].Content = "Use tabs for indentation in Go"
		return Proposal{Items: []Item{items[0], items[2]}, Changes: []Change{
			{Action: Updated, ID: items[0].ID, Why: "more exact"}, {Action: Deleted, ID: items[1].ID, Why: "no longer so"},
		}}
	}
	m, b := evolving(t, m, Inbox{Branch: "main"}, nil, change)
	wantActive(t, m, "Use tabs for indentation", "Wrap errors once", "Tests run in parallel")
	wantWaiting(t, b, "update Use tabs for indentation in Go <- Use tabs for indentation", "remove Wrap errors once")

	r := decide(t, m, b, true)
	wantActive(t, r.Memory, "Use tabs for indentation in Go", "Tests run in parallel")
	if got := contentsIn(r.Memory, Superseded); len(got) != 2 || len(r.Inbox.Waiting) != 0 {
		t.Fatal(got, r.Inbox.Waiting)
	}

	r = decide(t, m, b, false)
	if !slices.Equal(activeContents(r.Memory), activeContents(m)) || len(r.Inbox.Waiting) != 0 || len(r.Inbox.Refused) != 2 {
		t.Fatalf("%+v", r)
	}
	again, b := evolving(t, r.Memory, r.Inbox, nil, change)
	if wantWaiting(t, b); !reflect.DeepEqual(again, r.Memory) {
		t.Fatal("the memory changed")
	}
	// Another change of the same item is asked.
	_, b = evolving(t, r.Memory, r.Inbox, nil, func(items []Item) Proposal {
		items[0].Content = "Use tabs for indentation but not in YAML files"
		return Proposal{Items: items, Changes: []Change{{Action: Updated, ID: items[0].ID}}}
	})
	wantWaiting(t, b, "update Use tabs for indentation but not in YAML files <- Use tabs for indentation")
}

// What is reworded together with what it covers is one proposal.
func TestCoveredItemsGoTogether(t *testing.T) {
	t.Parallel()
	m := remembered("Use tabs for indentation", "Makefiles are indented too")
	m, b, _ := proposed(m, Inbox{Branch: "main"}, t0, find(7, "Log with slog"))
	m, b = evolving(t, m, b, nil, func(items []Item) Proposal {
		items[0].Content = "Use tabs for indentation everywhere, Makefiles included"
		return Proposal{Items: items[:1], Changes: []Change{
			{Action: Updated, ID: items[0].ID}, {Action: Replaced, ID: items[1].ID, By: items[0].ID}, {Action: Replaced, ID: items[2].ID, By: items[0].ID},
		}}
	})
	wantWaiting(t, b, "replace Use tabs for indentation everywhere, Makefiles included <- Use tabs for indentation | Makefiles are indented too")
	r := decide(t, m, b, true)
	wantActive(t, r.Memory, "Use tabs for indentation everywhere, Makefiles included")
	r = decide(t, m, b, false)
	wantActive(t, r.Memory, "Use tabs for indentation", "Makefiles are indented too")
	wantWaiting(t, r.Inbox, "add Log with slog")
}

func TestManyAreDecidedAtOnce(t *testing.T) {
	t.Parallel()
	m, b, _ := proposed(Memory{Branch: "main"}, Inbox{Branch: "main"}, t0, manyFound(2000)...)
	n := len(b.Proposals())
	if r := decide(t, m, b, true); r.Decided != n || len(r.Memory.Active()) != n || n < 1900 {
		t.Fatalf("%d of %d", r.Decided, n)
	}
}
