// Package peer lets the programs of one person on one machine find each other
// and talk: the background service and the window are one process each, and
// everybody else is their client.
//
// # One per person
//
// A role is held by a lock of the system on a file, which dies with its process.
// Beside it lies a socket; one that a dead process left is replaced by whoever
// gets the lock, and by nobody else.
//
// # Only this person
//
// The folder of the sockets belongs to the person and is closed to others, which
// both sides check before they use it. Where the system tells whose process is at
// the other end (Linux, macOS, FreeBSD), both sides check that too. On Windows
// the folder lies in the person's profile, which the system keeps from others.
//
// # What is said
//
// Each message is a JSON object on a line of its own, of at most MaxMessage
// bytes. The side that listens begins:
//
//	{"hello":{"protocol":1,"version":"1.2.0","role":"service","pid":4711}}
//	{"hello":{"protocol":1,"version":"1.2.0","pid":4712}}
//	{"id":1,"method":"status"}
//	{"id":1,"result":{"paused":false}}
//	{"id":2,"method":"cancel","params":{"id":"7"}}
//	{"id":2,"error":{"code":"not_found","message":"no such job","hint":"…"}}
//
// Answers come in any order. After the method "events" the listening side sends
// {"event":"job.progress","data":{…}} when it has something to tell. A name that
// the other side does not know is to be passed over; what changes the meaning of
// a known name changes the protocol's number.
package peer

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// Protocol is the number of the protocol that this package speaks.
const Protocol = 1

// Role is what a process is there for. Each role has one holder per person.
type Role string

// The roles.
const (
	Service Role = "service" // works in the background
	Window  Role = "window"  // is looked at
)

// Limits of a conversation.
const (
	MaxMessage  = 1 << 20 // bytes of one message, its line end included
	MaxConns    = 32      // connections at a time
	MaxInFlight = 16      // requests of one connection that are not answered yet
	MaxQueued   = 256     // events that wait for one slow subscriber

	helloWait = 3 * time.Second  // for the other side's first message
	writeWait = 30 * time.Second // for the other side to take a message
)

// Hello is what each side says of itself first.
type Hello struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"` // the program's
	Role     Role   `json:"role,omitempty"`
	PID      int    `json:"pid"`
}

// Error is an error as it is told to the other side, and how a client gets it.
type Error struct {
	Code    string `json:"code"` // stable, for programs
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// Codes of the errors that this package makes itself.
const (
	CodeRefused  = "refused"   // the other process is somebody else's, or there are too many
	CodeProtocol = "protocol"  // the other side speaks another protocol, or not as it must
	CodeMethod   = "no_method" // the other side does not know the method
	CodeTooLarge = "too_large" // the answer does not fit into a message
	CodeFailed   = "failed"    // anything that the handler did not explain
)

var (
	// ErrRunning says that another process holds the role.
	ErrRunning = errors.New("it is running already")
	// ErrNotRunning says that no process holds the role.
	ErrNotRunning = errors.New("it is not running")
	// ErrGone says that the other side ended the conversation. A subscriber that
	// was too slow is dropped so; it subscribes again and reads anew what it shows.
	ErrGone = errors.New("the other side ended the conversation")
)

// UnsafeError says that the folder or the socket is not closed to others, or the
// process behind it is not the person's own.
type UnsafeError struct {
	Path string
	Why  string
}

// Error implements error.
func (e *UnsafeError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Why) }

// Hint says what to do about it.
func (e *UnsafeError) Hint() string {
	return "look at whose it is; a folder of yours is mended with chmod 700"
}

func hello(role Role, version string) *Hello {
	return &Hello{Protocol: Protocol, Version: version, Role: role, PID: os.Getpid()}
}

// greeted checks what the other side said first.
func greeted(f frame) (Hello, error) {
	switch {
	case f.Error != nil:
		return Hello{}, f.Error
	case f.Hello == nil:
		return Hello{}, &Error{Code: CodeProtocol, Message: "the other side did not say who it is"}
	case f.Hello.Protocol != Protocol:
		return Hello{}, &Error{
			Code:    CodeProtocol,
			Message: fmt.Sprintf("the Recollect that runs (%s) speaks protocol %d, this one speaks %d", clip(f.Hello.Version, 40), f.Hello.Protocol, Protocol),
			Hint:    "quit the one that runs and start it again, so that both are of the same version",
		}
	}
	return *f.Hello, nil
}
