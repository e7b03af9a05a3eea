package memory

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"recollect/internal/atomicfile"
)

// maxFile is the largest file of a memory that is read, in bytes.
const maxFile = 32 << 20

// maxSeedStem is the longest name that a seed memory can have, in bytes: usual
// file systems end at 255.
const maxSeedStem = 250

// pair is both files of a memory as bytes. A nil slice is a file that is not
// there.
type pair struct {
	markdown, items []byte
	// counted says that active is how many active items they hold.
	counted bool
	active  int
}

func (p pair) revision() Revision {
	if p.markdown == nil && p.items == nil {
		return ""
	}
	return Revision(digest(p.markdown) + ":" + digest(p.items))
}

func digest(data []byte) string {
	if data == nil {
		return "-"
	}
	return atomicfile.SumOf(data).String()
}

func (p pair) equal(q pair) bool {
	return same(p.markdown, q.markdown) && same(p.items, q.items)
}

// same tells a missing file from an empty one.
func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

func expect(data []byte) atomicfile.Expect {
	if data == nil {
		return atomicfile.Absent()
	}
	return atomicfile.Content(atomicfile.SumOf(data))
}

// onDisk is a branch's files as they were read.
type onDisk struct {
	pair
	edited time.Time // when the Markdown was last written
	seed   string    // path of a seed memory's file that holds the Markdown, else ""
}

// read reads a branch's files. The Markdown may still be under the name that a
// seed memory gave it.
func (s *Store) read(branch string) (onDisk, error) {
	var d onDisk
	var err error
	stem := filepath.Join(s.dir, FileStem(branch))
	// The item lines first: they are written first, so that what is read later is
	// never older.
	if d.items, _, err = readFile(stem + itemsExt); err != nil {
		return d, err
	}
	if d.markdown, d.edited, err = readFile(stem + markdownExt); err != nil {
		return d, err
	}
	if d.items != nil {
		return d, nil
	}
	if d.markdown != nil {
		if owner, ok := s.seedOwner(FileStem(branch), d.markdown); ok && owner != branch {
			d.markdown = nil
		}
		return d, nil
	}
	seed := filepath.Join(s.dir, seedStem(branch)+markdownExt)
	if branch == "" || seed == stem+markdownExt || len(seedStem(branch)) > maxSeedStem {
		return d, nil
	}
	data, edited, err := readFile(seed)
	if err != nil || data == nil {
		return d, err
	}
	if owner, ok := s.seedOwner(seedStem(branch), data); ok && owner == branch {
		d.markdown, d.edited, d.seed = data, edited, seed
	}
	return d, nil
}

// seedOwner returns the branch that a Markdown without item lines names in its
// title, if a seed memory of that branch would have this stem; case does not
// count on every file system.
func (s *Store) seedOwner(stem string, markdown []byte) (string, bool) {
	d := parseDocument(markdown, s.layout)
	return d.title, d.titled && strings.EqualFold(seedStem(d.title), stem)
}

func readFile(path string) ([]byte, time.Time, error) {
	data, _, err := atomicfile.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, time.Time{}, nil
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	if data == nil {
		data = []byte{}
	}
	var at time.Time
	if info, err := os.Stat(path); err == nil {
		at = info.ModTime().UTC().Truncate(time.Millisecond)
	}
	return data, at, nil
}

// state is a memory together with what is needed to write it again.
type state struct {
	memory Memory
	lines  *itemLines
	doc    *document
	ids    []string // of the document's bullets
}

// state brings the two files together.
func (s *Store) state(branch string, d onDisk) state {
	lines := parseLines(d.items, FileStem(branch)+itemsExt)
	layout := s.layout
	if len(lines.header.Layout.Sections) > 0 {
		layout = lines.header.Layout
	}
	layout = withSections(layout, lines.items)
	doc := parseDocument(d.markdown, layout)
	other := person(d.edited)
	if lines.headRaw == nil && doc.titled && doc.stamp >= 0 {
		other = newcomer{Origin{Extractor: Unknown, Time: d.edited}, 0.5}
	}
	st := state{lines: lines, doc: doc}
	items, ids := bind(doc, lines.items, other, d.edited)
	st.ids = ids
	st.memory = Memory{Branch: branch, Updated: doc.updated, Items: items, Layout: layout, Damage: lines.damage}
	return st
}

// withSections adds the sections of active items that a layout does not have.
func withSections(l Layout, items []Item) Layout {
	has := map[string]bool{}
	for _, s := range l.Sections {
		has[s.ID] = true
	}
	out := l
	for _, it := range items {
		if it.State == Active && !has[it.Section] {
			has[it.Section] = true
			out.Sections = append(out.Sections[:len(out.Sections):len(out.Sections)], Section{ID: it.Section, Heading: it.Section})
		}
	}
	return out
}
