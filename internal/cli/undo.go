package cli

import (
	"context"
	"fmt"
	"io"

	"recollect/internal/engine"
	"recollect/internal/memory"
	"recollect/internal/printable"
)

type undoCmd struct {
	branchFlag
	Change string `arg:"" optional:"" help:"The change, as --json named it (default: the last one)."`
}

// Run implements the command.
func (c *undoCmd) Run(a *app) error {
	step := func(e *engine.Engine) moving { return e.Undo }
	if c.Change != "" {
		step = func(e *engine.Engine) moving {
			return func(ctx context.Context, branch string) (engine.Edited, error) {
				return e.UndoEdit(ctx, branch, c.Change)
			}
		}
	}
	words := moveWords{
		done: "as it was before its last change", none: "as before its last change",
		end: "There is nothing further back", again: "redo", makes: "makes the change again",
	}
	if memory.NamesConflict(c.Change) {
		words.end = "The conflict waits for a decision again"
	}
	return c.move(a, step, words)
}

type redoCmd struct{ branchFlag }

// Run implements the command.
func (c *redoCmd) Run(a *app) error {
	return c.move(a, func(e *engine.Engine) moving { return e.Redo }, moveWords{
		done: "as it was after the change that was undone", none: "as after the change that was undone",
		end: "There is nothing to make again", again: "undo", makes: takesBack,
	})
}

// moving goes one change along the line of a memory's versions.
type moving func(ctx context.Context, branch string) (engine.Edited, error)

// moveWords say what a move came to.
type moveWords struct {
	done, none string // with a memory, and without one
	end        string // it goes no further
	again      string // the command for the other way
	makes      string // and what it does
}

func (f branchFlag) move(a *app, step func(*engine.Engine) moving, words moveWords) error {
	e, err := a.openOn(&f.Branch, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	branch, err := e.BranchName(f.Branch)
	if err != nil {
		return err
	}
	done, err := step(e)(a, branch)
	if err != nil {
		return err
	}
	return a.print(done, func(w io.Writer) {
		stands := fmt.Sprintf("the memory of %s has %s", branchSubject(branch), count(len(done.Memory.Items), "item"))
		if !done.Memory.Exists {
			stands = fmt.Sprintf("nothing is remembered of %s", branchSubject(branch))
		}
		switch {
		case done.Undo == "":
			fmt.Fprintf(w, "%s; %s.\n", words.end, stands)
			return
		case done.Memory.Exists:
			fmt.Fprintf(w, "The memory of %s is %s: %s.\n", branchSubject(branch), words.done, count(len(done.Memory.Items), "item"))
		default:
			fmt.Fprintf(w, "Nothing is remembered of %s, %s.\n", branchSubject(branch), words.none)
		}
		a.note("%s %s.", a.onBranch(e, words.again, branch), words.makes)
	})
}

// takesBack is what undo does to the change before.
const takesBack = "takes it back"

// noteUndo says how the last change of a branch's memory is taken back.
func (a *app) noteUndo(e *engine.Engine, branch string) {
	a.note("%s %s.", a.onBranch(e, "undo", branch), takesBack)
}

// offeredUndos bounds for how many branches an undo is offered.
const offeredUndos = 5

// noteUndoOfEach says of several branches how the last change of each is taken back.
func (a *app) noteUndoOfEach(e *engine.Engine, branches []string) {
	for _, branch := range branches[:min(len(branches), offeredUndos)] {
		a.note("%s: %s %s.", branchLabel(branch), a.onBranch(e, "undo", branch), takesBack)
	}
}

// noteReviewUndo says how the last decisions are taken back.
func (a *app) noteReviewUndo(token string) {
	if token != "" {
		a.note("%s %s %s.", a.onProject("review undo"), token, takesBack)
	}
}

// onBranch is a command as it must be typed to be about a branch: the branch is
// named unless the command would take it by itself.
func (a *app) onBranch(e *engine.Engine, command, branch string) string {
	if here, err := e.BranchName(nil); err == nil && here == branch {
		return a.onProject(command)
	}
	return a.onProject(command) + branchFlagged(branch)
}

// onProject is a command as it must be typed to be about the same project.
func (a *app) onProject(command string) string {
	if a.project == "" {
		return "recollect " + command
	}
	return "recollect " + command + " --project " + printable.ShellWord(a.project)
}
