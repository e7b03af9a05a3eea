package engine

import (
	"errors"
	"os"
	"sync"
	"time"

	"recollect/internal/history"
)

// DeskOptions say how a Desk works.
type DeskOptions struct {
	// Engine are the options of the engines; Dir is each project's.
	Engine Options
	// By names the process in its jobs: "window", "service".
	By string
	// Idle is how long an engine that nobody uses stays open; zero: as long as
	// the Desk.
	Idle time.Duration
	// Emit is told what happens, from one goroutine at a time and never under a
	// lock of the Desk; it must not block. Nil: nobody listens.
	Emit func(Event)
	// Watch has what other processes do told as well.
	Watch Watch
}

// Event is something that happened on a Desk. One of Job and Changed is set.
type Event struct {
	Name    string   `json:"name"` // "job": progress, the newest counts; "ended": a job ended; "changed"
	Job     *Job     `json:"job,omitempty"`
	Changed *Changed `json:"changed,omitempty"`
}

// The names of events.
const (
	EventJob     = "job"
	EventEnded   = "ended"
	EventChanged = "changed"
)

// Changed says that something of a project is not as it was.
type Changed struct {
	Root string `json:"root"`
	What string `json:"what"` // "memory", "review", "conflicts", "settings", "plugins", "history", "service"
	// Noticed says that it was seen from outside, where each process that wants to
	// know looks for itself.
	Noticed bool `json:"-"`
}

// Desk is what a face that stays open works at: several projects, opened when
// they are needed, and the jobs on them. Its methods may be called from several
// goroutines.
type Desk struct {
	options DeskOptions
	events  chan Event
	emitted sync.WaitGroup

	mu     sync.Mutex
	open   map[string]*opened // by root
	closed bool

	jobs  jobs
	after afterwards
	watch *watch // nil: nothing is watched

	emitting sync.RWMutex // held by senders, so that the channel is open
	silent   bool         // guarded by emitting: the channel is closed
}

// opened is an engine with those who use it. One that is stale is closed by the
// last of them.
type opened struct {
	engine *Engine
	stamp  stamp
	uses   int
	stale  bool
	idle   *time.Timer
}

var errDeskClosed = errors.New("the program is ending")

// NewDesk makes an empty Desk.
func NewDesk(o DeskOptions) *Desk {
	o.Engine.reckonings = &reckonings{}
	d := &Desk{open: map[string]*opened{}, events: make(chan Event, 256)}
	o.Engine.later = d.follow
	d.options = o
	d.emitted.Go(func() {
		for e := range d.events {
			if o.Emit != nil {
				o.Emit(e)
			}
		}
	})
	if o.Watch != (Watch{}) {
		d.watch = newWatch(d, o)
	}
	return d
}

// Close cancels all jobs, waits for them and releases everything.
func (d *Desk) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil
	}
	d.closed = true
	d.mu.Unlock()
	d.watch.close()
	d.jobs.close()
	d.after.close()
	d.mu.Lock()
	var errs []error
	for root, o := range d.open {
		errs = append(errs, d.drop(root, o))
	}
	d.mu.Unlock()
	d.emitting.Lock()
	d.silent = true
	close(d.events)
	d.emitting.Unlock()
	d.emitted.Wait()
	return errors.Join(errs...)
}

// Use calls f with the engine of the project that dir belongs to, which stays
// open for the next one. An engine sees the settings as they are when it is
// asked for.
func (d *Desk) Use(dir string, f func(*Engine) error) error {
	o, err := d.take(dir)
	if err != nil {
		return err
	}
	defer d.give(o)
	return f(o.engine)
}

// Ask is Use for a function that answers something.
func Ask[T any](d *Desk, dir string, f func(*Engine) (T, error)) (T, error) {
	var answer T
	err := d.Use(dir, func(e *Engine) (err error) {
		answer, err = f(e)
		return err
	})
	return answer, err
}

// Tell reports that something of a project was changed by this process.
func (d *Desk) Tell(root string, what ...string) {
	for _, w := range what {
		d.emit(Event{Name: EventChanged, Changed: &Changed{Root: root, What: w}})
	}
}

// notice is Tell of what was seen from outside.
func (d *Desk) notice(root string, what ...string) {
	for _, w := range what {
		d.emit(Event{Name: EventChanged, Changed: &Changed{Root: root, What: w, Noticed: true}})
	}
}

// emit drops progress that nobody takes in time; all else waits.
func (d *Desk) emit(e Event) {
	d.emitting.RLock()
	defer d.emitting.RUnlock()
	if d.silent {
		return
	}
	if e.Name != EventJob {
		d.events <- e
		return
	}
	select {
	case d.events <- e:
	default:
	}
}

func (d *Desk) take(dir string) (*opened, error) {
	project, err := history.Locate(dir)
	if err != nil {
		return nil, &ProjectError{Dir: dir, Err: err}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, errDeskClosed
	}
	root := project.Root
	d.watch.use(root)
	if o := d.open[root]; o != nil {
		if o.stamp == stampOf(o.engine) {
			o.uses++
			if o.idle != nil {
				o.idle.Stop()
			}
			return o, nil
		}
		_ = d.drop(root, o)
	}
	options := d.options.Engine
	options.Dir = dir
	if options.By == "" {
		options.By = d.options.By
	}
	e, err := Open(options)
	if err != nil {
		return nil, err
	}
	o := &opened{engine: e, stamp: stampOf(e), uses: 1}
	d.open[root] = o
	return o, nil
}

func (d *Desk) give(o *opened) {
	d.mu.Lock()
	defer d.mu.Unlock()
	o.uses--
	if o.uses > 0 {
		return
	}
	if o.stale {
		_ = o.engine.Close()
		return
	}
	if d.options.Idle == 0 || d.closed {
		return
	}
	if o.idle != nil {
		o.idle.Stop()
	}
	o.idle = time.AfterFunc(d.options.Idle, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if root := o.engine.Root(); o.uses == 0 && d.open[root] == o {
			_ = d.drop(root, o)
		}
	})
}

// drop forgets an engine, which is closed when nobody uses it. The caller holds
// the lock.
func (d *Desk) drop(root string, o *opened) error {
	delete(d.open, root)
	o.stale = true
	if o.idle != nil {
		o.idle.Stop()
	}
	if o.uses > 0 {
		return nil
	}
	return o.engine.Close()
}

// stamp tells whether settings files, and the yes to what a project's asks for, are
// as they were.
type stamp [3]struct {
	size  int64
	mtime int64
}

func stampOf(e *Engine) (s stamp) {
	for i, file := range []string{e.dirs.File(), e.path("config.json"), e.state().Path(yesName)} {
		if info, err := os.Stat(file); err == nil {
			s[i].size, s[i].mtime = info.Size(), info.ModTime().UnixNano()
		}
	}
	return s
}
