package plugin

import "recollect/internal/plugin/meter"

// A few words of the binary format, for modules that no compiler would make.

const (
	void    = 0x40
	typeI32 = 0x7f
	typeI64 = 0x7e
)

func uleb(n uint32) []byte {
	var b []byte
	for {
		c := byte(n & 0x7f)
		if n >>= 7; n == 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

func sleb(n int64) []byte {
	var b []byte
	for {
		c := byte(n & 0x7f)
		n >>= 7
		if n == 0 && c&0x40 == 0 || n == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

func cat(parts ...[]byte) []byte {
	var b []byte
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

func vec(items ...[]byte) []byte { return cat(uleb(uint32(len(items))), cat(items...)) }
func text(s string) []byte       { return cat(uleb(uint32(len(s))), []byte(s)) }
func section(id byte, body []byte) []byte {
	return cat([]byte{id}, uleb(uint32(len(body))), body)
}

// Types of functions, by index.
var types = vec(
	[]byte{0x60, 0, 0},
	[]byte{0x60, 1, typeI32, 1, typeI32},
	[]byte{0x60, 1, typeI32, 1, typeI64},
	[]byte{0x60, 2, typeI32, typeI32, 1, typeI32},
	[]byte{0x60, 3, typeI32, typeI32, typeI32, 0},
	[]byte{0x60, 1, 0x7d, 1, typeI64}, // f32, as no verb has it
)

const (
	tVoid = iota
	tAlloc
	tVerb
	tCall
	tLog
	tWrong
)

// tiny is a module whose parts can be replaced one by one.
type tiny struct {
	imports [][]byte // entries of functions
	alloc   []byte   // body of rc_alloc; nil: gives 1024
	extract []byte   // body of rc_extract
	locals  []byte   // of rc_extract, in groups
	verb    byte     // type of rc_extract; 0: tVerb
	room    byte     // type of rc_alloc; 0: tAlloc
	start   []byte   // body of a start function; nil: none
	init    []byte   // body of _initialize; nil: none
	memory  []byte   // limits; nil: one page
	table   []byte   // limits; nil: none
	extra   [][]byte // further entries of exports
	data    []byte   // placed at 0
	passive []byte   // segment 0, in place of data
}

func function(module, name string, typ byte) []byte {
	return cat(text(module), text(name), []byte{0, typ})
}

func body(code []byte) []byte { return bodyWith([]byte{0}, code) }

// bodyWith is a body with locals: a vector of groups.
func bodyWith(locals, code []byte) []byte {
	b := cat(locals, code, []byte{0x0b})
	return cat(uleb(uint32(len(b))), b)
}

func constI32(n int64) []byte { return cat([]byte{0x41}, sleb(n)) }
func constI64(n int64) []byte { return cat([]byte{0x42}, sleb(n)) }
func callFn(i byte) []byte    { return []byte{0x10, i} }

// loopForever is loop br 0 end unreachable.
var loopForever = []byte{0x03, void, 0x0c, 0, 0x0b, 0x00}

// answerAt is the result of a verb: ptr<<32 | len.
func answerAt(ptr, n uint32) []byte { return constI64(int64(uint64(ptr)<<32 | uint64(n))) }

func (m tiny) build() []byte {
	if m.alloc == nil {
		m.alloc = constI32(1024)
	}
	if m.extract == nil {
		m.extract = constI64(0)
	}
	if m.verb == 0 {
		m.verb = tVerb
	}
	if m.memory == nil {
		m.memory = []byte{0, 1}
	}
	if m.room == 0 {
		m.room = tAlloc
	}
	if m.locals == nil {
		m.locals = []byte{0}
	}
	first := uint32(len(m.imports))
	funcs := [][]byte{{tVoid}, {m.room}, {m.verb}}
	bodies := [][]byte{body(nil), body(m.alloc), bodyWith(m.locals, m.extract)}
	exports := append([][]byte{
		cat(text("memory"), []byte{2, 0}),
		cat(text("rc_abi_1"), []byte{0}, uleb(first)),
		cat(text("rc_alloc"), []byte{0}, uleb(first+1)),
		cat(text("rc_extract"), []byte{0}, uleb(first+2)),
	}, m.extra...)
	add := func(code []byte) uint32 {
		funcs, bodies = append(funcs, []byte{tVoid}), append(bodies, body(code))
		return first + uint32(len(funcs)) - 1
	}
	var start, table, count, data []byte
	if m.start != nil {
		start = section(8, uleb(add(m.start)))
	}
	if m.init != nil {
		exports = append(exports, cat(text("_initialize"), []byte{0}, uleb(add(m.init))))
	}
	if m.table != nil {
		table = section(4, vec(cat([]byte{0x70}, m.table)))
	}
	if m.data != nil {
		data = section(11, vec(cat([]byte{0}, constI32(0), []byte{0x0b}, uleb(uint32(len(m.data))), m.data)))
	}
	if m.passive != nil {
		count = section(12, uleb(1))
		data = section(11, vec(cat([]byte{1}, uleb(uint32(len(m.passive))), m.passive)))
	}
	return cat([]byte("\x00asm\x01\x00\x00\x00"),
		section(1, types), section(2, vec(m.imports...)), section(3, vec(funcs...)), table,
		section(5, vec(m.memory)), section(7, vec(exports...)), start, count, section(10, vec(bodies...)), data)
}

// answering gives a module that always answers the given bytes.
func answering(data string) []byte {
	return tiny{data: []byte(data), alloc: constI32(32 << 10), extract: answerAt(0, uint32(len(data)))}.build()
}

// callTree has no loop and calls itself 2^45 times: each function calls the next
// one twice.
func callTree() []byte {
	const depth = 45
	wasm := cat([]byte("\x00asm\x01\x00\x00\x00"), section(1, types))
	funcs := [][]byte{{tVoid}, {tAlloc}, {tVerb}}
	bodies := [][]byte{body(nil), body(constI32(1024)), body(cat(callFn(3), constI64(0)))}
	for i := byte(0); i < depth; i++ {
		funcs = append(funcs, []byte{tVoid})
		bodies = append(bodies, body(cat(callFn(4+i), callFn(4+i))))
	}
	funcs, bodies = append(funcs, []byte{tVoid}), append(bodies, body(nil))
	return cat(wasm, section(3, vec(funcs...)), section(5, vec([]byte{0, 1})), section(7, vec(
		cat(text("memory"), []byte{2, 0}), cat(text("rc_abi_1"), []byte{0, 0}),
		cat(text("rc_alloc"), []byte{0, 1}), cat(text("rc_extract"), []byte{0, 2}),
	)), section(10, vec(bodies...)))
}

var fuelExport = cat(text(meter.FuelExport), []byte{0, 0})
