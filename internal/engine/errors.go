package engine

import (
	"errors"
	"fmt"
)

// ProjectError says why a folder can't be opened as a project.
type ProjectError struct {
	Dir string
	Err error
}

// Error implements error.
func (e *ProjectError) Error() string { return fmt.Sprintf("%s: %v", e.Dir, e.Err) }

// Unwrap gives the cause.
func (e *ProjectError) Unwrap() error { return e.Err }

var (
	errNoFolder     = errors.New("not a folder")
	errNoMemory     = errors.New("nothing is remembered")
	errNoTranscript = errors.New("no transcript is there")
)
