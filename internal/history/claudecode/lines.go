package claudecode

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// maxLine is the longest line that is read. A longer one is skipped alone.
const maxLine = 256 << 20

const chunk = 256 << 10

// line is one line of a file. Its bytes are good until the next one is read.
type line struct {
	off  int64 // of its first byte
	size int64 // without the LF
	text []byte
	long bool // longer than the limit: text is nil
	tail bool // no LF ends it
}

// lines reads the lines of a file from an offset on. Only LF ends a line. It
// holds one chunk, or one line if that is longer.
type lines struct {
	r     io.ReaderAt
	limit int64
	off   int64 // of buf[0]
	buf   []byte
	pos   int // in buf, of the next line
	eof   bool
	chunk []byte // the space that buf uses between long lines
}

func newLines(r io.ReaderAt, off int64) *lines {
	return &lines{r: r, limit: maxLine, off: off, chunk: make([]byte, chunk)}
}

// next gives the next line, or io.EOF after the last.
func (l *lines) next(ctx context.Context) (line, error) {
	if n := bytes.IndexByte(l.buf[l.pos:], '\n'); n >= 0 {
		return l.take(n, false), nil
	}
	if err := ctx.Err(); err != nil {
		return line{}, err
	}
	if !l.eof {
		if err := l.fill(); err != nil {
			return line{}, err
		}
		if n := bytes.IndexByte(l.buf[l.pos:], '\n'); n >= 0 {
			return l.take(n, false), nil
		}
	}
	if l.eof {
		if l.pos == len(l.buf) {
			return line{}, io.EOF
		}
		return l.take(len(l.buf)-l.pos, true), nil
	}
	return l.nextLong(ctx)
}

func (l *lines) take(n int, tail bool) line {
	out := line{off: l.off + int64(l.pos), size: int64(n), text: l.buf[l.pos : l.pos+n], tail: tail}
	l.pos += n
	if !tail {
		l.pos++
	}
	return out
}

// fill moves the rest to the front of the chunk and reads behind it.
func (l *lines) fill() error {
	rest := copy(l.chunk, l.buf[l.pos:])
	l.off += int64(l.pos)
	l.pos = 0
	for rest < len(l.chunk) {
		n, err := l.r.ReadAt(l.chunk[rest:], l.off+int64(rest))
		rest += n
		if errors.Is(err, io.EOF) {
			l.eof = true
			break
		}
		if err != nil {
			return err
		}
	}
	l.buf = l.chunk[:rest]
	return nil
}

// nextLong reads a line that is longer than the chunk: first it looks for the
// line's end, so that the line is read into memory once and at its size.
func (l *lines) nextLong(ctx context.Context) (line, error) {
	out := line{off: l.off}
	end := l.off + int64(len(l.buf))
	for {
		if err := ctx.Err(); err != nil {
			return line{}, err
		}
		n, err := l.r.ReadAt(l.chunk, end)
		if i := bytes.IndexByte(l.chunk[:n], '\n'); i >= 0 {
			end += int64(i)
			break
		}
		end += int64(n)
		if errors.Is(err, io.EOF) {
			out.tail = true
			break
		}
		if err != nil {
			return line{}, err
		}
	}
	out.size = end - out.off
	l.off, l.pos, l.buf = end, 0, nil
	if !out.tail {
		l.off++
	}
	if out.size > l.limit {
		out.long = true
		return out, nil
	}
	out.text = make([]byte, out.size)
	n, err := l.r.ReadAt(out.text, out.off)
	if int64(n) < out.size {
		return line{}, errors.Join(io.ErrUnexpectedEOF, err)
	}
	return out, nil
}
