package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/config"
	"recollect/internal/filelock"
	"recollect/internal/maintain"
	"recollect/internal/memory"
)

// kept opens the sample project with everything memorized, at a time that can be
// set.
func kept(t testing.TB) (*Engine, *time.Time) {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Millisecond)
	o := sample(t)
	o.Now = func() time.Time { return now }
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	return e, &now
}

func mustMaintain(t testing.TB, e *Engine, kind maintain.Kind, dry bool) maintain.Report {
	t.Helper()
	r, err := e.Maintain(t.Context(), MaintainOptions{Kind: kind, DryRun: dry})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// twice has the memory of main say its first item a second time, as an import of
// another program's memory might.
func twice(t testing.TB, e *Engine, now time.Time) memory.Item {
	t.Helper()
	m, rev, err := e.memories().Load("main")
	if err != nil || len(m.Active()) == 0 {
		t.Fatal("nothing is remembered", err)
	}
	it := m.Active()[0]
	it.ID, it.Content, it.Confidence, it.Created, it.Updated = "", strings.ToUpper(it.Content), 0.1, now, now
	it.Origins = slices.Clone(it.Origins)
	it.Origins[0].Session = "another"
	m.Items = append(m.Items, it)
	if _, err := e.memories().Save(t.Context(), m, rev); err != nil {
		t.Fatal(err)
	}
	return it
}

func TestMaintainNightly(t *testing.T) {
	t.Parallel()
	e, now := kept(t)
	before, _, err := e.memories().Load("main")
	if err != nil {
		t.Fatal(err)
	}
	twice(t, e, *now)
	if r := mustMaintain(t, e, maintain.Nightly, true); r.Parts[0].Changes != 1 {
		t.Errorf("it would: %+v", r.Parts)
	}
	if r := mustMaintain(t, e, maintain.Nightly, false); r.Outcome != maintain.Done || r.Parts[0].Changes != 1 {
		t.Errorf("it did: %+v", r.Parts)
	}
	after, _, err := e.memories().Load("main")
	if err != nil || len(after.Active()) != len(before.Active()) || len(after.Items) != len(before.Items)+1 {
		t.Fatalf("%d active of %d, %v", len(after.Active()), len(after.Items), err)
	}
	if r := mustMaintain(t, e, maintain.Nightly, false); r.Outcome != maintain.Nothing {
		t.Errorf("again: %+v", r.Parts)
	}
	if b := first(t, e, "main"); b.BlockTokens < 0 {
		t.Error("the block for hooks is not as the memory is")
	}
}

func first(t *testing.T, e *Engine, name string) Branch {
	t.Helper()
	all, err := e.Branches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all[slices.IndexFunc(all, func(b Branch) bool { return b.Name == name })]
}

func TestMaintainLeavesReviewToThePerson(t *testing.T) {
	t.Parallel()
	e, now := kept(t)
	twice(t, e, *now)
	if _, err := e.SetSetting(t.Context(), "review.enabled", json.RawMessage("true"), config.User); err != nil {
		t.Fatal(err)
	}
	before, _, _ := e.memories().Load("main")
	if r := mustMaintain(t, e, maintain.Nightly, true); r.Parts[0].Changes != 1 {
		t.Errorf("it would: %+v", r.Parts)
	}
	if r := mustMaintain(t, e, maintain.Nightly, false); r.Parts[0].Changes != 1 || !slices.Contains(r.Parts[0].Notes, reviewFirst) {
		t.Errorf("it did: %+v", r.Parts)
	}
	after, _, err := e.memories().Load("main")
	if err != nil || len(after.Active()) != len(before.Active()) {
		t.Errorf("%d active, were %d, %v", len(after.Active()), len(before.Active()), err)
	}
	if n, err := e.waiting("main"); n.proposals != 1 || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
	if r := mustMaintain(t, e, maintain.Nightly, false); r.Outcome != maintain.Nothing {
		t.Errorf("again: %+v", r.Parts)
	}
	waits, err := e.Review(t.Context())
	if err != nil || len(waits) != 1 {
		t.Fatal(waits, err)
	}
	done, err := e.Decide(t.Context(), []Decision{{ID: waits[0].ID}})
	if err != nil || len(done.Left) > 0 || len(done.Stale) > 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	if r := mustMaintain(t, e, maintain.Nightly, false); r.Outcome != maintain.Nothing {
		t.Errorf("what was refused is proposed again: %+v", r.Parts)
	}
}

// What was suggested too long ago, or is remembered by now, leaves the file, also
// where there is no memory.
func TestMaintainDropsSuggestions(t *testing.T) {
	t.Parallel()
	e, now := kept(t)
	twice(t, e, *now)
	m, _, err := e.memories().Load("main")
	if err != nil {
		t.Fatal(err)
	}
	maybe := []memory.Found{{Section: "facts", Content: "The depot closes at six.", Suggestion: true}, {Section: "facts", Content: m.Active()[0].Content, Suggestion: true}}
	for _, name := range []string{"main", "nothing-else"} {
		b := memory.Inbox{Branch: name, Layout: memory.DefaultLayout()}
		if err := e.inboxes().Save(b.Suggest(memory.Memory{}, maybe, *now), ""); err != nil {
			t.Fatal(err)
		}
	}
	left := func(name string) int {
		b, _, err := e.inboxes().Load(name)
		if err != nil {
			t.Fatal(err)
		}
		return len(b.Waiting)
	}
	mustMaintain(t, e, maintain.Nightly, true)
	if left("main") != 2 || left("nothing-else") != 2 {
		t.Error("a dry run wrote")
	}
	mustMaintain(t, e, maintain.Nightly, false)
	if left("main") != 1 || left("nothing-else") != 2 {
		t.Errorf("%d and %d are left", left("main"), left("nothing-else"))
	}
	*now = now.Add(31 * 24 * time.Hour)
	if w, err := e.waiting("nothing-else"); err != nil || w != (waits{}) {
		t.Errorf("%+v, %v", w, err)
	}
	mustMaintain(t, e, maintain.Nightly, false)
	if left("main") != 0 || left("nothing-else") != 0 {
		t.Errorf("%d and %d are left", left("main"), left("nothing-else"))
	}
}

func TestMaintainStartupAndWeekly(t *testing.T) {
	t.Parallel()
	e, err := Open(sample(t))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if r := mustMaintain(t, e, maintain.Startup, true); r.Parts[0].Branches == 0 || e.hasMemoryFolder() {
		t.Fatalf("dry: %+v", r.Parts)
	}
	if r := mustMaintain(t, e, maintain.Nightly, false); r.Outcome != maintain.Nothing || e.hasMemoryFolder() {
		t.Fatalf("nothing is remembered: %+v", r)
	}
	r := mustMaintain(t, e, maintain.Startup, false)
	if r.Outcome != maintain.Done || r.Parts[0].Changes == 0 {
		t.Fatalf("%+v", r.Parts)
	}
	if r := mustMaintain(t, e, maintain.Weekly, false); r.Outcome != maintain.Nothing {
		t.Errorf("nothing is new: %+v", r.Parts)
	}
}

func TestMaintainMonthly(t *testing.T) {
	t.Parallel()
	e, _ := kept(t)
	file := e.path("branches", "main.items.jsonl")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, append(data, "{broken\n"...))
	write(t, e.maintenanceLog().Path(), []byte("broken, too"))
	before, _, err := e.memories().Load("main")
	if err != nil {
		t.Fatal(err)
	}
	r := mustMaintain(t, e, maintain.Monthly, false)
	if r.Outcome != maintain.Done || r.Parts[1].Changes != 2 {
		t.Errorf("%+v", r.Parts)
	}
	after, _, err := e.memories().Load("main")
	if err != nil || len(after.Damage) > 0 || len(after.Items) != len(before.Items) {
		t.Errorf("%+v, %v", after.Damage, err)
	}
	s, err := e.Maintenance()
	if err != nil || s.Broken != "" || len(s.Results) != 1 || strings.Contains(s.Results[0].Words, e.Root()) {
		t.Errorf("%+v, %v", s, err)
	}
	if d, err := e.Doctor(t.Context(), false); err != nil || slices.ContainsFunc(d.Findings, func(f Finding) bool { return strings.Contains(f.Where, e.path()) }) {
		t.Errorf("left: %+v, %v", d.Findings, err)
	}
}

func TestMaintainIsPutOff(t *testing.T) {
	t.Parallel()
	e, _ := kept(t)
	for _, name := range []string{"project.lock", "maintenance.lock"} {
		lock, err := filelock.Acquire(t.Context(), e.state().Path(name), filelock.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := mustMaintain(t, e, maintain.Nightly, false)
		if r.Outcome != maintain.PutOff || !strings.Contains(r.Parts[0].Words, "put off") {
			t.Errorf("%s: %+v", name, r)
		}
		if s, err := e.Maintenance(); err != nil || !s.Tasks[1].Last.IsZero() {
			t.Errorf("%s: noted as done: %+v, %v", name, s.Tasks, err)
		}
		if err := lock.Release(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMaintenanceStatus(t *testing.T) {
	t.Parallel()
	e, now := kept(t)
	s, err := e.Maintenance()
	if err != nil || !s.Enabled || len(s.Tasks) != 4 {
		t.Fatalf("%+v, %v", s, err)
	}
	mustMaintain(t, e, maintain.Full, false)
	if s, err = e.Maintenance(); err != nil || !s.nextMaintenance().After(*now) || s.nextMaintenance().After(now.Add(25*time.Hour+15*time.Minute)) {
		t.Errorf("%+v, %v", s, err)
	}
	if stats, err := e.Stats(t.Context()); err != nil || !stats.NextMaintenance.Equal(s.nextMaintenance()) {
		t.Errorf("%v, %v", stats.NextMaintenance, err)
	}
	if st, err := e.Status(t.Context()); err != nil || st.Maintenance == nil || st.State != StateReady {
		t.Errorf("%+v, %v", st, err)
	}
	if _, err := e.SetSetting(t.Context(), "maintenance.enabled", json.RawMessage("false"), config.User); err != nil {
		t.Fatal(err)
	}
	if s, err = e.Maintenance(); err != nil || s.Enabled || !s.nextMaintenance().IsZero() {
		t.Errorf("off: %+v, %v", s, err)
	}
	write(t, e.maintenanceLog().Path(), []byte(`{"version":9}`))
	if _, err = e.Maintenance(); !errors.Is(err, maintain.ErrNewerLog) || Explain(err).Code != "newer" {
		t.Error(err)
	}
	if _, err := e.Maintain(t.Context(), MaintainOptions{Kind: maintain.Nightly}); !errors.Is(err, maintain.ErrNewerLog) {
		t.Error(err)
	}
}

// Long-gone items are packed, and the source of one that is packed is not lost.
func TestMaintainPacks(t *testing.T) {
	t.Parallel()
	e, now := kept(t)
	it := twice(t, e, *now)
	mustMaintain(t, e, maintain.Nightly, false)
	*now = now.Add(maintain.OldItems + time.Hour)
	r := mustMaintain(t, e, maintain.Weekly, false)
	if r.Outcome != maintain.Done && r.Outcome != maintain.Nothing {
		t.Fatalf("%+v", r.Parts)
	}
	archived, err := e.memories().Archived("main")
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := e.memories().Load("main")
	if err != nil || !slices.ContainsFunc(m.Items, func(k memory.Item) bool { return k.Content == it.Content && k.State == memory.Superseded }) {
		t.Errorf("the item is gone, %v", err)
	}
	for _, k := range archived {
		if k.State == memory.Active {
			t.Errorf("an active item was archived: %+v", k)
		}
	}
	for _, k := range archived {
		main := "main"
		if all, err := e.Archived(&main); err != nil || len(all) != len(archived) {
			t.Errorf("%d shown, %v", len(all), err)
		}
		if s, err := e.SourceOf(t.Context(), "main", k.ID); err == nil && len(s.Item.Origins) != len(k.Origins) {
			t.Errorf("%d origins of %d", len(s.Item.Origins), len(k.Origins))
		}
	}
	if again := mustMaintain(t, e, maintain.Weekly, false); again.Outcome != maintain.Nothing {
		t.Errorf("again: %+v", again.Parts)
	}
}

func TestDeskMaintains(t *testing.T) {
	t.Parallel()
	o := sample(t)
	ended := make(chan Job, 10)
	d := NewDesk(DeskOptions{Engine: o, Emit: func(ev Event) {
		if ev.Name == EventEnded {
			ended <- *ev.Job
		}
	}})
	defer d.Close()
	for _, dry := range []bool{true, false} {
		if _, err := d.Maintain(o.Dir, maintain.Full, dry); err != nil {
			t.Fatal(err)
		}
		j := <-ended
		if j.State != JobDone || j.Kind != JobMaintain || j.Maintained == nil || j.Maintained.DryRun != dry || len(j.Maintained.Parts) != 6 {
			t.Errorf("%+v", j)
		}
		if _, err := json.Marshal(j); err != nil {
			t.Error(err)
		}
	}
}

// What the service does when it starts, on a project with a thousand sessions in
// which nothing is due.
func BenchmarkStartupCheck(b *testing.B) {
	o := sample(b)
	folder := filepath.Join(o.Getenv("CLAUDE_CONFIG_DIR"), "projects")
	names, _ := filepath.Glob(filepath.Join(folder, "*", "*.jsonl"))
	text, err := os.ReadFile(names[0])
	if err != nil {
		b.Fatal(err)
	}
	for i := range 1000 {
		id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", i)
		old := strings.TrimSuffix(filepath.Base(names[0]), ".jsonl")
		s := strings.ReplaceAll(string(text), old, id)
		s = strings.ReplaceAll(s, `"uuid":"`, fmt.Sprintf(`"uuid":"%d-`, i))
		s = strings.ReplaceAll(s, `"parentUuid":"`, fmt.Sprintf(`"parentUuid":"%d-`, i))
		write(b, filepath.Join(filepath.Dir(names[0]), id+".jsonl"), []byte(s))
	}
	e, err := Open(o)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Memorize(b.Context(), MemorizeOptions{All: true}); err != nil {
		b.Fatal(err)
	}
	mustMaintain(b, e, maintain.Full, false)
	check := func(b *testing.B, f func(*Engine)) {
		for b.Loop() {
			e, err := Open(o)
			if err != nil {
				b.Fatal(err)
			}
			f(e)
			e.Close()
		}
	}
	b.Run("due", func(b *testing.B) {
		check(b, func(e *Engine) {
			if _, err := e.Maintenance(); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("startup", func(b *testing.B) {
		check(b, func(e *Engine) {
			if r := mustMaintain(b, e, maintain.Startup, false); r.Outcome != maintain.Nothing {
				b.Fatal(r)
			}
		})
	})
}
