package httpapi

import (
	"bufio"
	"errors"
	"io"
)

// events passes a stream of events on without its comments and the empty lines
// around them. Servers send those to keep a connection alive; the vendors'
// libraries take the empty line after one for an event without data.
type events struct {
	body  io.Closer
	from  *bufio.Reader
	left  int  // bytes that may still come
	field bool // the event that is being read has a line
	tail  bool // the line that is being read has begun
	skip  bool // ... and is a comment
	rest  []byte
	err   error
}

func newEvents(body io.ReadCloser, limit int) *events {
	return &events{body: body, from: bufio.NewReaderSize(body, 16<<10), left: limit}
}

func (e *events) Close() error { return e.body.Close() }

func (e *events) Read(p []byte) (int, error) {
	for len(e.rest) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.fill()
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// fill reads one line, or a piece of a long one.
func (e *events) fill() {
	line, err := e.from.ReadSlice('\n')
	if e.left -= len(line); e.left < 0 {
		e.err = errTooLong
		return
	}
	if !e.tail {
		e.skip = len(line) > 0 && line[0] == ':'
	}
	e.tail = errors.Is(err, bufio.ErrBufferFull)
	if err != nil && !e.tail {
		e.err = err
	}
	blank := string(line) == "\n" || string(line) == "\r\n"
	switch {
	case e.skip, blank && !e.field:
		return
	case blank:
		e.field = false
	default:
		e.field = true
	}
	e.rest = line
}
