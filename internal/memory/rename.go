package memory

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// Errors of Rename.
var (
	ErrNoMemory = errors.New("there is no memory of it")
	ErrTaken    = errors.New("it has a memory of its own")
)

// Rename makes the memory of a branch that of another one, which has none: the same
// items, the same Markdown but for the branch in its title. The last state stays a
// version of the branch before. What died in between is completed by the same call.
func (s *Store) Rename(ctx context.Context, from, to string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	st, d, err := s.loadLocked(from)
	switch {
	case err != nil:
		return named(from, err)
	case !d.exists():
		return named(from, ErrNoMemory)
	case st.lines.newer():
		return named(from, ErrNewer)
	}
	there, now, err := s.loadLocked(to)
	if err != nil {
		return named(to, err)
	}
	if now.exists() && !slices.EqualFunc(there.memory.Items, st.memory.Items, sameItem) {
		return named(to, ErrTaken)
	}
	if !now.exists() {
		next := pair{markdown: st.doc.retitled(to)}
		h := header{Branch: to, Markdown: digest(next.markdown), Updated: st.memory.Updated, Layout: st.memory.Layout}
		if next.items, err = st.lines.encode(h, st.memory.Items); err != nil {
			return named(to, err)
		}
		now.quiet = true
		if _, err := s.write(to, now, next.summed(), st.lines); err != nil {
			return named(to, err)
		}
	}
	d.quiet = true
	_, err = s.write(from, d, pair{}, st.lines)
	return named(from, err)
}

// retitled gives the document with another branch in its title.
func (d *document) retitled(branch string) []byte {
	if len(d.lines) == 0 {
		return newDocument(branch, d.layout).bytes()
	}
	var b strings.Builder
	done := false
	for i, l := range d.lines {
		h := headingOf(d.at(i), firstByte(d.at(i)))
		at := strings.Index(l.text, d.layout.Title+":")
		if done || !d.titled || h == nil || len(h[1]) != 1 || !strings.HasPrefix(h[2], d.layout.Title+":") || at < 0 {
			b.WriteString(l.text)
			continue
		}
		done = true
		b.WriteString(l.text[:at] + d.layout.Title + ": " + writeName(branch) + l.text[len(strings.TrimRight(l.text, "\r\n")):])
	}
	return []byte(b.String())
}
