package claudecode

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/safefile"
)

// indexVersion changes with the layout below and with whatever decides what is
// kept of a record: which text is whose, and how it is cleaned.
const indexVersion = "recollect claude-code index 5\n"

// maxIndex bounds the size of an index file that is read.
const maxIndex = 1 << 30

// errIndex says that an index file is absent, damaged, of another version or of
// another file. It is rebuilt then.
var errIndex = errors.New("no usable index")

// index is what an index file holds: a transcript up to a line's end, and how
// to tell that the file still begins with it.
type index struct {
	path string
	key  uint64 // of the options that decide what is kept
	identity
	cursor int64 // where the next line begins
	// tail is the hash of what followed the cursor; 0: nothing.
	tail  uint64
	marks marks
	*transcript
}

func indexFile(dir, path string) string {
	return filepath.Join(dir, fmt.Sprintf("%016x.idx", xxhash.Sum64String(path)))
}

func loadIndex(ctx context.Context, dir, path string, key uint64) (*index, error) {
	if dir == "" {
		return nil, errIndex
	}
	b, _, err := safefile.Read(ctx, indexFile(dir, path), maxIndex)
	if err != nil {
		return nil, errIndex
	}
	x, err := decodeIndex(b)
	if err != nil || x.path != path || x.key != key {
		return nil, errIndex
	}
	return x, nil
}

// saveIndex writes an index file.
func saveIndex(dir string, x *index) error {
	return writeCache(indexFile(dir, x.path), func(f *os.File) error { return encodeIndex(f, x) })
}

// writeCache writes a file beside its old self and puts it in its place. It is a
// cache: a reader tells by the checksum whether it is whole.
func writeCache(name string, write func(*os.File) error) error {
	dir := filepath.Dir(name)
	if err := safefile.MakePrivate(dir); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "new-*.idx")
	if err != nil {
		return err
	}
	err = write(f)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// encoder writes an index piece by piece: that of a long history has many
// megabytes. It keeps the first error.
type encoder struct {
	w   io.Writer
	b   []byte
	sum xxhash.Digest
	err error
}

func (e *encoder) num(n uint64)  { e.grow(binary.AppendUvarint(e.b, n)) }
func (e *encoder) int(n int64)   { e.grow(binary.AppendVarint(e.b, n)) }
func (e *encoder) hash(n uint64) { e.grow(binary.LittleEndian.AppendUint64(e.b, n)) }
func (e *encoder) str(s string) {
	e.num(uint64(len(s)))
	e.grow(append(e.b, s...))
}

func (e *encoder) grow(b []byte) {
	if e.b = b; len(b) >= 32<<10 {
		e.flush()
	}
}

func (e *encoder) flush() {
	_, _ = e.sum.Write(e.b) // never fails
	if e.err == nil {
		_, e.err = e.w.Write(e.b)
	}
	e.b = e.b[:0]
}

// encodeIndex writes the version, the index and the checksum of both.
func encodeIndex(w io.Writer, x *index) error {
	e := &encoder{w: w, b: make([]byte, 0, 40<<10)}
	e.sum.Reset()
	e.b = append(e.b, indexVersion...)
	e.str(x.path)
	e.hash(x.key)
	e.int(x.size)
	e.int(x.mtime)
	e.hash(x.stamp)
	e.int(x.cursor)
	e.hash(x.tail)
	e.hash(x.marks.head)
	e.hash(x.marks.last)
	e.hash(x.marks.middle)
	e.transcript(x.transcript)
	e.flush()
	e.hash(e.sum.Sum64())
	e.flush()
	return e.err
}

func (e *encoder) transcript(t *transcript) {
	e.str(t.self)
	e.str(t.dir)
	e.num(uint64(t.records))
	e.num(uint64(t.lines))
	e.num(uint64(t.hurt))
	e.num(uint64(t.placeAt))
	e.num(uint64(len(t.places)))
	for i, p := range t.places {
		e.str(p.session)
		e.str(p.dir)
		e.hash(xxhash.Sum64String(p.branch))
		e.str(p.version)
		e.sample(t.from[i])
		e.int(t.born[i])
	}
	e.num(uint64(len(t.words)))
	for i := range t.words {
		e.words(&t.words[i])
	}
	e.num(uint64(len(t.nodes)))
	for _, n := range t.nodes {
		e.hash(n.parent)
		e.num(uint64(n.place)<<2 | bit(n.outsider)<<1 | bit(n.logical))
		e.int(int64(n.words))
	}
	e.num(uint64(len(t.ids)))
	for i, id := range t.ids {
		e.hash(id)
		e.num(uint64(t.of[i]))
	}
	e.num(uint64(len(t.usage)))
	for _, u := range t.usage {
		e.hash(u.msg)
		e.int(u.in)
		e.int(u.out)
		e.num(uint64(u.place))
	}
	e.num(uint64(len(t.titles)))
	for _, x := range t.titles {
		e.hash(xxhash.Sum64String(x.text))
		e.str(x.session)
		e.hash(x.leaf)
		e.num(uint64(x.rank))
		e.sample(x.from)
	}
	e.num(uint64(len(t.calls.last)))
	for i := range t.calls.last {
		e.call(&t.calls.last[i])
	}
	e.num(uint64(len(t.writes)))
	for _, w := range t.writes {
		e.num(uint64(w.place))
		e.str(w.path)
	}
	e.num(uint64(len(t.commits)))
	for _, c := range t.commits {
		e.num(uint64(c.place))
		e.int(c.time)
		e.hash(xxhash.Sum64String(c.text))
		e.sample(c.from)
	}
	e.num(uint64(len(t.strangers)))
	for _, s := range t.strangers {
		e.str(s.Field)
		e.str(s.Kind)
		e.num(uint64(s.Records))
	}
	e.num(uint64(len(t.damage)))
	for _, d := range t.damage {
		e.num(uint64(d.Line))
		e.str(d.Kind)
		e.str(d.Note)
	}
}

func (e *encoder) sample(s sample) {
	e.int(s.off)
	e.num(uint64(s.size))
}

func (e *encoder) words(w *words) {
	e.str(w.name)
	e.hash(w.orig)
	e.hash(w.msg)
	e.hash(w.sum)
	e.int(w.time)
	e.int(w.off)
	e.num(uint64(w.size))
	e.num(uint64(w.text))
	e.num(uint64(w.place))
	e.num(uint64(w.flags))
	if w.flags&wordsAnswer != 0 {
		e.sample(w.asked)
	}
}

func (e *encoder) call(c *toolCall) {
	e.hash(c.id)
	e.num(uint64(c.by))
	e.sample(c.at)
	e.num(bit(c.commits))
	e.str(c.path)
	e.num(uint64(len(c.lines)))
	for _, l := range c.lines {
		e.hash(l)
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
