package engine

import (
	"context"
	"errors"

	"recollect/internal/memory"
)

// Undo goes one change back in a branch's memory, further with each call, and Redo
// forth again, as in an editor. At the end of the way nothing changes, and Undo of
// what they return is "". What was accepted or refused in a review that concerned
// this branch alone waits again, as UndoReview has it.
func (e *Engine) Undo(ctx context.Context, branch string) (Edited, error) {
	name, err := e.branchName(&branch)
	if err != nil {
		return Edited{}, err
	}
	token, err := e.memories().LastChange(name)
	if errors.Is(err, memory.ErrNothingToUndo) {
		return e.stands(ctx, name, "")
	}
	if err != nil {
		return Edited{}, err
	}
	review := e.reviewThatMade(name, token)
	if review == "" {
		return e.UndoEdit(ctx, name, token)
	}
	if _, err := e.UndoReview(ctx, review); err != nil {
		return Edited{}, err
	}
	redo, err := e.memories().LastUndone(name)
	if err != nil {
		return Edited{}, err
	}
	return e.stands(ctx, name, redo)
}

// Redo makes the change again that was undone last.
func (e *Engine) Redo(ctx context.Context, branch string) (Edited, error) {
	name, err := e.branchName(&branch)
	if err != nil {
		return Edited{}, err
	}
	token, err := e.memories().LastUndone(name)
	if errors.Is(err, memory.ErrNothingToRedo) {
		return e.stands(ctx, name, "")
	}
	if err != nil {
		return Edited{}, err
	}
	return e.UndoEdit(ctx, name, token)
}

// stands shows a memory as it is now; undo is the token for the way back.
func (e *Engine) stands(ctx context.Context, branch, undo string) (Edited, error) {
	s, err := e.memories().Stand(branch)
	done, err := e.asEdited(ctx)(memory.Edited{Standing: s, Undo: undo}, err)
	return e.laidOut(ctx, done, err)
}

// reviewThatMade gives the token of the review that made a change of a branch's
// memory and of no other, "" if none did or if what waits can't be read.
func (e *Engine) reviewThatMade(branch, change string) string {
	h := memory.Held{}
	var err error
	if h.Inbox, h.Revision, err = e.inboxes().Load(branch); err != nil || len(h.Done) == 0 {
		return ""
	}
	if d := last(h); d.Undo == change && reviewedBranches(d.Token) == 1 {
		return d.Token
	}
	return ""
}
