package folderwatch

import (
	"errors"
	"time"

	"recollect/internal/safefile"
)

// snapshot is what a folder has: its names, and how each looks from outside.
type snapshot map[string]looks

type looks struct{ size, changed int64 }

// maxEntries bounds what is looked at in one folder.
const maxEntries = 10_000

func (r *round) snap(folder string) snapshot {
	s := snapshot{}
	entries, err := safefile.ReadDir(folder, maxEntries)
	if err != nil && !errors.Is(err, safefile.ErrTooMany) {
		return s
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !r.w.options.Ignore(e.Name()) {
			s[e.Name()] = looks{info.Size(), info.ModTime().UnixNano()}
		}
	}
	return s
}

// poll looks at the folders that the system does not watch.
func (r *round) poll() {
	for folder, before := range r.polled {
		now := r.snap(folder)
		for name, l := range now {
			if was, ok := before[name]; !ok || was != l {
				r.changed = time.Now()
				r.note(folder, name)
			}
		}
		for name := range before {
			if _, ok := now[name]; !ok {
				r.changed = time.Now()
				r.note(folder, name)
			}
		}
		r.polled[folder] = now
	}
	every := r.w.options.Poll
	if time.Since(r.changed) > calm {
		every *= slower
	}
	r.look.Reset(every)
}
