package plugin

import (
	"bytes"
	"context"
)

// text reads a string and gives what stands between its quotes.
func (s *scanner) text() ([]byte, error) {
	d, start := s.data, s.pos+1
	for i := start; i < len(d); i++ {
		if (i-start)&0xffff == 0xffff && s.ctx.Err() != nil {
			return nil, context.Cause(s.ctx)
		}
		switch c := d[i]; {
		case c == '"':
			s.pos = i + 1
			return d[start:i], nil
		case c < ' ':
			s.pos = i
			return nil, s.wrong("a control character in a string")
		case c == '\\':
			n := escape(d[i:])
			if n == 0 {
				s.pos = i
				return nil, s.wrong("an unknown escape")
			}
			i += n - 1
		}
	}
	s.pos = len(d)
	return nil, s.wrong("a string without an end")
}

// escape gives the length of the escape that d begins with, 0 if there is none.
func escape(d []byte) int {
	if len(d) < 2 {
		return 0
	}
	switch d[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(d) < 6 {
			return 0
		}
		for _, c := range d[2:6] {
			if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
				return 0
			}
		}
		return 6
	}
	return 0
}

func (s *scanner) word(w string) error {
	if !bytes.HasPrefix(s.data[s.pos:], []byte(w)) {
		return s.wrong("no value")
	}
	s.pos += len(w)
	return nil
}

// number reads a number of JSON's form.
func (s *scanner) number() error {
	d, i := s.data, s.pos
	digits := func() bool {
		from := i
		for i < len(d) && d[i] >= '0' && d[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(d) && d[i] == '-' {
		i++
	}
	whole := i
	ok := digits() && (d[whole] != '0' || i == whole+1)
	if ok && i < len(d) && d[i] == '.' {
		i++
		ok = digits()
	}
	if ok && i < len(d) && d[i]|0x20 == 'e' {
		if i++; i < len(d) && (d[i] == '+' || d[i] == '-') {
			i++
		}
		ok = digits()
	}
	if !ok {
		return s.wrong("no value")
	}
	if i-s.pos > maxNumber {
		return beyond(maxNumber, "digits in a number")
	}
	s.pos = i
	return nil
}
