package memory

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

// maxFile is the largest file of a memory that is read, in bytes.
const maxFile = 32 << 20

// file is a file in a folder that nothing leads out of. The name may have several
// elements.
type file struct {
	in   safefile.Folder
	name string
}

func (f file) path() string { return f.in.Path(f.name) }

// there says whether there is anything by that name.
func (f file) there() bool {
	_, err := f.in.Lstat(f.name)
	return err == nil
}

// folder is the one that the file is in.
func (f file) folder() safefile.Folder { return f.in.Sub(filepath.Dir(f.name)) }

func (f file) remove() error {
	err := f.in.Remove(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

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
	sums    *sums // nil: not made yet
}

// sums identify a pair's files; that of a file that is not there says nothing.
// They are made once: the files are compared and written several times.
type sums struct{ markdown, items atomicfile.Sum }

// summed returns the pair with its sums.
func (p pair) summed() pair {
	if p.sums == nil {
		p.sums = &sums{atomicfile.SumOf(p.markdown), atomicfile.SumOf(p.items)}
	}
	return p
}

// digests gives the digest of each file.
func (p pair) digests() (markdown, items string) {
	p = p.summed()
	return digestOf(p.markdown, p.sums.markdown), digestOf(p.items, p.sums.items)
}

func digestOf(data []byte, sum atomicfile.Sum) string {
	if data == nil {
		return "-"
	}
	return sum.String()
}

// exists says whether there is any file.
func (p pair) exists() bool { return p.markdown != nil || p.items != nil }

func (p pair) revision() Revision {
	if !p.exists() {
		return ""
	}
	markdown, items := p.digests()
	return Revision(markdown + ":" + items)
}

func digest(data []byte) string {
	if data == nil {
		return "-"
	}
	return digestOf(data, atomicfile.SumOf(data))
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
	return expectSum(data, atomicfile.SumOf(data))
}

func expectSum(data []byte, sum atomicfile.Sum) atomicfile.Expect {
	if data == nil {
		return atomicfile.Absent()
	}
	return atomicfile.Content(sum)
}

// onDisk is a branch's files as they were read.
type onDisk struct {
	pair
	edited time.Time // when the Markdown was last written
	seed   string    // name of a seed memory's file that holds the Markdown, else ""
	// quiet says that a write brings nothing that was made here.
	quiet bool
}

// read reads a branch's files. The Markdown may still be under the name that a
// seed memory gave it.
func (s *Store) read(branch string) (onDisk, error) {
	d := onDisk{pair: pair{sums: &sums{}}}
	var err error
	stem := FileStem(branch)
	// The item lines first: they are written first, so that what is read later is
	// never older.
	if d.items, d.sums.items, _, err = readSummed(s.file(stem + itemsExt)); err != nil {
		return d, err
	}
	if d.markdown, d.sums.markdown, d.edited, err = readSummed(s.file(stem + markdownExt)); err != nil {
		return d, err
	}
	if err := checkSize(s.file(stem+markdownExt), d.markdown, d.items); err != nil {
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
	seed := seedStem(branch) + markdownExt
	if branch == "" || seed == stem+markdownExt || len(seedStem(branch)) > maxSeedStem {
		return d, nil
	}
	data, sum, edited, err := readSummed(s.file(seed))
	if err == nil {
		err = checkSize(s.file(seed), data, nil)
	}
	if err != nil || data == nil {
		return d, err
	}
	if owner, ok := s.seedOwner(seedStem(branch), data); ok && owner == branch {
		d.markdown, d.sums.markdown, d.edited, d.seed = data, sum, edited, seed
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

func readFile(f file) ([]byte, time.Time, error) {
	data, _, at, err := readSummed(f)
	return data, at, err
}

func readSummed(f file) ([]byte, atomicfile.Sum, time.Time, error) {
	var sum atomicfile.Sum
	data, info, err := f.in.Read(context.Background(), f.name, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, sum, time.Time{}, nil
	}
	if err != nil {
		return nil, sum, time.Time{}, err
	}
	return data, atomicfile.SumOf(data), info.ModTime().UTC().Truncate(time.Millisecond), nil
}

// state is a memory together with what is needed to write it again.
type state struct {
	memory Memory
	lines  *itemLines
	doc    *document
	ids    []string // of the document's bullets
	marks  int      // the first line of git's marks in the document, from 1; 0: there is none
	// newcomer is what a bullet becomes that no line knows.
	newcomer newcomer
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
	updated := lines.header.Updated
	if updated.IsZero() {
		updated = doc.updated
	}
	st := state{lines: lines, doc: doc, marks: marksIn(doc), newcomer: other}
	items, ids := bind(doc, lines.items, other, d.edited)
	st.ids = ids
	st.memory = Memory{Branch: branch, Updated: updated, Items: items, Layout: layout, Damage: lines.damage}
	if st.marks > 0 {
		st.memory.Damage = append(slices.Clip(lines.damage), marksAt(FileStem(branch)+markdownExt, st.marks))
	}
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
