package memorize

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// evolver finds like lines and proposes what propose makes of it.
type evolver struct {
	lines
	propose func(Evolution) (memory.Proposal, error)
	asked   int
}

func (x *evolver) Evolve(_ context.Context, e Evolution) (memory.Proposal, error) {
	x.asked++
	return x.propose(e)
}

func evolve(t *testing.T, propose func(Evolution) (memory.Proposal, error)) (Report, *shelf, *evolver) {
	t.Helper()
	x := &evolver{propose: propose}
	p, s := parts(&x.lines)
	p.Extractors = []Extractor{x}
	h := told{turn("1", "keep prices in cents", long)}
	run1(t, p, h)
	if x.asked != 0 {
		t.Error("asked to evolve a memory with nothing in it")
	}
	return run1(t, p, append(h, turn("2", "keep depots closed on Sunday", long))), s, x
}

func contents(m memory.Memory) string {
	var all []string
	for _, it := range m.Active() {
		all = append(all, it.Content)
	}
	return strings.Join(all, "; ")
}

func TestAnExtractorEvolvesAMemory(t *testing.T) {
	t.Parallel()
	r, s, x := evolve(t, func(e Evolution) (memory.Proposal, error) {
		it := e.Memory.Items[0]
		it.Content = "prices in cents, hunter2 included"
		return memory.Proposal{
			Items:   []memory.Item{it, {Section: "facts", Content: e.Found[0].Content, Confidence: .8}},
			Changes: []memory.Change{{Action: memory.Updated, ID: it.ID, Why: "more exact"}},
		}, nil
	})
	if got := contents(s.m); got != "prices in cents, [redacted] included; depots closed on Sunday" || x.asked != 1 {
		t.Errorf("%s, asked %d times", got, x.asked)
	}
	if r.Outcome != Memorized || len(r.Changes) != 2 || r.Changes[0].Why != "more exact" {
		t.Errorf("%+v", r)
	}
}

func TestWhatLosesIsMergedInstead(t *testing.T) {
	t.Parallel()
	for name, propose := range map[string]func(Evolution) (memory.Proposal, error){
		"loses": func(Evolution) (memory.Proposal, error) { return memory.Proposal{}, nil },
		"fails": func(Evolution) (memory.Proposal, error) { return memory.Proposal{}, errors.New("no answer") },
		"unsupported": func(Evolution) (memory.Proposal, error) {
			return memory.Proposal{}, fmt.Errorf("x: %w", ErrUnsupported)
		},
	} {
		r, s, _ := evolve(t, propose)
		if got := contents(s.m); got != "prices in cents; depots closed on Sunday" {
			t.Errorf("%s: %s", name, got)
		}
		if (len(r.Warnings) == 1) != (name != "unsupported") {
			t.Errorf("%s: warnings %q", name, r.Warnings)
		}
	}
}

func TestAnotherStandsIn(t *testing.T) {
	t.Parallel()
	x, standIn := &lines{fail: fmt.Errorf("no key: %w", ErrUnavailable)}, &standIn{}
	p, s := parts(x)
	h := told{turn("1", "keep prices in cents", long)}
	if _, err := Run(t.Context(), p, Input{Branch: "main", History: h, Now: now}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("with nobody to stand in: %v", err)
	}
	p.StandIn = standIn
	r := run1(t, p, h)
	if r.Outcome != Memorized || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "no key") || s.m.Items[0].Origins[0].Extractor != "test.standin" {
		t.Errorf("%+v, %+v", r, s.m.Items)
	}
	// The turns stay new for the one that could not read them.
	x.fail = nil
	if r := run1(t, p, h); r.NewTurns != 1 || len(r.Warnings) != 0 {
		t.Errorf("afterwards: %+v", r)
	}
	if r := run1(t, p, h); r.NewTurns != 0 {
		t.Errorf("in the end: %+v", r)
	}
}

// A budget that ends in the middle: what was read by then counts, another reads the
// rest, once, and the first one reads it when it can again.
func TestAnotherReadsWhatWasLeft(t *testing.T) {
	t.Parallel()
	x, other := &lines{unread: []string{"1"}, halted: fmt.Errorf("spent: %w", ErrUnavailable)}, &standIn{}
	p, _ := parts(x)
	h := told{turn("1", "keep prices in cents", long), turn("2", "keep depots closed on Sunday", long)}
	p.StandIn = other
	r := run1(t, p, h)
	if r.Outcome != Memorized || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "spent") || len(other.got) != 1 || other.got[0].ID != "1" {
		t.Errorf("%+v, %s stood in for %v", r, other.ID(), other.got)
	}
	x.fail, other.got = x.halted, nil
	if r := run1(t, p, h); r.Outcome != Unchanged || r.Reason != ReasonWaits || r.NewTurns != 1 || len(other.got) != 0 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "before") {
		t.Errorf("again: %+v, %v", r, other.got)
	}
	x.unread, x.halted, x.fail = nil, nil, nil
	if r := run1(t, p, h); r.NewTurns != 1 || len(x.got) != 1 || x.got[0].ID != "1" || len(r.Changes) != 0 {
		t.Errorf("when it can again: %+v", r)
	}
}

// Where nobody stands in, what was read before the budget ended is kept.
func TestWhatWasReadBeforeTheEndIsKept(t *testing.T) {
	t.Parallel()
	x := &lines{unread: []string{"1"}, halted: fmt.Errorf("spent: %w", ErrUnavailable)}
	p, s := parts(x)
	r := run1(t, p, told{turn("1", "stay", long), turn("2", "keep depots closed on Sunday", long)})
	if r.Outcome != Memorized || len(r.Warnings) != 1 || contents(s.m) != "depots closed on Sunday" {
		t.Errorf("%+v, %s", r, contents(s.m))
	}
}

// standIn finds like lines under another id.
type standIn struct{ lines }

func (*standIn) ID() string { return "test.standin" }

// What may not be shown is not: extractors get the rest of the memory, and none is
// asked to evolve one that it can't see whole.
func TestExtractorsAreNotShownWhatIsHeldBack(t *testing.T) {
	t.Parallel()
	x := &evolver{propose: func(e Evolution) (memory.Proposal, error) { return memory.Proposal{Items: e.Memory.Items}, nil }}
	p, s := parts(&x.lines)
	p.Extractors = []Extractor{shownTo{x, t}}
	s.m.Items = append(s.m.Items, memory.Item{ID: "came", Section: "facts", Content: "it came", State: memory.Active})
	p.Shown = func(m memory.Memory) memory.Memory {
		m.Items = slices.DeleteFunc(slices.Clone(m.Items), func(it memory.Item) bool { return it.ID == "came" })
		return m
	}
	h := told{turn("1", "keep prices in cents", long)}
	run1(t, p, h)
	run1(t, p, append(h, turn("2", "keep depots closed on Sunday", long)))
	if got := contents(s.m); got != "it came; prices in cents; depots closed on Sunday" || x.asked != 0 {
		t.Errorf("%s, asked %d times", got, x.asked)
	}
}

// shownTo fails if an extractor is shown what came.
type shownTo struct {
	*evolver
	t *testing.T
}

func (x shownTo) Extract(ctx context.Context, e Extraction) (Extracted, error) {
	if strings.Contains(contents(e.Memory), "it came") {
		x.t.Errorf("it is shown %q", contents(e.Memory))
	}
	return x.evolver.Extract(ctx, e)
}
