package engine

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// prepareAfter lets a person make several edits in a row.
const prepareAfter = 2 * time.Second

// afterwards are the memories that were changed at a Desk and whose blocks are
// prepared a moment later, once. What is not prepared when the Desk closes is prepared
// when it is asked for.
type afterwards struct {
	mu      sync.Mutex
	waiting map[string]*waiting // by root
	cancel  context.CancelFunc
	ctx     context.Context
	closed  bool
	running sync.WaitGroup
}

type waiting struct {
	branches map[string]bool
	timer    *time.Timer
}

// follow tells that memories of a project were changed, and has their blocks prepared.
func (d *Desk) follow(root string, branches []string) {
	d.Tell(root, "memory")
	if len(branches) == 0 {
		return
	}
	a := &d.after
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return
	}
	if a.waiting == nil {
		a.waiting = map[string]*waiting{}
		a.ctx, a.cancel = context.WithCancel(context.Background())
	}
	w := a.waiting[root]
	if w == nil {
		w = &waiting{branches: map[string]bool{}}
		w.timer = time.AfterFunc(prepareAfter, func() { d.prepareBlocks(root, w) })
		a.waiting[root] = w
	} else {
		w.timer.Reset(prepareAfter)
	}
	for _, b := range branches {
		w.branches[b] = true
	}
}

func (d *Desk) prepareBlocks(root string, w *waiting) {
	a := &d.after
	a.mu.Lock()
	if a.closed || a.waiting[root] != w {
		a.mu.Unlock()
		return
	}
	delete(a.waiting, root)
	branches := slices.Sorted(maps.Keys(w.branches))
	a.running.Add(1)
	a.mu.Unlock()
	defer a.running.Done()
	what := "history" // the branches have blocks again
	err := d.Use(root, func(e *Engine) error {
		if len(e.prepareBlocks(a.ctx, branches)) > 0 {
			what = "memory" // and a file another one
		}
		return nil
	})
	if err == nil && a.ctx.Err() == nil {
		d.Tell(root, what)
	}
}

// close drops what waits, and ends and waits for what runs.
func (a *afterwards) close() {
	a.mu.Lock()
	a.closed = true
	for _, w := range a.waiting {
		w.timer.Stop()
	}
	if a.cancel != nil {
		a.cancel()
	}
	a.mu.Unlock()
	a.running.Wait()
}
