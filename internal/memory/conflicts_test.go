package memory

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"recollect/internal/safefile"
)

func contradiction() (Memory, Conflict) {
	m := memoryOf(facts[0], "Indent with 4 spaces")
	return m, Conflict{ID: "id1", Section: "facts", Existing: "Indent with 4 spaces", Found: foundOf("Indent with 2 spaces"), Why: "another number"}
}

func TestConflictsAreKeptOnce(t *testing.T) {
	t.Parallel()
	c := Conflicts{safefile.Beneath(t.TempDir()).Sub("sub")}
	if all, err := c.List(); len(all) != 0 || err != nil {
		t.Fatalf("%v, %v", all, err)
	}
	m, x := contradiction()
	for want := range 2 {
		n, err := c.Add("main", m, []Conflict{x}, evolveTime)
		if err != nil || n != 1-want {
			t.Errorf("added %d, %v", n, err)
		}
	}
	all, err := c.List()
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	r, err := c.Find(strings.TrimPrefix(all[0].ID, "conflict_")[:4])
	if err != nil || r.Items[0].Confidence != .6 || r.Items[1].Origin.Session != "s2" || r.Status != Unresolved {
		t.Errorf("%+v, %v", r, err)
	}
	for _, id := range []string{"", "nosuch"} {
		if _, err := c.Find(id); !errors.Is(err, ErrNoConflict) {
			t.Errorf("%q: %v", id, err)
		}
	}
	_, r, err = Decide(m, r, KeepOlder, "", evolveTime)
	if err == nil {
		err = c.Close(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	if n, err := c.Add("main", m, []Conflict{x}, evolveTime); n != 0 || err != nil {
		t.Errorf("a decided conflict came back: %d, %v", n, err)
	}
	if _, err := c.Find(r.ID); !errors.Is(err, ErrNoConflict) {
		t.Errorf("a decided conflict is open: %v", err)
	}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	for d, want := range map[Decision]struct {
		active string
		status Status
	}{
		KeepOlder: {facts[0] + "; Indent with 4 spaces", AcceptedOlder},
		KeepNewer: {facts[0] + "; Indent with 2 spaces", AcceptedNewer},
		KeepBoth:  {facts[0] + "; Indent with 4 spaces; Indent with 2 spaces (in tests)", KeptBoth},
		Outdated:  {facts[0], MarkedOutdated},
	} {
		m, x := contradiction()
		next, r, err := Decide(m, record("main", m, x, evolveTime), d, " in tests\n", evolveTime)
		if err != nil {
			t.Errorf("%s: %v", d, err)
			continue
		}
		var active []string
		for _, it := range next.Active() {
			active = append(active, it.Content)
		}
		if got := strings.Join(active, "; "); got != want.active || r.Status != want.status || r.Open() || r.Resolution.Decision != d {
			t.Errorf("%s: %s, %+v", d, got, r)
		}
		if !slices.ContainsFunc(next.Items, func(it Item) bool { return it.Content == "Indent with 4 spaces" }) {
			t.Errorf("%s: what was remembered is lost", d)
		}
		if m.Items[1].State != Active {
			t.Errorf("%s: the memory that was given changed", d)
		}
	}
	m, x := contradiction()
	r := record("main", m, x, evolveTime)
	if _, _, err := Decide(m, r, KeepBoth, " ", evolveTime); err == nil {
		t.Error("both were kept without a note")
	}
	if _, _, err := Decide(m, r, "whatever", "", evolveTime); err == nil {
		t.Error("an unknown decision was taken")
	}
	m.Items[1].State = Removed
	if _, _, err := Decide(m, r, Outdated, "", evolveTime); !errors.Is(err, ErrNoItem) {
		t.Errorf("%v", err)
	}
	if next, _, err := Decide(m, r, KeepNewer, "", evolveTime); err != nil || len(next.Active()) != 2 {
		t.Errorf("the newer one can't be kept when the older is gone: %v", err)
	}
}

func TestConflictsFileIsNeverWrittenOver(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"{broken", `{"version":99,"conflicts":[]}`, ""} {
		c := Conflicts{safefile.Beneath(t.TempDir())}
		if err := os.WriteFile(c.path(), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		m, x := contradiction()
		if _, err := c.Add("main", m, []Conflict{x}, evolveTime); err == nil {
			t.Errorf("%q was written over", text)
		}
		if now, _ := os.ReadFile(c.path()); string(now) != text {
			t.Errorf("%q became %q", text, now)
		}
	}
}

// A decision that is undone waits again, whichever it was, and redo decides it.
func TestConflictsFollow(t *testing.T) {
	t.Parallel()
	for _, d := range []Decision{KeepNewer, KeepBoth, Outdated, KeepOlder} {
		c := Conflicts{safefile.Beneath(t.TempDir())}
		m, x := contradiction()
		if _, err := c.Add("main", m, []Conflict{x}, evolveTime); err != nil {
			t.Fatal(err)
		}
		all, _ := c.List()
		after, r, err := Decide(m, all[0], d, "why", evolveTime)
		if err != nil || c.Close(r) != nil {
			t.Fatal(err)
		}
		step := func(before, after Memory, open bool) {
			t.Helper()
			if err := c.Follow("main", before, after, evolveTime); err != nil {
				t.Fatal(err)
			}
			now, _ := c.List()
			k := now[0]
			if k.Open() != open || (k.Resolution.ResolvedAt == nil) != open || k.Resolution.Decision != d || !open && k.Status != r.Status {
				t.Fatalf("%s: %+v", d, k)
			}
		}
		step(after, after, false)
		step(after, m, d != KeepOlder) // which changes no memory, so that there is nothing to take back
		step(m, after, false)
		if err := c.Follow("other", after, m, evolveTime); err != nil {
			t.Fatal(err)
		}
		step(after, after, false)
	}
}

// Only a decision that left the memory as it was is taken back in the record alone.
func TestReopen(t *testing.T) {
	t.Parallel()
	for d, want := range map[Decision]error{KeepOlder: nil, KeepNewer: ErrStale, KeepBoth: ErrStale, Outdated: ErrStale} {
		c := Conflicts{safefile.Beneath(t.TempDir())}
		m, x := contradiction()
		if _, err := c.Add("main", m, []Conflict{x}, evolveTime); err != nil {
			t.Fatal(err)
		}
		all, _ := c.List()
		if err := c.Reopen("main", all[0].ID); !errors.Is(err, ErrStale) {
			t.Errorf("%s: one that waits: %v", d, err)
		}
		_, r, err := Decide(m, all[0], d, "why", evolveTime)
		if err != nil || c.Close(r) != nil {
			t.Fatal(err)
		}
		if err := c.Reopen("other", r.ID); !errors.Is(err, ErrNoConflict) {
			t.Errorf("%s: of another branch: %v", d, err)
		}
		if err := c.Reopen("main", r.ID); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", d, err, want)
		}
		if all, _ = c.List(); all[0].Open() != (want == nil) {
			t.Errorf("%s: %+v", d, all[0])
		}
	}
}
