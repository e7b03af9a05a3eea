package memory

import (
	"bytes"
	"reflect"
	"slices"

	"recollect/internal/atomicfile"
)

// end is what becomes of a save that died.
type end int

const (
	none   end = iota // there is none
	alien             // what lies there is not ours
	drop              // nothing of it was written, or a person went on
	settle            // all was written
	bring             // its other half is missing, or a person's edit comes to it
)

// plan is how a save that died is completed, and what is on disk then.
type plan struct {
	end  end
	head versionHead
	next pair // what was announced; of bring: what is brought
	keep bool // what is on disk becomes a version: it was edited
}

// planned says how a save that died is completed. It belongs to the files as they
// are, or it is left alone. Nothing is written.
func (s *Store) planned(branch string, d onDisk) (plan, error) {
	data, _, err := readFile(s.announced(branch))
	if err != nil || data == nil {
		return plan{}, err
	}
	h, to, err := decodeVersion(data)
	if err != nil || readName(h.Branch) != branch {
		return plan{end: alien}, nil
	}
	switch {
	case !same(d.items, to.items) && digest(d.items) == h.OldItems:
		return plan{end: drop}, nil // nothing was written
	case !same(d.items, to.items), same(d.markdown, to.markdown):
		// All was written, or somebody wrote other files since.
	case digest(d.markdown) == h.OldMarkdown:
		return plan{end: bring, head: h, next: to}, nil
	case !to.exists():
		return plan{end: drop}, nil // a person went on with the Markdown
	default:
		return s.planEdit(branch, h, d, to)
	}
	return plan{end: settle, head: h, next: to}, nil
}

// planEdit is for a Markdown that a person edited after the item lines were
// written and before the save was completed. If the edit was made to the old
// Markdown, both are brought together: where the person changed an item, the
// person's word holds.
func (s *Store) planEdit(branch string, h versionHead, d onDisk, to pair) (plan, error) {
	base, ok := s.base(branch, h)
	if !ok || commonLines(d.markdown, to.markdown) >= commonLines(d.markdown, base.markdown) {
		return plan{end: settle, head: h, next: to}, nil // it is read as an edit of the new one
	}
	before := s.state(branch, onDisk{pair: base})
	edited := s.state(branch, onDisk{pair: pair{markdown: d.markdown, items: base.items}, edited: d.edited})
	saved := s.state(branch, onDisk{pair: to})
	items := threeWay(before.memory.Items, edited.memory.Items, saved.memory.Items)
	layout := unionLayout(saved.memory.Layout, before.memory.Layout, items)
	doc := parseDocument(d.markdown, layout)
	_, ids := bind(doc, edited.memory.Items, person(d.edited), d.edited)
	items = inOrderOf(ids, items)
	next := pair{markdown: doc.edit(ids, items)}
	var err error
	next.items, err = saved.lines.encode(header{
		Branch: branch, Markdown: digest(next.markdown), Updated: saved.memory.Updated, Layout: layout,
	}, items)
	head := s.head(branch, next)
	head.OldMarkdown, head.OldItems = d.digests()
	return plan{end: bring, head: head, next: next.summed(), keep: true}, err
}

// recover completes or drops a save that died. The lock is held.
func (s *Store) recover(branch string) error {
	if !s.interrupted(branch) {
		return nil
	}
	d, err := s.read(branch)
	if err != nil {
		return err
	}
	p, err := s.planned(branch, d)
	if err != nil {
		return err
	}
	switch p.end {
	case alien:
		dir := s.historyDir(branch)
		return dir.Rename(announcedName, asideOf(dir, announcedName))
	case drop:
		return s.drop(branch)
	case settle:
		return s.finish(branch, p.head.Position)
	case bring:
		return s.bring(branch, d, p)
	}
	return nil
}

// bring writes what a plan comes to.
func (s *Store) bring(branch string, d onDisk, p plan) error {
	if p.keep {
		parent, err := s.keep(branch, d.pair)
		if err != nil {
			return err
		}
		if err := s.announce(branch, d.pair, p.next, parent, nil); err != nil {
			return err
		}
		if err := s.writePair(branch, d, p.next); err != nil {
			return err
		}
		return s.finish(branch, nil)
	}
	old := d.markdown
	if d.seed != "" {
		old = nil
	}
	if err := s.replace(s.file(FileStem(branch)+markdownExt), p.next.markdown, old); err != nil {
		return err
	}
	return s.finish(branch, p.head.Position)
}

func (s *Store) drop(branch string) error {
	if err := s.announced(branch).remove(); err != nil {
		return err
	}
	return atomicfile.SyncFolderIn(s.historyDir(branch))
}

// versionNow is a version as a reader sees it: one that is kept, or one that will
// be when a save that died is completed.
type versionNow struct {
	n    int
	head versionHead
	pair pair
}

// pending gives the versions that come of completing a save that died, ascending.
func (s *Store) pending(branch string) ([]versionNow, error) {
	if !s.interrupted(branch) {
		return nil, nil
	}
	d, err := s.read(branch)
	if err != nil {
		return nil, err
	}
	p, err := s.planned(branch, d)
	if err != nil || p.end != settle && p.end != bring || p.head.Position != nil {
		return nil, err
	}
	ns, err := s.numbers(branch)
	if err != nil {
		return nil, err
	}
	var out []versionNow
	n := next(ns)
	if p.keep {
		if len(ns) > 0 {
			if _, last, err := s.readVersion(branch, n-1); err == nil && last.equal(d.pair) {
				return []versionNow{{n, p.head, p.next}}, nil
			}
		}
		out = append(out, versionNow{n, s.head(branch, d.pair), d.pair})
		n++
	}
	return append(out, versionNow{n, p.head, p.next}), nil
}

// versions reads all versions of a branch, ascending; those that can't be read are
// left out.
func (s *Store) versions(branch string) ([]versionNow, error) {
	ns, err := s.numbers(branch)
	if err != nil {
		return nil, err
	}
	old, err := s.archivedNumbers(branch)
	if err != nil {
		return nil, err
	}
	var out []versionNow
	for _, n := range slices.Compact(slices.Sorted(slices.Values(append(ns, old...)))) {
		if h, p, err := s.readVersion(branch, n); err == nil {
			out = append(out, versionNow{n, h, p})
		}
	}
	more, err := s.pending(branch)
	return append(out, more...), err
}

// base finds the version that the announced save started from.
func (s *Store) base(branch string, h versionHead) (pair, bool) {
	if h.OldMarkdown == digest(nil) && h.OldItems == digest(nil) {
		return pair{}, true
	}
	ns, err := s.numbers(branch)
	if err != nil {
		return pair{}, false
	}
	for i := len(ns) - 1; i >= 0; i-- {
		_, p, err := s.readVersion(branch, ns[i])
		if err == nil && digest(p.markdown) == h.OldMarkdown && digest(p.items) == h.OldItems {
			return p, true
		}
	}
	return pair{}, false
}

// threeWay applies to the saved items what a person changed in those before.
func threeWay(before, edited, saved []Item) []Item {
	was := map[string]Item{}
	for _, it := range before {
		was[it.ID] = it
	}
	changed := map[string]Item{}
	var out []Item
	for _, it := range edited {
		if old, ok := was[it.ID]; !ok || !reflect.DeepEqual(old, it) {
			changed[it.ID] = it
		}
	}
	for _, it := range saved {
		if c, ok := changed[it.ID]; ok {
			it = c
			delete(changed, it.ID)
		}
		out = append(out, it)
	}
	for _, it := range edited {
		if _, ok := changed[it.ID]; ok {
			out = append(out, it)
		}
	}
	return out
}

func commonLines(a, b []byte) int {
	count := map[string]int{}
	for l := range bytes.Lines(b) {
		count[string(bytes.TrimSpace(l))]++
	}
	n := 0
	for l := range bytes.Lines(a) {
		if k := string(bytes.TrimSpace(l)); k != "" && count[k] > 0 {
			count[k]--
			n++
		}
	}
	return n
}
