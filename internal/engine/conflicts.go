package engine

import (
	"context"
	"errors"
	"time"

	"recollect/internal/memory"
)

func (e *Engine) conflictsFile() memory.Conflicts {
	return memory.Conflicts{In: e.folder()}
}

// keepConflicts notes the conflicts of a memorize. The caller holds the lock.
func (e *Engine) keepConflicts(branch string, found []memory.Conflict) error {
	if len(found) == 0 {
		return nil
	}
	m, _, err := e.memories().Load(branch)
	if err != nil {
		return err
	}
	_, err = e.conflictsFile().Add(branch, m, found, e.options.Now())
	return err
}

// joined is told of a memory that git merged: what contradicts each other in it, each
// side having known the one, is for a person. What can't be noted now a later tidying
// may find.
func (e *Engine) joined(m memory.Memory) {
	now := e.options.Now()
	_, _, found := memory.Tidy(m, time.Time{}, now)
	for range tidyTries {
		if _, err := e.conflictsFile().Add(m.Branch, m, found, now); !errors.Is(err, memory.ErrChanged) {
			return
		}
	}
}

// Conflicts lists the conflicts that wait for a decision, or all that ever were.
func (e *Engine) Conflicts(all bool) ([]memory.ConflictRecord, error) {
	records, err := e.conflictsFile().List()
	out := []memory.ConflictRecord{}
	for _, r := range records {
		if all || r.Open() {
			out = append(out, r)
		}
	}
	return out, err
}

// Conflict gives the open conflict whose id begins with id.
func (e *Engine) Conflict(id string) (memory.ConflictRecord, error) {
	return e.conflictsFile().Find(id)
}

// Resolved is a conflict that a person decided.
type Resolved struct {
	memory.ConflictRecord
	Undo string `json:"undo"` // for UndoEdit
}

// Resolve does what a person decided about a conflict: the memory first, then
// the record, so that a crash in between leaves the conflict open.
func (e *Engine) Resolve(ctx context.Context, id string, d memory.Decision, note string) (Resolved, error) {
	r, err := e.Conflict(id)
	if err != nil {
		return Resolved{}, err
	}
	lock, err := e.lock(ctx, "deciding a conflict")
	if err != nil {
		return Resolved{}, err
	}
	defer e.follow(ctx)
	defer lock.Release()
	m, rev, err := e.memories().Load(r.Branch)
	if err != nil {
		return Resolved{}, err
	}
	m, r, err = memory.Decide(m, r, d, note, e.options.Now())
	if err != nil {
		return Resolved{}, err
	}
	undo := r.ID // of a decision that left the memory as it was
	if d != memory.KeepOlder || r.Items[1].ItemID != "" {
		now, err := e.memories().Save(ctx, m, rev)
		if err == nil && now != rev {
			undo, err = e.memories().LastChange(r.Branch)
		}
		if err != nil {
			return Resolved{}, err
		}
	}
	return Resolved{r, undo}, e.conflictsFile().Close(r)
}

// reopen has a conflict wait again whose decision left the memory as it was.
func (e *Engine) reopen(ctx context.Context, branch, id string) (Edited, error) {
	lock, err := e.lock(ctx, "taking a decision back")
	if err != nil {
		return Edited{}, err
	}
	defer lock.Release()
	if err := e.conflictsFile().Reopen(branch, id); err != nil {
		return Edited{}, err
	}
	return e.stands(ctx, branch, "")
}
