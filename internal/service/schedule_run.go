package service

import (
	"context"
	"time"

	"recollect/internal/engine"
)

// newKeeper makes what begins the maintenance of this person's projects.
func (s *service) newKeeper() *keeper {
	k := &keeper{
		now: s.options.Engine.Now, power: s.options.Power, log: s.log,
		jobs: map[int]task{}, retries: map[task]retry{}, started: map[string]bool{},
	}
	if k.now == nil {
		k.now = time.Now
	}
	if k.power == nil {
		k.power = systemPower
	}
	k.projects = func(ctx context.Context) ([]string, error) {
		all, err := s.projects(ctx)
		var roots []string
		for _, p := range all {
			if p.Memory {
				roots = append(roots, p.Root)
			}
		}
		return roots, err
	}
	k.look = func(root string) (status engine.MaintenanceStatus, network bool, err error) {
		err = s.desk.Use(root, func(e *engine.Engine) error {
			status, err = e.Maintenance()
			network = e.UsesModel()
			return err
		})
		return status, network, err
	}
	k.begin = func(t task) (int, error) {
		s.stir(true)
		j, err := s.desk.Maintain(t.root, t.kind, false)
		return j.ID, err
	}
	return k
}

// replan has what is due looked up anew soon.
func (s *service) replan() {
	select {
	case s.replanned <- struct{}{}:
	default: // it will be already
	}
}

// keepUp looks what is due when something is due, and otherwise sleeps: it wakes
// every ten minutes to compare clocks, since a timer does not count the time in
// which the machine sleeps. Where nothing is scheduled it does not wake at all.
func (s *service) keepUp(ctx context.Context) {
	first := s.options.FirstLook
	if first == 0 {
		first = FirstLook
	}
	clock := newClock()
	next, looked := wall().Add(first), time.Time{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.replanned:
			if looked.IsZero() {
				continue // the first look is soon enough
			}
			next = wall()
			if soon := looked.Add(s.leastWait()); soon.After(next) && soon.Sub(next) <= leastWait {
				next = soon
			}
		case <-after(next):
		}
		if clock.jumped() {
			next = wall()
		}
		if next.IsZero() || next.After(wall()) {
			continue
		}
		looked = wall()
		if next = s.lookUp(ctx); !next.IsZero() && next.Before(looked.Add(leastWait)) {
			next = looked.Add(s.leastWait())
		}
	}
}

// lookUp begins what is due, unless the person has paused that.
func (s *service) lookUp(ctx context.Context) time.Time {
	s.mu.Lock()
	paused := s.paused
	s.mu.Unlock()
	if paused {
		return time.Time{}
	}
	next := s.keeper.step(ctx)
	if next.IsZero() || s.options.Engine.Now == nil {
		return next
	}
	return wall().Add(next.Sub(s.options.Engine.Now())) // a test's clock
}

// leastWait is between two looks; a test that does not want to wait for the first
// one does not want to wait for the others.
func (s *service) leastWait() time.Duration {
	if f := s.options.FirstLook; f > 0 {
		return min(f, leastWait)
	}
	return leastWait
}

// after is a channel that is ready at next, or to compare clocks; never, if next
// is zero.
func after(next time.Time) <-chan time.Time {
	if next.IsZero() {
		return nil
	}
	return time.After(min(max(next.Sub(wall()), 0), checkClock))
}

// wall is what the clock on the wall shows: also a sleep makes it go on.
func wall() time.Time { return time.Now().Round(0) }

// clock notices that the wall's clock and the machine's own went apart.
type clock struct{ at time.Time }

func newClock() *clock { return &clock{time.Now()} }

func (c *clock) jumped() bool {
	now := time.Now()
	byWall, byMachine := now.Round(0).Sub(c.at.Round(0)), now.Sub(c.at)
	c.at = now
	return (byWall - byMachine).Abs() > leastWait
}
