package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"recollect/internal/maintain"
	"recollect/internal/memorize"
	"recollect/internal/plugin"
)

// JobState is where a job is.
type JobState string

// The states. The last three are final.
const (
	JobWaiting   JobState = "waiting"
	JobRunning   JobState = "running"
	JobDone      JobState = "done"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
)

// JobKind is what a job does.
type JobKind string

// The kinds.
const (
	JobMemorize JobKind = "memorize"
	JobPreview  JobKind = "preview" // a memorize that writes nothing
	JobTry      JobKind = "try"
	JobApprove  JobKind = "approve"
)

// Job is work that takes long, as it is now.
type Job struct {
	ID       int            `json:"id"`
	By       string         `json:"by"` // DeskOptions.By of the desk that does it
	Root     string         `json:"root"`
	Project  string         `json:"project"` // name
	Kind     JobKind        `json:"kind"`
	State    JobState       `json:"state"`
	Branch   string         `json:"branch,omitempty"`
	Number   int            `json:"number"` // of this branch, from 1
	Branches int            `json:"branches"`
	Step     string         `json:"step,omitempty"` // of memorize.Progress, or "compile"
	Plugin   string         `json:"plugin,omitempty"`
	Done     int            `json:"done"`
	Total    int            `json:"total"`
	Started  time.Time      `json:"started,omitzero"`
	Ended    time.Time      `json:"ended,omitzero"`
	Reports  []BranchReport `json:"reports,omitempty"`
	Tried    *Tried         `json:"tried,omitempty"`
	// Maintained is what came of a maintenance, also of one that failed in part.
	Maintained *maintain.Report `json:"maintained,omitempty"`
	Problem    *Problem         `json:"problem,omitempty"`
}

// Final says whether the job has ended.
func (j Job) Final() bool {
	return j.State == JobDone || j.State == JobFailed || j.State == JobCancelled
}

const (
	// maxEnded is how many ended jobs are kept for those who ask late.
	maxEnded = 100
	// progressEvery keeps a fast run from flooding those who listen.
	progressEvery = 100 * time.Millisecond
)

// jobs runs one job after another: two at once would halve each other's speed
// and double the memory of the plug-ins. What a person waits for goes before what
// nobody waits for, also in the middle of it, between two branches.
type jobs struct {
	mu     sync.Mutex
	all    []*job
	last   int // id
	busy   bool
	closed bool
	done   sync.WaitGroup
}

// job is a Job with its work. Job is guarded by jobs.mu.
type job struct {
	Job
	ctx        context.Context
	cancel     context.CancelFunc
	background bool // nobody waits for it
	work       work
	told       time.Time // of the last event
}

// work does a job. update changes what is known of it, under the lock.
type work func(ctx context.Context, e *Engine, update func(func(*Job))) error

// Jobs lists those that are not dismissed, oldest first.
func (d *Desk) Jobs() []Job {
	d.jobs.mu.Lock()
	defer d.jobs.mu.Unlock()
	out := []Job{}
	for _, j := range d.jobs.all {
		out = append(out, j.Job)
	}
	return out
}

// Cancel ends a job, also one that waits. One that has ended stays as it is.
func (d *Desk) Cancel(id int) {
	d.jobs.mu.Lock()
	defer d.jobs.mu.Unlock()
	for _, j := range d.jobs.all {
		if j.ID == id {
			j.cancel()
		}
	}
}

// Dismiss forgets a job that has ended.
func (d *Desk) Dismiss(id int) {
	d.jobs.mu.Lock()
	defer d.jobs.mu.Unlock()
	d.jobs.all = slices.DeleteFunc(d.jobs.all, func(j *job) bool { return j.ID == id && j.Final() })
}

// Memorize begins a memorize in the background; o.DryRun makes it a preview.
// branches are exact names; none: every branch with history.
func (d *Desk) Memorize(dir string, branches []string, o MemorizeOptions) (Job, error) {
	kind := JobMemorize
	if o.DryRun {
		kind = JobPreview
	}
	return d.start(dir, kind, o.Background, func(ctx context.Context, e *Engine, update func(func(*Job))) error {
		if o.Background {
			o.LetIn = func() { d.letIn(update) }
		}
		return d.memorize(ctx, e, branches, o, update)
	})
}

func (d *Desk) memorize(ctx context.Context, e *Engine, branches []string, o MemorizeOptions, update func(func(*Job))) error {
	o.Branches, o.All = branches, len(branches) == 0
	o.Progress = func(p Progress) {
		update(func(j *Job) {
			j.Branch, j.Number, j.Branches = p.Branch, p.Number, p.Branches
			j.Step, j.Plugin, j.Done, j.Total = p.Step, p.Plug, p.Done, p.Total
		})
	}
	reports, err := e.Memorize(ctx, o)
	update(func(j *Job) { j.Reports = reports })
	if !o.DryRun && slices.ContainsFunc(reports, touched) {
		if !slices.ContainsFunc(reports, func(r BranchReport) bool { return r.Outcome == memorize.Memorized }) {
			d.Tell(e.Root(), "memory") // what is new is less; of a change the engine tells
		}
		d.Tell(e.Root(), "review", "conflicts")
	}
	return err
}

// Try begins to run an extractor on all turns of a branch, which saves nothing.
func (d *Desk) Try(dir, branch, extractor string) (Job, error) {
	return d.start(dir, JobTry, false, func(ctx context.Context, e *Engine, update func(func(*Job))) error {
		tried, err := e.Try(ctx, &branch, extractor, func(p Progress) {
			update(func(j *Job) {
				j.Branch, j.Number, j.Branches = p.Branch, p.Number, p.Branches
				j.Step, j.Plugin, j.Done, j.Total = p.Step, p.Plug, p.Done, p.Total
			})
		})
		if err == nil {
			update(func(j *Job) { j.Tried = &tried })
		}
		return err
	})
}

// Approve begins to put a waiting package into force; see Engine.ApprovePlugin.
func (d *Desk) Approve(dir, id, sha256 string) (Job, error) {
	return d.start(dir, JobApprove, false, func(ctx context.Context, e *Engine, update func(func(*Job))) error {
		_, err := e.ApprovePlugin(ctx, id, sha256, func(plugin.Compiling) {
			update(func(j *Job) { j.Step, j.Plugin = "compile", id })
		})
		if err == nil {
			d.Tell(e.Root(), "plugins")
		}
		return err
	})
}

// touched says whether a run may have changed what a person looks at.
func touched(r BranchReport) bool {
	return r.Outcome == memorize.Memorized || r.NewTurns > 0 || len(r.Conflicts) > 0
}

// start queues a job; background is for one that nobody waits for.
func (d *Desk) start(dir string, kind JobKind, background bool, w work) (Job, error) {
	var root, name string
	err := d.Use(dir, func(e *Engine) error {
		root, name = e.Root(), e.project.Name()
		return nil
	})
	if err != nil {
		return Job{}, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &d.jobs
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		cancel()
		return Job{}, errDeskClosed
	}
	s.last++
	j := &job{Job: Job{ID: s.last, By: d.options.By, Root: root, Project: name, Kind: kind, State: JobWaiting}, ctx: ctx, cancel: cancel, background: background, work: w}
	s.all = append(s.all, j)
	begun := j.Job
	idle := !s.busy
	s.busy = true
	if idle {
		s.done.Go(func() { d.run() })
	}
	s.mu.Unlock()
	d.emit(Event{Name: EventJob, Job: &begun})
	return begun, nil
}

// run does what waits and ends when nothing does.
func (d *Desk) run() {
	for {
		d.jobs.mu.Lock()
		j := d.jobs.next()
		if j == nil {
			d.jobs.busy = false
			d.jobs.mu.Unlock()
			return
		}
		d.jobs.mu.Unlock()
		d.finish(j, d.do(j))
	}
}

// next takes the oldest job that a person waits for, else the oldest one. It is
// called under the lock.
func (s *jobs) next() *job {
	i := slices.IndexFunc(s.all, (*job).waited)
	if i < 0 {
		i = slices.IndexFunc(s.all, func(j *job) bool { return j.State == JobWaiting })
	}
	if i < 0 {
		return nil
	}
	s.all[i].State, s.all[i].Started = JobRunning, time.Now()
	return s.all[i]
}

// waited says whether a person waits for the job to begin.
func (j *job) waited() bool { return j.State == JobWaiting && !j.background }

// letIn does the jobs that people wait for, in the middle of one in the background,
// which waits meanwhile. update is that one's.
func (d *Desk) letIn(update func(func(*Job))) {
	for {
		d.jobs.mu.Lock()
		if !slices.ContainsFunc(d.jobs.all, (*job).waited) {
			d.jobs.mu.Unlock()
			return
		}
		j := d.jobs.next()
		d.jobs.mu.Unlock()
		update(func(k *Job) { k.State = JobWaiting })
		d.finish(j, d.do(j))
		update(func(k *Job) { k.State = JobRunning })
	}
}

func (d *Desk) do(j *job) error {
	defer j.cancel()
	if err := j.ctx.Err(); err != nil {
		return err
	}
	return d.Use(j.Root, func(e *Engine) error {
		return j.work(j.ctx, e, func(change func(*Job)) { d.update(j, change) })
	})
}

func (d *Desk) update(j *job, change func(*Job)) {
	d.jobs.mu.Lock()
	change(&j.Job)
	now := time.Now()
	tell := now.Sub(j.told) >= progressEvery
	if tell {
		j.told = now
	}
	copied := j.Job
	d.jobs.mu.Unlock()
	if tell {
		d.emit(Event{Name: EventJob, Job: &copied})
	}
}

func (d *Desk) finish(j *job, err error) {
	d.jobs.mu.Lock()
	j.Ended = time.Now()
	switch {
	case errors.Is(err, context.Canceled):
		j.State = JobCancelled
	case err != nil:
		p := Explain(err)
		j.State, j.Problem = JobFailed, &p
	default:
		j.State = JobDone
	}
	d.jobs.trim()
	copied := j.Job
	d.jobs.mu.Unlock()
	d.emit(Event{Name: EventEnded, Job: &copied})
}

// trim forgets the oldest of too many ended jobs.
func (s *jobs) trim() {
	ended := 0
	for _, j := range slices.Backward(s.all) {
		if j.Final() {
			ended++
		}
	}
	s.all = slices.DeleteFunc(s.all, func(j *job) bool {
		if !j.Final() || ended <= maxEnded {
			return false
		}
		ended--
		return true
	})
}

// close cancels everything and waits.
func (s *jobs) close() {
	s.mu.Lock()
	s.closed = true
	for _, j := range s.all {
		j.cancel()
	}
	s.mu.Unlock()
	s.done.Wait()
}
