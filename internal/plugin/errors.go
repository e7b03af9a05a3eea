package plugin

import (
	"context"
	"errors"
	"fmt"

	"recollect/internal/printable"
)

// Kind says what went wrong with a plug-in, so that the edge can explain it.
type Kind string

// The kinds of Error.
const (
	KindUnsupported Kind = "unsupported"    // it has no export for the verb
	KindFailed      Kind = "failed"         // it answered an error of its own
	KindTrap        Kind = "trap"           // it crashed or ended itself
	KindDeadline    Kind = "deadline"       // it took longer than it may
	KindMemory      Kind = "memory"         // it wanted more memory than it may
	KindLimit       Kind = "limit"          // a request, reply or number of host calls beyond its limit
	KindInvalid     Kind = "invalid module" // its module, package or answer is not of the contract
	KindDenied      Kind = "denied"         // it is disabled or not approved
	KindNotFound    Kind = "not found"      // there is no plug-in of this id
	KindPaused      Kind = "paused"         // it failed too often; see [Plugin.Resume]
	KindCancelled   Kind = "cancelled"      // the caller stopped the call
)

// Error is a plug-in that could not do what it was called for.
type Error struct {
	Plugin string // id, or the package's file name as long as the id is not known; one line
	Verb   string // of rc/1 without its prefix: "extract"; empty outside a call
	Kind   Kind
	Reason string // for the person: the rest of a sentence, one line
	Detail string // for the author: stack and standard error; many lines, may be empty
	Err    error  // cause, may be nil
}

// Error implements error.
func (e *Error) Error() string {
	where := ""
	if e.Verb != "" {
		where = ", " + e.Verb
	}
	return fmt.Sprintf("plug-in %s%s: %s", e.Plugin, where, e.Reason)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Bounds of an Error's texts, in characters.
const (
	maxReason = 600
	maxDetail = 8 << 10
)

// newError is the one way to make an Error: what a stranger wrote may be in the
// id, the reason and the cause.
func newError(id, verb string, kind Kind, reason string, cause error) *Error {
	return &Error{Plugin: printable.Line(id, 140), Verb: printable.Line(verb, 40), Kind: kind, Reason: printable.Line(reason, maxReason), Err: cause}
}

// IsKind says whether err is an Error of this kind.
func IsKind(err error, kind Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}

// abort ends a call from within a host function: wazero turns the panic that
// carries it into an error that wraps it.
type abort struct {
	kind   Kind
	reason string
}

func (a *abort) Error() string { return a.reason }

// errDeadline is the cause of a context that the plug-in's own clock ended, and
// errWaits of one that waited too long for models.
var (
	errDeadline = errors.New("the plug-in's time is used up")
	errWaits    = errors.New("the plug-in's time to wait for models is used up")
)

// fault makes the Error of a call from what wazero or the checks gave. It knows
// a caller's cancellation from the plug-in's own deadline by the cause of ctx.
func fault(ctx context.Context, err error, detail string) *Error {
	e := newError("", "", KindTrap, "", err)
	e.Detail = detail
	var a *abort
	switch cause := context.Cause(ctx); {
	case errors.As(err, &a):
		e.Kind, e.Reason = a.kind, printable.Line(a.reason, maxReason)
	case errors.Is(err, errDeadline) || errors.Is(cause, errDeadline):
		e.Kind, e.Err = KindDeadline, errDeadline
	case errors.Is(err, errWaits) || errors.Is(cause, errWaits):
		e.Kind, e.Err = KindDeadline, errWaits
	case cause != nil:
		e.Kind, e.Reason, e.Err = KindCancelled, "the call was stopped", cause
	}
	return e
}
