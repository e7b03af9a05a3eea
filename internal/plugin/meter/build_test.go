package meter

// Modules by hand: a builder of sections, and names for the bytes of code.

// parts are the sections of a module; those that are nil are left out.
type parts struct {
	types   [][]byte // of functions, each from sig
	imports [][]byte
	funcs   []byte // type of each function
	tables  [][]byte
	mems    [][]byte
	globals [][]byte
	exports [][]byte
	start   []byte
	elems   [][]byte
	count   []byte // data count
	bodies  [][]byte
	data    [][]byte
	customs [][]byte
}

func (p parts) wasm() []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	vec := func(id byte, entries [][]byte) {
		if entries == nil {
			return
		}
		body := appendU32(nil, uint32(len(entries)))
		for _, e := range entries {
			body = append(body, e...)
		}
		out = append(appendU32(append(out, id), uint32(len(body))), body...)
	}
	raw := func(id byte, body []byte) {
		if body != nil {
			out = append(appendU32(append(out, id), uint32(len(body))), body...)
		}
	}
	vec(secType, p.types)
	vec(secImport, p.imports)
	if p.funcs != nil {
		raw(secFunction, append(appendU32(nil, uint32(len(p.funcs))), p.funcs...))
	}
	vec(secTable, p.tables)
	vec(secMemory, p.mems)
	vec(secGlobal, p.globals)
	vec(secExport, p.exports)
	raw(secStart, p.start)
	vec(secElement, p.elems)
	raw(secDataCount, p.count)
	vec(secCode, p.bodies)
	vec(secData, p.data)
	for _, c := range p.customs {
		raw(secCustom, c)
	}
	return out
}

// cat joins bytes: ints, bytes, opcodes, strings and slices.
func cat(args ...any) (b []byte) {
	for _, a := range args {
		switch a := a.(type) {
		case int:
			b = append(b, byte(a))
		case byte:
			b = append(b, a)
		case opcode:
			if a > 0xff {
				b = append(b, byte(a>>8))
			}
			b = append(b, byte(a))
		case valType:
			b = append(b, byte(a))
		case externKind:
			b = append(b, byte(a))
		case string:
			b = append(b, a...)
		case []byte:
			b = append(b, a...)
		default:
			panic(a)
		}
	}
	return b
}

func sig(params []valType, results ...valType) []byte {
	b := cat(0x60, len(params))
	for _, p := range params {
		b = append(b, byte(p))
	}
	b = append(b, byte(len(results)))
	for _, r := range results {
		b = append(b, byte(r))
	}
	return b
}

func export(name string, kind externKind, index int) []byte {
	return appendU32(append(appendName(nil, name), byte(kind)), uint32(index))
}

func importFunc(module, name string, typ int) []byte {
	return appendU32(append(appendName(appendName(nil, module), name), byte(externFunc)), uint32(typ))
}

// body is a function's body of groups of locals, as (count, type) pairs, and
// code.
func body(groups []byte, code ...any) []byte {
	b := append(appendU32(nil, uint32(len(groups)/2)), groups...)
	b = append(b, cat(append(code, opEnd)...)...)
	return append(appendU32(nil, uint32(len(b))), b...)
}

func custom(name string, data ...any) []byte {
	return append(appendName(nil, name), cat(data...)...)
}

var nothing = sig(nil)

// A made module has a name for the test that runs it.
type made struct {
	name string
	wasm []byte
}

// forever is code, over and over.
func forever(code ...any) []byte {
	return cat(opLoop, noValue, cat(code...), opBr, 0, opEnd)
}

// handMade are small valid modules with every section and every kind of
// charge.
func handMade() []made {
	i32s := func(n int) (v []valType) {
		for range n {
			v = append(v, i32)
		}
		return v
	}
	sum := body([]byte{1, byte(i32)}, // sum of 1..n
		opBlock, noValue, opLoop, noValue,
		opLocalGet, 0, 0x45, opBrIf, 1,
		opLocalGet, 1, opLocalGet, 0, 0x6a, 0x21, 1,
		opLocalGet, 0, opI32Const, 1, 0x6b, 0x21, 0,
		opBr, 0, opEnd, opEnd, opLocalGet, 1)
	fib := body(nil,
		opLocalGet, 0, opI32Const, 2, 0x49, opIf, i32, opLocalGet, 0, opElse,
		opLocalGet, 0, opI32Const, 1, 0x6b, opCall, 0,
		opLocalGet, 0, opI32Const, 2, 0x6b, opCall, 0, 0x6a, opEnd)
	bulk := body(nil,
		opI32Const, 16, opI32Const, 7, opLocalGet, 0, opMemoryFill, 0,
		opI32Const, 32, opI32Const, 16, opLocalGet, 0, opMemoryCopy, 0, 0,
		opI32Const, 48, opI32Const, 0, opI32Const, 3, opMemoryInit, 0, 0, opDataDrop, 0,
		opI32Const, 1, opMemoryGrow, 0, 0x1a,
		opI32Const, 0, opI32Const, 0, opI32Const, 1, opTableInit, 1, 0, opElemDrop, 1,
		opI32Const, 1, opI32Const, 0, opI32Const, 2, opTableCopy, 0, 0,
		opRefNull, funcref, opI32Const, 2, opTableGrow, 0, 0x1a,
		opI32Const, 0, opRefFunc, 0, opI32Const, 1, opTableFill, 0,
		opTableSize, 0, opI32Const, 0, 0x28, 2, 16, 0x6a)
	long := []any{[]byte(nil)}
	for i := range 400 {
		long = append(long, opLocalGet, 0, opI32Const, i%64, 0x6a, 0x21, 0)
	}
	dispatch := body([]byte{1, byte(i32)}, opLoop, noValue, opBlock, noValue, opBlock, noValue, opBlock, noValue,
		opLocalGet, 1, opBrTable, 2, 0, 1, 2, opEnd,
		opI32Const, 1, 0x21, 1, opBr, 2, opEnd,
		opLocalGet, 0, opI32Const, 1, 0x6b, 0x22, 0, opBrIf, 1, opI32Const, 2, 0x21, 1, opBr, 1, opEnd, opEnd,
		opLocalGet, 1)
	return []made{
		{"empty", parts{}.wasm()},
		{"sum", parts{types: [][]byte{sig(i32s(1), i32)}, funcs: []byte{0}, exports: [][]byte{export("f", 0, 0)}, bodies: [][]byte{sum}}.wasm()},
		{"fib", parts{types: [][]byte{sig(i32s(1), i32)}, funcs: []byte{0}, exports: [][]byte{export("f", 0, 0)}, bodies: [][]byte{fib},
			customs: [][]byte{custom("name", 1, 6, 1, 0, 3, "fib"), custom(".debug_line", "xx")}}.wasm()},
		{"dispatch", parts{types: [][]byte{sig(i32s(1), i32)}, funcs: []byte{0}, exports: [][]byte{export("f", 0, 0)}, bodies: [][]byte{dispatch}}.wasm()},
		{"straight", parts{types: [][]byte{sig(i32s(1), i32)}, funcs: []byte{0}, exports: [][]byte{export("f", 0, 0)},
			bodies: [][]byte{body(nil, append(long[1:], opLocalGet, 0)...)}}.wasm()},
		{"all", parts{
			types:   [][]byte{sig(i32s(1), i32), nothing, sig(i32s(2), i32)},
			imports: [][]byte{importFunc("recollect", "call", 2), importFunc("recollect", "read", 2)},
			funcs:   []byte{0, 1, 0},
			tables:  [][]byte{cat(funcref, 0, 4)},
			mems:    [][]byte{cat(1, 1, 3)},
			globals: [][]byte{cat(i32, 1, opI32Const, 5, opEnd), cat(funcref, 0, opRefFunc, 3, opEnd)},
			exports: [][]byte{export("f", 0, 2), export("g", 0, 4), export("memory", 2, 0), export("glob", 3, 0)},
			start:   []byte{3},
			elems: [][]byte{
				cat(0, opI32Const, 0, opEnd, 2, 2, 3),
				cat(1, 0, 1, 4),
				cat(2, 0, opI32Const, 1, opEnd, 0, 1, 2),
				cat(3, 0, 1, 0),
				cat(4, opI32Const, 2, opEnd, 1, opRefFunc, 4, opEnd),
				cat(5, funcref, 1, opRefNull, funcref, opEnd),
				cat(6, 0, opI32Const, 3, opEnd, funcref, 1, opRefFunc, 3, opEnd),
				cat(7, funcref, 1, opRefFunc, 4, opEnd),
			},
			count: []byte{2},
			bodies: [][]byte{
				body(nil, opLocalGet, 0, opI32Const, 0, opCall, 0, 0x1a, opGlobalGet, 0, opLocalGet, 0, 0x6a),
				body(nil, opI32Const, 9, opGlobalSet, 0),
				body(nil, append([]any{opI32Const, 5, opI32Const, 0, opCallIndirect, 0, 0, 0x1a}, bulk0(bulk))...),
			},
			data: [][]byte{cat(1, 3, "abc"), cat(0, opI32Const, 0, opEnd, 2, "hi")},
		}.wasm()},
	}
}

// bulk0 takes the code out of a body that body made with fewer than 128 bytes.
func bulk0(b []byte) []byte { return b[2 : len(b)-1] }
