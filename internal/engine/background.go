package engine

import (
	"context"
	"errors"
	"time"

	"recollect/internal/filelock"
)

// Work that nobody waits for, maintenance above all, stands back for people. It
// gives the project's lock up between two branches: then people's jobs of this
// process are done, then other processes get in that a person waits for. Those hold
// waitingLock together while they wait, so that they can be seen, and it dies with
// them.

const (
	// standBack is the longest that somebody who waits for the lock is left time to
	// take it, so that one who can't, or always another one, keeps nothing up.
	standBack = time.Minute
	// resumeWait is how long work that stood back waits for the lock again: a
	// person's memorize may ask a model about many branches.
	resumeWait = time.Hour
	// branchWait is how long a person's memorize waits for maintenance to come to
	// the end of a branch.
	branchWait = 10 * time.Minute
	// letInEvery is between two looks whether people's jobs wait, of work that waits
	// for the lock itself.
	letInEvery = 200 * time.Millisecond
	// lookEvery is between two looks whether somebody waits.
	lookEvery = 5 * time.Millisecond
)

// lock takes the project's lock for what a person asked for, and says to those who
// wait for it what is being done. It is held while a call reads, merges and writes,
// and dies with the process.
func (e *Engine) lock(ctx context.Context, doing string) (*filelock.Lock, error) {
	return e.lockFor(ctx, doing, 0)
}

// lockForMemorize is lock with more patience while maintenance goes on, which lets
// it in after each branch.
func (e *Engine) lockForMemorize(ctx context.Context, o MemorizeOptions) (*filelock.Lock, error) {
	const doing = "memorizing"
	if o.Background {
		return e.lockInBackground(ctx, doing, max(o.patience, e.options.LockWait), o.LetIn)
	}
	return e.lockFor(ctx, doing, branchWait)
}

// lockFor waits as long as this process waits for others, and with patience as long
// as that if others are at maintenance.
func (e *Engine) lockFor(ctx context.Context, doing string, patience time.Duration) (*filelock.Lock, error) {
	if err := e.mayLock(); err != nil {
		return nil, err
	}
	o := filelock.Options{Holder: e.holds(doing), NoWait: true}
	l, err := e.acquire(ctx, projectLock, o)
	if !errors.Is(err, filelock.ErrBusy) {
		return l, err
	}
	mark, err := e.acquire(ctx, waitingLock, filelock.Options{Shared: true})
	if err != nil {
		return nil, err
	}
	defer mark.Release()
	o.NoWait = false
	for end := time.Now().Add(patience); ; {
		l, err := e.tryFor(ctx, e.options.LockWait, o)
		if !errors.Is(err, filelock.ErrBusy) || ctx.Err() != nil || !time.Now().Before(end) {
			return l, err
		}
		if _, maintained, _ := filelock.Held(e.state().Path(maintenanceLock)); !maintained {
			return l, err
		}
	}
}

// lockInBackground takes the project's lock for work that nobody waits for. As long
// as it is not to be had, people, if not nil, is called every now and then.
func (e *Engine) lockInBackground(ctx context.Context, doing string, wait time.Duration, people func()) (*filelock.Lock, error) {
	if err := e.mayLock(); err != nil {
		return nil, err
	}
	for end := time.Now().Add(wait); ; {
		if people != nil {
			people()
		}
		e.standBack(ctx)
		l, err := e.tryFor(ctx, min(time.Until(end), letInEvery), filelock.Options{Holder: e.holds(doing)})
		if !errors.Is(err, filelock.ErrBusy) || ctx.Err() != nil || !time.Now().Before(end) {
			return l, err
		}
	}
}

func (e *Engine) tryFor(ctx context.Context, wait time.Duration, o filelock.Options) (*filelock.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return e.acquire(ctx, projectLock, o)
}

// standBack returns when nobody waits for the project's lock, or after a while.
func (e *Engine) standBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, standBack)
	defer cancel()
	for {
		waits, err := filelock.Taken(e.state().Path(waitingLock))
		if err != nil || !waits {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookEvery):
		}
	}
}

// letIn gives the project's lock up for those who wait, and takes it again.
func (e *Engine) letIn(ctx context.Context, l *filelock.Lock, people func()) (*filelock.Lock, error) {
	if err := l.Release(); err != nil {
		return l, err
	}
	again, err := e.lockInBackground(ctx, "memorizing", resumeWait, people)
	if err != nil {
		return l, err // whose second release does nothing
	}
	return again, nil
}
