package memorize

import (
	"context"
	"errors"
	"fmt"

	"recollect/internal/memory"
)

// parted parts what may go into memory from what is only suggested.
func parted(found []memory.Found) (sure, unsure []memory.Found) {
	for _, f := range found {
		if f.Suggestion {
			unsure = append(unsure, f)
		} else {
			sure = append(sure, f)
		}
	}
	return sure, unsure
}

// suggest lets what the extractors were not sure of wait, and drops what is no
// suggestion any more, whether there is review or not. It comes after the memory
// was saved, which says what need not be suggested, and before what counts as
// seen: a run that dies in between finds the same again.
func (r *run) suggest(ctx context.Context, unsure []memory.Found) error {
	if r.Inboxes == nil {
		return nil
	}
	for range maxTries {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, b, err := r.suggestTo()
		if err != nil || len(unsure) == 0 && !b.Suggests() {
			return err
		}
		next := b.Settle(m, r.Now).Suggest(m, unsure, r.Now)
		if len(unsure) > 0 {
			next.Layout = r.layout
		}
		r.inbox.next = next
		if _, r.report.Suggestions = next.Count(); r.DryRun {
			return nil
		}
		if err := r.saveInbox(); !errors.Is(err, memory.ErrChanged) {
			return err
		}
	}
	return fmt.Errorf("branch %q: %w", r.Branch, memory.ErrChanged)
}

// suggestTo gives the memory and the inbox as they are, or as they would be.
func (r *run) suggestTo() (memory.Memory, memory.Inbox, error) {
	if r.DryRun && r.Review {
		return r.merged, r.inbox.next, nil
	}
	if err := r.readInbox(); err != nil || r.DryRun {
		return r.merged, r.inbox.was, err
	}
	m, _, err := r.Store.Load(r.Branch)
	return m, r.inbox.was, err
}
