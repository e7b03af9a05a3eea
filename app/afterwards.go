package app

import (
	"context"
	"sync"
	"time"

	"recollect/internal/engine"
	"recollect/internal/service"
)

// afterwards does, a moment later and once, what work entails and nobody waits
// for.
type afterwards struct {
	ctx  context.Context
	desk *engine.Desk

	mu      sync.Mutex
	ended   bool
	waiting map[branch]*time.Timer
	resting *time.Timer
	running sync.WaitGroup
}

type branch struct{ root, name string }

const (
	// prepareAfter lets a person make several edits in a row.
	prepareAfter = 2 * time.Second
	// restFirst is when a window that was just opened has settled.
	restFirst = 4 * time.Second
	// restAfter is when the engines that were used are closed.
	restAfter = idleEngine + time.Second
)

func newAfterwards(ctx context.Context, d *engine.Desk) *afterwards {
	return &afterwards{ctx: ctx, desk: d, waiting: map[branch]*time.Timer{}}
}

// prepare prepares the block that hooks show of a branch, so that they need not.
// It may fail: then it is prepared when it is asked for.
func (a *afterwards) prepare(root, name string) {
	b := branch{root, name}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	if t := a.waiting[b]; t != nil {
		t.Reset(prepareAfter)
		return
	}
	a.waiting[b] = time.AfterFunc(prepareAfter, func() {
		if !a.begin(func() { delete(a.waiting, b) }) {
			return
		}
		defer a.running.Done()
		_, err := engine.Ask(a.desk, root, func(e *engine.Engine) (string, error) { return e.Block(a.ctx, &name) })
		if err == nil {
			a.desk.Tell(root, "history")
		}
	})
}

// rest gives memory back once nothing has happened for a while.
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

// begin says whether work may begin that running then counts.
func (a *afterwards) begin(note func()) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	note()
	if a.ended {
		return false
	}
	a.running.Add(1)
	return true
}

// end drops what waits, and waits for what runs.
func (a *afterwards) end() {
	a.mu.Lock()
	a.ended = true
	for _, t := range a.waiting {
		t.Stop()
	}
	if a.resting != nil {
		a.resting.Stop()
	}
	a.mu.Unlock()
	a.running.Wait()
}
