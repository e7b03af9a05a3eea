package service

import (
	"testing"
	"time"

	"recollect/internal/engine"
)

// What waits for the person is shown with its count and the project, from when a
// memorize proposes it until it is decided, in whatever process.
func TestWhatWaitsIsShown(t *testing.T) {
	t.Parallel()
	w, p := newWorld(t), &panel{}
	w.set(t, `"review":{"enabled":true}`)
	shop := w.begin(t, "shop")
	w.run(t, p)
	until(t, "the project is shown", func() bool { return p.last().Current.Root == shop })
	p.choose(t, Action{Verb: DoMemorize})
	until(t, "the proposal is shown", func() bool { return p.last().Review.Count > 0 })
	v := p.last()
	if v.Review.Projects != 1 || v.Review.First.Root != shop || v.Review.First.Name != "shop" || v.State != StateAttention || v.Conflicts.Count+v.Asked.Count != 0 {
		t.Errorf("it shows %+v", v)
	}

	o := engine.Options{Dir: shop, Getenv: w.getenv, Version: "1.0"}
	e, err := engine.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	all, err := e.Review(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var decisions []engine.Decision
	for _, proposal := range all {
		decisions = append(decisions, engine.Decision{ID: proposal.ID, Accept: true})
	}
	if _, err := e.Decide(t.Context(), decisions); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	until(t, "nothing waits", func() bool { return p.last().Review.Count == 0 && p.last().State == StateIdle })
	t.Logf("shown after %v", time.Since(begun))
}

// The icon says what a person would want to know first: work, then what went
// wrong, what waits for them, and what is only new.
func TestStateOfTheIcon(t *testing.T) {
	t.Parallel()
	counted := func(memory bool, c engine.ProjectCounts) *service {
		s := &service{fresh: map[string]*fresh{}}
		s.known.projects = []engine.KnownProject{{Root: "/shop", Name: "shop", Memory: memory, Counts: &c}}
		return s
	}
	job := engine.Job{ID: 1, State: engine.JobRunning}
	for name, tt := range map[string]struct {
		s    *service
		set  func(*service)
		want State
	}{
		"nothing":             {counted(true, engine.ProjectCounts{Items: 4}), nil, StateIdle},
		"new turns":           {counted(true, engine.ProjectCounts{NewTurns: 2}), nil, StateNew},
		"nobody asked for it": {counted(false, engine.ProjectCounts{NewTurns: 2}), nil, StateIdle},
		"noticed since": {counted(true, engine.ProjectCounts{NewTurns: 2}), func(s *service) {
			s.fresh["/shop"] = &fresh{}
		}, StateIdle},
		"a conflict":  {counted(true, engine.ProjectCounts{NewTurns: 2, Conflicts: 1}), nil, StateAttention},
		"a request":   {counted(true, engine.ProjectCounts{Asked: 1}), nil, StateAttention},
		"trouble":     {counted(true, engine.ProjectCounts{Review: 1}), func(s *service) { s.trouble = "x" }, StateError},
		"work":        {counted(true, engine.ProjectCounts{Review: 1}), func(s *service) { s.trouble, s.jobs = "x", []engine.Job{job} }, StateWorking},
		"not counted": {&service{known: known{projects: []engine.KnownProject{{Root: "/a", Memory: true}}}}, nil, StateIdle},
	} {
		if tt.set != nil {
			tt.set(tt.s)
		}
		if got := tt.s.view().State; got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestWaitingIsSummedUp(t *testing.T) {
	t.Parallel()
	s := &service{}
	for i, n := range []int{0, 2, 3} {
		s.known.projects = append(s.known.projects, engine.KnownProject{
			Root: "/" + string(rune('a'+i)), Name: string(rune('a' + i)), Counts: &engine.ProjectCounts{Review: n, Asked: i},
		})
	}
	v := s.view()
	if v.Review.Count != 5 || v.Review.Projects != 2 || v.Review.First.Root != "/b" || v.Asked.Count != 3 || v.Conflicts != (Waiting{}) {
		t.Errorf("%+v", v)
	}
}
