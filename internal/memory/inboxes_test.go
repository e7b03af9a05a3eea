package memory

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

// someInbox has one proposal of each action, refusals and something to undo.
func someInbox(t testing.TB) (Memory, Inbox) {
	t.Helper()
	m := remembered("Use tabs for indentation", "Wrap errors once", "Tests run in parallel")
	m, b, _ := proposed(m, Inbox{Branch: "feature/übung", Layout: DefaultLayout()}, t0, find(7, "Log with slog"), find(8, "Never wrap errors once"))
	over := b.Over(m)
	items := over.Active()
	items[0].Content = "Use tabs for indentation in Go"
	p := Proposal{Changes: []Change{{Action: Updated, ID: items[0].ID, Why: "more <exact>"}, {Action: Deleted, ID: items[1].ID}}}
	p.Items = slices.Delete(items, 1, 2)
	next, _, err := Evolve(over, nil, p, t0)
	if err != nil {
		t.Fatal(err)
	}
	m, b = b.Propose(m, next, t0)
	b.Refused = []Refusal{{Item: "x", Before: "a", Section: "facts", Content: "b", Time: t0}, {Item: "y", Before: "c", Time: t0}}
	after := b
	after.Waiting = slices.Concat(b.Waiting[1:2], b.Waiting[3:])
	return m, b.Reviewed(after, "1-TOKEN", "1-2-abc", "r:s").Undone().Reviewed(b, "1-TOKEN", "1-2-abc", "r:s")
}

func TestInboxRoundTrip(t *testing.T) {
	t.Parallel()
	x := Inboxes{Dir: At(safefile.Beneath(t.TempDir()).Sub("local", "review"))}
	_, b := someInbox(t)
	if err := x.Save(b, ""); err != nil {
		t.Fatal(err)
	}
	got, rev, err := x.Load(b.Branch)
	if err != nil || !reflect.DeepEqual(got, b) {
		t.Fatalf("%v\n%+v\n%+v", err, got, b)
	}
	if actions := fmt.Sprint(waitingLines(got)); strings.Count(actions, "add ") != 1 || strings.Count(actions, "update ") != 1 ||
		strings.Count(actions, "replace ") != 1 || strings.Count(actions, "remove ") != 1 {
		t.Fatal(actions)
	}
	got.Waiting = got.Waiting[1:]
	for _, wrong := range []Revision{"", "another"} {
		if err := x.Save(got, wrong); !errors.Is(err, ErrChanged) {
			t.Errorf("saved over %q: %v", wrong, err)
		}
	}
	if err := x.Save(got, rev); err != nil {
		t.Fatal(err)
	}
	held, damaged, err := x.All()
	if err != nil || len(held) != 1 || len(damaged) != 0 || held[0].Branch != b.Branch {
		t.Fatal(held, damaged, err)
	}
	if none, rev, err := x.Load("main"); err != nil || rev != "" || none.Branch != "main" {
		t.Fatal(none, rev, err)
	}
}

func TestInboxDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := Inboxes{Dir: At(safefile.Beneath(dir))}
	_, b := someInbox(t)
	whole, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var bad *InboxError
	for name, text := range map[string]string{
		"empty": "", "no JSON": "{", "an array": "[]", "no version": "{}", "version 0": `{"version":0}`,
		"cut":            string(whole[:len(whole)/2]),
		"twice":          string(whole) + string(whole),
		"unknown field":  strings.Replace(string(whole), `"waiting"`, `"wating"`, 1),
		"another branch": strings.ReplaceAll(string(whole), "feature", "faeture"),
		"a state":        strings.Replace(string(whole), `"state":"superseded"`, `"state":"gone"`, 1),
		"two lines":      strings.Replace(string(whole), "Log with slog", `Log\nwith slog`, 1),
		"confidence":     strings.Replace(string(whole), `"confidence":`, `"confidence":7`, 1),
		"same id":        strings.Replace(string(whole), b.Waiting[0].Item.ID, b.Waiting[1].Item.ID, 1),
	} {
		put(t, filepath.Join(dir, FileStem(b.Branch)+".json"), text)
		if _, _, err := x.Load(b.Branch); !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if held, damaged, err := x.All(); err != nil || len(held) != 0 || len(damaged) != 1 {
			t.Errorf("%s: %v, %v, %v", name, held, damaged, err)
		}
		aside, err := x.SetAside(bad)
		if err != nil || read(t, aside) != text {
			t.Errorf("%s: %s, %v", name, aside, err)
		}
	}
	if all, err := x.Aside(); err != nil || len(all) != 13 {
		t.Errorf("%q, %v", all, err)
	}
	put(t, filepath.Join(dir, FileStem(b.Branch)+".json"), strings.Replace(string(whole), `"version":1`, `"version":3`, 1))
	if _, _, err := x.Load(b.Branch); !errors.Is(err, ErrNewer) || errors.As(err, new(*InboxError)) {
		t.Errorf("newer: %v", err)
	}
	b.Waiting = make([]Waiting, MaxWaiting+1)
	if _, err := b.Encode(); !errors.Is(err, ErrFull) {
		t.Errorf("full: %v", err)
	}
}

// Wherever a decision dies, deciding what then waits ends as if it had not.
func TestDecisionFaults(t *testing.T) {
	t.Parallel()
	var decided int
	ends := func(fail int, cause error) (active, removed string, left, refused int) {
		n := 0
		before := func(string, atomicfile.Step) error {
			if n++; n == fail {
				return cause
			}
			return nil
		}
		p := newPlace(t)
		s, x := p.store(StoreOptions{}), Inboxes{Dir: At(in(p.root, p.local).Sub("review"))}
		m, b := someInbox(t)
		m.Branch = b.Branch
		if _, err := s.Save(t.Context(), m, ""); err != nil {
			t.Fatal(err)
		}
		if err := x.Save(b, ""); err != nil {
			t.Fatal(err)
		}
		follow := func(s *Store, x Inboxes) error {
			b, at, err := x.Load(b.Branch)
			if err != nil {
				return err
			}
			m, rev, err := s.Load(b.Branch)
			if err != nil {
				return err
			}
			var vs []Verdict
			for _, q := range b.Settle(m, t0).Proposals() {
				vs = append(vs, Verdict{ID: q.ID, Accept: q.Content != "Log with slog" && q.Action != ProposeUpdate})
			}
			r, err := b.Review(m, vs, t0.Add(time.Hour))
			if err != nil || len(r.Stale) > 0 {
				t.Fatal(r.Stale, err)
			}
			if !reflect.DeepEqual(r.Memory.Items, m.Items) {
				if _, err := s.Save(t.Context(), r.Memory, rev); err != nil {
					return err
				}
			}
			return x.Save(r.Inbox, at)
		}
		if err := follow(p.store(StoreOptions{Before: before}), Inboxes{Dir: x.Dir, Before: before}); fail > 0 && !errors.Is(err, cause) {
			t.Fatalf("step %d: %v", fail, err)
		}
		decided = n
		if err := follow(s, x); err != nil {
			t.Fatalf("step %d: %v", fail, err)
		}
		m, _, err := s.Load(b.Branch)
		if err != nil {
			t.Fatal(err)
		}
		after, _, err := x.Load(b.Branch)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(activeContents(m), "|"), strings.Join(contentsIn(m, Removed), "|"), len(after.Waiting), len(after.Refused)
	}
	active, removed, left, refused := ends(0, nil)
	if active != "Use tabs for indentation|Never wrap errors once" || removed != "Log with slog" || left != 0 || refused != 3 {
		t.Fatalf("%q, %q, %d, %d", active, removed, left, refused)
	}
	all := decided
	if all < 30 {
		t.Fatal(all)
	}
	for _, cause := range []error{errors.New("no space left"), atomicfile.Crash()} {
		for fail := 1; fail <= all; fail++ {
			a, rm, l, rf := ends(fail, cause)
			if a != active || rm != removed || l != left || rf != refused {
				t.Fatalf("step %d, %v: %q, %q, %d, %d", fail, cause, a, rm, l, rf)
			}
		}
	}
}

func FuzzDecodeInbox(f *testing.F) {
	m, b := someInbox(f)
	data, err := b.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	if data, err = suggest(m, b, t0, find(99, "Retry three times")).Encode(); err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"version":1,"branch":"main","layout":{"title":"","sections":null},"waiting":[],"refused":[]}`))
	f.Add(bytes.Replace(data, []byte(`"superseded_by":"`), []byte(`"superseded_by":"x`), 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := DecodeInbox(data)
		if err != nil {
			return
		}
		again, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if c, err := DecodeInbox(again); err != nil || fmt.Sprint(waitingLines(c)) != fmt.Sprint(waitingLines(b)) {
			t.Fatalf("%v\n%s\n%s", err, data, again)
		}
		b.Undone().Settle(m, t0).Proposals()
		b = b.Settle(m, t0)
		over := b.Over(m)
		next, _, _ := Merge(over, []Found{find(3, "Use spaces for indentation")}, t0)
		quiet, b := b.Propose(m, next, t0)
		if !slices.Equal(activeContents(quiet), activeContents(m)) {
			t.Fatalf("%q", activeContents(quiet))
		}
		for _, accept := range []bool{true, false} {
			var vs []Verdict
			settled := b.Settle(quiet, t0)
			for _, p := range slices.Concat(settled.Proposals(), settled.Suggestions()) {
				if !slices.ContainsFunc(vs, func(v Verdict) bool { return v.ID == p.ID }) {
					vs = append(vs, Verdict{ID: p.ID, Accept: accept})
				}
			}
			if _, err := b.Review(quiet, vs, t0); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkSettle500(b *testing.B) {
	m, _, _ := Merge(Memory{Branch: "main"}, manyFound(500), t0)
	_, x, _ := proposed(Memory{Branch: "main"}, Inbox{Branch: "main"}, t0, manyFound(800)[500:]...)
	for b.Loop() {
		x.Settle(m, t0).Count()
	}
}

func BenchmarkAcceptAll300(b *testing.B) {
	m, _, _ := Merge(Memory{Branch: "main"}, manyFound(500), t0)
	_, x, _ := proposed(m, Inbox{Branch: "main"}, t0, manyFound(800)[500:]...)
	var vs []Verdict
	for _, p := range x.Proposals() {
		vs = append(vs, Verdict{ID: p.ID, Accept: true})
	}
	for b.Loop() {
		if _, err := x.Review(m, vs, t0); err != nil {
			b.Fatal(err)
		}
	}
}
