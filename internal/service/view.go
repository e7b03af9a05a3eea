package service

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"recollect/internal/engine"
)

// State is what the icon shows.
type State string

// The states.
const (
	StateIdle      State = "idle"
	StateNew       State = "new" // something was said that is not memorized
	StateWorking   State = "working"
	StateAttention State = "attention" // something waits for the person
	StateError     State = "error"     // the last work failed
)

// View is what a tray shows.
type View struct {
	State   State
	Line    string    // progress, or the last result; one short line
	Current Project   // that "Memorize now" is about; the zero Project: none is known
	Recent  []Project // at most 8, the one worked on last first
	Busy    bool      // "Memorize all" is under way
	Paused  bool

	// What waits for the person.
	Review    Waiting // proposals
	Conflicts Waiting
	Asked     Waiting // settings of projects that want a yes
}

// Project is one that a tray offers.
type Project struct {
	Name     string
	Root     string
	NewTurns int // that were not memorized
}

// Waiting is how much of something waits for the person, and where.
type Waiting struct {
	Count    int
	Projects int // in how many
	First    Project
}

// Action is what a person chose in a tray.
type Action struct {
	Verb   Verb
	Root   string // of DoMemorize and DoOpen: the project; empty: the current one
	Screen string // of DoOpen; empty: whatever the window likes
}

// Verb is a kind of Action.
type Verb int

// The verbs. DoRefresh says that the menu is being looked at.
const (
	DoMemorize Verb = iota
	DoMemorizeAll
	DoOpen
	DoPause
	DoResume
	DoQuit
	DoRefresh
)

// act does what was chosen in the tray.
func (s *service) act(a Action) {
	switch a.Verb {
	case DoMemorize:
		s.try("Can't memorize", func() error {
			_, err := s.memorize(s.ctx, a.Root, nil)
			return err
		})
	case DoMemorizeAll:
		s.memorizeAll()
	case DoOpen:
		s.try("Can't open", func() error {
			_, err := s.open(s.ctx, openRequest{Root: a.Root, Screen: a.Screen})
			return err
		})
	case DoPause:
		s.try("Can't pause", func() error { return s.pause(true) })
	case DoResume:
		s.try("Can't resume", func() error { return s.pause(false) })
	case DoQuit:
		s.quit()
	case DoRefresh:
		s.polling.Stop()
		s.refresh()
	}
}

// try does something beside all else and shows why it can't be done.
func (s *service) try(what string, f func() error) {
	s.begin(func(context.Context) {
		err := f()
		if s.ctx.Err() != nil {
			return
		}
		s.mu.Lock()
		s.trouble = ""
		if err != nil {
			s.trouble = short(what+": "+Explain(err).Message, 120)
		}
		s.mu.Unlock()
		s.show()
		if err == nil {
			return
		}
		s.log.Warn(what, "why", err)
		select {
		case <-s.ctx.Done():
		case <-time.After(troubleFor):
			s.forgive()
		}
	})
}

// troubleFor is how long it is shown that something could not be done.
const troubleFor = time.Minute

func (s *service) forgive() {
	s.mu.Lock()
	s.trouble = ""
	s.mu.Unlock()
	s.show()
}

// show tells the tray how things stand.
func (s *service) show() {
	if s.options.Tray == nil {
		return
	}
	s.mu.Lock()
	v := s.view()
	s.options.Tray.Show(v)
	s.mu.Unlock()
}

// view is made under the lock.
func (s *service) view() View {
	v := View{State: s.state(), Line: s.line(), Busy: s.looking, Paused: s.paused}
	names := map[string]int{}
	for _, p := range s.known.projects {
		names[p.Name]++
	}
	for _, p := range s.known.projects {
		name := p.Name
		if names[name] > 1 {
			name += " in " + filepath.Dir(p.Root)
		}
		shown := Project{Name: short(name, 60), Root: p.Root, NewTurns: s.newTurns(p)}
		v.Recent = append(v.Recent, shown)
		if c := p.Counts; c != nil {
			v.Review.add(c.Review, shown)
			v.Conflicts.add(c.Conflicts, shown)
			v.Asked.add(c.Asked, shown)
		}
	}
	if len(v.Recent) > 0 {
		v.Current = v.Recent[0]
	}
	return v
}

func (w *Waiting) add(n int, p Project) {
	if n == 0 {
		return
	}
	if w.Projects == 0 {
		w.First = p
	}
	w.Count += n
	w.Projects++
}

// state is told under the lock. What waits for the person comes before what is
// only new.
func (s *service) state() State {
	switch {
	case s.looking || slices.ContainsFunc(s.jobs, func(j engine.Job) bool { return !j.Final() }):
		return StateWorking
	case s.trouble != "":
		return StateError
	}
	// What waits was counted since, or the last work is all that is known of it.
	last := s.last.state()
	if last == StateError || last == StateAttention && s.known.counted.Before(s.last.ended) {
		return last
	}
	if slices.ContainsFunc(s.known.projects, waits) {
		return StateAttention
	}
	if turns, _ := s.unmemorized(); turns > 0 {
		return StateNew
	}
	return StateIdle
}

// waits says whether something in a project waits for the person.
func waits(p engine.KnownProject) bool {
	return p.Counts != nil && p.Counts.Review+p.Counts.Conflicts+p.Counts.Asked > 0
}

// line is told under the lock.
func (s *service) line() string {
	waiting := 0
	var running *engine.Job
	for i, j := range s.jobs {
		switch j.State {
		case engine.JobRunning:
			running = &s.jobs[i]
		case engine.JobWaiting:
			waiting++
		}
	}
	switch {
	case running != nil:
		line := progress(*running)
		if waiting > 0 {
			line += fmt.Sprintf(", %d more to do", waiting)
		}
		return line
	case waiting > 0:
		return "About to memorize…"
	case s.looking:
		return "Looking for what is new…"
	case s.trouble != "":
		return s.trouble
	}
	turns, noticed := s.unmemorized()
	switch {
	case turns > 0 && (s.last.empty() || s.last.seen || noticed.After(s.last.ended)):
		return count(turns, "turn") + " not memorized yet"
	case !s.last.empty():
		return s.last.sentence()
	case s.paused:
		return "Paused: nothing runs by itself"
	}
	return "Ready"
}

// steps are the steps of a memorize in words.
var steps = map[string]string{
	"memorize": "looking for what is new", "tidy": "merging what is said twice", "pack": "packing what is old",
	"rebuild": "making indexes anew", "check": "checking everything",
	"read": "reading", "extract": "finding what is worth keeping", "merge": "merging", "save": "saving", "compile": "preparing a plug-in",
}

// progress tells where a job is.
func progress(j engine.Job) string {
	line := "Memorizing " + short(j.Project, 40)
	if j.Kind == engine.JobMaintain {
		line = "Maintaining " + short(j.Project, 40)
	}
	if j.Branches > 1 {
		line += fmt.Sprintf(", branch %d of %d", j.Number, j.Branches)
	}
	if words := steps[j.Step]; words != "" {
		line += ": " + words
	}
	if j.Total > 1 && j.Done > 0 {
		line += fmt.Sprintf(", %d %%", 100*min(j.Done, j.Total)/j.Total)
	}
	return line
}
