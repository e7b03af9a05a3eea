package peer

import "sync"

// queue holds what one connection is still to be sent. Answers and results wait
// their turn; of the progress of one thing only the last word waits. A queue
// that is full of results is overrun: its connection is ended, so that the other
// side notices and reads anew.
type queue struct {
	mu      sync.Mutex
	waiting []outgoing
	overrun bool
	wake    chan struct{} // holds a token when something waits
}

type outgoing struct {
	line  []byte
	key   string // of the thing that is told about; "" for an answer
	lossy bool
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

// push adds a message, or replaces what it makes out of date.
func (q *queue) push(o outgoing) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if o.key != "" {
		for i, w := range q.waiting {
			if w.lossy && w.key == o.key {
				if o.lossy {
					q.waiting[i] = o
					return
				}
				q.remove(i)
				break
			}
		}
	}
	if len(q.waiting) >= MaxQueued+MaxInFlight {
		if o.lossy {
			return
		}
		if !q.dropLossy() {
			q.overrun = true
		}
	}
	if !q.overrun {
		q.waiting = append(q.waiting, o)
	}
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *queue) dropLossy() bool {
	for i, w := range q.waiting {
		if w.lossy {
			q.remove(i)
			return true
		}
	}
	return false
}

func (q *queue) remove(i int) { q.waiting = append(q.waiting[:i], q.waiting[i+1:]...) }

// pop takes the next message; ok is false if none waits.
func (q *queue) pop() (line []byte, ok, overrun bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.overrun || len(q.waiting) == 0 {
		return nil, false, q.overrun
	}
	line = q.waiting[0].line
	q.remove(0)
	if len(q.waiting) == 0 {
		q.waiting = nil // gives the memory of a busy time back
	}
	return line, true, false
}

func (q *queue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.overrun || len(q.waiting) == 0
}
