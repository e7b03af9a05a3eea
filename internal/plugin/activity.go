package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/filelock"
	"recollect/internal/safefile"
)

const (
	activityName    = "activity.json"
	activityLock    = "activity.lock"
	activityVersion = 1
	maxActivity     = 4 << 20
	activityWait    = 2 * time.Second
)

// activity is activity.json in the library's folder: what the plug-ins did in
// all processes of this person.
type activity struct {
	Version int              `json:"version"`
	Plugins map[string]track `json:"plugins"` // by id
}

// track is what one package did. That of another package begins anew.
type track struct {
	Package string  `json:"package"` // see Entry.edition
	Breaker breaker `json:"breaker,omitzero"`
	Metrics Metrics `json:"metrics,omitzero"`
}

// edition tells packages of one plug-in apart.
func (e Entry) edition() string {
	if e.BuiltIn {
		return e.Manifest.Version
	}
	return e.SHA256
}

// key finds the plug-in of an entry in a host.
func (e Entry) key() string { return e.ID + " " + e.SHA256 }

var errActivityNewer = errors.New("the record of what plug-ins did was written by a newer Recollect")

// activityFile reads and changes the file. It may be used by several goroutines,
// and by several processes at once.
type activityFile struct {
	dir string

	mu   sync.Mutex
	info fs.FileInfo // of the file that last was read; nil: there was none
	last activity
}

// of gives the track of a package.
func (f *activityFile) of(id, edition string) track {
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(filepath.Join(f.dir, activityName))
	switch {
	case err != nil:
		f.info, f.last = nil, activity{}
	case f.info == nil || !os.SameFile(info, f.info) || !info.ModTime().Equal(f.info.ModTime()) || info.Size() != f.info.Size():
		f.info = info
		f.last, _ = f.read()
	}
	return f.last.of(id, edition)
}

func (a activity) of(id, edition string) track {
	if t := a.Plugins[id]; t.Package == edition {
		return t
	}
	return track{Package: edition}
}

// read gives an empty activity for a file that is missing or damaged: what it
// tells is not worth a refusal.
func (f *activityFile) read() (activity, error) {
	empty := activity{Version: activityVersion, Plugins: map[string]track{}}
	data, _, err := atomicfile.Read(filepath.Join(f.dir, activityName), maxActivity)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, atomicfile.ErrTooLarge) {
		return empty, nil
	}
	if err != nil {
		return empty, err
	}
	var a activity
	err = json.Unmarshal(data, &a)
	switch {
	case a.Version > activityVersion: // whatever else it has
		return empty, errActivityNewer
	case err != nil || a.Version < 1 || a.Plugins == nil:
		return empty, nil
	}
	return a, nil
}

// update changes the file under its lock.
func (f *activityFile) update(change func(*activity)) error {
	if err := safefile.MakePrivate(f.dir); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), activityWait)
	defer cancel()
	lock, err := filelock.Acquire(ctx, filepath.Join(f.dir, activityLock), filelock.Options{})
	if err != nil {
		return err
	}
	defer lock.Release()
	a, err := f.read()
	if err != nil {
		return err
	}
	change(&a)
	data, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Replace(filepath.Join(f.dir, activityName), append(data, '\n'), atomicfile.Expect{}, atomicfile.Options{Mode: 0o600})
}

// blame counts a fault of a package and pauses it after too many. Where that
// can't be kept, the reason is why.
func (f *activityFile) blame(id, edition, reason string) error {
	return f.update(func(a *activity) {
		t := a.of(id, edition)
		t.Breaker.add(time.Now(), reason)
		a.Plugins[id] = t
	})
}

// add merges what this process counted, by id.
func (f *activityFile) add(counted map[string]track) error {
	return f.update(func(a *activity) {
		for id, c := range counted {
			t := a.of(id, c.Package)
			t.Metrics = t.Metrics.and(c.Metrics)
			a.Plugins[id] = t
		}
	})
}

// Resume ends the pause of a plug-in, in all processes, and says whether there
// was one. Errors are *Error.
func (l *Library) Resume(id string) (paused bool, err error) {
	if _, err := l.Get(id); err != nil {
		return false, err
	}
	f := activityFile{dir: l.dir}
	err = f.update(func(a *activity) {
		t := a.Plugins[id]
		paused = t.Breaker.Reason != ""
		t.Breaker = breaker{}
		a.Plugins[id] = t
	})
	if err != nil {
		return false, newError(id, "", KindFailed, "it can't be resumed: "+err.Error(), err)
	}
	return paused, nil
}

// Forget drops what is kept of a plug-in that was removed: what was counted, and
// its log.
func (l *Library) Forget(id string) error {
	dropped := dropJournal(l.logs(), id)
	f := activityFile{dir: l.dir}
	a, err := f.read()
	if _, there := a.Plugins[id]; err == nil && there {
		err = f.update(func(a *activity) { delete(a.Plugins, id) })
	}
	return errors.Join(dropped, err)
}

// logs is where what plug-ins logged is kept.
func (l *Library) logs() string { return filepath.Join(l.dir, "logs") }
