package claudecode

import (
	"bytes"
	"slices"
	"strings"

	"recollect/internal/history"
)

// place is what records have in common: a transcript has few of them.
type place struct {
	session, dir, branch, version string
}

// sample is where a record stands that has a text which the index does not
// keep: names and titles may hold secrets, and an index outlives transcripts.
type sample struct {
	off  int64
	size uint32
}

// placeOf gives the index of the record's place. What a record does not say of
// it, it has from the record before: a prompt that waited in a queue may have
// neither session, directory nor branch. Old versions have no branch at all.
func (t *transcript) placeOf(r *record, from sample) uint32 {
	if isString(r.cwd) && !bytes.Equal(r.cwd, t.rawCwd) {
		t.rawCwd = append(t.rawCwd[:0], r.cwd...)
		t.cwd = label(r.cwd)
	}
	if isString(r.cwd) && len(r.cwd) > 2 {
		t.dir = t.cwd
	}
	if t.index == nil {
		t.index = make(map[place]uint32, len(t.places)+1)
		for i, p := range t.places {
			t.index[p] = uint32(i)
		}
	}
	p := t.recent()
	bare := len(r.session) == 0 && p.session != ""
	if p.dir == t.dir && (bare || p.session == orSelf(r.session, t.self)) &&
		(r.branch == nil || plain(r.branch) == p.branch) && (bare && r.version == nil || plain(r.version) == p.version) {
		t.note(t.placeAt, r, from)
		return t.placeAt
	}
	next := place{session: clip(history.Clean(orSelf(r.session, t.self))), dir: t.dir, branch: label(r.branch), version: label(r.version)}
	if bare {
		next.session = p.session
	}
	if i, ok := t.placeBefore(next.session); ok && r.branch == nil {
		// The sample has to be a record that names the branch.
		next.branch, from = t.places[i].branch, t.from[i]
	}
	i, ok := t.index[next]
	if !ok {
		next = place{strings.Clone(next.session), strings.Clone(next.dir), strings.Clone(next.branch), strings.Clone(next.version)}
		i = uint32(len(t.places))
		t.places = append(t.places, next)
		t.from = append(t.from, from)
		t.born = append(t.born, 0)
		t.index[next] = i
	}
	t.note(i, r, from)
	t.placeAt = i
	return i
}

// recent is the last record's place.
func (t *transcript) recent() place {
	if len(t.places) == 0 {
		return place{}
	}
	return t.places[t.placeAt]
}

// placeBefore gives where a session was when it was last seen.
func (t *transcript) placeBefore(session string) (uint32, bool) {
	if t.recent().session == session {
		return t.placeAt, len(t.places) > 0
	}
	for i, p := range slices.Backward(t.places) {
		if p.session == session {
			return uint32(i), true
		}
	}
	return 0, false
}

// note keeps when a place was first seen, and a small record as its sample,
// since that is read at each run.
func (t *transcript) note(i uint32, r *record, from sample) {
	if t.born[i] == 0 {
		t.born[i] = instant(r.timestamp)
	}
	if old := &t.from[i]; r.branch != nil && old.size > 8<<10 && from.size < old.size {
		*old = from
	}
}

func orSelf(session []byte, self string) string {
	if len(session) == 0 {
		return self
	}
	return string(session)
}

// plain gives the bytes of a JSON string that needs no decoding; of another it
// gives something that no decoded string equals.
func plain(v []byte) string {
	s := text(v)
	if bytes.IndexByte(s, '\\') >= 0 {
		return "\\"
	}
	return string(s)
}
