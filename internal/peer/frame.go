package peer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// frame is one message: exactly one of a hello, a request, an answer, an event
// or an error that ends the conversation.
type frame struct {
	Hello  *Hello          `json:"hello,omitempty"`
	ID     uint64          `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
	Event  string          `json:"event,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
}

var errTooLong = fmt.Errorf("a message has more than %d bytes", MaxMessage)

// readFrame reads the next message. The error is io.EOF at an end between
// messages.
func readFrame(r *bufio.Reader) (frame, error) {
	line, err := readLine(r)
	if err != nil {
		return frame{}, err
	}
	return decode(line)
}

// readLine reads up to the next line end. It holds no more than it has read.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > MaxMessage {
			return nil, errTooLong
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}

// decode reads a message and checks that it is one.
func decode(line []byte) (frame, error) {
	if !utf8.Valid(line) {
		return frame{}, errors.New("a message is not valid UTF-8")
	}
	var f frame
	if err := json.Unmarshal(line, &f); err != nil {
		return frame{}, fmt.Errorf("a message is not as it must be: %w", err)
	}
	if !f.valid() {
		return frame{}, errors.New("a message is neither a request nor an answer nor an event")
	}
	return f, nil
}

func (f frame) valid() bool {
	answer := f.Result != nil || f.Error != nil
	switch {
	case f.Hello != nil:
		return f.ID == 0 && f.Method == "" && f.Event == "" && !answer
	case f.Method != "":
		return f.ID != 0 && f.Event == "" && !answer && validName(f.Method)
	case f.Event != "":
		return f.ID == 0 && !answer && validName(f.Event)
	case f.ID != 0:
		return (f.Result != nil) != (f.Error != nil)
	}
	return f.Error != nil && f.Result == nil
}

// validName is the form of the names of methods and events.
func validName(s string) bool {
	return len(s) <= 64 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_.-") == ""
}

// encode makes a message of a frame; its error is errTooLong, or that of a
// value that has no JSON.
func encode(f frame) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(f); err != nil {
		return nil, err
	}
	if b.Len() > MaxMessage {
		return nil, errTooLong
	}
	return b.Bytes(), nil
}

// raw is the JSON of a value; null for nil.
func raw(v any) (json.RawMessage, error) {
	if m, ok := v.(json.RawMessage); ok && m != nil {
		return m, nil
	}
	return json.Marshal(v)
}

// clip cuts a text from the other side for a message to a person.
func clip(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return -1
		}
		return r
	}, s)
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
