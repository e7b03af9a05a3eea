package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Load reads the memory of a branch with the revision of its files. A branch
// without a memory gives an empty one, the empty revision and no error. What
// cannot be read of the item lines is told in Memory.Damage.
func (s *Store) Load(branch string) (Memory, Revision, error) {
	st, d, err := s.load(branch)
	if err != nil {
		return Memory{}, "", named(branch, err)
	}
	return st.memory, d.revision(), nil
}

func named(branch string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("memory of branch %q: %w", branch, err)
}

// loadTries bounds how often files are read anew because somebody wrote them
// meanwhile.
const loadTries = 20

// load reads a memory and writes nothing: a save that was interrupted, or that is
// going on, counts as complete.
func (s *Store) load(branch string) (state, onDisk, error) {
	var last Revision
	for try := range loadTries {
		d, err := s.read(branch)
		if err != nil {
			return state{}, d, err
		}
		st := s.state(branch, d)
		markdown, _ := d.digests()
		whole := d.items == nil || st.lines.header.Markdown == markdown
		if whole && !s.interrupted(branch) {
			return s.one(branch, d, st)
		}
		// An edit, or a save; that of another process goes on while we read.
		if now := d.revision(); try == 0 || now != last && try < loadTries-1 {
			last = now
			continue
		}
		p, err := s.planned(branch, d)
		if err != nil {
			return st, d, err
		}
		if p.end == bring {
			d.pair, d.seed = p.next, ""
			st = s.state(branch, d)
		}
		return s.one(branch, d, st)
	}
	return state{}, onDisk{}, ErrChanged
}

// one gives what was read, as one memory if git's merge of two was not ended.
func (s *Store) one(branch string, d onDisk, st state) (state, onDisk, error) {
	if !st.merged() || st.lines.newer() {
		return st, d, nil
	}
	return s.asOne(branch, d, st)
}

// loadLocked completes an interrupted save, writes what git merged as one memory, and
// loads.
func (s *Store) loadLocked(branch string) (state, onDisk, error) {
	if err := s.recover(branch); err != nil {
		return state{}, onDisk{}, err
	}
	d, err := s.read(branch)
	if err != nil {
		return state{}, d, err
	}
	st := s.state(branch, d)
	if !st.merged() || st.lines.newer() {
		return st, d, nil
	}
	if err := s.settleMerge(branch, d, st); err != nil {
		return state{}, d, err
	}
	if d, err = s.read(branch); err != nil {
		return state{}, d, err
	}
	return s.state(branch, d), d, nil
}

// maxBranchFiles bounds the folder of the memories.
const maxBranchFiles = 100_000

// Branches returns the exact names of all branches that have a memory, sorted.
func (s *Store) Branches() ([]string, error) {
	entries, err := s.dir.ReadDir(maxBranchFiles)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		stem, ok := strings.CutSuffix(e.Name(), markdownExt)
		if !ok || strings.HasPrefix(stem, ".") || e.IsDir() {
			continue
		}
		if name, ok := s.branchOf(stem); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// file is a file of the memories.
func (s *Store) file(name string) file { return file{s.dir, name} }

// own is a file of the local folder.
func (s *Store) own(elem ...string) file { return file{s.local(), filepath.Join(elem...)} }

// branchOf finds out whose memory a Markdown file is; the folder may hold files
// that are none.
func (s *Store) branchOf(stem string) (string, bool) {
	if head, err := s.firstLine(stem + itemsExt); err == nil {
		if l := parseLines(head, ""); l.headRaw != nil && FileStem(l.header.Branch) == stem {
			return l.header.Branch, true
		}
	}
	data, _, err := readFile(s.file(stem + markdownExt))
	if err == nil {
		err = checkSize(s.file(stem+markdownExt), data, nil)
	}
	if err != nil {
		return stem, FileStem(stem) == stem // loading it says what is wrong
	}
	d := parseDocument(data, s.layout)
	if d.titled && (FileStem(d.title) == stem || strings.EqualFold(seedStem(d.title), stem)) {
		return d.title, true
	}
	return stem, FileStem(stem) == stem && len(d.bullets) > 0
}
