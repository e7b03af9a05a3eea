package memory

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"recollect/internal/atomicfile"
	"recollect/internal/unmerged"
)

// write replaces the files of a branch by next. The lock is held and there is no
// interrupted save. The steps, each of which can be the last one:
//
//  1. What is on disk becomes a version, unless it is one already.
//  2. The save is written down: both files as they will be, and what they
//     replace.
//  3. The item lines are replaced, then the Markdown.
//  4. What was written down becomes a version.
func (s *Store) write(branch string, d onDisk, next pair, lines *itemLines) (Revision, error) {
	if d.seed == "" && d.pair.equal(next) {
		return d.revision(), nil
	}
	if err := s.prepare(branch, lines); err != nil {
		return "", err
	}
	parent, err := s.standsAt(branch, d.pair)
	if err != nil {
		return "", err
	}
	if err := s.announce(branch, d.pair, next, parent, nil); err != nil {
		return "", err
	}
	if err := s.writePair(branch, d, next); err != nil {
		return "", err
	}
	if err := s.finish(branch, nil); err != nil {
		return "", err
	}
	return next.revision(), nil
}

// prepare makes what has to be there before a branch's files are written, and
// sets aside what the write would lose.
func (s *Store) prepare(branch string, lines *itemLines) error {
	if err := s.dir.Make(0o755); err != nil {
		return err
	}
	if err := s.makeRoom(branch); err != nil {
		return err
	}
	return s.keepDamaged(branch, lines)
}

// writePair is step 3. If it fails, the files are as before, or the announced
// save is completed by the next load.
func (s *Store) writePair(branch string, d onDisk, next pair) error {
	old := d.pair.summed()
	if d.seed != "" {
		old.markdown = nil
	}
	stem := FileStem(branch)
	err := s.put(s.file(stem+itemsExt), next.items, expectSum(old.items, old.sums.items))
	if err == nil {
		err = s.put(s.file(stem+markdownExt), next.markdown, expectSum(old.markdown, old.sums.markdown))
	}
	if err != nil {
		return s.undo(branch, old, next, err)
	}
	if s.written != nil && !d.quiet {
		s.written(s.state(branch, d).memory, s.state(branch, onDisk{pair: next}).memory)
	}
	if d.seed != "" {
		// The branch has its own file now; an edit of the seed's since stays there.
		seed := s.file(d.seed)
		if now, _, err := readFile(seed); err == nil && bytes.Equal(now, d.markdown) {
			return seed.remove()
		}
	}
	return nil
}

// undo takes back what was written before err. What cannot be taken back stays
// announced.
func (s *Store) undo(branch string, old, next pair, err error) error {
	if errors.Is(err, atomicfile.Crash()) {
		return err
	}
	stem := FileStem(branch)
	back := errors.Join(putBack(s.file(stem+markdownExt), old.markdown, next.markdown), putBack(s.file(stem+itemsExt), old.items, next.items))
	if back != nil {
		return errors.Join(err, back)
	}
	if gone := s.drop(branch); gone != nil {
		return errors.Join(err, gone)
	}
	if errors.Is(err, atomicfile.ErrChanged) {
		return fmt.Errorf("%w: %w", ErrChanged, err)
	}
	return err
}

// putBack restores one file if it holds what was just written.
func putBack(f file, old, written []byte) error {
	now, _, err := readFile(f)
	if err != nil || !same(now, written) || same(old, written) {
		return err
	}
	if old == nil {
		return f.remove()
	}
	return atomicfile.ReplaceIn(f.in, f.name, old, expect(written), atomicfile.Options{})
}

// replace replaces one file that must hold old.
func (s *Store) replace(f file, data, old []byte) error { return s.put(f, data, expect(old)) }

// put replaces one file that must be as expected; nil data removes it.
func (s *Store) put(f file, data []byte, want atomicfile.Expect) error {
	if data == nil {
		return s.remove(f, want)
	}
	o := atomicfile.Options{}
	if f.in.Top() != s.dir.Top() { // of this machine, and not of the project
		o.Mode = 0o600
	}
	if s.before != nil {
		o.Before = func(step atomicfile.Step) error { return s.before(filepath.Base(f.name), step) }
	}
	return atomicfile.ReplaceIn(f.in, f.name, data, want, o)
}

func (s *Store) remove(f file, want atomicfile.Expect) error {
	now, sum, _, err := readSummed(f)
	if err != nil || now == nil {
		return err
	}
	if want != atomicfile.Content(sum) {
		return fmt.Errorf("%s: %w", f.path(), atomicfile.ErrChanged)
	}
	if s.before != nil {
		if err := s.before(filepath.Base(f.name), atomicfile.StepRename); err != nil {
			return err
		}
	}
	if err := f.remove(); err != nil {
		return err
	}
	return atomicfile.SyncFolderIn(f.folder())
}

// makeRoom moves another branch's seed memory away from the name that this
// branch needs, to the name that it should have.
func (s *Store) makeRoom(branch string) error {
	stem := FileStem(branch)
	if s.file(stem + itemsExt).there() {
		return nil
	}
	data, _, err := readFile(s.file(stem + markdownExt))
	if err != nil || data == nil {
		return err
	}
	owner, ok := s.seedOwner(FileStem(branch), data)
	if !ok || owner == branch {
		return nil
	}
	err = atomicfile.ReplaceIn(s.dir, FileStem(owner)+markdownExt, data, atomicfile.Absent(), atomicfile.Options{})
	if errors.Is(err, atomicfile.ErrChanged) {
		// The owner has a memory of its own already.
		_, err = s.addVersion(owner, pair{markdown: data})
	}
	if err != nil {
		return err
	}
	return s.file(stem + markdownExt).remove()
}

// keepDamaged sets lines that could not be read aside, once.
func (s *Store) keepDamaged(branch string, lines *itemLines) error {
	if lines == nil || len(lines.damaged) == 0 {
		return nil
	}
	aside := s.file(FileStem(branch) + itemsExt + damagedExt)
	old, _, err := readFile(aside)
	if err != nil {
		return err
	}
	all := bytes.Clone(old)
	for _, raw := range lines.damaged {
		if !containsLine(all, raw) {
			all = append(append(all, raw...), '\n')
		}
	}
	if bytes.Equal(all, old) {
		return nil
	}
	return s.replace(aside, all, old)
}

func containsLine(text, line []byte) bool {
	for l := range bytes.Lines(text) {
		if bytes.Equal(bytes.TrimSpace(l), line) {
			return true
		}
	}
	return false
}

// maxHead bounds the first of the item lines, in bytes.
const maxHead = 1 << 20

// firstLine gives the first of the item lines, below a mark of git's.
func (s *Store) firstLine(name string) ([]byte, error) {
	f, _, err := s.dir.Open(name, maxFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(io.LimitReader(f, maxHead))
	for {
		line, err := r.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		if err == io.EOF || !unmerged.Mark(line) {
			return line, nil
		}
	}
}
