package archive

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"recollect/internal/history"
	"recollect/internal/safefile"
)

// A file is two gzip members: a line with the header, and a line for each turn
// whose text is in this file. gzip is in the standard library and every system
// has a tool for it; a better ratio would not pay for a dependency, since what was
// said is small beside the transcripts.

const (
	formatPrefix  = "recollect/archive/"
	formatVersion = 1
)

// Bounds of what is read, in bytes after decompression.
const (
	maxHeader = 64 << 20
	maxTurn   = 64 << 20
	maxBody   = 1 << 30
	maxTurns  = 1_000_000
)

// Header says what a file has.
type Header struct {
	Format     string    `json:"format"`
	Project    string    `json:"project"` // root
	Source     string    `json:"source"`
	Session    string    `json:"session"`
	Title      string    `json:"title,omitempty"`
	Started    time.Time `json:"started,omitzero"`
	LastActive time.Time `json:"last_active,omitzero"`
	Saved      time.Time `json:"saved,omitzero"`
	// Digest is of the transcript as it was: what says that nothing is new.
	Digest   string `json:"digest"`
	Redacted bool   `json:"redacted"` // secrets were taken out
	Turns    []Ref  `json:"turns"`    // in the order in which they were said
}

// Ref is a turn of an archived session.
type Ref struct {
	ID     string    `json:"id"`
	Branch string    `json:"branch"`
	Time   time.Time `json:"time,omitzero"`
	Digest string    `json:"digest"`
	// In is the session that has the text, where another one had the same turn
	// before: one was resumed from the other.
	In string `json:"in,omitempty"`
}

func (h *Header) ref(r Ref) history.Ref {
	return history.Ref{ID: r.ID, Session: h.Session, Source: h.Source, Branch: r.Branch, Time: r.Time, Digest: r.Digest}
}

// stamp stands in the comment of the gzip header, so that nothing needs to be
// decompressed to see that a session is archived as it is. It is as long whatever
// the size.
func (h *Header) stamp(size int) string {
	flags := ""
	if h.Redacted {
		flags += " redacted"
	}
	if slices.ContainsFunc(h.Turns, func(r Ref) bool { return r.In != "" }) {
		flags += " shared"
	}
	return fmt.Sprintf("%s%d %s %012d%s", formatPrefix, formatVersion, h.Digest, size, flags)
}

// stampAt is where a comment begins in a gzip file that has nothing before it.
const stampAt = 10

// stampOf gives the stamp of a file and its size; "" if it has none.
func stampOf(path string) (stamp string, size int) {
	f, info, err := safefile.Open(path, maxBody)
	if err != nil {
		return "", 0
	}
	defer f.Close()
	var head [128]byte
	n, _ := io.ReadFull(f, head[:])
	const flags, commented = 3, 1 << 4
	if n < stampAt || head[0] != 0x1f || head[1] != 0x8b || head[flags] != commented {
		return "", 0
	}
	text, _, _ := bytes.Cut(head[stampAt:n], []byte{0})
	return string(text), int(info.Size())
}

// turnLine is a turn as it is written.
type turnLine struct {
	ID       string        `json:"id"`
	Messages []messageLine `json:"messages"`
}

type messageLine struct {
	ID   string       `json:"id"`
	Role history.Role `json:"role"`
	Time time.Time    `json:"time,omitzero"`
	Text string       `json:"text"`
}

// encode gives the text of a file; lines has the turns that h says are in it, in
// its order.
func encode(h Header, lines iter.Seq[turnLine]) ([]byte, error) {
	h.Format = formatPrefix + strconv.Itoa(formatVersion)
	var out bytes.Buffer
	head := gzip.NewWriter(&out)
	head.Comment = h.stamp(0)
	if err := errors.Join(writeLine(head, h), head.Close()); err != nil {
		return nil, err
	}
	body := gzip.NewWriter(&out)
	for l := range lines {
		if err := writeLine(body, l); err != nil {
			return nil, err
		}
	}
	if err := body.Close(); err != nil {
		return nil, err
	}
	copy(out.Bytes()[stampAt:], h.stamp(out.Len()))
	return out.Bytes(), nil
}

func writeLine(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// file is an open file whose header was read.
type file struct {
	Header
	zip  *gzip.Reader
	text *bufio.Reader
	from io.Closer
}

func (f *file) close() {
	if f.from != nil {
		f.from.Close()
	}
}

func open(path string) (*file, error) {
	from, _, err := safefile.Open(path, history.MaxFile)
	if err != nil {
		return nil, err
	}
	f, err := decode(from)
	if err != nil {
		from.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.from = from
	return f, nil
}

func damaged(err error) error { return fmt.Errorf("%w: %w", ErrDamaged, err) }

// decode reads the header of a file.
func decode(r io.Reader) (*file, error) {
	f := &file{text: bufio.NewReaderSize(r, 16<<10)}
	var err error
	if f.zip, err = gzip.NewReader(f.text); err != nil {
		return nil, damaged(err)
	}
	f.zip.Multistream(false)
	text, err := io.ReadAll(io.LimitReader(f.zip, maxHeader+1))
	if err := versionOf(text); err != nil { // of a newer version no more is known
		return nil, err
	}
	if err != nil {
		return nil, damaged(err)
	}
	if len(text) > maxHeader {
		return nil, damaged(errors.New("the header is too long"))
	}
	if err := json.Unmarshal(text, &f.Header); err != nil {
		return nil, damaged(err)
	}
	return f, f.check()
}

// versionOf looks whether the first line of a file says that it is one to read.
func versionOf(text []byte) error {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	var known struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(line, &known); err != nil {
		return damaged(err)
	}
	number, ok := strings.CutPrefix(known.Format, formatPrefix)
	version, err := strconv.Atoi(number)
	switch {
	case !ok || err != nil || version < 1:
		return damaged(fmt.Errorf("%q is not its format", known.Format))
	case version > formatVersion:
		return ErrNewer
	}
	return nil
}

func (h *Header) check() error {
	if h.Session == "" || h.Source == "" || !history.Absolute(h.Project) {
		return damaged(errors.New("the header names no session"))
	}
	if len(h.Turns) > maxTurns {
		return damaged(errors.New("too many turns"))
	}
	known := make(map[string]bool, len(h.Turns))
	for _, t := range h.Turns {
		if t.ID == "" || known[t.ID] {
			return damaged(errors.New("turns are not told apart"))
		}
		known[t.ID] = true
	}
	return nil
}

// turns gives the turns whose text is in the file, in the header's order. The
// iteration ends with an error that wraps ErrDamaged where one is not there.
func (f *file) turns() iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		fail := func(err error) { yield(history.Turn{}, damaged(err)) }
		if err := f.zip.Reset(f.text); err != nil {
			fail(err)
			return
		}
		f.zip.Multistream(false)
		lines := bufio.NewReader(io.LimitReader(f.zip, maxBody))
		for _, r := range f.Turns {
			if r.In != "" {
				continue
			}
			t, err := readTurn(lines)
			if err == nil && t.ID != r.ID {
				err = fmt.Errorf("turn %s is not where it must be", r.ID)
			}
			if err != nil {
				fail(err)
				return
			}
			if !yield(history.Turn{Ref: f.ref(r), Messages: t.said()}, nil) {
				return
			}
		}
		if _, err := lines.ReadByte(); err != io.EOF { // which is where the checksum is looked at
			if err == nil {
				err = errors.New("there is more in it than its header says")
			}
			fail(err)
		}
	}
}

func readTurn(lines *bufio.Reader) (turnLine, error) {
	var line []byte
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxTurn:
			return turnLine{}, errors.New("a turn is too long")
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			return turnLine{}, io.ErrUnexpectedEOF
		case err != nil:
			return turnLine{}, err
		}
		break
	}
	var t turnLine
	return t, json.Unmarshal(bytes.TrimSpace(line), &t)
}

// said gives the messages. Text is valid UTF-8, as the decoder makes it.
func (t turnLine) said() []history.Message {
	out := make([]history.Message, 0, len(t.Messages))
	for _, m := range t.Messages {
		if m.Role != history.User {
			m.Role = history.Assistant
		}
		out = append(out, history.Message{ID: m.ID, Role: m.Role, Time: m.Time, Text: strings.ReplaceAll(m.Text, "\x00", "")})
	}
	return out
}
