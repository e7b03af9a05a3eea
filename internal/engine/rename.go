package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"recollect/internal/history"
	"recollect/internal/memory"
)

// renamed is a branch whose memory, and what was said on it until then, is another's.
type renamed struct {
	From string    `json:"from"`
	To   string    `json:"to"`
	At   time.Time `json:"at"`
}

type renamedFile struct {
	Version int       `json:"version"`
	Renamed []renamed `json:"renamed"` // oldest first
}

const (
	renamedName    = "renamed.json"
	renamedVersion = 1
	maxRenamedFile = 1 << 20
	maxRenamed     = 1000 // the newest stay
)

// errSameBranch says that a branch would take its own name.
var errSameBranch = errors.New("the branch has that name")

func (e *Engine) loadRenamed() []renamed {
	var f renamedFile
	data, _, err := e.state().Read(context.Background(), renamedName, maxRenamedFile)
	if err != nil || json.Unmarshal(data, &f) != nil || f.Version != renamedVersion {
		return nil
	}
	return f.Renamed
}

// continues gives the branch to which what was said on one at a time belongs.
func continues(list []renamed, branch string, at time.Time) string {
	for _, r := range list {
		if r.From == branch && !at.After(r.At) {
			branch = r.To
		}
	}
	return branch
}

// RenamedFrom gives the branch whose memory waits for another one: git renamed it, it
// is not there any more, and only it has a memory. "" if there is none.
func (e *Engine) RenamedFrom(branch string) string {
	from := history.RenamedFrom(cmp.Or(e.options.Dir, "."), branch)
	if from == "" {
		return ""
	}
	from, err := e.branchName(&from)
	if err != nil || from == branch {
		return ""
	}
	if has, err := e.memories().Has(branch); err != nil || has {
		return ""
	}
	if has, err := e.memories().Has(from); err != nil || !has {
		return ""
	}
	return from
}

// Rename makes the memory of a branch that of the one that continues it, with all that
// this machine knows of it, and so what was said on it until now. Renaming back takes
// it back.
func (e *Engine) Rename(ctx context.Context, from, to string) error {
	if err := e.mayWrite(); err != nil {
		return err
	}
	from, err := e.branchName(&from)
	if err != nil {
		return err
	}
	if to, err = e.branchName(&to); err != nil {
		return err
	}
	if from == to {
		return errSameBranch
	}
	lock, err := e.lock(ctx, "renaming a memory")
	if err != nil {
		return err
	}
	defer e.follow(ctx)
	defer lock.Release()
	if err := e.keepUnseen(from, to); err != nil {
		return err
	}
	seen, err := e.seen().Load(from)
	if err != nil {
		return err
	}
	if err := e.memories().Rename(ctx, from, to); err != nil {
		return err
	}
	if err := e.seen().Save(to, seen); err != nil {
		return err
	}
	if err := e.conflictsFile().Rename(from, to); err != nil {
		return err
	}
	if err := e.renameInbox(from, to); err != nil {
		return err
	}
	e.dropPreparedOf(from)
	e.changes.add(to)
	return e.noteRenamed(from, to)
}

// keepUnseen has what is known of a branch's items be known of another's, before they
// are there: else they would count as made here.
func (e *Engine) keepUnseen(from, to string) error {
	m, rev, err := e.memories().Load(from)
	if err != nil {
		return err
	}
	if rev == "" {
		return memory.ErrNoMemory
	}
	if has, err := e.memories().Has(to); err != nil || has {
		return err // the store says whether it is the same
	}
	l := e.lookNow()
	k, _ := l.at(m)
	if err := l.meet(); err != nil {
		return err
	}
	k.Branch = to
	return e.saveKnown(k)
}

// followRename has a branch that git renamed keep its memory before something new is written
// into it, and gives the branch that it was.
func (e *Engine) followRename(ctx context.Context, branch string) (from string, err error) {
	if from = e.RenamedFrom(branch); from == "" {
		return "", nil
	}
	return from, e.Rename(ctx, from, branch)
}

func (e *Engine) renameInbox(from, to string) error {
	old, rev, err := e.inboxes().Load(from)
	if err != nil || len(old.Waiting)+len(old.Refused)+len(old.Done) == 0 {
		return err
	}
	_, there, err := e.inboxes().Load(to)
	if err != nil {
		return err
	}
	next := old
	next.Branch, next.Done = to, nil // tokens are of versions of the branch before
	if err := e.inboxes().Save(next, there); err != nil {
		return err
	}
	return e.inboxes().Save(memory.Inbox{Branch: from, Layout: old.Layout}, rev)
}

func (e *Engine) noteRenamed(from, to string) error {
	list := e.loadRenamed()
	if n := len(list); n > 0 && list[n-1].From == to && list[n-1].To == from {
		list = list[:n-1] // it was taken back
	} else {
		list = append(list, renamed{from, to, e.options.Now().UTC()})
	}
	list = slices.Clone(list[max(len(list)-maxRenamed, 0):])
	return e.keepState(renamedName, renamedFile{renamedVersion, list})
}
