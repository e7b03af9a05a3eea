package memorize

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"recollect/internal/atomicfile"
	"recollect/internal/memory"
	"recollect/internal/safefile"
)

// reviewed are parts with review, all in real files.
func reviewed(t *testing.T, x Extractor, before func(string, atomicfile.Step) error) Parts {
	t.Helper()
	dir := t.TempDir()
	p, _ := parts(&lines{})
	p.Extractors = []Extractor{x}
	p.Store = memory.NewStore(safefile.Beneath(dir).Sub("branches"), memory.At(safefile.Beneath(dir).Sub("local")), memory.StoreOptions{Before: before})
	p.Review, p.Inboxes = true, memory.Inboxes{Dir: memory.At(safefile.Beneath(dir).Sub("local", "review")), Before: before}
	return p
}

// in gives the active items and what waits.
func in(t *testing.T, p Parts) (active, waiting string) {
	t.Helper()
	m, _, err := p.Store.Load("main")
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := p.Inboxes.Load("main")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, x := range b.Settle(m, now).Proposals() {
		out = append(out, x.Action+" "+x.Content)
	}
	return contents(m), strings.Join(out, "; ")
}

// accept decides all that must be decided.
func accept(t *testing.T, p Parts, yes bool) {
	t.Helper()
	decide(t, p, yes, memory.Inbox.Proposals)
}

// decide decides what which gives of the inbox.
func decide(t *testing.T, p Parts, yes bool, which func(memory.Inbox) []memory.Proposed) {
	t.Helper()
	m, rev, err := p.Store.Load("main")
	if err != nil {
		t.Fatal(err)
	}
	b, at, err := p.Inboxes.Load("main")
	if err != nil {
		t.Fatal(err)
	}
	var vs []memory.Verdict
	for _, x := range which(b.Settle(m, now)) {
		vs = append(vs, memory.Verdict{ID: x.ID, Accept: yes})
	}
	r, err := b.Review(m, vs, now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Store.Save(t.Context(), r.Memory, rev); err != nil {
		t.Fatal(err)
	}
	if err := p.Inboxes.Save(r.Inbox, at); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsFoundWaits(t *testing.T) {
	t.Parallel()
	p := reviewed(t, &lines{}, nil)
	h := told{turn("1", "keep prices in cents", long)}
	dry, err := Run(t.Context(), p, Input{Branch: "main", History: h, Now: now, DryRun: true})
	if err != nil || dry.Outcome != Proposed || dry.Waiting != 1 {
		t.Fatalf("%+v, %v", dry, err)
	}
	r := run1(t, p, h)
	if active, waiting := in(t, p); r.Outcome != Proposed || r.NewTurns != 1 || r.Waiting != 1 || r.Items != 0 || len(r.Changes) != 1 || active != "" || waiting != "add prices in cents" {
		t.Fatalf("%+v: %q, waiting %q", r, active, waiting)
	}
	if r = run1(t, p, h); r.Outcome != Unchanged || r.NewTurns != 0 {
		t.Errorf("the turns were read again: %+v", r)
	}
	r, err = Run(t.Context(), p, Input{Branch: "main", History: h, Now: now, Again: true})
	if _, waiting := in(t, p); err != nil || r.Outcome != Unchanged || r.Waiting != 1 || waiting != "add prices in cents" {
		t.Errorf("again: %+v, %v: %q", r, err, waiting)
	}
	accept(t, p, false)
	r, err = Run(t.Context(), p, Input{Branch: "main", History: h, Now: now, Again: true})
	if active, waiting := in(t, p); err != nil || r.Outcome != Unchanged || active != "" || waiting != "" || len(r.Changes) > 0 {
		t.Errorf("refused: %+v, %v: %q, %q", r, err, active, waiting)
	}
	// Review is turned off with something that waits.
	h = append(h, turn("2", "keep depots closed on Sunday", long))
	run1(t, p, h)
	off := p
	off.Review = false
	h = append(h, turn("3", "keep invoices for ten years\nkeep depots closed on Sunday", long))
	r = run1(t, off, h)
	if active, waiting := in(t, p); r.Outcome != Memorized || active != "invoices for ten years; depots closed on Sunday" || waiting != "" {
		t.Errorf("off: %+v: %q, %q", r, active, waiting)
	}
}

func TestEvolvedChangesWait(t *testing.T) {
	t.Parallel()
	x := &evolver{propose: func(e Evolution) (memory.Proposal, error) {
		it := e.Memory.Items[0]
		it.Content = "prices in cents, hunter2 included"
		return memory.Proposal{Items: []memory.Item{it}, Changes: []memory.Change{{Action: memory.Updated, ID: it.ID, Why: "more exact"}}}, nil
	}}
	p := reviewed(t, x, nil)
	h := told{turn("1", "keep prices in cents", long)}
	run1(t, p, h)
	accept(t, p, true)
	h = append(h, turn("2", "keep prices in cents, always", long))
	r := run1(t, p, h)
	if active, waiting := in(t, p); r.Outcome != Proposed || active != "prices in cents" || waiting != "update prices in cents, [redacted] included" {
		t.Fatalf("%+v: %q, %q", r, active, waiting)
	}
	accept(t, p, false)
	h = append(h, turn("3", "keep prices in cents, ever", long))
	r = run1(t, p, h)
	if active, waiting := in(t, p); active != "prices in cents" || waiting != "" || r.Outcome == Proposed {
		t.Fatalf("refused: %+v: %q, %q", r, active, waiting)
	}
}

// A full inbox takes nothing in, and the turns stay new.
func TestAFullInbox(t *testing.T) {
	t.Parallel()
	p := reviewed(t, &lines{}, nil)
	b := memory.Inbox{Branch: "main"}
	for i := range memory.MaxWaiting {
		b.Waiting = append(b.Waiting, memory.Waiting{Item: memory.Item{ID: fmt.Sprint(i), Section: "facts", Content: fmt.Sprintf("value %d is %x", i, i*i), State: memory.Active}})
	}
	if err := p.Inboxes.Save(b, ""); err != nil {
		t.Fatal(err)
	}
	h := told{turn("1", "keep depots closed on Sunday", long)}
	for range 2 {
		if r, err := Run(t.Context(), p, Input{Branch: "main", History: h, Now: now}); !errors.Is(err, memory.ErrFull) || r.NewTurns != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if left, _, err := p.Inboxes.Load("main"); err != nil || len(left.Waiting) != memory.MaxWaiting {
		t.Fatal(len(left.Waiting), err)
	}
}

func TestADamagedInboxIsSetAside(t *testing.T) {
	t.Parallel()
	p := reviewed(t, &lines{}, nil)
	h := told{turn("1", "keep prices in cents", long)}
	run1(t, p, h)
	file := p.Inboxes.(memory.Inboxes).Dir().Path("main.json")
	if err := os.WriteFile(file, []byte(`{"version":1,`), 0o644); err != nil {
		t.Fatal(err)
	}
	r := run1(t, p, append(h, turn("2", "keep depots closed on Sunday", long)))
	if _, waiting := in(t, p); waiting != "add depots closed on Sunday" || len(r.Warnings) != 2 {
		t.Fatalf("%q, %q", waiting, r.Warnings)
	}
	if data, err := os.ReadFile(file + ".damaged"); err != nil || string(data) != `{"version":1,` {
		t.Fatal(string(data), err)
	}
}

// Wherever a run dies, the next one finds what it found, once.
func TestReviewFaults(t *testing.T) {
	t.Parallel()
	h := told{turn("1", "keep prices in cents", long)}
	more := append(slices.Clone(h), turn("2", "keep prices in cents.\nkeep depots closed on Sunday", long))
	steps := 0
	run := func(fail int, cause error) (Parts, error) {
		f := faults{fail: fail, cause: cause}
		p := reviewed(t, &lines{}, f.before)
		off := p
		off.Review = false
		run1(t, off, h)
		err := f.during(func() error {
			_, err := Run(t.Context(), p, Input{Branch: "main", History: more, Now: now})
			return err
		})
		steps = f.n
		return p, err
	}
	if _, err := run(0, nil); err != nil || steps < 30 {
		t.Fatal(steps, err)
	}
	all := steps
	for _, cause := range []error{errors.New("no space left"), atomicfile.Crash()} {
		for fail := 1; fail <= all; fail++ {
			p, err := run(fail, cause)
			if !errors.Is(err, cause) {
				t.Fatalf("step %d: %v", fail, err)
			}
			run1(t, p, more)
			m, _, err := p.Store.Load("main")
			if err != nil {
				t.Fatal(err)
			}
			if active, waiting := in(t, p); active != "prices in cents" || waiting != "add depots closed on Sunday" || len(m.Items) != 1 || len(m.Items[0].Origins) != 2 {
				t.Fatalf("step %d, %v: %q, %q, %+v", fail, cause, active, waiting, m.Items)
			}
		}
	}
}

// faults fails one step of the writes that are made during something.
type faults struct {
	fail, n int // which step, counted from 1; how many there were
	cause   error
	armed   bool
}

func (f *faults) before(string, atomicfile.Step) error {
	if !f.armed {
		return nil
	}
	if f.n++; f.n == f.fail {
		return f.cause
	}
	return nil
}

func (f *faults) during(do func() error) error {
	f.armed = true
	defer func() { f.armed = false }()
	return do()
}

// meddled are inboxes of which somebody decides just before they are saved.
type meddled struct {
	memory.Inboxes
	meanwhile func()
}

func (m *meddled) Save(b memory.Inbox, rev memory.Revision) error {
	if f := m.meanwhile; f != nil {
		m.meanwhile = nil
		f()
	}
	return m.Inboxes.Save(b, rev)
}

// What is decided while a run is under way holds, and what the run found waits.
func TestDecidedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, yes := range []bool{true, false} {
		p := reviewed(t, &lines{}, nil)
		h := told{turn("1", "keep prices in cents", long)}
		run1(t, p, h)
		m := &meddled{Inboxes: p.Inboxes.(memory.Inboxes), meanwhile: func() { accept(t, p, yes) }}
		during := p
		during.Inboxes = m
		r := run1(t, during, append(h, turn("2", "keep prices in cents.\nkeep depots closed on Sunday", long)))
		active, waiting := in(t, p)
		if want := map[bool]string{true: "prices in cents"}[yes]; active != want || waiting != "add depots closed on Sunday" || r.Outcome != Proposed || r.Waiting != 1 {
			t.Errorf("accepted %v: %q, %q, %+v", yes, active, waiting, r)
		}
	}
}
