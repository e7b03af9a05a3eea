package meter

import "fmt"

// An opcode; those with a prefix have the prefix in the high byte.
type opcode uint16

const (
	opUnreachable  opcode = 0x00
	opNop          opcode = 0x01
	opBlock        opcode = 0x02
	opLoop         opcode = 0x03
	opIf           opcode = 0x04
	opElse         opcode = 0x05
	opEnd          opcode = 0x0b
	opBr           opcode = 0x0c
	opBrIf         opcode = 0x0d
	opBrTable      opcode = 0x0e
	opReturn       opcode = 0x0f
	opCall         opcode = 0x10
	opCallIndirect opcode = 0x11
	opDrop         opcode = 0x1a
	opLocalGet     opcode = 0x20
	opLocalSet     opcode = 0x21
	opLocalTee     opcode = 0x22
	opGlobalGet    opcode = 0x23
	opGlobalSet    opcode = 0x24
	opTableSet     opcode = 0x26
	opI32Store     opcode = 0x36
	opI64Store32   opcode = 0x3e
	opMemorySize   opcode = 0x3f
	opMemoryGrow   opcode = 0x40
	opI32Const     opcode = 0x41
	opI64Const     opcode = 0x42
	opF32Const     opcode = 0x43
	opF64Const     opcode = 0x44
	opI32Eqz       opcode = 0x45
	opI32LtU       opcode = 0x49
	opI32GtU       opcode = 0x4b
	opI32LeU       opcode = 0x4d
	opI32GeS       opcode = 0x4e
	opI64LeU       opcode = 0x58
	opI64GeS       opcode = 0x59
	opI32Add       opcode = 0x6a
	opI32Sub       opcode = 0x6b
	opI32And       opcode = 0x71
	opI64Add       opcode = 0x7c
	opI64Sub       opcode = 0x7d
	opI64Mul       opcode = 0x7e
	opI64Shl       opcode = 0x86
	opI64ShrU      opcode = 0x88
	opI64ExtendU   opcode = 0xad
	opRefNull      opcode = 0xd0
	opRefFunc      opcode = 0xd2

	prefixMisc   = 0xfc
	prefixVector = 0xfd

	opMemoryInit opcode = 0xfc08
	opDataDrop   opcode = 0xfc09
	opMemoryCopy opcode = 0xfc0a
	opMemoryFill opcode = 0xfc0b
	opTableInit  opcode = 0xfc0c
	opElemDrop   opcode = 0xfc0d
	opTableCopy  opcode = 0xfc0e
	opTableGrow  opcode = 0xfc0f
	opTableSize  opcode = 0xfc10
	opTableFill  opcode = 0xfc11
	opV128Const  opcode = 0xfd0c
)

// An imm is the form of what follows an opcode.
type imm uint8

const (
	immUnknown imm = iota // no such instruction in WebAssembly 2.0
	immNone
	immBlock    // block type
	immIndex    // one index
	immTwo      // two indexes
	immBrTable  // labels
	immTypes    // one value type, in a vector
	immRef      // reference type
	immMemArg   // alignment, offset
	immMemory   // memory 0
	immIndexMem // an index, memory 0
	immMemories // memory 0, memory 0
	immI32
	immI64
	imm4
	imm8
	imm16
	immLane
	immMemLane // alignment, offset, lane
)

// plain, misc and vector are the one table of immediates: everything that
// walks over instructions reads it through [reader.inst].
var plain, misc, vector = plainImms(), miscImms(), vectorImms()

func fill(t []imm, from, to int, v imm) {
	for i := from; i <= to; i++ {
		t[i] = v
	}
}

func plainImms() (t [256]imm) {
	fill(t[:], 0x00, 0x01, immNone)
	fill(t[:], 0x02, 0x04, immBlock)
	t[opElse], t[opEnd] = immNone, immNone
	fill(t[:], 0x0c, 0x0d, immIndex)
	t[opBrTable], t[opReturn], t[opCall], t[opCallIndirect] = immBrTable, immNone, immIndex, immTwo
	fill(t[:], 0x1a, 0x1b, immNone) // drop, select
	t[0x1c] = immTypes              // select with a type
	fill(t[:], 0x20, 0x26, immIndex)
	fill(t[:], 0x28, 0x3e, immMemArg)
	fill(t[:], 0x3f, 0x40, immMemory)
	t[opI32Const], t[opI64Const], t[opF32Const], t[opF64Const] = immI32, immI64, imm4, imm8
	fill(t[:], 0x45, 0xc4, immNone)
	t[opRefNull], t[0xd1], t[opRefFunc] = immRef, immNone, immIndex
	return t
}

func miscImms() (t [256]imm) {
	fill(t[:], 0x00, 0x07, immNone)
	t[0x08], t[0x09], t[0x0a], t[0x0b] = immIndexMem, immIndex, immMemories, immMemory
	t[0x0c], t[0x0d], t[0x0e] = immTwo, immIndex, immTwo
	fill(t[:], 0x0f, 0x11, immIndex)
	return t
}

func vectorImms() (t [256]imm) {
	fill(t[:], 0x00, 0xff, immNone)
	fill(t[:], 0x00, 0x0b, immMemArg)
	fill(t[:], 0x0c, 0x0d, imm16)
	fill(t[:], 0x15, 0x22, immLane)
	fill(t[:], 0x54, 0x5b, immMemLane)
	fill(t[:], 0x5c, 0x5d, immMemArg)
	for _, gap := range []int{
		0x9a, 0xa2, 0xa5, 0xa6, 0xaf, 0xb0, 0xb2, 0xb3, 0xb4, 0xbb,
		0xc2, 0xc5, 0xc6, 0xcf, 0xd0, 0xd2, 0xd3, 0xd4, 0xe2, 0xee, 0xfe, 0xff,
	} {
		t[gap] = immUnknown
	}
	return t
}

// An inst is one instruction.
type inst struct {
	op         opcode
	start, end int    // its bytes
	at         int    // where its immediates start
	x, y       uint32 // its indexes; of a br_table: the number of labels before the default
	block      int64  // its block type
}

// inst reads the next instruction into in. It leaves the labels of a br_table
// to be read again from in.at.
func (r *reader) inst(in *inst) {
	in.start = r.pos
	c := r.byte()
	in.op = opcode(c)
	form := plain[c]
	switch c {
	case prefixMisc:
		sub := r.u32()
		if sub <= 0xff {
			form, in.op = misc[sub], opcode(prefixMisc)<<8|opcode(sub)
		}
	case prefixVector:
		sub := r.vectorOp()
		form, in.op = vector[sub], opcode(prefixVector)<<8|opcode(sub)
	}
	in.at = r.pos
	switch form {
	case immNone:
	case immIndex:
		in.x = r.u32()
	default:
		r.immediates(form, in)
	}
	in.end = r.pos
}

func (r *reader) immediates(form imm, in *inst) {
	switch form {
	case immBlock:
		in.block = r.s33()
	case immTwo:
		in.x, in.y = r.u32(), r.u32()
	case immBrTable:
		n := r.count()
		in.x = uint32(n)
		for i := 0; i <= n && r.err == nil; i++ {
			r.u32()
		}
	case immTypes:
		if r.byte() != 1 {
			r.fail("a select has other than one type")
		}
		r.valueType()
	case immRef:
		r.refType()
	case immMemArg:
		in.x, in.y = r.u32(), r.u32()
	case immMemory:
		r.zero()
	case immIndexMem:
		in.x = r.u32()
		r.zero()
	case immMemories:
		r.zero()
		r.zero()
	case immI32:
		r.skipLEB(5)
	case immI64:
		r.skipLEB(10)
	case imm4:
		r.take(4)
	case imm8:
		r.take(8)
	case imm16:
		r.take(16)
	case immLane:
		r.byte()
	case immMemLane:
		in.x, in.y = r.u32(), r.u32()
		r.byte()
	default:
		r.unsupported(fmt.Sprintf("instruction %#x", uint16(in.op)))
	}
}

// vectorOp reads the opcode after the vector prefix. Only its shortest form is
// taken: wazero reads one byte and takes the rest for instructions.
func (r *reader) vectorOp() byte {
	c := r.byte()
	if c >= 0x80 && r.byte() != 0x01 {
		r.unsupported("a vector instruction")
	}
	return c
}

func (r *reader) zero() {
	if r.byte() != 0 {
		r.fail("names a memory other than the first")
	}
}
