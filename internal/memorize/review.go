package memorize

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"recollect/internal/memory"
)

// inbox is what waits for a person in the course of a run.
type inbox struct {
	was  memory.Inbox // as it was read
	rev  memory.Revision
	next memory.Inbox
	// quiet says that the memory gained what nobody has to review.
	quiet bool
}

// readInbox reads what waits. It comes before the memory is read, and a decision
// writes the memory first: so what a person decides meanwhile is found in one of
// them. An inbox that can't be read is set aside; its turns count as seen, so
// that the person is told.
func (r *run) readInbox() error {
	if r.Inboxes == nil {
		return nil
	}
	b, rev, err := r.Inboxes.Load(r.Branch)
	var damaged *memory.InboxError
	if errors.As(err, &damaged) {
		b, rev, err = memory.Inbox{Branch: r.Branch}, "", nil
		r.warn("%v; memorize --again finds again what the history still says", damaged)
		if !r.DryRun {
			var aside string
			if aside, err = r.Inboxes.SetAside(damaged); err == nil {
				r.warn("it was set aside as %s", aside)
			}
		}
	}
	r.inbox = inbox{was: b, rev: rev, next: b}
	return err
}

// readInboxForReview is readInbox for what only review has to do with.
func (r *run) readInboxForReview() error {
	if !r.Review {
		return nil
	}
	return r.readInbox()
}

// propose merges over what waits, and parts what a person would see from the
// rest, which is in the memory that it returns.
func (r *run) propose(ctx context.Context, m memory.Memory, found []memory.Found, evolve bool) (memory.Memory, error) {
	b := r.inbox.was.Settle(m, r.Now)
	merged, changes, conflicts, err := r.bring(ctx, b.Over(m), found, evolve)
	if err != nil {
		return m, err
	}
	// What only waits contradicts nothing yet.
	conflicts = slices.DeleteFunc(conflicts, func(c memory.Conflict) bool {
		return c.Other != "" && !slices.ContainsFunc(m.Active(), func(it memory.Item) bool { return it.ID == c.ID })
	})
	next, after := b.Propose(m, merged, r.Now)
	if len(after.Waiting) > memory.MaxWaiting {
		return m, memory.ErrFull
	}
	if len(after.Waiting) > 0 {
		after.Layout = r.layout
	}
	r.inbox.next, r.inbox.quiet = after, !reflect.DeepEqual(next.Items, m.Items)
	waiting := after.Settle(next, r.Now).Proposals()
	r.report.Waiting, r.report.Conflicts = len(waiting), conflicts
	r.report.Changes = happened(changes, m, next, after)
	switch {
	case news(b.Proposals(), waiting):
		r.report.Outcome = Proposed
	case r.inbox.quiet:
		r.report.Outcome = Memorized
	default:
		r.report.Outcome = outcome(found, nil)
	}
	return next, nil
}

// happened leaves out changes that a person refused before.
func happened(changes []memory.Change, before, after memory.Memory, b memory.Inbox) []memory.Change {
	was, waits := map[string]memory.Item{}, map[string]bool{}
	for _, it := range before.Items {
		was[it.ID] = it
	}
	for _, it := range after.Items {
		if old, ok := was[it.ID]; !ok || !reflect.DeepEqual(old, it) {
			waits[it.ID] = true
		}
	}
	for _, w := range b.Waiting {
		waits[w.Item.ID] = true
	}
	var out []memory.Change
	for _, c := range changes {
		if waits[c.ID] {
			out = append(out, c)
		}
	}
	return out
}

// news says whether something waits now that did not wait before.
func news(before, now []memory.Proposed) bool {
	known := map[string]bool{}
	for _, p := range before {
		known[p.ID] = true
	}
	for _, p := range now {
		if !known[p.ID] {
			return true
		}
	}
	return false
}

// saveInbox keeps what waits, after the memory and before what counts as seen: a
// run that dies in between reads the same turns again and finds the same. It
// fails with memory.ErrChanged if somebody decided meanwhile.
func (r *run) saveInbox() error {
	if reflect.DeepEqual(r.inbox.next, r.inbox.was) {
		return nil
	}
	return r.Inboxes.Save(r.inbox.next, r.inbox.rev)
}
