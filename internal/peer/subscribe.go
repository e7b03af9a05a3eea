package peer

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Subscription receives what a holder of a role tells. It has a connection of
// its own, so that a slow reader holds nothing else up.
type Subscription struct{ c *Client }

// Told is an event as a subscriber gets it.
type Told struct {
	Name string
	Data json.RawMessage
}

// Subscribe begins to listen. What happened before is not told: a subscriber
// reads how things stand once Subscribe has returned, then the events.
func Subscribe(ctx context.Context, o DialOptions) (*Subscription, error) {
	c, err := connect(ctx, o)
	if err != nil {
		return nil, err
	}
	_ = c.nc.SetDeadline(time.Now().Add(helloWait))
	if err := c.send(frame{ID: 1, Method: eventsMethod}); err != nil {
		c.nc.Close()
		return nil, err
	}
	f, err := readFrame(c.r)
	if err == nil && f.Error != nil {
		err = f.Error
	}
	if err != nil {
		c.nc.Close()
		return nil, fmt.Errorf("%w (%v)", ErrGone, err)
	}
	_ = c.nc.SetDeadline(time.Time{})
	return &Subscription{c}, nil
}

// Next waits for the next event. The error is that of ctx, after which the
// subscription is of no use, or wraps ErrGone. One goroutine calls it at a time.
func (s *Subscription) Next(ctx context.Context) (Told, error) {
	defer context.AfterFunc(ctx, func() { s.c.nc.Close() })()
	for {
		f, err := readFrame(s.c.r)
		switch {
		case ctx.Err() != nil:
			return Told{}, ctx.Err()
		case err != nil:
			return Told{}, fmt.Errorf("%w (%v)", ErrGone, err)
		case f.Event != "":
			return Told{f.Event, f.Data}, nil
		}
	}
}

// Close ends the subscription.
func (s *Subscription) Close() error { return s.c.nc.Close() }
