package memorize

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/memory"
)

// suggesting are parts with no review, all in real files.
func suggesting(t *testing.T, before func(string, atomicfile.Step) error) Parts {
	t.Helper()
	p := reviewed(t, &lines{}, before)
	p.Review = false
	return p
}

// suggested gives what is only suggested.
func suggested(t *testing.T, p Parts) string {
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
	for _, x := range b.Settle(m, now).Suggestions() {
		out = append(out, x.Content)
	}
	return strings.Join(out, "; ")
}

func TestSuggestionsStayOut(t *testing.T) {
	t.Parallel()
	for _, review := range []bool{false, true} {
		p := suggesting(t, nil)
		p.Review = review
		h := told{turn("1", "maybe prices in cents\nmaybe depots close on Sunday", long)}
		dry, err := Run(t.Context(), p, Input{Branch: "main", History: h, Now: now, DryRun: true})
		if err != nil || dry.Suggestions != 2 || suggested(t, p) != "" {
			t.Fatalf("review %v: %+v, %v", review, dry, err)
		}
		r := run1(t, p, h)
		active, waiting := in(t, p)
		if r.Outcome != Empty || r.Found != 2 || r.Suggestions != 2 || r.Waiting+r.Items+len(r.Changes) != 0 || active+waiting != "" || suggested(t, p) != "prices in cents; depots close on Sunday" {
			t.Fatalf("review %v: %+v: %q, %q, %q", review, r, active, waiting, suggested(t, p))
		}
		if r = run1(t, p, h); r.Outcome != Unchanged || r.Suggestions != 2 {
			t.Errorf("review %v, again: %+v", review, r)
		}
		// One of them is found for sure, together with something else.
		h = append(h, turn("2", "keep prices in cents.\nkeep invoices for ten years\nmaybe invoices for ten years", long))
		r = run1(t, p, h)
		active, waiting = in(t, p)
		got, want := active, "prices in cents.; invoices for ten years"
		if review {
			got, want = waiting, "add prices in cents.; add invoices for ten years"
		}
		if got != want || r.Suggestions != 1 || suggested(t, p) != "depots close on Sunday" {
			t.Errorf("review %v: %+v: %q, %q", review, r, got, suggested(t, p))
		}
	}
}

// When many are found, suggestions take nobody's place.
func TestSuggestionsGoFirst(t *testing.T) {
	t.Parallel()
	x := &lines{}
	for i := range MaxItems {
		x.also = append(x.also, memory.Found{Section: "facts", Content: fmt.Sprintf("the %dth value is %x", i, i*i), Confidence: .1, Origin: memory.Origin{Records: []string{"1"}}})
	}
	p, _ := parts(x)
	h := told{turn("1", "maybe prices in cents", long)}
	found, _, err := Extract(t.Context(), p, Input{Branch: "main", History: h, Now: now})
	if err != nil || len(found) != MaxItems || slices.ContainsFunc(found, func(f memory.Found) bool { return f.Suggestion }) {
		t.Fatal(len(found), err)
	}
}

// What nobody decided about for 30 days leaves the file with the next run, also
// with one that finds nothing new.
func TestSuggestionsLeave(t *testing.T) {
	t.Parallel()
	p := suggesting(t, nil)
	h := told{turn("1", "maybe prices in cents", long)}
	run1(t, p, h)
	late := now.Add(31 * 24 * time.Hour)
	r, err := Run(t.Context(), p, Input{Branch: "main", History: h, Now: late, DryRun: true})
	if err != nil || r.Suggestions != 0 || suggested(t, p) == "" {
		t.Fatalf("dry: %+v, %v", r, err)
	}
	r, err = Run(t.Context(), p, Input{Branch: "main", History: h, Now: late})
	b, _, failed := p.Inboxes.Load("main")
	if err != nil || failed != nil || r.Outcome != Unchanged || r.Suggestions != 0 || len(b.Waiting) != 0 {
		t.Fatalf("%+v, %+v, %v, %v", r, b, err, failed)
	}
}

// Wherever a run dies, the next one ends as if it had not.
func TestSuggestionFaults(t *testing.T) {
	t.Parallel()
	h := told{turn("1", "maybe depots close on Sunday\nmaybe prices in cents", long)}
	more := append(slices.Clone(h), turn("2", "keep prices in cents\nmaybe invoices for ten years", long))
	steps := 0
	for _, review := range []bool{false, true} {
		run := func(fail int, cause error) (Parts, error) {
			f := faults{fail: fail, cause: cause}
			p := suggesting(t, f.before)
			p.Review = review
			run1(t, p, h)
			err := f.during(func() error {
				_, err := Run(t.Context(), p, Input{Branch: "main", History: more, Now: now})
				return err
			})
			steps = f.n
			return p, err
		}
		if _, err := run(0, nil); err != nil || steps < 15 {
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
				active, waiting := in(t, p)
				if strings.TrimPrefix(active+waiting, "add ") != "prices in cents" || suggested(t, p) != "depots close on Sunday; invoices for ten years" {
					t.Fatalf("review %v, step %d, %v: %q, %q, %q", review, fail, cause, active, waiting, suggested(t, p))
				}
			}
		}
	}
}

// What is decided just before a run writes holds.
func TestSuggestionsDecidedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, yes := range []bool{true, false} {
		p := suggesting(t, nil)
		h := told{turn("1", "maybe prices in cents", long)}
		run1(t, p, h)
		m := &meddled{Inboxes: p.Inboxes.(memory.Inboxes), meanwhile: func() { decide(t, p, yes, memory.Inbox.Suggestions) }}
		during := p
		during.Inboxes = m
		r := run1(t, during, append(h, turn("2", "maybe prices in cents.\nmaybe depots close on Sunday\nkeep invoices for ten years", long)))
		active, _ := in(t, p)
		want := "invoices for ten years"
		if yes {
			want += "; prices in cents"
		}
		if active != want || suggested(t, p) != "depots close on Sunday" || r.Outcome != Memorized || r.Suggestions != 1 {
			t.Errorf("accepted %v: %q, %q, %+v", yes, active, suggested(t, p), r)
		}
	}
}

// A damaged inbox is set aside and told of, with review off too.
func TestADamagedInboxOfSuggestions(t *testing.T) {
	t.Parallel()
	p := suggesting(t, nil)
	h := told{turn("1", "maybe prices in cents", long)}
	run1(t, p, h)
	file := p.Inboxes.(memory.Inboxes).Dir().Path("main.json")
	if err := os.WriteFile(file, []byte(`{"version":2,`), 0o644); err != nil {
		t.Fatal(err)
	}
	r := run1(t, p, append(h, turn("2", "maybe depots close on Sunday", long)))
	if suggested(t, p) != "depots close on Sunday" || len(r.Warnings) != 2 {
		t.Fatalf("%q, %q", suggested(t, p), r.Warnings)
	}
}
