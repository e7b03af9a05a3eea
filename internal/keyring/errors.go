package keyring

import (
	"context"
	"errors"
)

// Kinds of errors, to be tested for with errors.Is.
var (
	ErrNotFound    = errors.New("no key is stored")
	ErrLocked      = errors.New("the keyring is locked")
	ErrUnavailable = errors.New("no keyring can be used")
	ErrInvalid     = errors.New("this can't be used as a key")
	ErrUnsafeFile  = errors.New("the file with the key is not safe")
	ErrElsewhere   = errors.New("the key is for another address")
)

// Error is why a key can't be had or stored. It never holds any part of a key.
type Error struct {
	Kind     error  // one of the above
	Provider string // "" if it doesn't matter
	Detail   string // what was found; may be empty
	Fix      string // what the person can do; may be empty
	cause    error  // of a context that ended
}

// Error is one line, without what to do.
func (e *Error) Error() string {
	s := e.Kind.Error()
	if e.Kind == ErrNotFound && e.Provider != "" {
		s += " for " + e.Provider
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// Hint says what the person can do, or nothing.
func (e *Error) Hint() string { return e.Fix }

// Unwrap gives the kind, and the context's error if that ended the call.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.cause}
}

// explain adds to an error of the keyring what the person can do.
func (r *Ring) explain(err error, provider string) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	e.Provider = provider
	if errors.Is(e.cause, context.Canceled) {
		return e
	}
	other := "set " + r.variables(provider)
	if r.dir != "" {
		other += ", or keep the key in a file with `recollect auth set " + provider + " --file`"
	}
	switch e.Kind {
	case ErrLocked:
		e.Fix = "unlock the keyring (log in to the desktop, or open its password manager), or " + other
	case ErrUnavailable:
		e.Fix = other
	}
	return e
}
