package historytest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
)

func testRevision(t *testing.T, f Fixture) {
	s := f.New(t)
	a := open(t, s, f.Scope)
	b := open(t, s, f.Scope)
	c := open(t, f.New(t), f.Scope)
	if a.Revision() != b.Revision() || a.Revision() != c.Revision() {
		t.Errorf("equal views have revisions %q, %q, %q", a.Revision(), b.Revision(), c.Revision())
	}
	if d := cmp.Diff(a.Refs("*"), c.Refs("*")); d != "" {
		t.Errorf("refs of equal views differ:\n%s", d)
	}
	if d := cmp.Diff(a.Sessions(), c.Sessions()); d != "" {
		t.Errorf("sessions of equal views differ:\n%s", d)
	}
	if f.Append == nil {
		return
	}
	f.Append(t, "And one more thing?", "One more answer.")
	d := open(t, s, f.Scope)
	if d.Revision() == a.Revision() {
		t.Error("a new turn does not change the revision")
	}
	e := open(t, f.New(t), f.Scope)
	if d.Revision() != e.Revision() {
		t.Errorf("equal views have revisions %q, %q", d.Revision(), e.Revision())
	}
	before, after := a.Refs("*"), d.Refs("*")
	if len(after) != len(before)+1 {
		t.Fatalf("one turn appended: %d turns became %d", len(before), len(after))
	}
	if diff := cmp.Diff(before, after[:len(before)]); diff != "" {
		t.Errorf("an appended turn changes the others:\n%s", diff)
	}
	got := texts(readAll(t, d, after[len(before):])[0])
	if diff := cmp.Diff([]string{"And one more thing?", "One more answer."}, got); diff != "" {
		t.Errorf("the appended turn (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(readAll(t, e, after), readAll(t, d, after)); diff != "" {
		t.Errorf("a source that went on and a fresh one differ:\n%s", diff)
	}
}

func testViewStays(t *testing.T, f Fixture) {
	if f.Append == nil {
		t.Skip("the fixture cannot append")
	}
	s := f.New(t)
	a := open(t, s, f.Scope)
	refs, rev := a.Refs("*"), a.Revision()
	turns := readAll(t, a, refs)
	f.Append(t, "Later", "Later too")
	open(t, s, f.Scope)
	if a.Revision() != rev {
		t.Error("a view's revision changes after it was opened")
	}
	if d := cmp.Diff(refs, a.Refs("*")); d != "" {
		t.Errorf("a view changes after it was opened:\n%s", d)
	}
	if d := cmp.Diff(turns, readAll(t, a, refs)); d != "" {
		t.Errorf("a view's turns change after it was opened:\n%s", d)
	}
}

func testDigest(t *testing.T, f Fixture) {
	if f.Extend == nil {
		t.Skip("the fixture cannot extend a turn")
	}
	s := f.New(t)
	before := open(t, s, f.Scope).Refs("*")
	f.Extend(t, "One thing that I forgot.")
	h := open(t, s, f.Scope)
	after := h.Refs("*")
	if len(after) != len(before) {
		t.Fatalf("a longer answer makes %d turns of %d", len(after), len(before))
	}
	last := len(before) - 1
	if d := cmp.Diff(before[:last], after[:last]); d != "" {
		t.Errorf("a longer answer changes other turns:\n%s", d)
	}
	if after[last].ID != before[last].ID {
		t.Errorf("a longer answer changes the turn's id from %s to %s", before[last].ID, after[last].ID)
	}
	if after[last].Digest == before[last].Digest {
		t.Error("a longer answer leaves the digest as it was")
	}
}

func testGone(t *testing.T, f Fixture) {
	h := open(t, f.New(t), f.Scope)
	refs := h.Refs("*")
	asked := []history.Ref{refs[0], {ID: "never was", Session: refs[0].Session}, refs[len(refs)-1]}
	var got []error
	for _, err := range h.Turns(t.Context(), asked) {
		got = append(got, err)
	}
	if len(got) != 3 || got[0] != nil || !errors.Is(got[1], history.ErrGone) || got[2] != nil {
		t.Errorf("a turn that never was between two that are: %v", got)
	}
}

func testRemoved(t *testing.T, f Fixture) {
	if f.Remove == nil {
		t.Skip("the fixture cannot remove a turn")
	}
	s := f.New(t)
	h := open(t, s, f.Scope)
	refs := h.Refs("*")
	turns := readAll(t, h, refs)
	gone := refs[1]
	f.Remove(t, gone)
	i := 0
	for turn, err := range h.Turns(t.Context(), refs) {
		// The others may have moved within a file that was rewritten: gone or
		// exactly what they were, but never other words.
		switch {
		case refs[i].ID == gone.ID && !errors.Is(err, history.ErrGone):
			t.Errorf("the removed turn gives %v, want ErrGone", err)
		case err != nil && !errors.Is(err, history.ErrGone):
			t.Errorf("turn %s: %v", refs[i].ID, err)
		case err == nil && !cmp.Equal(turn, turns[i]):
			t.Errorf("turn %s changed:\n%s", refs[i].ID, cmp.Diff(turns[i], turn))
		}
		i++
	}
	if i != len(refs) {
		t.Errorf("the iteration ends after %d of %d turns", i, len(refs))
	}
	now := open(t, s, f.Scope)
	if now.Revision() == h.Revision() {
		t.Error("a removed turn leaves the revision as it was")
	}
	for _, ref := range now.Refs("*") {
		if ref.ID == gone.ID {
			t.Error("the removed turn is still listed")
		}
	}
	readAll(t, now, now.Refs("*"))
}

func testDamage(t *testing.T, f Fixture) {
	if f.Damage == nil {
		t.Skip("the fixture cannot damage its files")
	}
	s := f.New(t)
	before := open(t, s, f.Scope)
	f.Damage(t)
	for _, s := range []history.Source{s, f.New(t)} {
		h := open(t, s, f.Scope)
		if len(h.Report().Damage) == 0 {
			t.Error("damage is not reported")
		}
		for _, d := range h.Report().Damage {
			if d.File == "" || d.Kind == "" {
				t.Errorf("damage names no file or kind: %+v", d)
			}
		}
		if d := cmp.Diff(before.Refs("*"), h.Refs("*")); d != "" {
			t.Errorf("damage changes turns:\n%s", d)
		}
	}
}

func testCancel(t *testing.T, f Fixture) {
	s := f.New(t)
	h := open(t, s, f.Scope)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	var last error
	for _, err := range h.Turns(ctx, h.Refs("*")) {
		n++
		last = err
		cancel()
	}
	if n != 2 || !errors.Is(last, context.Canceled) {
		t.Errorf("cancelled after the first of %d turns: %d more, last error %v", len(h.Refs("*")), n-1, last)
	}
	if _, err := s.Open(ctx, f.Scope); !errors.Is(err, context.Canceled) {
		t.Errorf("Open with a cancelled context gives %v", err)
	}
	open(t, s, f.Scope)
}

func testBreak(t *testing.T, f Fixture) {
	h := open(t, f.New(t), f.Scope)
	turns := h.Turns(t.Context(), h.Refs("*"))
	for range 2 {
		for _, err := range turns {
			if err != nil {
				t.Errorf("first turn: %v", err)
			}
			break
		}
	}
}

func testClose(t *testing.T, f Fixture) {
	s := f.New(t)
	for range 3 {
		h, err := s.Open(t.Context(), f.Scope)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := h.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		}
	}
	h := open(t, s, f.Scope)
	readAll(t, h, h.Refs("*"))
}

func testConcurrent(t *testing.T, f Fixture) {
	s := f.New(t)
	h := open(t, s, f.Scope)
	refs := h.Refs("*")
	want := readAll(t, h, refs)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			i := 0
			for turn, err := range h.Turns(t.Context(), h.Refs("*")) {
				if err != nil || !cmp.Equal(turn, want[i]) {
					t.Errorf("turn %d: %v\n%s", i, err, cmp.Diff(want[i], turn))
				}
				i++
			}
			h.Sessions()
			h.Report()
			other, err := s.Open(t.Context(), f.Scope)
			if err != nil {
				t.Errorf("Open: %v", err)
				return
			}
			if other.Revision() != h.Revision() {
				t.Error("a view opened at the same time differs")
			}
			if err := other.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
	wg.Wait()
}
