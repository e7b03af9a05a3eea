package service

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"recollect/internal/engine"
	"recollect/internal/maintain"
)

// planned is a keeper in a world of its own.
type planned struct {
	*keeper
	at       time.Time
	supply   Power
	network  bool
	statuses map[string]engine.MaintenanceStatus
	begun    []task
	refuse   error
}

func newPlan() *planned {
	p := &planned{at: time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC), statuses: map[string]engine.MaintenanceStatus{}}
	p.keeper = &keeper{
		now: func() time.Time { return p.at }, power: func(context.Context) Power { return p.supply },
		projects: func(context.Context) ([]string, error) {
			var roots []string
			for r := range p.statuses {
				roots = append(roots, r)
			}
			slices.Sort(roots)
			return roots, nil
		},
		look: func(root string) (engine.MaintenanceStatus, bool, error) { return p.statuses[root], p.network, nil },
		begin: func(t task) (int, error) {
			if p.refuse != nil {
				return 0, p.refuse
			}
			p.begun = append(p.begun, t)
			return len(p.begun), nil
		},
		log: slog.New(slog.DiscardHandler), jobs: map[int]task{}, retries: map[task]retry{}, started: map[string]bool{},
	}
	return p
}

// due schedules a kind of a project in some time; the startup was just now.
func (p *planned) due(root string, k maintain.Kind, in time.Duration) {
	s := p.statuses[root]
	s.Enabled = true
	s.Tasks = []engine.MaintenanceTask{{Kind: maintain.Startup, Last: p.at}, {Kind: k, Next: p.at.Add(in)}}
	p.statuses[root] = s
}

func (p *planned) end(job int, state engine.JobState, outcome maintain.Outcome) {
	p.ended(engine.Job{ID: job, State: state, Kind: engine.JobMaintain, Maintained: &maintain.Report{Outcome: outcome}})
}

func TestKeeperWaitsForTheNextOne(t *testing.T) {
	t.Parallel()
	p := newPlan()
	if next := p.step(t.Context()); !next.IsZero() {
		t.Errorf("nothing is there, but it looks again at %v", next)
	}
	p.due("/a", maintain.Nightly, 20*time.Minute)
	if next := p.step(t.Context()); !next.Equal(p.at.Add(20*time.Minute)) || len(p.begun) > 0 {
		t.Errorf("next %v, begun %v", next, p.begun)
	}
	p.due("/b", maintain.Nightly, 5*time.Minute)
	if next := p.step(t.Context()); !next.Equal(p.at.Add(5 * time.Minute)) {
		t.Errorf("next %v", next)
	}
	p.due("/a", maintain.Weekly, 50*time.Hour)
	delete(p.statuses, "/b")
	if next := p.step(t.Context()); !next.Equal(p.at.Add(lookAgain)) {
		t.Errorf("next %v", next)
	}
	p.statuses["/a"] = engine.MaintenanceStatus{Tasks: p.statuses["/a"].Tasks}
	if next := p.step(t.Context()); !next.IsZero() {
		t.Errorf("it is off, but it looks again at %v", next)
	}
}

func TestKeeperBeginsOnce(t *testing.T) {
	t.Parallel()
	p := newPlan()
	p.due("/a", maintain.Nightly, -72*time.Hour)
	for range 3 {
		p.step(t.Context())
	}
	if len(p.begun) != 1 || p.begun[0] != (task{"/a", maintain.Nightly}) {
		t.Fatalf("begun %v", p.begun)
	}
	p.end(1, engine.JobDone, maintain.Done)
	p.step(t.Context()) // whatever the log says: not twice within minutes
	if len(p.begun) != 1 {
		t.Errorf("begun %v", p.begun)
	}
}

func TestKeeperTriesAgain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		state   engine.JobState
		outcome maintain.Outcome
		waits   []time.Duration
	}{
		{engine.JobDone, maintain.PutOff, []time.Duration{10 * time.Minute, 20 * time.Minute, 40 * time.Minute}},
		{engine.JobFailed, maintain.Failed, []time.Duration{10 * time.Minute, 20 * time.Minute, 40 * time.Minute, 80 * time.Minute, 160 * time.Minute, 320 * time.Minute, 6 * time.Hour, 6 * time.Hour}},
		{engine.JobCancelled, maintain.Nothing, []time.Duration{6 * time.Hour, 6 * time.Hour}},
	} {
		p := newPlan()
		p.due("/a", maintain.Nightly, -time.Hour)
		for n, wait := range tt.waits {
			p.step(t.Context())
			if len(p.begun) != n+1 {
				t.Fatalf("%s: begun %d times, want %d", tt.state, len(p.begun), n+1)
			}
			p.end(n+1, tt.state, tt.outcome)
			p.at = p.at.Add(wait - time.Second)
			if p.step(t.Context()); len(p.begun) != n+1 {
				t.Fatalf("%s: again before %v", tt.state, wait)
			}
			p.at = p.at.Add(time.Second)
		}
		p.at = p.at.Add(-100 * 24 * time.Hour) // the clock is set back
		p.due("/a", maintain.Nightly, 0)
		if p.step(t.Context()); len(p.begun) != len(tt.waits)+1 {
			t.Errorf("%s: it waits for the old time", tt.state)
		}
	}
	p := newPlan()
	p.due("/a", maintain.Nightly, -time.Hour)
	p.refuse = errors.New("the project is gone")
	if next := p.step(t.Context()); !next.Equal(p.at.Add(retryFirst)) {
		t.Errorf("what can't begin is tried again at %v", next)
	}
}

func TestKeeperIsQuiet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		power   Power
		network bool
		since   time.Duration
		begins  bool
	}{
		{"mains", Power{}, true, time.Hour, true},
		{"battery", Power{Battery: true}, false, time.Hour, false},
		{"battery for a day", Power{Battery: true}, false, 25 * time.Hour, true},
		{"metered, no model", Power{Metered: true}, false, time.Hour, true},
		{"metered, a model", Power{Metered: true}, true, time.Hour, false},
	} {
		p := newPlan()
		p.supply, p.network = tt.power, tt.network
		p.due("/a", maintain.Nightly, -tt.since)
		next := p.step(t.Context())
		if begun := len(p.begun) == 1; begun != tt.begins || !begun && !next.Equal(p.at.Add(checkClock)) {
			t.Errorf("%s: begun %v, next %v", tt.name, p.begun, next)
		}
	}
}

func TestKeeperStartup(t *testing.T) {
	t.Parallel()
	p := newPlan()
	p.due("/new", maintain.Nightly, time.Hour)
	p.statuses["/new"].Tasks[0].Last = time.Time{}
	p.due("/old", maintain.Nightly, time.Hour)
	p.statuses["/old"].Tasks[0].Last = p.at.Add(-7 * time.Hour)
	p.due("/just", maintain.Nightly, time.Hour)
	p.statuses["/just"].Tasks[0].Last = p.at.Add(-5 * time.Hour)
	p.due("/future", maintain.Nightly, time.Hour)
	p.statuses["/future"].Tasks[0].Last = p.at.AddDate(1, 0, 0)
	for range 3 {
		p.step(t.Context())
		p.at = p.at.Add(time.Second)
	}
	want := []task{{"/future", maintain.Startup}, {"/new", maintain.Startup}, {"/old", maintain.Startup}}
	if !slices.Equal(p.begun, want) {
		t.Errorf("begun %v", p.begun)
	}
	for job := range p.begun {
		p.end(job+1, engine.JobDone, maintain.Done)
	}
	p.at = p.at.Add(30 * time.Minute)
	if p.step(t.Context()); !slices.Equal(p.begun, want) {
		t.Errorf("again: %v", p.begun)
	}
}

// The service does what is due, and nothing while it is paused.
func TestServiceMaintains(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.said(t, "one", "We always store prices as integer cents, never as floats, in every service of this project.")
	w.write(t, "one/.recollect/config.json", []byte(`{"version":1}`))
	w.supply = func(context.Context) Power { return Power{} }
	w.firstLook = 20 * time.Millisecond
	c, end := w.run(t, nil)
	until(t, "the branch is memorized and all was done", func() bool {
		var ended int
		for _, j := range call[[]engine.Job](t, c, "jobs", nil) {
			if j.Kind == engine.JobMaintain && j.State == engine.JobDone {
				ended++
			}
		}
		return ended == 4 && w.memory(root) != ""
	})
	end()
	o := w.options(nil).Engine
	o.Dir = root
	e, err := engine.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s, err := e.Maintenance()
	if err != nil || len(s.Results) < 4 {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, task := range s.Tasks {
		if task.Last.IsZero() || !task.Next.IsZero() && !task.Next.After(time.Now()) {
			t.Errorf("%+v", task)
		}
	}
}

func TestPausedServiceDoesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.said(t, "one", "We always store prices as integer cents, never as floats, in every service of this project.")
	w.write(t, "one/.recollect/config.json", []byte(`{"version":1}`))
	w.firstLook = 10 * time.Millisecond
	w.supply = func(context.Context) Power { return Power{} }
	if err := SetPaused(w.dirs(t), true); err != nil {
		t.Fatal(err)
	}
	c, _ := w.run(t, nil)
	time.Sleep(200 * time.Millisecond)
	if jobs := call[[]engine.Job](t, c, "jobs", nil); len(jobs) > 0 {
		t.Fatalf("jobs %+v", jobs)
	}
	call[any](t, c, "resume", nil)
	until(t, "it goes on", func() bool { return w.memory(root) != "" })
}

func TestClockJumps(t *testing.T) {
	t.Parallel()
	c := newClock()
	if c.jumped() {
		t.Error("it did not")
	}
	c.at = c.at.Round(0).Add(-time.Hour) // without the machine's own clock both agree
	if c.jumped() {
		t.Error("it did not")
	}
}
