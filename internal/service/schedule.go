package service

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"recollect/internal/engine"
	"recollect/internal/maintain"
)

// When maintenance runs by itself.
const (
	// FirstLook is how long after its start the service looks what is due: a
	// machine that was just turned on has other things to do.
	FirstLook = time.Minute
	// lookAgain is how often it is looked whether there are other projects and
	// schedules, as long as anything is scheduled.
	lookAgain = time.Hour
	// checkClock is how often it is noticed that the machine slept or that somebody
	// set its clock.
	checkClock = 10 * time.Minute
	// leastWait is between two looks.
	leastWait = time.Minute
	// startupEvery is how long after the last one branches without a memory are
	// looked for again at a start.
	startupEvery = 6 * time.Hour
	// retryFirst is how long after one that was put off or failed a run is tried
	// again; it doubles up to retryMost. It is also the least between two runs of a
	// kind.
	retryFirst = 10 * time.Minute
	retryMost  = 6 * time.Hour
	// patience is how long something that is due waits for mains or an unmetered
	// network.
	patience = 24 * time.Hour
)

// Power is what the machine runs on.
type Power struct {
	Battery bool
	Metered bool // the network costs by use
}

// task is a kind of maintenance of a project.
type task struct {
	root string
	kind maintain.Kind
}

// retry is when a task may begin again.
type retry struct {
	at    time.Time
	tries int // that came to nothing, one after the other
}

// keeper begins what is due. Its functions are what it needs of the service.
type keeper struct {
	now   func() time.Time
	power func(context.Context) Power
	// projects lists the roots of those with a memory folder.
	projects func(context.Context) ([]string, error)
	// look tells what is due in one, and whether doing it may use the network.
	look  func(root string) (s engine.MaintenanceStatus, network bool, err error)
	begin func(task) (job int, err error)
	log   *slog.Logger

	mu      sync.Mutex
	jobs    map[int]task // under way
	retries map[task]retry
	started map[string]bool // projects whose startup was thought of in this process
}

// step begins what is due and says when to look again; zero: not before somebody
// says so.
func (k *keeper) step(ctx context.Context) time.Time {
	now := k.now()
	roots, err := k.projects(ctx)
	if err != nil {
		k.log.Warn("what is due can't be looked up", "why", err)
		return now.Add(lookAgain)
	}
	s := &look{keeper: k, now: now}
	for _, root := range roots {
		if ctx.Err() != nil {
			return time.Time{}
		}
		s.project(ctx, root)
	}
	if !s.next.IsZero() {
		s.wait(now.Add(lookAgain))
	}
	return s.next
}

// look is one step.
type look struct {
	*keeper
	now   time.Time
	next  time.Time
	asked *Power
}

func (s *look) wait(until time.Time) {
	if s.next.IsZero() || until.Before(s.next) {
		s.next = until
	}
}

func (s *look) project(ctx context.Context, root string) {
	status, network, err := s.keeper.look(root)
	if err != nil {
		s.log.Warn("a project is not maintained", "project", root, "why", err)
		s.wait(s.now.Add(lookAgain))
		return
	}
	s.now = s.keeper.now() // what is due at once is due at a moment after the step began
	if !status.Enabled {
		return
	}
	for _, t := range status.Tasks {
		due := t.Next
		if t.Kind == maintain.Startup {
			due = s.startup(root, t.Last)
		}
		if due.IsZero() {
			continue
		}
		s.task(ctx, task{root, t.Kind}, due, network)
	}
}

// startup is when the branches of a project that have no memory are due: once in
// the life of a service, and not at each of several starts.
func (s *look) startup(root string, last time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started[root] {
		return time.Time{}
	}
	if !last.After(s.now) && s.now.Sub(last) < startupEvery {
		s.started[root] = true
		return time.Time{}
	}
	return s.now
}

func (s *look) task(ctx context.Context, t task, due time.Time, network bool) {
	s.mu.Lock()
	defer s.mu.Unlock() // so that a job's end is not told before its beginning is known
	for _, other := range s.jobs {
		if other == t {
			return
		}
	}
	if at := s.retries[t].at; at.After(due) && at.Sub(s.now) <= retryMost { // else the clock was set back
		due = at
	}
	if due.After(s.now) {
		s.wait(due)
		return
	}
	if s.quiet(ctx, due, network) {
		s.wait(s.now.Add(checkClock))
		return
	}
	job, err := s.begin(t)
	if err != nil {
		s.log.Warn("maintenance can't begin", "project", t.root, "kind", t.kind, "why", err)
		s.again(t)
		s.wait(s.retries[t].at)
		return
	}
	s.jobs[job] = t
	if t.kind == maintain.Startup {
		s.started[t.root] = true
	}
	s.wait(s.now.Add(lookAgain))
}

// quiet says whether something that is due waits for mains or another network.
func (s *look) quiet(ctx context.Context, due time.Time, network bool) bool {
	if s.now.Sub(due) > patience {
		return false
	}
	if s.asked == nil {
		p := s.power(ctx)
		s.asked = &p
	}
	return s.asked.Battery || s.asked.Metered && network
}

// tell writes down what came of a task.
func (k *keeper) tell(t task, j engine.Job) {
	facts := []any{"project", t.root, "kind", t.kind, "state", j.State}
	if j.Problem != nil {
		facts = append(facts, "why", j.Problem.Message)
	}
	if j.Maintained != nil {
		for _, p := range j.Maintained.Parts {
			facts = append(facts, p.Name, p.Words)
		}
	}
	k.log.Info("maintenance", facts...)
}

// again puts a task off for longer each time. It is called under the lock.
func (k *keeper) again(t task) {
	r := k.retries[t]
	wait := retryMost
	if r.tries < 6 {
		wait = min(retryFirst<<r.tries, retryMost)
	}
	k.retries[t] = retry{at: k.now().Add(wait), tries: r.tries + 1}
}

// ended is told of every job that has ended, and says whether it was one of ours.
func (k *keeper) ended(j engine.Job) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	t, ours := k.jobs[j.ID]
	if !ours {
		return false
	}
	delete(k.jobs, j.ID)
	k.tell(t, j)
	switch {
	case j.State == engine.JobCancelled: // by a person, who does not want it now
		k.retries[t] = retry{at: k.now().Add(retryMost)}
	case j.State == engine.JobFailed, j.Maintained != nil && (j.Maintained.Outcome == maintain.PutOff || j.Maintained.Outcome == maintain.Failed):
		if t.kind == maintain.Startup {
			k.started[t.root] = false
		}
		k.again(t)
	default:
		k.retries[t] = retry{at: k.now().Add(retryFirst)}
	}
	return true
}
