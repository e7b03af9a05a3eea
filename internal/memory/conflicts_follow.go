package memory

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// NamesConflict says whether a token is the id of a conflict, and of no change.
func NamesConflict(token string) bool { return strings.HasPrefix(token, conflictPrefix) }

// Reopen has a conflict of a branch wait again whose decision left the memory as it
// was. It fails with ErrStale where the decision did something, or is none any more.
func (c Conflicts) Reopen(branch, id string) error {
	f, expect, err := c.read()
	if err != nil {
		return err
	}
	for i := range f.Conflicts {
		r := &f.Conflicts[i]
		if r.ID != id || r.Branch != branch {
			continue
		}
		if r.Open() || r.Resolution.Decision != KeepOlder || r.Items[1].ItemID != "" {
			return ErrStale
		}
		r.reopen()
		return c.write(f, expect)
	}
	return fmt.Errorf("%q: %w", id, ErrNoConflict)
}

// Follow notes what undo and redo did to the decisions about a branch's conflicts:
// one whose decision is no longer in the memory waits again, and is decided as it
// was when the decision is back.
func (c Conflicts) Follow(branch string, before, after Memory, now time.Time) error {
	for range editTries {
		f, expect, err := c.read()
		if err != nil {
			return err
		}
		moved := false
		for i := range f.Conflicts {
			r := &f.Conflicts[i]
			if r.Branch != branch || r.Resolution.Decision == "" || r.done(before) == r.done(after) {
				continue
			}
			switch {
			case !r.Open() && !r.done(after) && after.activeItem(r.Items[0].ItemID) >= 0:
				r.reopen()
				moved = true
			case r.Open() && r.done(after):
				r.close(now)
				moved = true
			}
		}
		if !moved {
			return nil
		}
		if err := c.write(f, expect); !errors.Is(err, ErrChanged) {
			return err
		}
	}
	return ErrChanged
}

// done says whether a memory is as the decision about a conflict made it. One that
// changes nothing is done in every memory.
func (r ConflictRecord) done(m Memory) bool {
	older, newer := m.activeItem(r.Items[0].ItemID) >= 0, m.activeItem(r.Items[1].ItemID)
	switch r.Resolution.Decision {
	case KeepOlder:
		return r.Items[1].ItemID == "" || newer < 0
	case KeepNewer, Outdated:
		return !older
	}
	return newer >= 0 && m.Items[newer].Content != r.Items[1].Content
}
