package claudecode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/history"
	"recollect/internal/safefile"
)

// marks are hashes of parts of a file before a cursor: what tells a file that
// grew from one that was rewritten, whatever the clock says.
type marks struct{ head, last, middle uint64 }

const (
	markSize    = 4 << 10
	middleSize  = 512
	middleParts = 8
)

// identity is what tells, without reading it, that a file may have changed.
type identity struct {
	size  int64
	mtime int64
	stamp uint64
}

// file is one transcript as a view has it.
type file struct {
	path string
	size int64
	read int64 // bytes of it that were new
	// foreign says that nothing in it belongs to the scope: what it says is not
	// kept in memory.
	foreign bool
	// latest is when something in it can have been said, in microseconds since 1970,
	// and written when it was changed last.
	latest, written int64
	*transcript
}

// refresher brings transcripts up to date.
type refresher struct {
	dir string // of index files; "" keeps none
	key uint64
	own []string
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// refresh reads what is new of a file. Damage is in the result; an error means
// that the file could not be read.
func (r *refresher) refresh(ctx context.Context, path string) (*file, error) {
	f, info, err := safefile.Open(path, history.MaxFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	now := identity{info.Size(), info.ModTime().UnixNano(), stamp(f)}
	x, fresh := r.begin(ctx, f, path, now)
	start := x.cursor
	tail, err := x.advance(ctx, f, info.Size())
	if err != nil {
		return nil, err
	}
	out := &file{path: path, size: info.Size(), read: x.cursor - start}
	clock := time.Now()
	out.latest = history.Latest(info.ModTime(), clock).UnixMicro()
	out.written = earlier(info.ModTime(), clock).UnixMicro()
	sum := uint64(0)
	if len(tail.text) > 0 {
		sum = hash(tail.text)
	}
	if sum != x.tail {
		out.read += tail.size
	}
	if fresh || x.tail != sum || x.identity != now || x.cursor != start {
		x.tail, x.identity = sum, now
		if x.marks, err = marksOf(f, x.cursor, true); err != nil {
			return nil, err
		}
		if r.dir != "" {
			// Without an index the next run reads more: no reason to fail this one.
			_ = saveIndex(r.dir, x)
		}
	}
	x.finish(tail)
	out.transcript = x.transcript
	return out, nil
}

// begin gives the index of a file if the file still begins with what it tells
// of, and else an empty one.
func (r *refresher) begin(ctx context.Context, f *os.File, path string, now identity) (x *index, fresh bool) {
	x, err := loadIndex(ctx, r.dir, path, r.key)
	if err == nil && x.fits(f, now) && x.restore(f) {
		x.own = r.own
		return x, false
	}
	self := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return &index{path: path, key: r.key, transcript: newTranscript(history.Clean(self), r.own)}, true
}

// fits says whether a file begins with what the index tells of. Where its
// identity is that of the last run, its beginning and the end before the cursor
// decide; else samples between them do too. A file of the same size with
// another identity may have been changed anywhere: it does not fit.
func (x *index) fits(f io.ReaderAt, now identity) bool {
	if x.cursor > now.size || x.size > now.size {
		return false
	}
	same := x.identity == now
	if x.size == now.size && !same {
		return false
	}
	quick := same && now.stamp != 0
	m, err := marksOf(f, x.cursor, !quick)
	if err != nil {
		return false
	}
	if quick {
		m.middle = x.marks.middle
	}
	return m == x.marks
}

func marksOf(f io.ReaderAt, cursor int64, middle bool) (marks, error) {
	var m marks
	buf := make([]byte, markSize)
	sum := func(off, size int64) (uint64, error) {
		b := buf[:size]
		if _, err := f.ReadAt(b, off); err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		return xxhash.Sum64(b), nil
	}
	n := min(cursor, markSize)
	var err error
	if m.head, err = sum(0, n); err != nil {
		return m, err
	}
	if m.last, err = sum(cursor-n, n); err != nil {
		return m, err
	}
	if !middle || cursor <= 2*markSize {
		return m, nil
	}
	for i := range int64(middleParts) {
		part, err := sum(markSize+(cursor-2*markSize)*i/middleParts, min(middleSize, cursor-markSize))
		if err != nil {
			return m, err
		}
		m.middle = m.middle*31 + part
	}
	return m, nil
}

// restore reads the names, titles and commits that the index holds only as hashes.
func (x *index) restore(f io.ReaderAt) bool {
	for i := range x.places {
		p := &x.places[i]
		if p.branch == sumText(xxhash.Sum64String("")) {
			p.branch = ""
			continue
		}
		r, ok := readRecord(f, x.from[i])
		branch := label(r.branch)
		if !ok || sumText(xxhash.Sum64String(branch)) != p.branch {
			return false
		}
		p.branch = branch
	}
	for i := range x.titles {
		t := &x.titles[i]
		r, ok := readRecord(f, t.from)
		s := titleText(&r)
		if !ok || sumText(xxhash.Sum64String(s)) != t.text {
			return false
		}
		t.text = s
	}
	for i := range x.commits {
		c := &x.commits[i]
		r, ok := readRecord(f, c.from)
		s := commitIn(scanMessage(r.message).content)
		if !ok || sumText(xxhash.Sum64String(s)) != c.text {
			return false
		}
		c.text = s
	}
	return true
}

// readRecord reads the record at a place of a file again.
func readRecord(f io.ReaderAt, s sample) (record, bool) {
	var r record
	b := make([]byte, s.size)
	if n, err := f.ReadAt(b, s.off); n < len(b) && err != nil {
		return r, false
	}
	ok := scanRecord(b, 0, &r) == len(b)
	return r, ok
}

// advance takes in the whole lines behind the cursor and gives the line that is
// not finished, if there is one. Only the first size bytes count: what is
// written meanwhile is for the next time.
func (x *index) advance(ctx context.Context, f io.ReaderAt, size int64) (line, error) {
	if x.cursor >= size {
		return line{}, nil
	}
	ls := newLines(io.NewSectionReader(f, 0, size), x.cursor)
	for {
		l, err := ls.next(ctx)
		if errors.Is(err, io.EOF) {
			return line{}, nil
		}
		if err != nil {
			return line{}, err
		}
		if l.tail {
			return l, nil
		}
		x.add(l)
		x.cursor = l.off + l.size + 1
	}
}

// finish takes in the unfinished line for this view only. Whole records are
// used: the assistant, or who copied the file, left out the last LF. Anything
// else is not written yet.
func (x *index) finish(tail line) {
	if tail.size == 0 || skipSpace(tail.text, 0) == len(tail.text) && !tail.long {
		return
	}
	if !tail.long && whole(tail.text) {
		x.add(tail)
		return
	}
	x.lines++
	x.hit(history.DamageTail, fmt.Sprintf("%d bytes", tail.size))
}
