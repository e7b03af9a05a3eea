package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strconv"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/history"
	"recollect/internal/safefile"
)

// Session is what is to be archived.
type Session struct {
	history.Session
	Refs []history.Ref // of the session, in order
	// Turns reads turns, as history.History does.
	Turns func(ctx context.Context, refs []history.Ref) iter.Seq2[history.Turn, error]
}

// Writer brings an archive up to date. It reads what is archived when there is
// something to write, so that nothing is kept twice. It is for one goroutine.
type Writer struct {
	store  *Store
	redact func(string) string
	now    time.Time
	read   bool
	known  map[string]*Header // by file
	where  map[turnOf]place   // of the text of turns
	newer  map[string]bool    // files that are left alone
	Damage []string           // files that were set aside
}

type turnOf struct{ source, id string }

type place struct{ session, digest string }

// Writer makes one. redact takes secrets out of a text; nil keeps them.
func (s *Store) Writer(redact func(string) string, now time.Time) *Writer {
	return &Writer{store: s, redact: redact, now: now, known: map[string]*Header{}, where: map[turnOf]place{}, newer: map[string]bool{}}
}

// look reads what is archived, once.
func (w *Writer) look() error {
	if w.read {
		return nil
	}
	paths, err := files(w.store.dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		h, err := w.store.header(path)
		switch {
		case err == nil:
			w.learn(path, h)
		case errors.Is(err, ErrNewer):
			w.newer[path] = true
		case errors.Is(err, ErrDamaged):
			if err := setAside(path); err != nil {
				return err
			}
			w.Damage = append(w.Damage, path)
		}
	}
	w.read = true
	return nil
}

func (w *Writer) learn(path string, h *Header) {
	w.known[path] = h
	for _, t := range h.Turns {
		if t.In == "" {
			w.where[turnOf{h.Source, t.ID}] = place{h.Session, t.Digest}
		}
	}
}

// header reads the header of a file of the project.
func (s *Store) header(path string) (*Header, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.close()
	if f.Project != s.root {
		return nil, fmt.Errorf("%s: it is of another project: %w", path, ErrNone)
	}
	return &f.Header, nil
}

// Put archives a session, and says whether there was something to write. Turns
// that are archived and not in its transcript any more are kept. A file of a newer
// version is left alone: ErrNewer.
func (w *Writer) Put(ctx context.Context, x Session) (bool, error) {
	path := w.store.File(x.Source, x.ID)
	digest := digestOf(x)
	if w.asItIs(path, digest) {
		return false, nil
	}
	if err := w.look(); err != nil {
		return false, err
	}
	if w.newer[path] {
		return false, fmt.Errorf("%s: %w", path, ErrNewer)
	}
	old := w.known[path]
	if old != nil && old.Digest == digest && (old.Redacted || w.redact == nil) && w.whole(old) {
		return false, nil
	}
	expect := atomicfile.Absent()
	held := map[string]turnLine{}
	if old != nil {
		var err error
		if held, expect, err = w.held(path, x.Refs); err != nil {
			return false, err
		}
	}
	h := Header{
		Project: w.store.root, Source: x.Source, Session: x.ID, Title: w.clean(x.Title), Started: x.Started, LastActive: x.LastActive,
		Saved: w.now.UTC(), Digest: digest, Redacted: w.redact != nil,
	}
	lines, err := w.collect(ctx, &h, old, x, held)
	if err != nil {
		return false, err
	}
	text, err := encode(h, slices.Values(lines))
	if err != nil {
		return false, err
	}
	if err := safefile.MakePrivate(w.store.dir); err != nil {
		return false, err
	}
	o := atomicfile.Options{Mode: 0o600}
	if w.store.before != nil {
		o.Before = func(step atomicfile.Step) error { return w.store.before(path, step) }
	}
	if err := atomicfile.Replace(path, text, expect, o); err != nil {
		return false, err
	}
	w.learn(path, &h)
	return true, nil
}

// asItIs says whether a session is archived as it is, and shares nothing.
func (w *Writer) asItIs(path, digest string) bool {
	stamp, size := stampOf(path)
	h := Header{Digest: digest, Redacted: true}
	if stamp == h.stamp(size) {
		return true
	}
	h.Redacted = false
	return stamp == h.stamp(size) && w.redact == nil
}

// whole says whether the sessions that have a part of this one are still there.
func (w *Writer) whole(h *Header) bool {
	for _, t := range h.Turns {
		if t.In != "" && w.where[turnOf{h.Source, t.ID}].session != t.In {
			return false
		}
	}
	return true
}

func (w *Writer) clean(text string) string {
	if w.redact == nil {
		return text
	}
	return w.redact(text)
}

// digestOf changes whenever the session would be archived otherwise.
func digestOf(x Session) string {
	b := strconv.AppendQuote([]byte{formatVersion}, x.Title)
	for _, r := range x.Refs {
		for _, part := range []string{r.ID, r.Branch, r.Digest} {
			b = append(binary.AppendUvarint(b, uint64(len(part))), part...)
		}
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// held gives the archived turns that are not among refs, and what the file must
// still be when it is replaced.
func (w *Writer) held(path string, refs []history.Ref) (map[string]turnLine, atomicfile.Expect, error) {
	data, sum, err := atomicfile.Read(path, maxBody)
	if errors.Is(err, fs.ErrNotExist) { // taken away to make room, meanwhile
		return nil, atomicfile.Absent(), nil
	}
	if err != nil {
		return nil, atomicfile.Expect{}, err
	}
	there := map[string]bool{}
	for _, r := range refs {
		there[r.ID] = true
	}
	held := map[string]turnLine{}
	f, err := decode(bytes.NewReader(data))
	if err == nil {
		for t, terr := range f.turns() {
			if err = terr; err != nil {
				break
			}
			if !there[t.ID] {
				held[t.ID] = w.line(t)
			}
		}
	}
	if errors.Is(err, ErrDamaged) {
		w.Damage = append(w.Damage, path)
		return held, atomicfile.Absent(), setAside(path)
	}
	return held, atomicfile.Content(sum), err
}

// collect gives the lines of a session's turns and names all of its turns in h.
func (w *Writer) collect(ctx context.Context, h *Header, old *Header, x Session, held map[string]turnLine) ([]turnLine, error) {
	var wanted []history.Ref
	elsewhere := map[string]string{}
	for _, r := range x.Refs {
		if p, ok := w.where[turnOf{x.Source, r.ID}]; ok && p.session != x.ID && p.digest == r.Digest {
			elsewhere[r.ID] = p.session
			continue
		}
		wanted = append(wanted, r)
	}
	read := map[string]turnLine{}
	for t, err := range x.Turns(ctx, wanted) {
		if errors.Is(err, history.ErrGone) {
			continue
		}
		if err != nil {
			return nil, err
		}
		read[t.ID] = w.line(t)
	}
	var lines []turnLine
	add := func(r Ref) {
		l, ok := read[r.ID]
		if !ok {
			l, ok = held[r.ID]
		}
		switch {
		case r.In != "":
			h.Turns = append(h.Turns, r)
		case ok:
			h.Turns = append(h.Turns, r)
			lines = append(lines, l)
		}
	}
	for _, r := range together(old, x.Refs) {
		if in, ok := elsewhere[r.ID]; ok {
			r.In = in
		}
		add(r)
	}
	return lines, ctx.Err()
}

// together lists the turns that are there, and those that were, each in its
// order.
func together(old *Header, refs []history.Ref) []Ref {
	there := map[string]bool{}
	for _, r := range refs {
		there[r.ID] = true
	}
	var gone []Ref
	if old != nil {
		for _, r := range old.Turns {
			if !there[r.ID] {
				gone = append(gone, r)
			}
		}
	}
	out := make([]Ref, 0, len(refs)+len(gone))
	for _, r := range refs {
		for len(gone) > 0 && gone[0].Time.Before(r.Time) {
			out, gone = append(out, gone[0]), gone[1:]
		}
		out = append(out, Ref{ID: r.ID, Branch: r.Branch, Time: r.Time, Digest: r.Digest})
	}
	return append(out, gone...)
}

// maxText is what is kept of one message, in bytes.
const maxText = 4 << 20

func (w *Writer) line(t history.Turn) turnLine {
	l := turnLine{ID: t.ID, Messages: make([]messageLine, 0, len(t.Messages))}
	left := maxTurn / 8 // JSON may need six bytes for one
	for _, m := range t.Messages {
		text := shorten(m.Text, min(maxText, left))
		left -= len(text)
		l.Messages = append(l.Messages, messageLine{m.ID, m.Role, m.Time, w.clean(text)})
	}
	return l
}

// shorten cuts a text at the start of a character.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := max(limit, 0)
	for end > 0 && text[end]&0xC0 == 0x80 {
		end--
	}
	return text[:end]
}
