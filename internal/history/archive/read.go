package archive

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/history"
)

// Sessions lists what is archived of the project, oldest first, and the files
// that can't be read.
func (s *Store) Sessions() (list []Header, damaged []string, err error) {
	paths, err := files(s.dir)
	for _, path := range paths {
		h, err := s.header(path)
		switch {
		case err == nil:
			list = append(list, *h)
		case errors.Is(err, ErrDamaged):
			damaged = append(damaged, path)
		}
	}
	slices.SortStableFunc(list, func(a, b Header) int { return a.Started.Compare(b.Started) })
	return list, damaged, err
}

// Find gives the header of a session; ErrNone if it is not archived.
func (s *Store) Find(source, session string) (Header, error) {
	h, err := s.header(s.File(source, session))
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNone
	}
	if err != nil {
		return Header{}, err
	}
	return *h, nil
}

// Turns gives all turns of a session in order, those that it shares with another
// session too. A turn that is not there any more is left out.
func (s *Store) Turns(ctx context.Context, h Header) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		shared, err := s.shared(ctx, h)
		if err != nil {
			yield(history.Turn{}, err)
			return
		}
		f, err := open(s.File(h.Source, h.Session))
		if err != nil {
			yield(history.Turn{}, err)
			return
		}
		defer f.close()
		next, stop := iter.Pull2(f.turns())
		defer stop()
		for _, r := range f.Turns {
			if err := ctx.Err(); err != nil {
				yield(history.Turn{}, err)
				return
			}
			var t history.Turn
			if r.In != "" {
				messages, ok := shared[r.ID]
				if !ok {
					continue
				}
				t = history.Turn{Ref: f.ref(r), Messages: messages}
			} else {
				var terr error
				if t, terr, _ = next(); terr != nil {
					yield(history.Turn{}, terr)
					return
				}
			}
			if !yield(t, nil) {
				return
			}
		}
		if _, err, more := next(); more && err != nil { // the checksum
			yield(history.Turn{}, err)
		}
	}
}

// shared reads the turns of a session that lie with others.
func (s *Store) shared(ctx context.Context, h Header) (map[string][]history.Message, error) {
	wanted := map[string]map[string]bool{}
	for _, r := range h.Turns {
		if r.In == "" {
			continue
		}
		if wanted[r.In] == nil {
			wanted[r.In] = map[string]bool{}
		}
		wanted[r.In][r.ID] = true
	}
	out := map[string][]history.Message{}
	for session, ids := range wanted {
		f, err := open(s.File(h.Source, session))
		if err != nil {
			continue
		}
		for t, err := range f.turns() {
			if err != nil || ctx.Err() != nil {
				break
			}
			if ids[t.ID] {
				out[t.ID] = t.Messages
			}
		}
		f.close()
	}
	return out, ctx.Err()
}

// Usage is how large an archive is.
type Usage struct {
	Sessions int
	Bytes    int64
	Damaged  int // files that were set aside
}

// Size tells how large the archive of the project is.
func (s *Store) Size() (Usage, error) { return sizeOf(s.dir) }

// Total tells how large the archives of all projects are.
func (s *Store) Total() (Usage, error) {
	var sum Usage
	dirs, err := namesIn(s.top)
	for _, name := range dirs {
		u, uerr := sizeOf(filepath.Join(s.top, name))
		if uerr != nil {
			continue // a file, or a folder that went
		}
		sum.Sessions += u.Sessions
		sum.Bytes += u.Bytes
		sum.Damaged += u.Damaged
	}
	return sum, err
}

func sizeOf(dir string) (Usage, error) {
	var u Usage
	names, err := namesIn(dir)
	for _, name := range names {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		u.Bytes += info.Size()
		switch {
		case strings.Contains(name, suffix+".damaged"):
			u.Damaged++
		case strings.HasSuffix(name, suffix):
			u.Sessions++
		}
	}
	return u, err
}
