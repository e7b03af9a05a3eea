package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"recollect/hostapi"
	"recollect/internal/printable"
)

// shape bounds what JSON from a plug-in may decode to, whatever its length in
// bytes. The zero value is what [hostapi] says of every message.
type shape struct {
	lists map[string]int // most elements of the lists under a key, where it is not hostapi.MaxList
	// exact names the members whose keys need not be of the contract's spelling;
	// nil: none has to be.
	exact map[string]bool
}

// errShape says that JSON would decode to more than it may: the rest of a
// sentence that begins with what it is.
type errShape struct{ reason string }

func (e *errShape) Error() string { return e.reason }

func beyond(n int, what string) error {
	return &errShape{fmt.Sprintf("has more than %d %s", n, what)}
}

const (
	maxNumber = 400     // bytes of a number
	maxKeyLen = 4 << 10 // bytes of a key as it is written
	// fewKeys is up to how many keys of an object are compared one by one.
	fewKeys = 16
)

// member is a value of the outermost object, as it is written.
type member struct {
	key   string
	value json.RawMessage
}

// members are in the order in which they are written; no key is there twice.
type members []member

// get gives a value, nil if there is none or it is null.
func (m members) get(key string) json.RawMessage {
	for _, x := range m {
		if x.key == key && string(x.value) != "null" {
			return x.value
		}
	}
	return nil
}

// scan reads JSON from front to back and keeps nothing of it, before anything is
// decoded: it must be one object in UTF-8, with no key twice in an object, within
// the bounds. The members that it gives are parts of data.
// An error is a *errShape, the cause of ctx, or says what is wrong with the JSON.
func scan(ctx context.Context, data []byte, sh shape) (members, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("it is not UTF-8")
	}
	s := scanner{ctx: ctx, data: data, shape: sh}
	if s.peek() != '{' {
		return nil, s.wrong("no object")
	}
	if err := s.value(); err != nil {
		return nil, err
	}
	if s.space(); s.pos < len(data) {
		return nil, s.wrong("something after its end")
	}
	return s.members, nil
}

// scanner goes through JSON without recursion.
type scanner struct {
	ctx     context.Context
	data    []byte
	pos     int
	shape   shape
	values  int
	members members

	depth  int
	levels [hostapi.MaxDepth]level
}

// level is an object or list that the scanner stands in.
type level struct {
	object bool
	count  int // members or elements so far
	most   int
	free   bool // keys may be spelled as they like
	key    []byte
	start  int // of the value that is read
	few    [][]byte
	many   map[string]struct{}
}

func (s *scanner) wrong(what string) error {
	return fmt.Errorf("%s at byte %d", what, s.pos)
}

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek is the next byte that is no space, 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

// value reads the whole value.
func (s *scanner) value() error {
	for {
		opened, err := s.begin()
		if err != nil {
			return err
		}
		// After a value, or right within an empty object or list, one or several
		// may end.
		for first := opened; ; first = false {
			if s.depth == 0 {
				return nil
			}
			more, err := s.next(first)
			if err != nil {
				return err
			}
			if more {
				break
			}
		}
	}
}

// begin reads a value, or only its opening bracket.
func (s *scanner) begin() (opened bool, err error) {
	if s.values++; s.values > hostapi.MaxValues {
		return false, beyond(hostapi.MaxValues, "values")
	}
	if s.values&0x3ff == 0 && s.ctx.Err() != nil {
		return false, context.Cause(s.ctx)
	}
	switch c := s.peek(); c {
	case '{', '[':
		return true, s.open(c == '{')
	case '"':
		_, err := s.text()
		return false, err
	case 't':
		return false, s.word("true")
	case 'f':
		return false, s.word("false")
	case 'n':
		return false, s.word("null")
	default:
		return false, s.number()
	}
}

func (s *scanner) open(object bool) error {
	if s.depth == len(s.levels) {
		return &errShape{fmt.Sprintf("is nested deeper than %d", hostapi.MaxDepth)}
	}
	l := &s.levels[s.depth]
	few := l.few[:0]
	*l = level{object: object, most: hostapi.MaxKeys, few: few, free: s.shape.exact == nil}
	if s.depth > 0 {
		above := &s.levels[s.depth-1]
		l.free = l.free || above.free || above.object && s.shape.exact[string(above.key)]
		if !object {
			l.most = hostapi.MaxList
			if n, ok := s.shape.lists[string(above.key)]; ok && above.object {
				l.most = n
			}
		}
	}
	s.depth++
	s.pos++
	return nil
}

// next goes to the next value of the innermost object or list, or out of it.
func (s *scanner) next(first bool) (more bool, err error) {
	l := &s.levels[s.depth-1]
	if !first && s.depth == 1 && l.object {
		s.members = append(s.members, member{unescaped(l.key), s.data[l.start:s.pos]})
	}
	end := byte(']')
	if l.object {
		end = '}'
	}
	switch c := s.peek(); {
	case c == end:
		s.pos++
		s.depth--
		return false, nil
	case first:
	case c == ',':
		s.pos++
	default:
		return false, s.wrong("no comma or end")
	}
	if l.count++; l.count > l.most {
		return false, beyond(l.most, l.what())
	}
	if !l.object {
		return true, nil
	}
	return true, s.key(l)
}

func (l *level) what() string {
	if l.object {
		return "keys in an object"
	}
	return "elements in a list"
}

// key reads a key and its colon.
func (s *scanner) key(l *level) error {
	if s.peek() != '"' {
		return s.wrong("no key")
	}
	raw, err := s.text()
	if err != nil {
		return err
	}
	if len(raw) > maxKeyLen {
		return beyond(maxKeyLen, "bytes in a key")
	}
	if bytes.IndexByte(raw, '\\') >= 0 {
		raw = []byte(unescaped(raw))
	}
	if !l.free && !contractKey(raw) {
		return fmt.Errorf("the key %s is unknown", printable.Quote(string(raw), 60))
	}
	if l.twice(raw) {
		return fmt.Errorf("the key %s is there twice", printable.Quote(string(raw), 60))
	}
	if s.peek() != ':' {
		return s.wrong("no colon")
	}
	s.pos++
	s.space()
	l.key, l.start = raw, s.pos
	return nil
}

// contractKey holds for what a key of the contract may be. Go takes keys for the
// same whose letters differ in case, or look alike enough: strict readers do not.
func contractKey(key []byte) bool {
	for _, c := range key {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != ':' {
			return false
		}
	}
	return true
}

// twice notes a key, and says whether it was there.
func (l *level) twice(key []byte) bool {
	if l.many == nil {
		for _, k := range l.few {
			if bytes.Equal(k, key) {
				return true
			}
		}
		if l.few = append(l.few, key); len(l.few) <= fewKeys {
			return false
		}
		l.many = make(map[string]struct{}, 2*fewKeys)
		for _, k := range l.few {
			l.many[string(k)] = struct{}{}
		}
		return false
	}
	if _, there := l.many[string(key)]; there {
		return true
	}
	l.many[string(key)] = struct{}{}
	return false
}

// unescaped is the text of what stands between the quotes of a string.
func unescaped(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	var s string
	if err := json.Unmarshal(append(append([]byte{'"'}, raw...), '"'), &s); err != nil {
		return string(raw) // the scanner has checked it
	}
	return s
}
