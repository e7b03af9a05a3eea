package keyring

import (
	"context"
	"errors"
	"fmt"
	"time"

	gokeyring "github.com/zalando/go-keyring"
)

// system is the keyring of the system with a limit on time.
//
// A library call into it can't be stopped: it may wait for a dialog that nobody
// sees. It runs in a goroutine of its own then, and goes on there alone. There
// is at most one such goroutine: until it is done further calls fail.
type system struct {
	probeWait time.Duration
	askWait   time.Duration
	prompt    time.Duration // for a person; 0: no dialog
	slot      chan struct{} // holds one token while a call is under way

	// probe says whether a call will be answered. It takes no longer than wait,
	// and prompt on top if there is a dialog.
	probe    func(ctx context.Context, wait, prompt time.Duration) error
	setFn    func(service, user, secret string) error
	getFn    func(service, user string) (string, error)
	deleteFn func(service, user string) error
}

func newSystem(prompt time.Duration) *system {
	return &system{
		probeWait: probeWait, askWait: askWait, prompt: prompt, slot: make(chan struct{}, 1),
		probe: probe,
		setFn: gokeyring.Set, getFn: gokeyring.Get, deleteFn: gokeyring.Delete,
	}
}

func (s *system) get(ctx context.Context, service, user string) (Key, error) {
	text, err := s.call(ctx, func() (string, error) { return s.getFn(service, user) })
	if err != nil {
		return Key{}, err
	}
	key, err := unseal(user, text)
	if err != nil {
		return Key{}, &Error{Kind: ErrInvalid, Detail: "what the keyring holds is no key", Fix: "store it anew with `recollect auth set " + user + "`"}
	}
	return key, nil
}

func (s *system) set(ctx context.Context, service, user string, key Key) error {
	_, err := s.call(ctx, func() (string, error) { return "", s.setFn(service, user, key.seal()) })
	return err
}

func (s *system) delete(ctx context.Context, service, user string) error {
	_, err := s.call(ctx, func() (string, error) { return "", s.deleteFn(service, user) })
	return err
}

// call probes the keyring and then asks it. Its errors are *Error.
func (s *system) call(ctx context.Context, ask func() (string, error)) (string, error) {
	if ctx.Err() != nil {
		return "", ended(ctx)
	}
	patience := time.NewTimer(s.probeWait + s.prompt + s.askWait)
	defer patience.Stop()
	select {
	case s.slot <- struct{}{}:
	case <-ctx.Done():
		return "", ended(ctx)
	case <-patience.C:
		return "", &Error{Kind: ErrUnavailable, Detail: "an earlier call still waits for the keyring"}
	}
	type answer struct {
		text string
		err  error
	}
	wanted, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan answer, 1)
	go func() {
		defer func() { <-s.slot }()
		text, err := s.probeAndAsk(wanted, ask)
		done <- answer{text, err}
	}()
	select {
	case a := <-done:
		return a.text, translate(ctx, a.err)
	case <-ctx.Done():
		return "", ended(ctx)
	case <-patience.C:
		return "", noAnswer()
	}
}

func (s *system) probeAndAsk(ctx context.Context, ask func() (string, error)) (text string, err error) {
	defer func() {
		if recover() != nil { // the library's, when the bus goes away in the middle of a dialog
			text, err = "", &Error{Kind: ErrUnavailable, Detail: "the keyring broke off"}
		}
	}()
	if err := s.probe(ctx, s.probeWait, s.prompt); err != nil {
		return "", err
	}
	if ctx.Err() != nil {
		return "", ended(ctx) // nobody waits for the answer any more
	}
	return ask()
}

func noAnswer() *Error {
	return &Error{Kind: ErrUnavailable, Detail: "it does not answer; a dialog may be hidden behind another window"}
}

func ended(ctx context.Context) *Error {
	return &Error{Kind: ErrUnavailable, Detail: "the wait for it was given up", cause: context.Cause(ctx)}
}

// translate makes an *Error of what the library says. Its messages are shown
// only where they can't hold what it was given: by their type.
func translate(ctx context.Context, err error) error {
	var own *Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, gokeyring.ErrNotFound):
		return &Error{Kind: ErrNotFound}
	case errors.Is(err, gokeyring.ErrSetDataTooBig):
		return &Error{Kind: ErrInvalid, Detail: "it is too long for the keyring"}
	case ctx.Err() != nil:
		return ended(ctx)
	case errors.As(err, &own):
		return own
	case errors.Is(err, gokeyring.ErrUnsupportedPlatform):
		return &Error{Kind: ErrUnavailable, Detail: "this system has none"}
	}
	return &Error{Kind: ErrUnavailable, Detail: fmt.Sprintf("it refused (%T)", err)}
}
