package meter

import "strings"

// A valType is a value type by its byte in the binary format.
type valType byte

const (
	i32       valType = 0x7f
	i64       valType = 0x7e
	f32       valType = 0x7d
	f64       valType = 0x7c
	v128      valType = 0x7b
	funcref   valType = 0x70
	externref valType = 0x6f

	noValue = 0x40 // the block type without results
)

func (t valType) String() string {
	switch t {
	case i32:
		return "i32"
	case i64:
		return "i64"
	case f32:
		return "f32"
	case f64:
		return "f64"
	case v128:
		return "v128"
	case funcref:
		return "funcref"
	default:
		return "externref"
	}
}

// slots is how many words of 8 bytes a value takes in a frame.
func (t valType) slots() int {
	if t == v128 {
		return 2
	}
	return 1
}

func (r *reader) valueType() valType {
	switch t := valType(r.byte()); t {
	case i32, i64, f32, f64, v128, funcref, externref:
		return t
	case 0x69, 0x64, 0x63: // exceptions, typed function references
		r.unsupported("a value type")
	default:
		r.fail("%#x is not a value type", byte(t))
	}
	return 0
}

func (r *reader) refType() valType {
	switch t := valType(r.byte()); t {
	case funcref, externref:
		return t
	default:
		r.unsupported("a reference type")
	}
	return 0
}

func (r *reader) unsupported(what string) {
	if r.err == nil {
		r.fail("%s is not of WebAssembly 2.0", what)
		r.err.(*Error).Kind = Unsupported
	}
}

// A funcType is a signature.
type funcType struct{ params, results []valType }

// String writes a signature as contracts do: "(i32, i32) -> i64".
func (t funcType) String() string {
	var b strings.Builder
	b.WriteByte('(')
	writeTypes(&b, t.params)
	b.WriteString(") -> ")
	if len(t.results) == 1 {
		b.WriteString(t.results[0].String())
		return b.String()
	}
	b.WriteByte('(')
	writeTypes(&b, t.results)
	b.WriteByte(')')
	return b.String()
}

// append writes a signature as modules do.
func (t funcType) append(b []byte) []byte {
	b = append(b, 0x60)
	for _, list := range [][]valType{t.params, t.results} {
		b = appendU32(b, uint32(len(list)))
		for _, v := range list {
			b = append(b, byte(v))
		}
	}
	return b
}

func writeTypes(b *strings.Builder, ts []valType) {
	for i, t := range ts {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(t.String())
	}
}

// limits are the sizes of a table or memory.
type limits struct {
	min, max uint32
	hasMax   bool
}

func (r *reader) limits() (l limits) {
	switch flag := r.byte(); flag {
	case 0, 1:
		l.min, l.hasMax = r.u32(), flag == 1
		if l.hasMax {
			l.max = r.u32()
		}
	case 2, 3:
		r.unsupported("a shared memory or table")
	default:
		r.fail("%#x is not a kind of limits", flag)
	}
	return l
}

// A table is its type and its sizes.
type table struct {
	elem valType
	limits
}

func (r *reader) table() (t table) {
	if r.err == nil && r.pos < len(r.b) && r.b[r.pos] == noValue {
		r.unsupported("a table with an initial value")
	}
	t.elem = r.refType()
	t.limits = r.limits()
	return t
}

type externKind byte

const (
	externFunc   externKind = 0
	externTable  externKind = 1
	externMemory externKind = 2
	externGlobal externKind = 3
)

func (k externKind) String() string {
	return [...]string{"function", "table", "memory", "global"}[k&3]
}
