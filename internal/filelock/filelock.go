// Package filelock keeps processes apart with an advisory lock on a file.
//
// The lock belongs to an open file of the process and dies with it, however it
// ends; there are no stale locks to break. The lock file is never removed: the
// system's lock is on the file and not on its name, so a process that removed
// and made it anew would hold a different lock than one that waits.
//
// The file's text says who took it last; on Windows, where nobody may read a file
// that is locked, one beside it does. It is for people: whether the lock is held
// is only known by trying.
//
// Whatever stands where a lock file must be, taking the lock waits for nobody but
// its holder: a pipe, a device, a link or a folder there is safefile.ErrNotRegular.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"recollect/internal/safefile"
)

// ErrBusy says that another process holds the lock. The error is a *BusyError.
var ErrBusy = errors.New("locked by another process")

// BusyError says which lock is held and, if known, by whom.
type BusyError struct {
	Path   string
	Holder string // as the holder described itself; "" if not known
	cause  error
}

// Error names the lock and its holder.
func (e *BusyError) Error() string {
	if e.Holder == "" {
		return fmt.Sprintf("%s: %v", e.Path, ErrBusy)
	}
	return fmt.Sprintf("%s: %v (%s)", e.Path, ErrBusy, e.Holder)
}

// Unwrap returns ErrBusy, and the context's error if that ended the wait.
func (e *BusyError) Unwrap() []error {
	if e.cause == nil {
		return []error{ErrBusy}
	}
	return []error{ErrBusy, e.cause}
}

// Options of a lock. The zero value waits for an exclusive lock.
type Options struct {
	// Shared allows other shared holders at the same time.
	Shared bool
	// NoWait fails at once if the lock is held.
	NoWait bool
	// Holder describes the process to those who find the lock held; empty means
	// its program name and process id. Shared holders are not recorded.
	Holder string
}

// Lock is a held lock.
type Lock struct{ f *flock.Flock }

// pollInterval is how often a waiter tries again; the systems offer no wait
// that a context could end.
const pollInterval = 5 * time.Millisecond

// maxHolder limits what is read of a lock file, in bytes.
const maxHolder = 200

// Acquire takes the lock on the file at path and makes the file and its folder
// if need be, both for this person only. It waits until ctx is done; then, and with NoWait, the error is a
// *BusyError.
func Acquire(ctx context.Context, path string, o Options) (*Lock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, _, err := safefile.Private(path, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	f.Close() // the library opens it by itself
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|safefile.OwnFlags))
	if err = take(ctx, l, o); err == nil {
		err = plain(l)
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	if !o.Shared {
		describe(path, o.Holder)
	}
	return &Lock{l}, nil
}

func take(ctx context.Context, l *flock.Flock, o Options) error {
	try := l.TryLock
	if o.Shared {
		try = l.TryRLock
	}
	for {
		ok, err := try()
		if err != nil {
			return fmt.Errorf("lock %s: %w", l.Path(), err)
		}
		if ok {
			return nil
		}
		if o.NoWait {
			return &BusyError{Path: l.Path(), Holder: holder(l.Path())}
		}
		select {
		case <-ctx.Done():
			return &BusyError{Path: l.Path(), Holder: holder(l.Path()), cause: context.Cause(ctx)}
		case <-time.After(pollInterval):
		}
	}
}

// plain looks at what was locked, which may have been exchanged since it was
// looked at.
func plain(l *flock.Flock) error {
	info, err := l.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "lock", Path: l.Path(), Err: safefile.ErrNotRegular}
	}
	return err
}

// Held says whether another holds the lock on path alone at this moment, and who
// in its own words, "" if it has not said. A lock that nobody took yet is not
// made.
func Held(path string) (who string, held bool, err error) {
	held, err = taken(path, os.O_RDONLY, (*flock.Flock).TryRLock)
	if err != nil || !held {
		return "", false, err
	}
	return holder(path), true, nil
}

// Taken says whether another holds the lock on path at this moment, alone or with
// others. A lock that nobody took yet is not made.
func Taken(path string) (bool, error) {
	return taken(path, os.O_RDWR, (*flock.Flock).TryLock)
}

// taken tries to take a lock that is there, and gives it up at once.
func taken(path string, flag int, try func(*flock.Flock) (bool, error)) (bool, error) {
	f, _, err := safefile.Open(path, safefile.NoLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	f.Close()
	l := flock.New(path, flock.SetFlag(flag|safefile.OwnFlags))
	defer l.Close()
	free, err := try(l)
	return err == nil && !free, err
}

// Release gives the lock up. A second call does nothing.
func (l *Lock) Release() error { return l.f.Close() }

// describe records the holder; that it cannot is no reason not to work.
func describe(path, who string) {
	if who == "" {
		who = fmt.Sprintf("%s, process %d", filepath.Base(os.Args[0]), os.Getpid())
	}
	f, _, err := safefile.Private(said(path), os.O_WRONLY|os.O_TRUNC)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteString(who[:min(len(who), maxHolder)] + "\n")
}

// said is the file that says who took the lock.
func said(path string) string {
	if runtime.GOOS == "windows" {
		return path + ".holder"
	}
	return path
}

func holder(path string) string {
	f, _, err := safefile.Open(said(path), safefile.NoLimit)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxHolder+1))
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.ToValidUTF8(string(b), "\uFFFD"), "\n")
	return strings.TrimSpace(line)
}
