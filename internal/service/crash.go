package service

import (
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/config"
	"recollect/internal/safefile"
	"recollect/internal/secrets"
)

// Crash is a time at which the service ended without wanting to.
type Crash struct {
	At   time.Time `json:"at"`
	File string    `json:"file"` // where the program was; it never leaves the machine by itself
}

// Limits of what is kept of crashes.
const (
	keptCrashes = 5
	maxCrash    = 1 << 20 // bytes of one
)

// openCrash is the file that the Go runtime writes to while this process dies.
func openCrash(dirs config.Dirs) string { return filepath.Join(logDir(dirs), "crash.open") }

// watchCrashes has a crash of this process written down from now on. What the
// last process left is filed first. The caller is the only service of the person.
// The result ends the watch.
func watchCrashes(dirs config.Dirs, log *slog.Logger) (end func()) {
	if err := fileCrash(dirs, log); err != nil {
		log.Warn("a crash could not be filed", "why", err)
	}
	name := openCrash(dirs)
	if err := safefile.MakePrivate(filepath.Dir(name)); err != nil {
		log.Warn("a crash would not be written down", "why", err)
		return func() {}
	}
	f, _, err := safefile.Private(name, os.O_TRUNC|os.O_WRONLY)
	if err == nil {
		err = debug.SetCrashOutput(f, debug.CrashOptions{})
		f.Close() // the runtime has a handle of its own
	}
	if err != nil {
		log.Warn("a crash would not be written down", "why", err)
		return func() {}
	}
	return func() {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
		_ = remove(name)
	}
}

// fileCrash gives what a crash left a name of its own, without secrets.
func fileCrash(dirs config.Dirs, log *slog.Logger) error {
	name := openCrash(dirs)
	f, info, err := safefile.Open(name, safefile.NoLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if info.Size() == 0 { // it was killed, or the machine lost power
		log.Warn("the service before this one was ended without a word")
		return remove(name)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxCrash))
	if err != nil {
		return err
	}
	text := string(b)
	if r, err := secrets.New(); err == nil {
		text, _ = r.Redact(text)
	}
	kept := filepath.Join(logDir(dirs), "crash-"+info.ModTime().UTC().Format("20060102T150405Z")+".txt")
	if err := atomicfile.Replace(kept, []byte(text), atomicfile.Expect{}, atomicfile.Options{Mode: 0o600}); err != nil {
		return err
	}
	log.Error("the service before this one crashed", "file", kept)
	all := crashes(dirs)
	for _, c := range all[:max(0, len(all)-keptCrashes)] {
		_ = remove(c.File)
	}
	return remove(name)
}

// crashes lists what is kept, oldest first.
func crashes(dirs config.Dirs) []Crash {
	names, err := safefile.Match(logDir(dirs), "crash-*.txt", maxLogs)
	if err != nil {
		return nil
	}
	var out []Crash
	for _, name := range names {
		if at, err := time.Parse("crash-20060102T150405Z.txt", filepath.Base(name)); err == nil {
			out = append(out, Crash{at, name})
		}
	}
	return out
}

// LastCrash gives the latest crash of the service that is known, also one that no
// service has filed yet; nil: none is.
func LastCrash(dirs config.Dirs) *Crash {
	if info, err := os.Stat(openCrash(dirs)); err == nil && info.Size() > 0 {
		return &Crash{info.ModTime().UTC(), openCrash(dirs)}
	}
	if all := crashes(dirs); len(all) > 0 {
		return &all[len(all)-1]
	}
	return nil
}
