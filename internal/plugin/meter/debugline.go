package meter

import "encoding/binary"

// le reads an unsigned number of n bytes, the least significant first.
func (r *reader) le(n int) (v uint64) {
	for i, c := range r.take(n) {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// sleb reads a signed LEB128 number.
func (r *reader) sleb() (v int64) {
	for shift := 0; shift < 64; shift += 7 {
		c := r.byte()
		v |= int64(c&0x7f) << shift
		if c < 0x80 {
			if c&0x40 != 0 && shift < 57 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.fail("a number is too long")
	return 0
}

// text passes a string that ends with a zero byte, and tells whether it is
// empty.
func (r *reader) text() (empty bool) {
	from := r.pos
	for r.byte() != 0 {
	}
	return r.pos == from+1
}

// form passes a value of one of DWARF's forms, versions 2 to 4.
func (r *reader) form(f uint32) bool {
	switch f {
	case 0x19: // a flag by being there
	case 0x0b, 0x0c, 0x11:
		r.take(1)
	case 0x05, 0x12:
		r.take(2)
	case formAddr, 0x06, 0x0e, 0x10, 0x13, 0x17:
		r.take(4)
	case 0x07, 0x14, 0x20:
		r.take(8)
	case 0x0d, 0x0f, 0x15:
		r.skipLEB(10)
	case 0x08:
		r.text()
	case 0x0a:
		r.take(int(r.le(1)))
	case 0x03:
		r.take(int(r.le(2)))
	case 0x04:
		r.take(int(r.le(4)))
	case 0x09, 0x18:
		r.take(r.count())
	default:
		return false
	}
	return r.err == nil
}

// Opcodes of line programs.
const (
	lineExtended    = 0
	lineCopy        = 1
	lineAdvancePC   = 2
	lineAdvanceLine = 3
	lineConstAdd    = 8
	lineFixedAdd    = 9

	lineEndSequence = 1 // extended
	lineSetAddress  = 2
)

// A lineUnit is one line program on its way to moved code.
type lineUnit struct {
	r       *reader
	out     []byte
	moves   moves
	base    int64 // of line steps of special opcodes
	span    int64 // of the same
	special byte  // the first of them
	lengths []byte

	old, new uint32 // the address that the program is at, and that of out
	placed   bool   // out has an address in this sequence
}

// lineUnits rewrites the line section, and notes where its units went.
func (d *debug) lineUnits(sec []byte) ([]byte, bool) {
	var out []byte
	r := &reader{b: sec}
	for !r.done() {
		d.lines[uint32(r.pos)] = uint32(len(out))
		body := r.take(int(r.le(4)))
		if r.err != nil {
			return nil, false
		}
		u := &lineUnit{r: &reader{b: body}, moves: d.moves}
		if !u.header() || !u.program() {
			return nil, false
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(len(u.out)))
		out = append(out, u.out...)
	}
	return out, true
}

func (u *lineUnit) header() bool {
	r := u.r
	version := r.le(2)
	size := int(r.le(4))
	end := r.pos + size
	if r.err != nil || version < 2 || version > 4 || end > len(r.b) || size < 8 {
		return false
	}
	if r.byte() != 1 { // smallest instruction
		return false
	}
	if version == 4 && r.byte() != 1 { // operations per instruction
		return false
	}
	r.byte() // whether rows are statements by default
	u.base, u.span, u.special = int64(int8(r.byte())), int64(r.byte()), r.byte()
	if u.span == 0 || u.special < lineFixedAdd+1 {
		return false
	}
	u.lengths = r.take(int(u.special) - 1)
	if r.err != nil || r.pos > end {
		return false
	}
	r.pos = end
	u.out = append(u.out, r.b[:end]...)
	return true
}

// program translates the program: rows stay, their addresses move.
func (u *lineUnit) program() bool {
	r := u.r
	for !r.done() {
		from := r.pos
		switch op := r.byte(); {
		case op >= u.special:
			step := int64(op - u.special)
			u.old += uint32(step / u.span)
			u.row(u.base + step%u.span)
		case op == lineExtended:
			u.extended(from)
		case op == lineCopy:
			u.place()
			u.out = append(u.out, op)
		case op == lineAdvancePC:
			u.old += r.u32()
		case op == lineAdvanceLine:
			r.sleb()
			u.out = append(u.out, r.b[from:r.pos]...)
		case op == lineConstAdd:
			u.old += uint32(int64(255-u.special) / u.span)
		case op == lineFixedAdd:
			u.old += uint32(r.le(2))
		default:
			for range u.lengths[op-1] {
				r.skipLEB(10)
			}
			u.out = append(u.out, r.b[from:r.pos]...)
		}
	}
	return r.err == nil
}

func (u *lineUnit) extended(from int) {
	r := u.r
	n := r.count()
	end := r.pos + n
	if n == 0 || r.err != nil {
		r.fail("has an opcode without bytes")
		return
	}
	switch r.byte() {
	case lineSetAddress:
		u.old = uint32(r.le(4))
	case lineEndSequence:
		u.place()
		u.placed, u.old = false, 0
		u.out = append(u.out, r.b[from:end]...)
	default:
		u.out = append(u.out, r.b[from:end]...)
	}
	r.pos = end
}

// place brings the address of out to where the code of the row went.
func (u *lineUnit) place() {
	to := u.moves.to(u.old)
	switch {
	case !u.placed || to < u.new:
		u.out = append(u.out, lineExtended, 5, lineSetAddress)
		u.out = binary.LittleEndian.AppendUint32(u.out, to)
	case to > u.new:
		u.out = appendU32(append(u.out, lineAdvancePC), to-u.new)
	}
	u.placed, u.new = true, to
}

// row adds a row, so many lines after the one before.
func (u *lineUnit) row(lines int64) {
	to := u.moves.to(u.old)
	if u.placed && to >= u.new {
		if op := lines - u.base + u.span*int64(to-u.new) + int64(u.special); op <= 255 {
			u.out, u.new = append(u.out, byte(op)), to
			return
		}
	}
	u.place()
	u.out = appendS64(append(u.out, lineAdvanceLine), lines)
	u.out = append(u.out, lineCopy)
}
