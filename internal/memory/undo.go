package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Standing is a memory as it stands on disk.
type Standing struct {
	Memory
	Revision Revision
	File     string // path of the Markdown, "" if there is none
	Markdown []byte // nil if there is none
}

// Edited is what came of a person's edits, or of taking them back.
type Edited struct {
	Standing
	Changes []Change // of edits
	// Undo is for Store.Undo; empty if nothing changed.
	Undo string
}

// Stand reads the memory of a branch as Load does, with its Markdown.
func (s *Store) Stand(branch string) (Standing, error) {
	st, d, err := s.load(branch)
	if err != nil {
		return Standing{}, named(branch, err)
	}
	return s.standing(branch, st.memory, d), nil
}

func (s *Store) standing(branch string, m Memory, d onDisk) Standing {
	out := Standing{Memory: m, Revision: d.revision(), Markdown: d.markdown}
	switch {
	case d.markdown == nil:
	case d.seed != "":
		out.File = s.dir.Path(d.seed)
	default:
		out.File = s.dir.Path(FileStem(branch) + markdownExt)
	}
	return out
}

// Has says whether there is a memory of a branch.
func (s *Store) Has(branch string) (bool, error) {
	if s.file(FileStem(branch) + itemsExt).there() {
		return true, nil
	}
	d, err := s.read(branch)
	return d.exists(), named(branch, err)
}

// editTries bounds how often edits are made anew because somebody wrote the
// Markdown with another program in between.
const editTries = 20

// Edit makes a person's edits in the memory of a branch, all of them or none,
// as Apply does; a branch without a memory gets one. An edit of an item that
// somebody changes by hand while it is being saved fails with ErrStale.
func (s *Store) Edit(ctx context.Context, branch string, edits ...Edit) (Edited, error) {
	e, err := s.edit(ctx, branch, edits)
	return e, named(branch, err)
}

func (s *Store) edit(ctx context.Context, branch string, edits []Edit) (Edited, error) {
	has, err := s.Has(branch)
	if err != nil {
		return Edited{}, err
	}
	if !has {
		// What can't be done to nothing makes no folder.
		none := s.standing(branch, s.state(branch, onDisk{}).memory, onDisk{})
		if _, changes, err := Apply(none.Memory, edits, s.now().UTC()); err != nil || changes == nil {
			return Edited{Standing: none}, err
		}
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return Edited{}, err
	}
	defer unlock()
	for try := range editTries {
		st, d, err := s.loadLocked(branch)
		if err != nil {
			return Edited{}, err
		}
		m, changes, err := Apply(st.memory, edits, s.now().UTC())
		if err != nil {
			return Edited{}, err
		}
		if changes == nil {
			return Edited{Standing: s.standing(branch, m, d)}, nil
		}
		next, m, err := s.saveLocked(m, st, d, nil)
		if err == nil {
			e, err := s.edited(branch, d, next, m)
			e.Changes = changes
			return e, err
		}
		if !errors.Is(err, ErrChanged) {
			return Edited{}, err
		}
		if try == 0 {
			edits = witnessed(st.memory, edits)
		}
	}
	return Edited{}, ErrChanged
}

// witnessed notes in each edit what its item says, unless the person said so
// themselves: another's change of it meanwhile must not be written over.
func witnessed(m Memory, edits []Edit) []Edit {
	out := make([]Edit, len(edits))
	for i, e := range edits {
		if e.Do != Add && e.Was == "" {
			if at, err := m.find(e.ID); err == nil {
				e.Was = m.Items[at].Content
			}
		}
		out[i] = e
	}
	return out
}

// edited tells of a write in place of d; m is the memory as it was written.
func (s *Store) edited(branch string, d onDisk, next pair, m Memory) (Edited, error) {
	undo, err := s.undoOf(branch, d, next)
	return Edited{Standing: s.standing(branch, m, onDisk{pair: next}), Undo: undo}, err
}

// undoToken says what an undo goes back to, and from what.
type undoToken struct {
	before, after int      // numbers of versions; 0: there was, or is, no memory
	revision      Revision // of the state after
}

// shortRevision is how much of a revision's digest stands in a token.
const shortRevision = 16

func (t undoToken) String() string {
	return fmt.Sprintf("%d-%d-%s", t.before, t.after, t.sum())
}

// sum is 0 for the state without a memory.
func (t undoToken) sum() string {
	if t.revision == "" {
		return "0"
	}
	return digest([]byte(t.revision))[:shortRevision]
}

// readToken also gives the sum, which the state after must have.
func readToken(text string) (t undoToken, sum string, err error) {
	n, err := fmt.Sscanf(text, "%d-%d-%s", &t.before, &t.after, &sum)
	if n != 3 || err != nil || t.before < 0 || t.after < 0 || strings.ContainsAny(sum, "-+") {
		return t, "", fmt.Errorf("%w: %q is no undo", ErrNoVersion, text)
	}
	return t, sum, nil
}

// undoOf is the token for the write that replaced d by next, which is the
// latest one.
func (s *Store) undoOf(branch string, d onDisk, next pair) (string, error) {
	if d.seed == "" && d.pair.equal(next) {
		return "", nil
	}
	ns, err := s.numbers(branch)
	if err != nil || len(ns) == 0 {
		return "", err
	}
	t := undoToken{after: ns[len(ns)-1], revision: next.revision()}
	h, _, err := s.readVersion(branch, t.after)
	if err != nil || h.Parent == nil {
		return "", err
	}
	t.before = *h.Parent
	return t.String(), nil
}

// Undo takes back the change that gave the token: both files become what they
// were before, byte for byte. It fails with ErrStale if the memory has changed
// since, and with ErrNoVersion if what was before is not kept any more. Tokens
// hold over restarts. Changes that followed one another are taken back newest
// first. Undo of the token that it returns makes the change again; so does Redo.
func (s *Store) Undo(ctx context.Context, branch, token string) (Edited, error) {
	e, err := s.takeBack(ctx, branch, token)
	return e, named(branch, err)
}

func (s *Store) takeBack(ctx context.Context, branch, text string) (Edited, error) {
	t, sum, err := readToken(text)
	if err != nil {
		return Edited{}, err
	}
	if !s.historyDir(branch).IsDir() {
		return Edited{}, fmt.Errorf("%w: none is kept", ErrNoVersion)
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return Edited{}, err
	}
	defer unlock()
	if err := s.recover(branch); err != nil {
		return Edited{}, err
	}
	d, err := s.read(branch)
	if err != nil {
		return Edited{}, err
	}
	t.revision = d.revision()
	if t.sum() != sum {
		return Edited{}, fmt.Errorf("the memory is not as that change left it: %w", ErrStale)
	}
	lines := parseLines(d.items, FileStem(branch)+itemsExt)
	if lines.newer() {
		return Edited{}, ErrNewer
	}
	var to pair
	if t.before > 0 {
		h, p, err := s.readVersion(branch, t.before)
		if err != nil {
			return Edited{}, fmt.Errorf("version %d: %w", t.before, err)
		}
		to = p
		to.counted, to.active = true, h.Active
	}
	err = s.putBackAll(branch, d, to, t, lines)
	if errors.Is(err, ErrChanged) { // by an editor, which takes no lock
		return Edited{}, fmt.Errorf("%w: %w", ErrStale, err)
	}
	if err != nil {
		return Edited{}, err
	}
	now, err := s.read(branch)
	if err != nil {
		return Edited{}, err
	}
	redo := undoToken{before: t.after, after: t.before, revision: to.revision()}
	return Edited{s.standing(branch, s.state(branch, now).memory, now), nil, redo.String()}, nil
}

// putBackAll makes to, which is version before, what is on disk. What is there now
// is version after, or becomes one; the undo itself adds none, so that a chain of
// undos does not push out what it goes back to.
func (s *Store) putBackAll(branch string, d onDisk, to pair, t undoToken, lines *itemLines) error {
	if err := s.prepare(branch, lines); err != nil {
		return err
	}
	now := t.after
	if d.exists() {
		if _, p, err := s.readVersion(branch, now); err != nil || !p.equal(d.pair) {
			if now, err = s.keep(branch, d.pair); err != nil {
				return err
			}
		}
	}
	next, err := s.moved(branch, d.pair, now, t.before)
	if err != nil {
		return err
	}
	if err := s.announce(branch, d.pair, to, 0, &next); err != nil {
		return err
	}
	if err := s.writePair(branch, d, to); err != nil {
		return err
	}
	return s.finish(branch, &next)
}
