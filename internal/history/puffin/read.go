package puffin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/history"
	"recollect/internal/safefile"
)

// A file that changes while it is read, or was changed just now and is not
// finished, is read again after a moment, a few times.
const (
	attempts = 5
	pause    = 40 * time.Millisecond
	justNow  = 2 * time.Second
)

// file is the index of one history.json as it was read.
type file struct {
	path    string
	size    int64
	changed time.Time // what the file system said of it
	latest  time.Time // that something in it can have been said
	hash    uint64    // of all bytes
	ours    bool      // has Puffin's format
	open    bool      // ends before its end
	updated time.Time
	entries []entry
	records int
	damage  []history.Damage
}

// entry is one prompt.
type entry struct {
	id, parent string
	branch     string // as Puffin names it
	session    string
	title      string
	asked      uint64 // hash of the user's text
	answered   bool
	empty      bool // nobody said anything
	digest     string
	at, until  time.Time
	latest     time.Time // times after this one are none
	order      time.Time // at, or the one of the prompt before where it has none
	off, size  int64     // where it stands in the file
}

// readStable reads a file that its owner may be writing. It gives old if its
// bytes are the same.
func readStable(ctx context.Context, path string, max int64, old *file) (*file, error) {
	for attempt := 1; ; attempt++ {
		f, calm, err := read(ctx, path, max, old)
		gone := errors.Is(err, os.ErrNotExist) // between removing and renaming
		if err == nil && calm || err != nil && !gone || attempt == attempts {
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// read reads a file once; calm says that nobody seems to be writing it.
func read(ctx context.Context, path string, max int64, old *file) (f *file, calm bool, err error) {
	r, before, err := safefile.Open(path, history.MaxFile)
	if err != nil {
		return nil, false, err
	}
	defer r.Close()
	if before.Size() > max {
		return nil, true, fmt.Errorf("%d bytes, more than the limit of %d", before.Size(), max)
	}
	in := &input{ctx: ctx, r: io.LimitReader(r, max), hash: xxhash.New()}
	same := old != nil && old.size == before.Size() && old.changed.Equal(before.ModTime())
	if same {
		if _, err := io.Copy(io.Discard, in); err != nil {
			return nil, false, err
		}
		if in.hash.Sum64() == old.hash && in.n == old.size {
			return old, true, nil
		}
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return nil, false, err
		}
		in = &input{ctx: ctx, r: io.LimitReader(r, max), hash: xxhash.New()}
	}
	f = &file{path: path, changed: before.ModTime()}
	f.latest = history.Latest(f.changed, time.Now())
	f.parse(bufio.NewReaderSize(in, 256<<10))
	if _, err := io.Copy(io.Discard, in); err != nil {
		return nil, false, err
	}
	f.size, f.hash = in.n, in.hash.Sum64()
	if old != nil && old.hash == f.hash && old.size == f.size {
		same := *old
		same.changed = f.changed
		f = &same
	}
	after, err := os.Stat(path)
	calm = err == nil && after.Size() == f.size && after.ModTime().Equal(f.changed) && os.SameFile(before, after)
	if f.open && time.Since(f.changed).Abs() < justNow {
		calm = false
	}
	return f, calm, nil
}

// input hashes and counts what is read and stops when the context ends.
type input struct {
	ctx  context.Context
	r    io.Reader
	hash *xxhash.Digest
	n    int64
}

func (in *input) Read(p []byte) (int, error) {
	if err := in.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := in.r.Read(p)
	in.n += int64(n)
	_, _ = in.hash.Write(p[:n]) // it never fails
	return n, err
}

// parse reads the index from r; what cannot be read becomes damage.
func (f *file) parse(r *bufio.Reader) {
	p := &parser{file: f}
	if mark, _ := r.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		p.base = 3
		_, _ = r.Discard(3) // they were peeked at
	}
	p.dec = json.NewDecoder(r)
	err := p.top()
	if err == nil {
		if _, more := p.dec.Token(); !errors.Is(more, io.EOF) {
			f.spoil(history.DamageRecord, fmt.Sprintf("bytes after the end, at byte %d", p.offset()))
		}
	} else {
		f.open = errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
		kind := history.DamageRecord
		if f.open {
			kind = history.DamageTail
		}
		if s, ok := errors.AsType[*json.SyntaxError](err); ok && !f.open {
			err = fmt.Errorf("%w, at byte %d", err, p.base+s.Offset)
		}
		f.spoil(kind, fmt.Sprintf("%v; %d prompts are complete", err, len(f.entries)))
	}
	f.settle()
}

func (f *file) spoil(kind, note string) {
	f.damage = append(f.damage, history.Damage{File: f.path, Kind: kind, Note: note})
}

// settle fills in what depends on other prompts: sessions and times that are
// not written down.
func (f *file) settle() {
	at := map[string]int{}
	for i, e := range f.entries {
		if _, ok := at[e.id]; !ok {
			at[e.id] = i
		}
	}
	for i := range f.entries {
		e := &f.entries[i]
		e.order = e.at
		if i > 0 && e.at.IsZero() && f.entries[i-1].branch == e.branch {
			e.order = f.entries[i-1].order
		}
		for up, steps := e.parent, 0; e.session == "" && steps < 1000; steps++ {
			j, ok := at[up]
			if !ok {
				break
			}
			e.session, up = f.entries[j].session, f.entries[j].parent
		}
		if e.session == "" {
			e.session = "branch " + history.BranchName(e.branch)
		}
	}
}

// dir is the folder whose history the file is.
func (f *file) dir() string {
	dir := filepath.Dir(f.path)
	if filepath.Base(dir) == folderName {
		dir = filepath.Dir(dir)
	}
	return dir
}
