package engine

import (
	"context"
	"errors"
	"fmt"

	"recollect/internal/filelock"
	"recollect/internal/memory"
	"recollect/internal/safefile"
)

// Proposal is a change of a memory that waits for a person's decision.
type Proposal = memory.Proposed

// Decision is what a person decides about a proposal.
type Decision = memory.Verdict

// Reviewed is what came of decisions.
type Reviewed struct {
	Left []Proposal `json:"left"` // what waits on, of all branches
	// Undo is for UndoReview; "" if nothing was decided.
	Undo string `json:"undo"`
	// Stale are the ids of decisions that were not followed: the proposal is not
	// what it was, or it contradicts what a person wrote since, which is a
	// conflict now.
	Stale []string `json:"stale"`
	Following
}

// ErrNoProposal says that no proposal has the given id.
var ErrNoProposal = errors.New("no such proposal waits")

// maxDecisions bounds what is decided at once.
const maxDecisions = 20_000

func (e *Engine) inboxes() memory.Inboxes {
	return memory.Inboxes{Dir: func() safefile.Folder { return e.state().Sub("review") }, Make: e.makeState}
}

// lockReview keeps apart those who decide. It is not the project's lock, which a
// memorize holds for as long as a model takes: what both write is written only
// if it is as it was read, else done anew.
func (e *Engine) lockReview(ctx context.Context) (*filelock.Lock, error) {
	if err := e.mayWrite(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, e.options.LockWait)
	defer cancel()
	return e.acquire(ctx, reviewLock, filelock.Options{})
}

// waiting is the number of proposals and of suggestions that wait on a branch.
// Those of an inbox that can't be read are none; Review tells of it.
func (e *Engine) waiting(branch string) (w waits, err error) {
	b, _, err := e.inboxes().Load(branch)
	var damaged *memory.InboxError
	if errors.As(err, &damaged) {
		return w, nil
	}
	if err != nil || len(b.Waiting) == 0 {
		return w, err
	}
	m, _, err := e.memories().Load(branch)
	w.proposals, w.suggestions = b.Settle(m, e.options.Now()).Count()
	return w, err
}

// waits is how much waits for a person's review: what must be decided, and what
// may be.
type waits struct{ proposals, suggestions int }

// Review lists what waits for a decision, by branch, and then what is only
// suggested. An inbox that can't be read
// is set aside, and the error says so, once.
func (e *Engine) Review(ctx context.Context) ([]Proposal, error) {
	held, err := e.heldInboxes()
	var damaged *memory.InboxError
	if errors.As(err, &damaged) {
		lock, locked := e.lockReview(ctx)
		if locked != nil {
			return nil, locked
		}
		defer lock.Release()
		_, err = e.heldOrAside()
	}
	if err != nil {
		return nil, err
	}
	return e.proposed(held)
}

func (e *Engine) proposed(held []memory.Held) ([]Proposal, error) {
	out := []Proposal{}
	var suggested []Proposal
	for _, h := range held {
		if len(h.Waiting) == 0 {
			continue
		}
		m, _, err := e.memories().Load(h.Branch)
		if err != nil {
			return nil, err
		}
		b := h.Settle(m, e.options.Now())
		out, suggested = append(out, b.Proposals()...), append(suggested, b.Suggestions()...)
	}
	return append(out, suggested...), nil
}

// heldInboxes reads all inboxes. An error may tell of several that can't be
// read.
func (e *Engine) heldInboxes() ([]memory.Held, error) {
	held, damaged, err := e.inboxes().All()
	for _, d := range damaged {
		err = errors.Join(err, d)
	}
	return held, err
}

// heldOrAside sets aside what can't be read. The caller holds the lock.
func (e *Engine) heldOrAside() ([]memory.Held, error) {
	held, damaged, err := e.inboxes().All()
	for _, d := range damaged {
		aside, failed := e.inboxes().SetAside(d)
		if failed == nil {
			failed = fmt.Errorf("%w; it was set aside as %s", d, aside)
		}
		err = errors.Join(err, failed)
	}
	return held, err
}

// diagnoseReview tells of inboxes that can't be read, set aside or not.
func (e *Engine) diagnoseReview(d *Diagnosis) error {
	held, damaged, err := e.inboxes().All()
	if err != nil {
		return err
	}
	var n waits
	for _, h := range held {
		waiting, err := e.waiting(h.Branch)
		if err != nil {
			continue // its memory is told of already
		}
		n.proposals, n.suggestions = n.proposals+waiting.proposals, n.suggestions+waiting.suggestions
	}
	if n.proposals > 0 {
		d.fact("waiting for review", fmt.Sprint(n.proposals))
	}
	if n.suggestions > 0 {
		d.fact("suggested", fmt.Sprint(n.suggestions))
	}
	for _, x := range damaged {
		d.find(Finding{Where: x.Path, What: x.Err.Error() + "; recollect review sets it aside"})
	}
	aside, err := e.inboxes().Aside()
	for _, path := range aside {
		d.find(Finding{Where: path, What: "what waited for review can't be read; memorize --again finds again what the history still says. Delete the file when it is not needed"})
	}
	return err
}
