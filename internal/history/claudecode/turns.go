package claudecode

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/history"
	"recollect/internal/safefile"
)

func (v *view) Turns(ctx context.Context, refs []history.Ref) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		var r reader
		defer r.close()
		for _, ref := range refs {
			if err := ctx.Err(); err != nil {
				yield(history.Turn{}, err)
				return
			}
			if !yield(v.read(&r, ref.ID)) {
				return
			}
		}
	}
}

func (v *view) read(r *reader, id string) (history.Turn, error) {
	i, ok := v.byID[id]
	if !ok {
		return history.Turn{}, fmt.Errorf("turn %s: %w", id, history.ErrGone)
	}
	t := &v.turns[i]
	out := history.Turn{Ref: t.ref, Messages: make([]history.Message, len(t.messages))}
	for i := range t.messages {
		m, err := r.message(&t.messages[i])
		if err != nil {
			return history.Turn{}, fmt.Errorf("turn %s: %w", id, err)
		}
		out.Messages[i] = m
	}
	return out, nil
}

// reader reads records again. It keeps the last file open, and one record.
type reader struct {
	path string
	file *os.File
	buf  []byte
}

func (r *reader) close() {
	if r.file != nil {
		// Opened for reading only: nothing can be lost.
		_ = r.file.Close()
		r.file = nil
	}
}

// message reads what a record says, if it is still what the view knows of.
func (r *reader) message(s *spoken) (history.Message, error) {
	before, err := r.asked(s)
	if err != nil {
		return history.Message{}, err
	}
	b, err := r.bytes(s.file.path, sample{s.off, s.size})
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, safefile.ErrNotRegular) || errors.Is(err, safefile.ErrTooLarge) {
		return history.Message{}, history.ErrGone
	}
	if err != nil {
		return history.Message{}, err
	}
	var rec record
	if scanRecord(b, 0, &rec) != len(b) || recordID(&rec, b) != s.name {
		return history.Message{}, history.ErrGone
	}
	m := scanMessage(rec.message)
	by, text := said(&rec, &m, before)
	if xxhash.Sum64String(text) != s.sum {
		return history.Message{}, history.ErrGone
	}
	return history.Message{ID: s.name, Role: roleOf(by), Time: moment(s.at), Text: text}, nil
}

// asked reads the calls that a record answers, if what it says depends on them.
func (r *reader) asked(s *spoken) (*calls, error) {
	if s.asked.size == 0 {
		return nil, nil
	}
	b, err := r.bytes(s.file.path, s.asked)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, safefile.ErrNotRegular) || errors.Is(err, safefile.ErrTooLarge) {
		return nil, history.ErrGone
	}
	if err != nil {
		return nil, err
	}
	var rec record
	if scanRecord(b, 0, &rec) != len(b) {
		return nil, history.ErrGone
	}
	m := scanMessage(rec.message)
	before := &calls{}
	before.add(m.content, s.asked)
	return before, nil
}

func (r *reader) bytes(path string, s sample) ([]byte, error) {
	if r.file == nil || r.path != path {
		r.close()
		f, _, err := safefile.Open(path, history.MaxFile)
		if err != nil {
			return nil, err
		}
		r.path, r.file = path, f
	}
	if cap(r.buf) > 4<<20 && s.size < 1<<20 {
		r.buf = nil // one huge record need not stay for all the others
	}
	r.buf = slices.Grow(r.buf[:0], int(s.size))[:s.size]
	n, err := r.file.ReadAt(r.buf, s.off)
	if n < len(r.buf) {
		if info, statErr := r.file.Stat(); statErr == nil && info.Size() < s.off+int64(s.size) {
			return nil, os.ErrNotExist // shorter than it was
		}
		return nil, err
	}
	return r.buf, nil
}
