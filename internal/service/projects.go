package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"recollect/internal/engine"
)

// known are the projects that the tray offers, the one worked on last first.
type known struct {
	projects []engine.KnownProject
	read     time.Time
	reading  bool
	counted  time.Time
	counting bool // is due
}

const (
	// recent is how many projects the tray offers.
	recent = 8
	// freshFor is how long a list is not read again, however often the menu is
	// opened.
	freshFor = 5 * time.Second
	// pollEvery is how often the list is read again for a panel that does not tell
	// when its menu is opened.
	pollEvery = 10 * time.Minute
)

// poll keeps the list fresh until a panel has told that its menu is opened.
func (s *service) poll() {
	s.polling.Reset(pollEvery)
	s.refresh()
}

// projects reads which projects there are, the one worked on last first, without
// those whose folder is gone.
func (s *service) projects(ctx context.Context) ([]engine.KnownProject, error) {
	defer s.stir(false)
	all, err := engine.Projects(ctx, s.options.Engine)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(p engine.KnownProject) bool { return !p.Exists }), nil
}

// refresh reads the tray's projects again, unless that was done just now.
func (s *service) refresh() {
	if s.options.Tray == nil {
		return
	}
	s.mu.Lock()
	due := !s.known.reading && time.Since(s.known.read) >= freshFor
	if due {
		s.known.reading = true
	}
	s.mu.Unlock()
	if !due {
		return
	}
	s.begin(func(ctx context.Context) {
		all, err := s.projects(ctx)
		all = all[:min(len(all), recent)]
		now := time.Now()
		engine.CountProjects(ctx, s.options.Engine, all)
		s.mu.Lock()
		s.known.reading, s.known.read = false, time.Now()
		if err == nil {
			s.known.projects, s.known.counted = all, now
		}
		s.mu.Unlock()
		if err != nil && ctx.Err() == nil {
			s.log.Warn("the projects can't be listed", "why", err)
		}
		s.show()
	})
}

// countAfter keeps a memory in which much changes from being counted all the time.
const countAfter = 2 * time.Second

// countSoon counts anew what the projects that the tray offers have, after what
// may have changed it.
func (s *service) countSoon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.options.Tray == nil || s.known.counting || s.ctx.Err() != nil {
		return
	}
	s.known.counting = true
	time.AfterFunc(countAfter, func() { s.begin(s.countKnown) })
}

func (s *service) countKnown(ctx context.Context) {
	s.mu.Lock()
	s.known.counting = false
	projects := slices.Clone(s.known.projects)
	s.mu.Unlock()
	now := time.Now()
	engine.CountProjects(ctx, s.options.Engine, projects)
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	s.known.counted = now
	for i, p := range s.known.projects {
		at := slices.IndexFunc(projects, func(q engine.KnownProject) bool { return q.Root == p.Root })
		if at >= 0 {
			s.known.projects[i] = projects[at]
		}
	}
	s.mu.Unlock()
	s.stir(false)
	s.show()
}

// current is the project with the latest activity in the histories.
func (s *service) current(ctx context.Context) (string, error) {
	all, err := s.projects(ctx)
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", errNoProject
	}
	return all[0].Root, nil
}

// memorize begins a job; an empty root is the current project.
func (s *service) memorize(ctx context.Context, root string, branches []string) (engine.Job, error) {
	if root == "" {
		var err error
		if root, err = s.current(ctx); err != nil {
			return engine.Job{}, err
		}
	}
	s.stir(true)
	return s.desk.Memorize(root, branches, engine.MemorizeOptions{})
}

// memorizeAll begins a job for each project in which something new was said, one
// after the other. A project that can't be read holds the others up no more than
// to be told of.
func (s *service) memorizeAll() bool {
	s.mu.Lock()
	if s.looking {
		s.mu.Unlock()
		return false
	}
	s.looking = true
	s.batch.all = true
	s.mu.Unlock()
	s.show()
	s.begin(func(ctx context.Context) {
		err := s.look(ctx)
		s.mu.Lock()
		s.looking = false
		nothing := errors.Is(err, errNoMemory)
		switch {
		case nothing:
			s.batch.all = false
		case err != nil && ctx.Err() == nil:
			s.batch.add(failedJob(err))
		}
		s.mu.Unlock()
		if nothing {
			s.try("Memorize all", func() error { return err })
		}
		s.settle()
	})
	return true
}

// look begins the jobs of memorizeAll. One click makes no memory folder in a
// project where the person has not asked for one.
func (s *service) look(ctx context.Context) error {
	all, err := s.projects(ctx)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(p engine.KnownProject) bool { return !p.Memory })
	if len(all) == 0 {
		return errNoMemory
	}
	for _, p := range all {
		branches, err := engine.Ask(s.desk, p.Root, func(e *engine.Engine) ([]engine.Branch, error) { return e.Branches(ctx) })
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var names []string
		for _, b := range branches {
			if b.NewTurns > 0 {
				names = append(names, b.Name)
			}
		}
		if err == nil && len(names) > 0 {
			_, err = s.desk.Memorize(p.Root, names, engine.MemorizeOptions{})
		}
		if err != nil {
			s.log.Warn("a project was passed over", "project", p.Root, "why", err)
			s.mu.Lock()
			s.batch.add(failedJob(err))
			s.mu.Unlock()
		}
	}
	return nil
}

// failedJob stands for work that could not begin.
func failedJob(err error) engine.Job {
	p := Explain(err)
	return engine.Job{Kind: engine.JobMemorize, State: engine.JobFailed, Problem: &p, Ended: time.Now()}
}
