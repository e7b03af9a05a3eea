package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"recollect/internal/printable"
)

// Kind says what went wrong with a call, and so what can be done about it.
type Kind string

// The kinds of errors.
const (
	RateLimited  Kind = "rate-limited"  // too much asked; Error.Until tells when to come back, if the vendor did
	Overloaded   Kind = "overloaded"    // the vendor has no capacity now
	Unavailable  Kind = "unavailable"   // the vendor can't be reached, broke off, or is out of order
	Timeout      Kind = "timeout"       // no whole reply in the time given
	Malformed    Kind = "malformed"     // it answered, but not in its own protocol, or beyond all limits
	Cancelled    Kind = "cancelled"     // our side gave up
	Auth         Kind = "auth"          // no key, a wrong one, not logged in, no right to the model
	Withheld     Kind = "key-withheld"  // the key that there is belongs to another address; nothing was sent
	NotInstalled Kind = "not-installed" // the program that was to be asked is not there
	Refused      Kind = "refused"       // the model or the vendor declined to answer this
	BadRequest   Kind = "bad-request"   // the vendor can't do what was asked: unknown model, too long
	OverBudget   Kind = "over-budget"   // the money or tokens set aside are used up
)

// Error is why a call failed. It never holds a key or any part of a prompt.
type Error struct {
	Kind   Kind
	Client string    // Client.Name
	Detail string    // what was said about it, cleaned by Clean; may be empty
	Fix    string    // what mends it, where more is known than the kind tells; may be empty
	Until  time.Time // RateLimited, Overloaded: asking before then is useless; zero: not known
	Err    error     // cause; set only where callers may test for it
}

var sentences = map[Kind]struct{ what, hint string }{
	RateLimited:  {"the limit of requests is reached", "wait, or raise the limit at the vendor"},
	Overloaded:   {"the model is overloaded", "try again in some minutes"},
	Unavailable:  {"the model can't be reached", "check the network and the address, then try again"},
	Timeout:      {"the model did not answer in time", "try again, with a smaller prompt or a longer time limit"},
	Malformed:    {"the answer can't be understood", "try again; if it stays so, check that the address belongs to such a model"},
	Cancelled:    {"the call was cancelled", ""},
	Auth:         {"the model refused our credentials", "check the key with `recollect auth status`"},
	Withheld:     {"nothing was sent", "store a key for this address with `recollect auth set --for`"},
	NotInstalled: {"the program is not installed", "install it, or choose another client"},
	Refused:      {"the model declined to answer", "nothing needs to be done; another model may answer"},
	BadRequest:   {"the model can't do what was asked", "check the name of the model and the length of the prompt"},
	OverBudget:   {"the budget is used up", "raise the budget, or wait until it starts anew"},
}

// Error is one line, without the hint.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Client != "" {
		b.WriteString(e.Client + ": ")
	}
	what := sentences[e.Kind].what
	if what == "" {
		what = string(e.Kind)
	}
	b.WriteString(what)
	if !e.Until.IsZero() {
		fmt.Fprintf(&b, " until %s", printable.Time(e.Until))
	}
	if e.Detail != "" {
		b.WriteString(": " + e.Detail)
	}
	return b.String()
}

// Hint says in a few words what the person can do, or nothing.
func (e *Error) Hint() string {
	if e.Fix != "" {
		return e.Fix
	}
	return sentences[e.Kind].hint
}

func (e *Error) Unwrap() error { return e.Err }

// Retriable tells if the same prompt may get an answer later, with nobody doing
// anything about it.
func (e *Error) Retriable() bool {
	switch e.Kind {
	case RateLimited, Overloaded, Unavailable, Timeout, Malformed:
		return true
	}
	return false
}

// KindOf is the kind of an error of a client. An error that is none of ours is
// Unavailable, or what its context error says; nil has no kind.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Kind
	case errors.Is(err, context.Canceled):
		return Cancelled
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout
	}
	return Unavailable
}

// ContextError is the error for a context that has ended, or nil. Of a deadline
// that is over it says Timeout, of anything else Cancelled.
func ContextError(ctx context.Context, client string) *Error {
	switch err := ctx.Err(); {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Kind: Timeout, Client: client, Err: err}
	default:
		return &Error{Kind: Cancelled, Client: client, Err: err}
	}
}

// maxDetail is what of a vendor's message is shown, in runes.
const maxDetail = 300

// Clean makes one short printable line of what a vendor said, without the
// secrets: an endpoint may send back the key that it was sent.
func Clean(message string, secrets ...string) string {
	message = strings.ToValidUTF8(message[:min(len(message), 64<<10)], "\uFFFD")
	message = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, message)
	message = strings.Join(strings.Fields(message), " ")
	for _, s := range secrets {
		if s != "" {
			message = strings.ReplaceAll(message, s, "[key]")
		}
	}
	n := 0
	for i := range message {
		if n == maxDetail {
			return message[:i] + "…"
		}
		n++
	}
	return message
}
