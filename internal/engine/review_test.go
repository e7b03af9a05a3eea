package engine

import (
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"recollect/internal/memorize"
	"recollect/internal/memory"
)

// proposing opens the sample project after a memorize of all branches with
// review.
func proposing(t testing.TB) (*Engine, []Proposal) {
	t.Helper()
	e := openEngine(t, sample(t))
	configure(t, e, "review.enabled", "true")
	reports, err := e.Memorize(t.Context(), MemorizeOptions{All: true})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range reports {
		if r.Waiting > 0 && r.Outcome != memorize.Proposed || r.Items > 0 {
			t.Errorf("%+v", r)
		}
		n += r.Waiting
	}
	waiting, err := e.Review(t.Context())
	if err != nil || len(waiting) != n || n < 5 {
		t.Fatalf("%d wait, %d reported, %v", len(waiting), n, err)
	}
	return e, waiting
}

func verdicts(all []Proposal, accept bool) []Decision {
	var out []Decision
	for _, p := range all {
		out = append(out, Decision{ID: p.ID, Accept: accept})
	}
	return out
}

func branchesOf(all []Proposal) []string {
	var out []string
	for _, p := range all {
		out = append(out, p.Branch)
	}
	return slices.Compact(out)
}

func TestDecideAndUndo(t *testing.T) {
	e, waiting := proposing(t)
	branches := branchesOf(waiting)
	if len(branches) < 2 {
		t.Fatalf("only %q", branches)
	}
	before := map[string]string{}
	for _, b := range branches {
		before[b] = held(t, e.path("branches", memory.FileStem(b)+".md"))
		n, err := e.waiting(b)
		if err != nil || n.proposals != len(slices.DeleteFunc(slices.Clone(waiting), func(p Proposal) bool { return p.Branch != b })) {
			t.Errorf("%s: %d wait, %v", b, n, err)
		}
	}

	r, err := e.Decide(t.Context(), verdicts(waiting, true))
	if err != nil || len(r.Left) != 0 || len(r.Stale) != 0 || r.Undo == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	items := 0
	for _, b := range branches {
		shown, err := e.Show(&b, "")
		if err != nil {
			t.Fatal(err)
		}
		items += len(shown.Items)
		for _, it := range shown.Items {
			if len(it.Origins) == 0 || it.Protected() {
				t.Errorf("%+v", it)
			}
		}
	}
	if items != len(waiting) {
		t.Errorf("%d items of %d proposals", items, len(waiting))
	}

	back, err := e.UndoReview(t.Context(), r.Undo)
	if err != nil || !reflect.DeepEqual(back.Left, waiting) || back.Undo != "" {
		t.Fatalf("%d wait again, %v", len(back.Left), err)
	}
	for _, b := range branches {
		if now := held(t, e.path("branches", memory.FileStem(b)+".md")); now != before[b] {
			t.Errorf("%s is\n%s", b, now)
		}
	}
	for _, token := range []string{r.Undo, "", "0-x", "1-x", "nonsense"} {
		if _, err := e.UndoReview(t.Context(), token); !errors.Is(err, memory.ErrStale) {
			t.Errorf("%q: %v", token, err)
		}
	}
}

func TestDecideOneByOne(t *testing.T) {
	e, waiting := proposing(t)
	first, second := waiting[0], waiting[1]
	for _, bad := range []Decision{
		{ID: first.ID, Accept: true, Content: "\u200b"}, {ID: first.ID, Accept: true, Section: "nosuch"},
		{ID: first.ID, Accept: true, Content: "AKIAIOSFODNN7EXAMPLE"},
	} {
		var edit *memory.EditError
		if _, err := e.Decide(t.Context(), []Decision{{ID: second.ID, Accept: true}, bad}); !errors.As(err, &edit) {
			t.Errorf("%+v: %v", bad, err)
		}
		if left, err := e.Review(t.Context()); err != nil || !reflect.DeepEqual(left, waiting) {
			t.Fatalf("%+v: %d wait, %v", bad, len(left), err)
		}
	}
	// A run with a model holds the project's lock for long; deciding does not
	// wait for it.
	lock, err := e.lock(t.Context(), "testing")
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Decide(t.Context(), []Decision{{ID: first.ID, Accept: true, Content: "Deployments go through the account of the operations team in Berlin; its key is AKIAIOSFODNN7EXAMPLE today"}, {ID: "nosuch"}})
	lock.Release()
	if err != nil || len(r.Left) != len(waiting)-1 || !slices.Equal(r.Stale, []string{"nosuch"}) {
		t.Fatalf("%+v, %v", r, err)
	}
	shown, err := e.Show(&first.Branch, "")
	if err != nil || len(shown.Items) != 1 {
		t.Fatalf("%+v, %v", shown, err)
	}
	it := shown.Items[0]
	if !strings.HasPrefix(it.Content, "Deployments go") || strings.Contains(it.Content, "AKIA") || !it.Protected() || !reflect.DeepEqual(it.Origins[0].Records, first.Origins[0].Records) {
		t.Errorf("%+v", it)
	}
	if r, err = e.Decide(t.Context(), []Decision{{ID: first.ID, Accept: true}}); err != nil || !slices.Equal(r.Stale, []string{first.ID}) || r.Undo != "" {
		t.Errorf("decided again: %+v, %v", r, err)
	}

	r, err = e.Decide(t.Context(), []Decision{{ID: second.ID}})
	if err != nil || r.Undo == "" {
		t.Fatal(err)
	}
	reports, err := e.Memorize(t.Context(), MemorizeOptions{All: true, Again: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range reports {
		if x.Outcome == memorize.Proposed {
			t.Errorf("%+v", x)
		}
	}
	left, err := e.Review(t.Context())
	if err != nil || slices.ContainsFunc(left, func(p Proposal) bool { return p.Content == second.Content }) || len(left) != len(waiting)-2 {
		t.Errorf("%d wait, %v", len(left), err)
	}
	// The memory changed: no undo.
	if _, err := e.Edit(t.Context(), second.Branch, memory.Edit{Do: memory.Add, Section: second.Section, Content: "Something else altogether"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.UndoReview(t.Context(), r.Undo); Explain(err).Code != "changed" {
		t.Errorf("%v", err)
	}
}

// Decisions are taken back one after the other, newest first.
func TestUndoOneByOne(t *testing.T) {
	e, waiting := proposing(t)
	var left [][]Proposal
	var tokens []string
	for i := range 6 {
		before, err := e.Review(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Decide(t.Context(), []Decision{{ID: before[i%2].ID, Accept: i%3 != 0}, {ID: before[2].ID}})
		if err != nil || r.Undo == "" {
			t.Fatal(err)
		}
		left, tokens = append(left, before), append(tokens, r.Undo)
	}
	if _, err := e.UndoReview(t.Context(), tokens[0]); !errors.Is(err, memory.ErrStale) {
		t.Errorf("the oldest first: %v", err)
	}
	for i := len(tokens) - 1; i >= 0; i-- {
		r, err := e.UndoReview(t.Context(), tokens[i])
		if err != nil || !reflect.DeepEqual(r.Left, left[i]) {
			t.Fatalf("%d: %d wait, %v", i, len(r.Left), err)
		}
	}
	if !reflect.DeepEqual(left[0], waiting) {
		t.Error("it is not as it was")
	}
}

func TestReviewOfAProjectWithoutMemory(t *testing.T) {
	e := openEngine(t, sample(t))
	if all, err := e.Review(t.Context()); err != nil || len(all) != 0 || all == nil {
		t.Errorf("%v, %v", all, err)
	}
	if r, err := e.Decide(t.Context(), []Decision{{ID: "x"}}); err != nil || len(r.Stale) != 1 || r.Left == nil {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := os.Stat(e.path()); err == nil {
		t.Error("it made the memory folder")
	}
}

func TestADamagedInboxIsSaidOnce(t *testing.T) {
	e, waiting := proposing(t)
	branch := waiting[0].Branch
	file := e.inboxes().Dir().Path(memory.FileStem(branch) + ".json")
	write(t, file, []byte("{"))
	if n, err := e.waiting(branch); n != (waits{}) || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
	if _, err := e.Review(t.Context()); Explain(err).Code != "damaged" || !strings.Contains(err.Error(), ".damaged") {
		t.Fatal(err)
	}
	left, err := e.Review(t.Context())
	if err != nil || len(left) == 0 || slices.ContainsFunc(left, func(p Proposal) bool { return p.Branch == branch }) {
		t.Errorf("%d wait, %v", len(left), err)
	}
	if held(t, file+".damaged") != "{" {
		t.Error("it is lost")
	}
	if _, err := e.Memorize(t.Context(), MemorizeOptions{Branch: &branch, Again: true}); err != nil {
		t.Fatal(err)
	}
	if left, err = e.Review(t.Context()); err != nil || len(left) != len(waiting) {
		t.Errorf("%d wait, %v", len(left), err)
	}
}

// A person decides while memorizes run: everything is decided once, and nothing
// waits again.
func TestDecideWhileMemorizing(t *testing.T) {
	o := sample(t)
	e := openEngine(t, o)
	configure(t, e, "review.enabled", "true")
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	waiting, err := e.Review(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other := openEngine(t, o)
	ended := make(chan error, 1)
	go func() {
		for range 4 {
			reports, err := other.Memorize(t.Context(), MemorizeOptions{All: true, Again: true})
			for _, r := range reports {
				if err == nil && r.Problem != nil {
					err = errors.New(r.Problem.Message)
				}
			}
			if err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	for i, p := range waiting {
		r, err := e.Decide(t.Context(), []Decision{{ID: p.ID, Accept: i%2 == 0}})
		if err != nil || len(r.Stale) > 0 {
			t.Errorf("%+v, %v", r.Stale, err)
		}
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if left, err := e.Review(t.Context()); err != nil || len(left) != 0 {
		t.Errorf("%+v, %v", left, err)
	}
	for i, p := range waiting {
		shown, err := e.Show(&p.Branch, "")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, it := range shown.Items {
			if it.Content == p.Content {
				n++
			}
		}
		if want := (i + 1) % 2; n != want {
			t.Errorf("%q is there %d times, want %d", p.Content, n, want)
		}
	}
}
