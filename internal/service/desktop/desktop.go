// Package desktop deals with the session of the desktop that a person is logged
// in to: whether there is one, and how to tell them something.
package desktop

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// ErrNoSession says that there is no desktop session that could be talked to.
var ErrNoSession = errors.New("there is no desktop session here (no D-Bus session bus)")

// wait is how long a session has to answer.
const wait = 5 * time.Second

// Notifier shows notifications. Its method may be called from several
// goroutines.
type Notifier struct {
	log  *slog.Logger
	slot chan struct{} // holds a token while a notification is on its way
	send func(ctx context.Context, title, text string) error
}

// NewNotifier makes one that writes what goes wrong to log.
func NewNotifier(log *slog.Logger) *Notifier {
	return &Notifier{log: log, slot: make(chan struct{}, 1), send: send}
}

// Notify shows a notification, if there is a desktop. It does not block. One
// that comes while another is on its way is dropped: a desktop that does not
// answer must not collect them.
func (n *Notifier) Notify(title, text string) {
	select {
	case n.slot <- struct{}{}:
	default:
		return
	}
	go func() {
		defer func() { <-n.slot }()
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		defer cancel()
		if err := n.send(ctx, title, text); err != nil && !errors.Is(err, ErrNoSession) {
			n.log.Warn("no notification", "why", err)
		}
	}()
}
