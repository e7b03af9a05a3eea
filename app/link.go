package app

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"recollect/internal/engine"
	"recollect/internal/peer"
)

// link is the window's way to the background service, which may come and go.
type link struct {
	folder string
	tell   func(event string, data any)

	done   sync.WaitGroup
	cancel context.CancelFunc

	mu    sync.Mutex
	there bool
}

const (
	// lookAgain is how often a service that was not there is looked for.
	lookAgain = 15 * time.Second
	// answerWait is how long the service has for a small answer.
	answerWait = 5 * time.Second
)

func (l *link) dialOptions() peer.DialOptions {
	return peer.DialOptions{Folder: l.folder, Role: peer.Service, Version: version}
}

// begin listens to the service from now on, whenever it runs.
func (l *link) begin(ctx context.Context) {
	ctx, l.cancel = context.WithCancel(ctx)
	l.done.Go(func() {
		for ctx.Err() == nil {
			l.listen(ctx)
			select {
			case <-ctx.Done():
			case <-time.After(lookAgain):
			}
		}
	})
}

func (l *link) end() {
	if l.cancel != nil {
		l.cancel()
	}
	l.done.Wait()
}

// listen passes events on until the service is gone.
func (l *link) listen(ctx context.Context) {
	s, err := peer.Subscribe(ctx, l.dialOptions())
	if err != nil {
		return
	}
	defer s.Close()
	l.set(true)
	defer l.set(false)
	for {
		told, err := s.Next(ctx)
		if err != nil {
			return
		}
		l.pass(told)
	}
}

func (l *link) set(there bool) {
	l.mu.Lock()
	l.there = there
	l.mu.Unlock()
	l.tell(engine.EventChanged, &engine.Changed{What: "service"})
}

// running says whether the service is there.
func (l *link) running() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.there
}

func (l *link) pass(told peer.Told) {
	switch told.Name {
	case engine.EventJob, engine.EventEnded:
		var j engine.Job
		if json.Unmarshal(told.Data, &j) == nil {
			l.tell(told.Name, theirs(j))
		}
	case engine.EventChanged:
		var c engine.Changed
		if json.Unmarshal(told.Data, &c) == nil {
			l.tell(told.Name, &c)
		}
	}
}

// call asks the service for something. The error wraps peer.ErrNotRunning if it
// is not there.
func (l *link) call(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	c, err := peer.Dial(ctx, l.dialOptions())
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Call(ctx, method, params, result)
}

// jobs are those of the service; none if it is not there.
func (l *link) jobs(ctx context.Context) []engine.Job {
	if !l.running() {
		return nil
	}
	var list []engine.Job
	if err := l.call(ctx, "jobs", nil, &list); err != nil && !errors.Is(err, peer.ErrNotRunning) {
		return nil
	}
	for i, j := range list {
		list[i] = theirs(j)
	}
	return list
}
