package claudecode

import (
	"bytes"
	"errors"
	"io"

	"recollect/internal/history/voice"
)

// headKind says what a transcript is, by its beginning.
type headKind uint8

const (
	headUnread  headKind = iota
	headSession          // a session that somebody had
	headOwn              // our own call
	headNothing          // nobody said anything in it
	headKinds
)

// head is what the beginning and the end of a transcript tell.
type head struct {
	kind headKind
	dir  string // the first directory in its records; "" if the beginning has none
	last int64  // the last time in its records, microseconds; 0: none
}

// How much of a transcript is looked at. A directory stands in nearly every
// record, before what was said.
const (
	headSize    = 16 << 10
	maxHeadSize = 256 << 10
	tailSize    = 16 << 10
)

// readHead looks at the beginning and the end of a transcript.
func readHead(f io.ReaderAt, size int64, own []string) (head, error) {
	var h head
	for n := int64(headSize); ; n *= 4 {
		n = min(n, size)
		b, err := readPart(f, 0, n)
		if err != nil {
			return h, err
		}
		whole := int64(len(b)) < n || n == size
		done := false
		if h, done = scanHead(b, whole, own); done || n >= maxHeadSize {
			break
		}
	}
	tail, err := readPart(f, max(size-tailSize, 0), min(size, tailSize))
	if err != nil {
		return h, err
	}
	h.last = lastTime(tail)
	return h, nil
}

func readPart(f io.ReaderAt, off, n int64) ([]byte, error) {
	b := make([]byte, n)
	got, err := f.ReadAt(b, off)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:got], err
}

// scanHead reads the records that a transcript begins with; whole says that b is
// all of it. It is done if more of the transcript could tell nothing else. Lines
// that are no records say nothing.
func scanHead(b []byte, whole bool, own []string) (h head, done bool) {
	t := &transcript{own: own}
	spoken := false
	for l := range bytes.Lines(b) {
		var r record
		cut := scanRecord(l, skipSpace(l, 0), &r) < 0
		if cut && (whole || l[len(l)-1] == '\n') {
			continue
		}
		if h.dir == "" {
			h.dir = label(r.cwd)
		}
		words, ours := t.opens(&r, l, cut)
		if words && ours {
			h.kind = headOwn
			return h, true
		}
		spoken = spoken || words
		if spoken && h.dir != "" {
			h.kind = headSession
			return h, true
		}
	}
	if h.kind = headSession; whole {
		h.kind = headNothing
	}
	return h, whole
}

// opens says whether anybody says something in a record, and whether that is a
// prompt of ours. One that is cut off is taken for words.
func (t *transcript) opens(r *record, raw []byte, cut bool) (words, ours bool) {
	if cut {
		for _, marker := range t.own {
			ours = ours || marker != "" && (bytes.Contains(raw, []byte(`"content":"`+marker)) || bytes.Contains(raw, []byte(`"text":"`+marker)))
		}
		return true, ours
	}
	var m message
	if !r.sidechain && len(r.message) > 0 {
		m = scanMessage(r.message)
	}
	by, text := said(r, &m, nil)
	return text != "", by == voice.Person && t.isOwn(r, text)
}

// lastTime gives the last time in the end of a transcript.
func lastTime(b []byte) int64 {
	key := []byte(`"timestamp":`)
	for {
		i := bytes.LastIndex(b, key)
		if i < 0 {
			return 0
		}
		v := bytes.TrimLeft(b[i+len(key):], ` "`)
		if end := bytes.IndexAny(v[:min(len(v), 64)], `",} `); end >= 0 {
			if at := instant(v[:end]); at != 0 {
				return at
			}
		}
		b = b[:i]
	}
}
