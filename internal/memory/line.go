package memory

import (
	"errors"
	"fmt"
	"slices"

	"recollect/internal/atomicfile"
)

// The versions of a memory are a line. Each change adds one at its end and names
// the one before, its parent; a deletion is one without files. Undo and Redo move
// along the line and add nothing. Where they left off is the file "position" in
// the folder of the versions: a version's file of the state that it is about. It
// holds for as long as the memory is in that state and no version was added since;
// so a change after an undo leaves nothing to redo, and the versions that were
// undone stay.

// position is a place on the line of versions.
type position struct {
	At     int   `json:"at"`               // number of the version; 0: before the first
	Undone []int `json:"undone,omitempty"` // numbers of those that Redo goes to, the next one last
	Newest int   `json:"newest"`           // number of the newest version then
}

// maxUndone bounds how far Redo goes.
const maxUndone = 1000

var (
	// ErrNothingToUndo says that a memory is as it was before its first change.
	ErrNothingToUndo = errors.New("there is nothing further back")
	// ErrNothingToRedo says that nothing was undone since the last change.
	ErrNothingToRedo = errors.New("nothing was undone")
)

// settle makes what was announced the position.
func (s *Store) settle(branch string) error {
	dir := s.historyDir(branch)
	if s.before != nil {
		if err := s.before(announcedName, atomicfile.StepRename); err != nil {
			return err
		}
	}
	if err := dir.Rename(announcedName, positionName); err != nil {
		return err
	}
	return atomicfile.SyncFolderIn(dir)
}

// position gives the place of a memory on the line, nil if the last thing that
// happened to it was no move along it. A file that can't be read is none: then the
// memory is taken for newly changed.
func (s *Store) position(branch string, now pair) (*position, error) {
	if s.interrupted(branch) {
		d, err := s.read(branch)
		if err != nil {
			return nil, err
		}
		p, err := s.planned(branch, d)
		if err != nil {
			return nil, err
		}
		if (p.end == settle || p.end == bring) && p.next.equal(now) {
			return p.head.Position, nil
		}
	}
	data, _, err := readFile(file{s.historyDir(branch), positionName})
	if err != nil || data == nil {
		return nil, err
	}
	h, p, err := decodeVersion(data)
	if err != nil || h.Position == nil || !p.equal(now) {
		return nil, nil
	}
	ns, err := s.numbers(branch)
	if err != nil || len(ns) > 0 && ns[len(ns)-1] != h.Position.Newest {
		return nil, err
	}
	return h.Position, nil
}

// standsAt gives the number of the version that p is, which is what is on disk. If
// it is none yet, it becomes one.
func (s *Store) standsAt(branch string, p pair) (int, error) {
	at, err := s.position(branch, p)
	if err != nil {
		return 0, err
	}
	if at != nil {
		if _, q, err := s.readVersion(branch, at.At); at.At == 0 && !p.exists() || err == nil && q.equal(p) {
			return at.At, nil
		}
	}
	if p.exists() {
		return s.keep(branch, p)
	}
	ns, err := s.numbers(branch)
	if err != nil || len(ns) == 0 {
		return 0, err
	}
	if _, last, err := s.readVersion(branch, ns[len(ns)-1]); err == nil && !last.exists() {
		return ns[len(ns)-1], nil
	}
	return 0, nil
}

// moved gives the place after a move between two versions: forth to what was
// undone last, or back, which is undone then.
func (s *Store) moved(branch string, now pair, from, to int) (position, error) {
	was, err := s.position(branch, now)
	if err != nil {
		return position{}, err
	}
	ns, err := s.numbers(branch)
	if err != nil {
		return position{}, err
	}
	out := position{At: to}
	if len(ns) > 0 {
		out.Newest = ns[len(ns)-1]
	}
	if was != nil {
		out.Undone = slices.Clone(was.Undone)
	}
	switch n := len(out.Undone); {
	case n > 0 && out.Undone[n-1] == to:
		out.Undone = out.Undone[:n-1]
	case to > from && from > 0:
		out.Undone = nil // forth, but to something else
	default:
		out.Undone = append(out.Undone, from)
	}
	if n := len(out.Undone) - maxUndone; n > 0 {
		out.Undone = out.Undone[n:]
	}
	return out, nil
}

// LastChange gives the token of the change that led to the memory as it stands. It
// fails with ErrNothingToUndo if the memory is as before its first change, and with
// ErrNoVersion if what was before is not known: after an edit by hand, or when it
// is too long ago.
func (s *Store) LastChange(branch string) (string, error) {
	t, err := s.lastChange(branch)
	if err != nil {
		return "", named(branch, err)
	}
	return t.String(), nil
}

func (s *Store) lastChange(branch string) (undoToken, error) {
	_, d, err := s.load(branch)
	if err != nil {
		return undoToken{}, err
	}
	all, err := s.versions(branch)
	if err != nil {
		return undoToken{}, err
	}
	at, err := s.position(branch, d.pair)
	if err != nil {
		return undoToken{}, err
	}
	t := undoToken{revision: d.revision()}
	if at == nil && !d.exists() {
		switch n := len(all) - 1; {
		case n < 0:
			return t, ErrNothingToUndo
		case all[n].pair.exists(): // it was removed by hand, or by an older program
			t.before = all[n].n
			return t, nil
		}
	}
	if at != nil && at.At == 0 {
		return t, ErrNothingToUndo
	}
	for i, v := range slices.Backward(all) {
		if at != nil && v.n > at.At || !v.pair.equal(d.pair) || v.head.OldItems == "" {
			continue
		}
		if before, ok := parent(all[:i], v.head); ok {
			t.before, t.after = before, v.n
			return t, nil
		}
	}
	if !d.pair.known(all) {
		return t, fmt.Errorf("it was edited by hand since, which stays: %w to go back to", ErrNoVersion)
	}
	return t, fmt.Errorf("what was before was written by hand, or is not kept any more: %w to go back to", ErrNoVersion)
}

// known says whether it is one of the versions.
func (p pair) known(all []versionNow) bool {
	return slices.ContainsFunc(all, func(v versionNow) bool { return v.pair.equal(p) })
}

// parent gives the number of the version before the one with that head, if it is
// among those that are kept.
func parent(before []versionNow, h versionHead) (int, bool) {
	none := h.OldItems == digest(nil) && h.OldMarkdown == digest(nil)
	if h.Parent != nil && *h.Parent == 0 {
		return 0, none
	}
	for _, w := range slices.Backward(before) {
		switch {
		case h.Parent != nil && w.n == *h.Parent:
			return w.n, true
		case h.Parent == nil && !none && digest(w.pair.markdown) == h.OldMarkdown && digest(w.pair.items) == h.OldItems:
			return w.n, true
		}
	}
	return 0, h.Parent == nil && none
}

// LastUndone gives the token that makes the change again that was undone last, or
// ErrNothingToRedo.
func (s *Store) LastUndone(branch string) (string, error) {
	_, d, err := s.load(branch)
	if err != nil {
		return "", named(branch, err)
	}
	at, err := s.position(branch, d.pair)
	if err == nil && (at == nil || len(at.Undone) == 0) {
		err = ErrNothingToRedo
	}
	if err != nil {
		return "", named(branch, err)
	}
	return undoToken{before: at.Undone[len(at.Undone)-1], after: at.At, revision: d.revision()}.String(), nil
}
