//go:build !darwin || cgo

// Package tray is the icon in the panel with its menu: a view of the background
// service and nothing more. It is the only user of the tray library.
package tray

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"sync"
	"time"

	"fyne.io/systray"

	"recollect/internal/service"
	"recollect/internal/service/desktop"
)

//go:generate go run draw_icons.go

// Tray implements service.Tray. There is one per process, and it runs once: the
// library can't do more.
type Tray struct {
	log *slog.Logger

	mu   sync.Mutex
	view service.View
	wake chan struct{} // holds a token when view is new
}

// New makes a tray that writes what goes wrong to log.
func New(log *slog.Logger) *Tray {
	return &Tray{log: log, wake: make(chan struct{}, 1)}
}

// Show implements service.Tray.
func (t *Tray) Show(v service.View) {
	t.mu.Lock()
	t.view = v
	t.mu.Unlock()
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

func (t *Tray) latest() service.View {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.view
}

// Run implements service.Tray. The library is not touched where there is no
// session: it would start a bus of its own, and panic at the end.
func (t *Tray) Run(ctx context.Context, act func(service.Action)) error {
	if err := desktop.Session(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return nil
	}
	unpin := pin()
	defer unpin()
	defer t.listen()()
	var broken error // set before Quit is called
	ready := func() {
		var m *menu
		if broken = guard(func() { m = build(t.latest()) }); broken != nil {
			systray.Quit()
			return
		}
		m.clicks(ctx, act)
		go func() {
			defer systray.Quit()
			broken = t.follow(ctx, m)
		}()
	}
	err := guard(func() {
		prepare(t.latest())
		systray.Run(ready, func() {})
	})
	if broken != nil || ctx.Err() != nil {
		return broken
	}
	return err
}

// guard turns the panics into errors that the library answers the end of the
// session with.
func guard(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the session ended: %v", r)
		}
	}()
	f()
	return nil
}

const (
	// applyEvery keeps a fast run from redrawing the menu all the time.
	applyEvery = 250 * time.Millisecond
	// again is when everything is shown a second time: what is set while the
	// library is just starting can get lost.
	again = time.Second
)

// follow shows what is new until ctx is done or the session ends.
func (t *Tray) follow(ctx context.Context, m *menu) error {
	once := time.NewTimer(again)
	defer once.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-once.C:
			m.forget()
		case <-t.wake:
		}
		if err := guard(func() { m.apply(t.latest()) }); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(applyEvery):
		}
	}
}

// listen takes over what the library writes to the standard log: each message
// once, for it says again and again that there is no panel. It returns what
// gives the log back.
func (t *Tray) listen() func() {
	before, flags := log.Writer(), log.Flags()
	log.SetOutput(&once{log: t.log, said: map[string]bool{}})
	log.SetFlags(0)
	return func() {
		log.SetOutput(before)
		log.SetFlags(flags)
	}
}

// once is a writer of messages that tells each only once.
type once struct {
	log  *slog.Logger
	said map[string]bool // the log calls Write from one goroutine at a time
}

// maxSaid bounds what is remembered.
const maxSaid = 32

// Write implements io.Writer.
func (o *once) Write(message []byte) (int, error) {
	text := string(message)
	if !o.said[text] && len(o.said) < maxSaid {
		o.said[text] = true
		o.log.Warn("the tray may not be seen; the window and the command line do the same", "why", text)
	}
	return len(message), nil
}
