package engine

import (
	"cmp"
	"fmt"

	"recollect/internal/history"
	"recollect/internal/printable"
)

// Head says what git has checked out in the work tree that the engine was opened
// in, at the moment when it was asked.
type Head struct {
	State HeadState `json:"state"`
	// Branch is the line of work whose memory belongs there; "" if it is unknown.
	Branch string `json:"branch"`
}

// HeadState is what is checked out, in one word.
type HeadState string

// The states of a head.
const (
	HeadBranch   HeadState = "branch"
	HeadDetached HeadState = "detached" // a commit and no branch
	HeadNone     HeadState = "none"     // there is no git
	HeadUnknown  HeadState = "unknown"  // git is there, and its head can't be read
)

// Head asks git's files.
func (e *Engine) Head() Head {
	raw, err := history.GitBranch(cmp.Or(e.options.Dir, "."))
	if err != nil {
		return Head{State: HeadUnknown}
	}
	name, err := e.branchName(&raw)
	switch {
	case err != nil:
		return Head{State: HeadUnknown}
	case raw == history.NoBranch:
		return Head{HeadNone, name}
	case raw == history.Detached:
		return Head{HeadDetached, name}
	}
	return Head{HeadBranch, name}
}

// Has says whether the memory of a branch is the one that belongs to what is
// checked out. Without git nothing is, so that no memory is another's.
func (h Head) Has(branch string) bool { return h.State == HeadNone || h.Branch == branch }

// String says in words what is checked out.
func (h Head) String() string {
	switch h.State {
	case HeadBranch:
		return h.Branch + " is checked out"
	case HeadDetached:
		return "no branch is checked out: the head is detached"
	case HeadNone:
		return "there is no git here"
	}
	return "what git has checked out can't be read"
}

// OtherBranchError says that the block of a branch would be written where it is not
// the one that is checked out, and that nobody said yes to that.
type OtherBranchError struct {
	Branch  string
	Head    Head
	Targets []string // that were asked for; none: those of the settings
}

// Error implements error.
func (e *OtherBranchError) Error() string {
	return fmt.Sprintf("assistants here would read the memory of %s, but %s", branchInWords(e.Branch), e.Head)
}

// Hint is the command that does it all the same.
func (e *OtherBranchError) Hint() string {
	command := "recollect inject --branch " + printable.ShellWord(history.BranchLabel(e.Branch))
	for _, t := range e.Targets {
		command += " --target " + printable.ShellWord(t)
	}
	return "nothing was written; if you want that: " + command + " --yes"
}
