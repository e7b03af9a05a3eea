package plugin

import (
	"context"
	"sync"
	"time"
)

const (
	maxInstances = 8       // of one module at once; further calls wait
	maxIdle      = 4       // kept for the next calls
	maxCalls     = 1000    // of one instance
	maxGrowth    = 4       // times its image; what grew more is not kept
	smallMemory  = 1 << 20 // bytes that a memory may grow to in any case
	idleFor      = time.Minute
)

// pool keeps the instances of a module. One is either with one call or idle, and
// an idle one is as the image says. A module that can't be set back has no idle
// ones.
type pool struct {
	slots chan struct{} // one for each instance that a call has

	mu     sync.Mutex
	image  *image
	idle   []*instance // the last one used last
	sweep  *time.Timer
	closed bool
}

func newPool() *pool { return &pool{slots: make(chan struct{}, maxInstances)} }

// enter waits until one more call may have an instance.
func (p *pool) enter(ctx context.Context) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	default:
	}
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *pool) leave() { <-p.slots }

// take gives the call an instance that no call has touched, or one that is like
// it.
func (p *pool) take(s *session, m *module) (*instance, error) {
	in, im := p.pop()
	if in != nil {
		in.world.session = s
		s.stderr.Write(im.stderr)
		return in, nil
	}
	in, err := m.instantiate(s)
	if err != nil {
		return nil, err
	}
	if im != nil && in.clean && !s.talked && in.restore(im) {
		in.world.session = s
		s.stderr = tail{}
		s.stderr.Write(im.stderr)
		return in, nil
	}
	if im, err = in.initialize(s); err != nil {
		s.measure(in)
		in.close()
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.image == nil {
		p.image = im
	}
	return in, nil
}

func (p *pool) pop() (*instance, *image) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle)
	if n == 0 {
		return nil, p.image
	}
	in := p.idle[n-1]
	p.idle[n-1] = nil
	p.idle = p.idle[:n-1]
	return in, p.image
}

// give takes an instance back after a call that ended well, and sets it back at
// once, so that nothing of the call stays in memory.
func (p *pool) give(in *instance) {
	p.mu.Lock()
	im := p.image
	p.mu.Unlock()
	in.calls++
	if !in.keeps(im) || !in.restore(im) || !p.push(in) {
		in.close()
	}
}

// keeps says whether the instance is worth to be set back to the image.
func (in *instance) keeps(im *image) bool {
	return im != nil && in.clean && in.calls < maxCalls &&
		int64(in.guest.Memory().Size()) <= max(maxGrowth*int64(im.size), smallMemory)
}

func (p *pool) push(in *instance) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.idle) >= maxIdle {
		return false
	}
	p.idle = append(p.idle, in)
	if p.sweep == nil {
		p.sweep = time.AfterFunc(idleFor, p.release)
	} else {
		p.sweep.Reset(idleFor)
	}
	return true
}

// release closes the idle instances.
func (p *pool) release() {
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, in := range idle {
		in.close()
	}
}

// close closes the idle instances and keeps no more.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	if p.sweep != nil {
		p.sweep.Stop()
	}
	p.mu.Unlock()
	p.release()
}
