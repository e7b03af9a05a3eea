package atomicfile

import (
	"math/rand/v2"
	"time"
)

// lockWait is how long a writer waits for the others. A turn takes a few
// syncs; who holds the lock for longer is stuck or no writer at all, as in
// "flock . make", and must not stop us.
const lockWait = 10 * time.Second

// acquire tries until it succeeds, the wait is over or the error is one that
// waiting does not mend, such as a file system without locks. It reports
// whether the lock is held.
func acquire(wait time.Duration, try func() error) bool {
	for end := time.Now().Add(wait); ; {
		err := try()
		if err == nil {
			return true
		}
		if !busy(err) || time.Now().After(end) {
			return false
		}
		time.Sleep(time.Millisecond + rand.N(4*time.Millisecond))
	}
}

// lockAndClean is lock, followed by the removal of what crashed writers of
// the target left. Without the lock nothing is removed: a temporary name
// may hold a file that a writer has swapped out and not yet looked at.
func lockAndClean(t spot) (unlock func()) {
	unlock, held := lock(t)
	if held {
		removeStale(t)
	}
	return unlock
}
