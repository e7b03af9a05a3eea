// Package folderwatch tells when something in folders changes: as the system
// tells it, or, where the system doesn't, by looking.
//
// While nothing happens it does nothing, as long as no folder has to be looked at.
// What happens in a moment is told as one change.
package folderwatch

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options of a Watcher. The zero value is what a user wants.
type Options struct {
	// Max is how many folders are watched at most; 0: 256.
	Max int
	// Polling looks at all folders instead of asking the system.
	Polling bool
	// Poll is how often it looks where it must: so often while something changes,
	// and a fifth of that when nothing did for a minute. 0: 1.5 seconds, so that
	// with Quiet a change is told within two.
	Poll time.Duration
	// Quiet is how long nothing must happen before a change is told; it is told
	// after five times that, whatever happens. 0: 200 milliseconds.
	Quiet time.Duration
	// Ignore, if set, says which names in a folder do not matter.
	Ignore func(name string) bool
	// BeforeWatch, if set, is called before the system is asked to watch a folder.
	// An error stands for one of the system. Tests use it.
	BeforeWatch func(folder string) error
}

// Change is what changed in one folder.
type Change struct {
	Folder string
	// Names in the folder, sorted; none: it is not known which, or the folder
	// itself came or went.
	Names []string
}

// maxNames is how many names of one change are told; more are none.
const maxNames = 256

// slower is how many times less often is looked when nothing changes.
const slower = 5

// calm is how long nothing must have changed for that.
const calm = time.Minute

// Watcher watches folders. Its methods may be called from several goroutines.
type Watcher struct {
	options Options
	tell    func([]Change)
	set     chan []string
	quit    chan struct{}
	done    sync.WaitGroup
	once    sync.Once

	mu              sync.Mutex // guards what Stats tells
	watched, polled int
}

// New begins to watch no folder. tell is told what changed, from one goroutine at
// a time; while it runs, nothing else is told.
func New(o Options, tell func([]Change)) *Watcher {
	if o.Max == 0 {
		o.Max = 256
	}
	if o.Poll == 0 {
		o.Poll = 1500 * time.Millisecond
	}
	if o.Quiet == 0 {
		o.Quiet = 200 * time.Millisecond
	}
	if o.Ignore == nil {
		o.Ignore = func(string) bool { return false }
	}
	w := &Watcher{options: o, tell: tell, set: make(chan []string), quit: make(chan struct{})}
	w.done.Go(w.run)
	return w
}

// Set says which folders are watched from now on, the one that matters most first.
// One that is not there is left out, and so are those beyond Max. A folder that
// was watched before goes on without a gap.
func (w *Watcher) Set(folders []string) {
	select {
	case w.set <- slices.Clone(folders):
	case <-w.quit:
	}
}

// Stats tells how many folders the system watches and how many are looked at.
func (w *Watcher) Stats() (watched, polled int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.watched, w.polled
}

// Close ends the watching. Nothing is told afterwards.
func (w *Watcher) Close() {
	w.once.Do(func() { close(w.quit) })
	w.done.Wait()
}

// run is the one goroutine of a Watcher; what it knows is its own.
func (w *Watcher) run() {
	r := &round{w: w, watched: map[string]bool{}, polled: map[string]snapshot{}, pending: map[string]map[string]bool{}}
	r.told, r.look = time.NewTimer(time.Hour), time.NewTimer(time.Hour)
	r.told.Stop()
	r.look.Stop()
	defer r.end()
	for {
		select {
		case <-w.quit:
			return
		case folders := <-w.set:
			r.take(folders)
		case e, ok := <-r.events:
			if !ok {
				return
			}
			r.happened(e)
		case err, ok := <-r.errors:
			if !ok {
				return
			}
			r.failed(err)
		case <-r.told.C:
			r.report()
		case <-r.look.C:
			r.poll()
		}
	}
}

// round is what the goroutine knows.
type round struct {
	w       *Watcher
	system  *fsnotify.Watcher
	events  <-chan fsnotify.Event
	errors  <-chan error
	watched map[string]bool
	polled  map[string]snapshot
	changed time.Time // when something in polled folders changed last

	pending map[string]map[string]bool // names by folder; nil: not known
	since   time.Time                  // of the first that is pending
	told    *time.Timer
	look    *time.Timer
}

func (r *round) end() {
	r.told.Stop()
	r.look.Stop()
	if r.system != nil {
		r.system.Close()
	}
}

// take watches these folders and no others.
func (r *round) take(folders []string) {
	wanted := map[string]bool{}
	var order []string
	for _, f := range folders {
		if f = filepath.Clean(f); !wanted[f] && len(order) < r.w.options.Max {
			wanted[f] = true
			order = append(order, f)
		}
	}
	for f := range r.watched {
		if !wanted[f] {
			_ = r.system.Remove(f)
			delete(r.watched, f)
		}
	}
	maps.DeleteFunc(r.polled, func(f string, _ snapshot) bool { return !wanted[f] })
	for _, f := range order {
		if _, polled := r.polled[f]; !polled && !r.watched[f] {
			r.add(f)
		}
	}
	if len(r.polled) > 0 {
		r.changed = time.Now()
		r.look.Reset(r.w.options.Poll)
	} else {
		r.look.Stop()
	}
	r.count()
}

// add watches a folder, and looks at it where the system can't.
func (r *round) add(folder string) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return
	}
	switch err := r.ask(folder); {
	case err == nil:
		r.watched[folder] = true
	case !errors.Is(err, fs.ErrNotExist):
		r.polled[folder] = r.snap(folder)
	}
}

var errUnwatchable = errors.New("the system can't watch this folder")

func (r *round) ask(folder string) error {
	if before := r.w.options.BeforeWatch; before != nil {
		if err := before(folder); err != nil {
			return err
		}
	}
	if r.w.options.Polling || remote(folder) {
		return errUnwatchable
	}
	if r.system == nil {
		system, err := fsnotify.NewWatcher()
		if err != nil {
			return err
		}
		r.system, r.events, r.errors = system, system.Events, system.Errors
	}
	return r.system.Add(folder)
}

func (r *round) count() {
	r.w.mu.Lock()
	r.w.watched, r.w.polled = len(r.watched), len(r.polled)
	r.w.mu.Unlock()
}

// happened takes in what the system tells.
func (r *round) happened(e fsnotify.Event) {
	if e.Op == fsnotify.Chmod {
		return
	}
	name := filepath.Clean(e.Name)
	if r.watched[name] && e.Has(fsnotify.Remove|fsnotify.Rename) { // and with it the watch
		_ = r.system.Remove(name)
		delete(r.watched, name)
		r.count()
		r.note(name, "")
		return
	}
	if folder, base := filepath.Split(name); !r.w.options.Ignore(base) {
		if folder = filepath.Clean(folder); r.watched[folder] {
			r.note(folder, base)
		}
	}
}

// failed takes in that the system has lost count.
func (r *round) failed(error) {
	for f := range r.watched {
		r.note(f, "")
	}
}

// note remembers a change until it is told; no name: it is not known which.
func (r *round) note(folder, name string) {
	if len(r.pending) == 0 {
		r.since = time.Now()
	}
	names, known := r.pending[folder]
	switch {
	case name == "" || known && (names == nil || len(names) >= maxNames):
		r.pending[folder] = nil
	case !known:
		r.pending[folder] = map[string]bool{name: true}
	default:
		names[name] = true
	}
	quiet := r.w.options.Quiet
	r.told.Reset(max(0, min(quiet, slower*quiet-time.Since(r.since))))
}

// report tells what is pending.
func (r *round) report() {
	var out []Change
	for _, folder := range slices.Sorted(maps.Keys(r.pending)) {
		out = append(out, Change{folder, slices.Sorted(maps.Keys(r.pending[folder]))})
	}
	clear(r.pending)
	if len(out) > 0 {
		r.w.tell(out)
	}
}
