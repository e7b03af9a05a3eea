package engine

import (
	"errors"
	"fmt"
	"io/fs"
)

// ProjectError says why a folder can't be opened as a project.
type ProjectError struct {
	Dir string
	Err error
}

// Error implements error.
func (e *ProjectError) Error() string {
	cause := e.Err
	if path, ok := errors.AsType[*fs.PathError](cause); ok && path.Path == e.Dir {
		cause = path.Err // the folder is named once
	}
	return fmt.Sprintf("%s: %v", e.Dir, cause)
}

// Unwrap gives the cause.
func (e *ProjectError) Unwrap() error { return e.Err }

var (
	errCheckedOut   = errors.New("another branch was checked out meanwhile, so nothing was written")
	errNoFolder     = errors.New("not a folder")
	errNoMemory     = errors.New("nothing is remembered")
	errNoRole       = errors.New("no such role of a plug-in")
	errNoTranscript = errors.New("no transcript is there")
	errNoSession    = errors.New("no such session")
)

// hintOf is what an error itself says to do about it, or nothing.
func hintOf(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}
