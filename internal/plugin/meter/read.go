package meter

import "unicode/utf8"

// A reader walks over bytes of the module. The first failure stays in err, and
// everything read after it is zero; so a caller may read a whole structure and
// look at err once, but must look before it loops over a count.
type reader struct {
	b    []byte
	pos  int
	what string // what is being read, for the refusal
	err  error
}

func (r *reader) done() bool { return r.err != nil || r.pos >= len(r.b) }

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		e := refuse(Malformed, format, args...)
		if r.what != "" {
			e.text = r.what + ": " + e.text
		}
		r.err = e
	}
}

// ends refuses bytes after what was read.
func (r *reader) ends() {
	if r.err == nil && r.pos != len(r.b) {
		r.fail("has %d bytes too many", len(r.b)-r.pos)
	}
}

func (r *reader) byte() byte {
	if r.err != nil {
		return 0
	}
	if r.pos >= len(r.b) {
		r.fail("ends too early")
		return 0
	}
	c := r.b[r.pos]
	r.pos++
	return c
}

// take gives the next n bytes, a view of the module.
func (r *reader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n < 0 || n > len(r.b)-r.pos {
		r.fail("ends too early")
		return nil
	}
	v := r.b[r.pos : r.pos+n]
	r.pos += n
	return v
}

// u32 reads an unsigned LEB128 number of at most 32 bits.
func (r *reader) u32() uint32 {
	if r.err == nil && r.pos < len(r.b) && r.b[r.pos] < 0x80 {
		r.pos++
		return uint32(r.b[r.pos-1])
	}
	var v uint32
	for i := 0; i < 5; i++ {
		c := r.byte()
		if r.err != nil {
			return 0
		}
		v |= uint32(c&0x7f) << (7 * i)
		if c < 0x80 {
			if i == 4 && c > 0x0f {
				break
			}
			return v
		}
	}
	r.fail("a number has more than 32 bits")
	return 0
}

// s33 reads the signed number of a block type.
func (r *reader) s33() int64 {
	var v int64
	for i := 0; i < 5; i++ {
		c := r.byte()
		v |= int64(c&0x7f) << (7 * i)
		if c >= 0x80 {
			continue
		}
		if c&0x40 != 0 {
			v |= -1 << (7 * (i + 1))
		}
		if v < -1<<32 || v > 1<<32-1 {
			break
		}
		return v
	}
	r.fail("a block type has more than 33 bits")
	return 0
}

// skipLEB passes a number of at most max bytes, without reading its value.
func (r *reader) skipLEB(max int) {
	for i := 0; i < max; i++ {
		if r.byte() < 0x80 {
			return
		}
	}
	r.fail("a number is too long")
}

// count reads the length of a vector whose entries take at least one byte
// each, so that no count can ask for more memory than the module has bytes.
func (r *reader) count() int {
	n := r.u32()
	if r.err == nil && int64(n) > int64(len(r.b)-r.pos) {
		r.fail("announces %d entries or bytes and has room for %d", n, len(r.b)-r.pos)
		return 0
	}
	return int(n)
}

// name reads a string with its length before it.
func (r *reader) name() string {
	n := r.count()
	v := r.take(n)
	if r.err == nil && !utf8.Valid(v) {
		r.fail("a name is not valid UTF-8")
	}
	return string(v)
}

func appendU32(b []byte, v uint32) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func appendS64(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if (v == 0 && c&0x40 == 0) || (v == -1 && c&0x40 != 0) {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

func appendName(b []byte, s string) []byte {
	return append(appendU32(b, uint32(len(s))), s...)
}
