package meter

import (
	"bytes"
	"math/rand/v2"
	"slices"
)

// mutate changes a module in one to three places: half the time any bytes, so
// that most mutants are refused; else instructions, so that many are valid.
func mutate(rng *rand.Rand, seed, other []byte) []byte {
	if rng.IntN(2) == 0 {
		if b := mutateCode(rng, seed); b != nil {
			return b
		}
	}
	b := bytes.Clone(seed)
	for range 1 + rng.IntN(3) {
		if len(b) < 9 {
			return b
		}
		at := 8 + rng.IntN(len(b)-8)
		switch rng.IntN(7) {
		case 0:
			b[at] ^= 1 << rng.IntN(8)
		case 1:
			b[at] = byte(rng.IntN(256))
		case 2:
			b[at]++
		case 3:
			b[at]--
		case 4:
			b = slices.Insert(b, at, byte(rng.IntN(256)))
		case 5:
			b = slices.Delete(b, at, min(at+1+rng.IntN(3), len(b)))
		case 6: // the bytes of another module over these
			n := min(1+rng.IntN(12), len(b)-at)
			from := rng.IntN(max(len(other)-n, 1))
			copy(b[at:at+n], other[from:])
		}
	}
	return b
}

// mutateCode changes instructions of one function.
func mutateCode(rng *rand.Rand, seed []byte) []byte {
	m, err := parse(seed, DefaultLimits())
	if err != nil || len(m.bodies) == 0 {
		return nil
	}
	which := rng.IntN(len(m.bodies))
	for range 1 + rng.IntN(4) {
		m.bodies[which] = changeInst(rng, m, m.bodies[which])
	}
	code := appendU32(nil, uint32(len(m.bodies)))
	for _, b := range m.bodies {
		code = append(appendU32(code, uint32(len(b))), b...)
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range m.sections {
		body := s.body
		if s.id == secCode {
			body = code
		}
		out = append(appendU32(append(out, s.id), uint32(len(body))), body...)
	}
	return out
}

// alike are opcodes of the same operands and results, from first to last.
var alike = [][2]byte{
	{0x46, 0x4f}, {0x51, 0x5a}, {0x5b, 0x60}, {0x61, 0x66}, {0x67, 0x69}, {0x6a, 0x78}, {0x79, 0x7b}, {0x7c, 0x8a},
	{0x8b, 0x91}, {0x92, 0x98}, {0x99, 0x9f}, {0xa0, 0xa6}, {0x02, 0x03}, {0x0c, 0x0d},
}

// snippets neither take nor leave anything on the stack.
var snippets = [][]any{
	{opNop}, {opI32Const, 1, 0x1a}, {opBlock, noValue, opEnd}, {opLoop, noValue, opEnd},
	{opI32Const, 0, opIf, noValue, opReturn, opEnd}, {opBlock, noValue, opI32Const, 1, opBrIf, 0, opEnd},
	{opUnreachable}, {opReturn}, {opBr, 0}, {opI32Const, 0, opBrIf, 0}, {opI32Const, 1, opBrTable, 1, 0, 0},
	{opCall, 0}, {opCall, 1}, {opGlobalGet, 0, opGlobalSet, 0}, {opLocalGet, 0, 0x21, 0},
	{opBlock, noValue, opBr, 0, opNop, opNop, opEnd}, {opI32Const, 1, opMemoryGrow, 0, 0x1a},
	{opI32Const, 0, opI32Const, 1, opI32Const, 40, opMemoryFill, 0},
	{opLoop, noValue, opI32Const, 0, opBrIf, 0, opI32Const, 0, opIf, noValue, opBr, 2, opEnd, opEnd},
}

func changeInst(rng *rand.Rand, m *module, b []byte) []byte {
	var at []inst
	s := scan{r: reader{b: b}, lim: DefaultLimits()}
	if s.readLocals(&funcType{}) != nil {
		return b
	}
	for s.r.err == nil && s.r.pos < len(b) {
		var in inst
		s.r.inst(&in)
		at = append(at, in)
	}
	if len(at) == 0 || s.r.err != nil {
		return b
	}
	in := at[rng.IntN(len(at))]
	b = bytes.Clone(b)
	switch rng.IntN(6) {
	case 0: // another instruction of the same operands
		for _, a := range alike {
			if a[0] <= b[in.start] && b[in.start] <= a[1] {
				b[in.start] = a[0] + byte(rng.IntN(int(a[1]-a[0])+1))
			}
		}
	case 1: // another immediate
		if in.end > in.at {
			b[in.end-1] = byte(rng.IntN(8))
		}
	case 2:
		b = slices.Delete(b, in.start, in.end)
	case 3: // the instruction twice
		b = slices.Insert(b, in.start, b[in.start:in.end]...)
	default:
		b = slices.Insert(b, in.start, cat(snippets[rng.IntN(len(snippets))]...)...)
	}
	return b
}
