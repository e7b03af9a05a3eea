package memory

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"

	"recollect/internal/atomicfile"
)

// recover completes or drops a save that died. The lock is held.
func (s *Store) recover(branch string) error {
	data, _, err := readFile(s.announced(branch))
	if err != nil || data == nil {
		return err
	}
	h, to, err := decodeVersion(data)
	if err != nil {
		// It is written in one step, so this is somebody else's file.
		return os.Rename(s.announced(branch), s.announced(branch)+damagedExt)
	}
	d, err := s.read(branch)
	if err != nil {
		return err
	}
	switch {
	case !same(d.items, to.items) && digest(d.items) == h.OldItems:
		return s.drop(branch) // nothing was written
	case !same(d.items, to.items), same(d.markdown, to.markdown):
		return s.settle(branch, to) // all was written, or somebody wrote other files since
	case digest(d.markdown) == h.OldMarkdown:
		if err := s.rewrite(branch, d, to); err != nil {
			return err
		}
		return s.settle(branch, to)
	case to.revision() == "":
		return s.drop(branch) // a person went on with the Markdown
	}
	return s.recoverEdit(branch, h, d, to)
}

// settle ends a save that is complete: it becomes a version, unless it left
// nothing.
func (s *Store) settle(branch string, to pair) error {
	if to.revision() == "" {
		return s.drop(branch)
	}
	return s.finish(branch)
}

// rewrite is the half of the save that is missing.
func (s *Store) rewrite(branch string, d onDisk, to pair) error {
	path := filepath.Join(s.dir, FileStem(branch)+markdownExt)
	old := d.markdown
	if d.seed != "" {
		old = nil
	}
	return s.replace(path, to.markdown, old)
}

func (s *Store) drop(branch string) error {
	if err := os.Remove(s.announced(branch)); err != nil {
		return err
	}
	return atomicfile.SyncFolder(s.historyDir(branch))
}

// recoverEdit is for a Markdown that a person edited after the item lines were
// written and before the save was completed. If the edit was made to the old
// Markdown, both are brought together: where the person changed an item, the
// person's word holds.
func (s *Store) recoverEdit(branch string, h versionHead, d onDisk, to pair) error {
	base, ok := s.base(branch, h)
	if !ok || commonLines(d.markdown, to.markdown) >= commonLines(d.markdown, base.markdown) {
		return s.finish(branch) // the next load reads it as an edit of the new one
	}
	before := s.state(branch, onDisk{pair: base})
	edited := s.state(branch, onDisk{pair: pair{markdown: d.markdown, items: base.items}, edited: d.edited})
	saved := s.state(branch, onDisk{pair: to})
	items := threeWay(before.memory.Items, edited.memory.Items, saved.memory.Items)
	layout := unionLayout(saved.memory.Layout, before.memory.Layout, items)
	doc := parseDocument(d.markdown, layout)
	_, ids := bind(doc, edited.memory.Items, person(d.edited), d.edited)
	items = inOrderOf(ids, items)
	next := pair{markdown: doc.edit(ids, items, saved.memory.Updated)}
	var err error
	next.items, err = saved.lines.encode(header{
		Branch: branch, Markdown: digest(next.markdown), Updated: saved.memory.Updated, Layout: layout,
	}, items)
	if err != nil {
		return err
	}
	if err := s.keep(branch, d.pair); err != nil {
		return err
	}
	if err := s.announce(branch, d.pair, next); err != nil {
		return err
	}
	if err := s.writePair(branch, d, next); err != nil {
		return err
	}
	return s.finish(branch)
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
