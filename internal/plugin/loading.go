package plugin

import (
	"context"
	"errors"
	"sync"
	"time"
)

// loading is a module on its way to those that need it. It goes on as long as
// one of them waits, and also after a call that did not need to wait any more.
type loading struct {
	over   context.Context // done when mod and err are known
	mod    *module
	err    error
	cancel context.CancelCauseFunc

	missed chan struct{}           // closed when a child has to compile it
	enough chan struct{}           // closed when a call was answered by the interpreted module
	slow   func() (*module, error) // gives the interpreted module, made once; set before missed is closed
	made   *module                 // what slow gave
	took   time.Duration           // for that

	// Guarded by Plugin.load.
	waiting  int  // calls that have not left
	answered bool // as enough says
	ended    bool // as over says
}

// module gives the compiled module, and loads it when it is needed first; nil if
// the package has none. A failure is not kept: the next call tries again. If a
// child has to compile it and meanwhile is not nil, the two race, and with the
// error errAnswered the attempt was first.
func (p *Plugin) module(ctx context.Context, meanwhile attempt) (*module, error) {
	mod, l, err := p.enter(ctx, &meanwhile)
	if l == nil {
		return mod, err
	}
	defer func() { p.leave(ctx, l) }()
	missed := l.missed
	if meanwhile == nil {
		missed = nil
	}
	select {
	case <-missed:
		if l.attempt(ctx, meanwhile, p.host.spared) && p.answered(l) {
			return nil, errAnswered
		}
	case <-l.over.Done():
	case <-ctx.Done():
	}
	select {
	case <-l.over.Done():
		return l.mod, l.err
	case <-ctx.Done():
		return nil, p.host.stopped(ctx, code{plugin: p.Manifest.ID}, context.Cause(ctx))
	}
}

// enter gives the module if it is there, else a loading that the call must leave.
// After a failure nothing is attempted: the module may be one that has to be
// refused.
func (p *Plugin) enter(ctx context.Context, meanwhile *attempt) (*module, *loading, error) {
	p.load.Lock()
	defer p.load.Unlock()
	if p.closed {
		return nil, nil, errors.New("the host is closed")
	}
	if p.mod != nil {
		return p.mod, nil, nil
	}
	if p.failed {
		*meanwhile = nil
	}
	if p.loading == nil {
		p.loading = p.begin(ctx)
	}
	p.loading.waiting++
	return nil, p.loading, nil
}

func (p *Plugin) begin(ctx context.Context) *loading {
	l := &loading{missed: make(chan struct{}), enough: make(chan struct{})}
	ctx, l.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	over, end := context.WithCancel(context.Background())
	l.over = over
	go func() {
		mod, err := p.fetch(ctx, func(c code) {
			l.slow = sync.OnceValues(func() (*module, error) {
				var err error
				began := time.Now()
				l.made, err = interpret(ctx, c)
				l.took = time.Since(began)
				return l.made, err
			})
			close(l.missed)
		}, l.enough)
		p.load.Lock()
		l.mod, l.err, l.ended = mod, err, true
		wanted := p.loading == l
		if wanted {
			p.mod, p.loading, p.failed = mod, nil, err != nil
		}
		unused := l.waiting == 0
		p.load.Unlock()
		if !wanted && mod != nil {
			mod.close()
		}
		if unused {
			l.free()
		}
		l.cancel(nil)
		end()
	}()
	return l
}

// leave ends the loading if the caller has stopped the last call that needs it.
func (p *Plugin) leave(ctx context.Context, l *loading) {
	p.load.Lock()
	l.waiting--
	last, ended := l.waiting == 0, l.ended
	alone := last && !ended && !l.answered
	if alone {
		p.loading = nil
		l.cancel(context.Cause(ctx))
	}
	p.load.Unlock()
	switch {
	case alone:
		<-l.over.Done()
	case last && ended:
		l.free()
	}
}

// free frees the interpreted module when no call is in it.
func (l *loading) free() {
	if l.made != nil {
		l.made.close()
	}
}
