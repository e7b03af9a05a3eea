// Package retry asks a model again where that can help, and leaves a vendor in
// peace where it can't.
//
//   - An error that nobody can sit out is passed on at once.
//   - A vendor that says when to come back is not asked before, neither in this
//     process nor in the next one.
//   - Without such a time the waits grow exponentially, with jitter.
//   - After some failures in a row the vendor's circuit opens: calls fail at once
//     for a while, then one is let through to try.
//
// A vendor is a client with what it asks: another address or model of the same
// provider may work where this one does not. What is known of them stands in a small file that all processes share.
// It holds no key, prompt or reply. If it can't be read or written the package
// works with what this process knows.
package retry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"recollect/internal/llm"
)

// Options of retries. The zero value is sensible; without a State nothing is
// known after a restart.
type Options struct {
	State    string        // path of the file; "": none
	Of       string        // what the client asks, such as address and model: each is in peace for itself; may be ""
	Tries    int           // the first one among them; 0: 4
	Base     time.Duration // the first wait without a time from the vendor; 0: 1 s
	Most     time.Duration // the longest of these waits; 0: 30 s
	Patience time.Duration // the longest wait for a time that the vendor named; 0: 1 min
	Fails    int           // failures in a row that open the circuit; 0: 5
	Open     time.Duration // how long it stays open at first, doubled each time; 0: 1 min

	Now   func() time.Time                                 // nil: time.Now
	Sleep func(context.Context, time.Duration) error       // nil: the clock's; ends with the context's error
	Rand  func() float64                                   // from 0 to 1; nil: math/rand's
	Note  func(wait time.Duration, try int, because error) // told before each wait; may be nil
}

func (o Options) filled() Options {
	o.Tries = cmp.Or(o.Tries, 4)
	o.Base = cmp.Or(o.Base, time.Second)
	o.Most = cmp.Or(o.Most, 30*time.Second)
	o.Patience = cmp.Or(o.Patience, time.Minute)
	o.Fails = cmp.Or(o.Fails, 5)
	o.Open = cmp.Or(o.Open, time.Minute)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Rand == nil {
		o.Rand = rand.Float64
	}
	if o.Note == nil {
		o.Note = func(time.Duration, int, error) {}
	}
	return o
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Client asks the inner client, and again. Every try is a call of the inner
// one: a budget inside counts them all and ends them.
func Client(inner llm.Client, o Options) llm.Client {
	o = o.filled()
	return &client{inner: inner, o: o, state: &state{path: o.State, now: o.Now}}
}

type client struct {
	inner llm.Client
	o     Options
	state *state
}

// Name is the inner client's.
func (c *client) Name() string { return c.inner.Name() }

// who names the vendor whose state is looked at.
func (c *client) who() string { return vendorName(c.Name(), c.o.Of) }

// Complete asks up to Options.Tries times. The Completion tells what all tries
// used up together.
func (c *client) Complete(ctx context.Context, p llm.Prompt) (llm.Completion, error) {
	var used llm.Completion
	var last error
	for try := 1; ; try++ {
		if err := c.admit(ctx, last); err != nil {
			return used, err
		}
		reply, err := c.inner.Complete(ctx, p)
		used = together(used, reply)
		if err == nil {
			c.state.succeeded(c.who())
			return used, nil
		}
		last = err
		wait, again := c.judge(ctx, err, try)
		if !again {
			return used, err
		}
		c.o.Note(wait, try, err)
		if c.o.Sleep(ctx, wait) != nil {
			return used, c.gaveUp(ctx, err)
		}
	}
}

// together adds up what two tries took; the rest is the later one's.
func together(before, now llm.Completion) llm.Completion {
	now.InputTokens += before.InputTokens
	now.OutputTokens += before.OutputTokens
	now.Cost += before.Cost
	return now
}

// admit waits until the vendor may be asked, or says why it can't be.
func (c *client) admit(ctx context.Context, last error) error {
	var waited time.Duration
	for {
		if ctx.Err() != nil {
			return c.gaveUp(ctx, last)
		}
		gate := c.state.ask(c.who(), c.o.Open)
		switch {
		case gate.circuit:
			return &llm.Error{Kind: llm.Unavailable, Client: c.Name(), Until: gate.until, Err: last,
				Detail: fmt.Sprintf("it failed %d times in a row and is left in peace", gate.fails),
				Fix:    "try again then; the last failure was: " + (&llm.Error{Kind: gate.kind, Detail: gate.why}).Error()}
		case gate.wait <= 0:
			return nil
		case waited+gate.wait > c.o.Patience || !inTime(ctx, c.o.Now(), gate.wait):
			return &llm.Error{Kind: gate.kind, Client: c.Name(), Until: gate.until, Err: last, Detail: gate.why}
		}
		waited += gate.wait
		c.o.Note(gate.wait, 0, &llm.Error{Kind: gate.kind, Client: c.Name(), Until: gate.until, Detail: gate.why})
		if c.o.Sleep(ctx, gate.wait) != nil {
			return c.gaveUp(ctx, last)
		}
	}
}

// judge notes a failure and tells whether, and after which wait, to try again.
func (c *client) judge(ctx context.Context, err error, try int) (wait time.Duration, again bool) {
	kind := llm.KindOf(err)
	e := asError(err)
	switch {
	case kind == llm.Cancelled || kind == llm.OverBudget || kind == llm.NotInstalled:
		c.state.neutral(c.who()) // tells nothing about the vendor
		return 0, false
	case !e.Retriable():
		c.state.succeeded(c.who()) // it is there, and it answered
		return 0, false
	case ctx.Err() != nil:
		c.state.neutral(c.who()) // our own time was up
		return 0, false
	}
	if c.state.failed(c.who(), e, c.o.Fails, c.o.Open) || try >= c.o.Tries {
		return 0, false
	}
	wait = c.backoff(try)
	if !e.Until.IsZero() {
		until := e.Until.Sub(c.o.Now())
		if until > c.o.Patience {
			return 0, false
		}
		wait = max(until, 0) + wait/4 // a little apart: all who wait come back at the same time
	}
	return wait, inTime(ctx, c.o.Now(), wait)
}

// backoff is between half and all of a wait that doubles from try to try.
func (c *client) backoff(try int) time.Duration {
	d := c.o.Base
	for i := 1; i < try && d < c.o.Most; i++ {
		d *= 2
	}
	d = min(d, c.o.Most)
	return d/2 + time.Duration(c.o.Rand()*float64(d/2))
}

// inTime says whether the context will outlive a wait.
func inTime(ctx context.Context, now time.Time, wait time.Duration) bool {
	end, ok := ctx.Deadline()
	return !ok || now.Add(wait).Before(end)
}

// gaveUp is the error when the context ends between tries.
func (c *client) gaveUp(ctx context.Context, last error) error {
	e := llm.ContextError(ctx, c.Name())
	if e == nil {
		e = &llm.Error{Kind: llm.Cancelled, Client: c.Name()}
	}
	if last != nil {
		e.Detail = "while waiting to try again; the failure before was: " + llm.Clean(last.Error())
	}
	return e
}

func asError(err error) *llm.Error {
	var e *llm.Error
	if errors.As(err, &e) {
		return e
	}
	return &llm.Error{Kind: llm.KindOf(err), Detail: llm.Clean(err.Error())}
}
