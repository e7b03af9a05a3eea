package app

import (
	"sync"
	"time"

	"recollect/internal/service"
)

// afterwards gives memory back, once, when nothing has happened for a while.
type afterwards struct {
	mu      sync.Mutex
	ended   bool
	resting *time.Timer
}

const (
	// restFirst is when a window that was just opened has settled.
	restFirst = 4 * time.Second
	// restAfter is when the engines that were used are closed.
	restAfter = idleEngine + time.Second
)

func (a *afterwards) rest(after time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	if a.resting != nil {
		a.resting.Reset(after)
		return
	}
	a.resting = time.AfterFunc(after, service.Rest)
}

// end drops what waits.
func (a *afterwards) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	if a.resting != nil {
		a.resting.Stop()
	}
}
