package meter

// pieceBytes is the most that one operation of memory does at once. The host
// looks at the clock before the next: no engine can be stopped within one. It
// takes some 0.1 ms. Tables need no pieces: they have 8 bytes an entry, and few
// entries.
const pieceBytes = 1 << 20

// A helper is a function that is added to the guest's own: it does what one of
// their operations does, in pieces.
type helper struct {
	op      opcode
	segment uint32 // of memory.init
	size    int    // of the segment
}

// helpers are those that a module gets: two if it has a memory, and one for each
// segment of data that is longer than a piece.
func (m *module) helpers() []helper {
	if len(m.bodies) == 0 || m.allMemories() == 0 {
		return nil
	}
	list := []helper{{op: opMemoryCopy}, {op: opMemoryFill}}
	for i, d := range m.data {
		if d.size > pieceBytes && m.dataCount != nil {
			list = append(list, helper{opMemoryInit, uint32(i), d.size})
		}
	}
	return list
}

// inPieces gives the place of the helper for an instruction; -1: it needs none,
// or is invalid.
func (m *module) inPieces(in *inst) int {
	for i, h := range m.helpers() {
		if h.op == in.op && (h.op != opMemoryInit || h.segment == in.x) {
			return i
		}
	}
	return -1
}

// pieces appends an operation whose length is in the scratch local: itself, or
// the call of its helper if that is long.
func (w *writer) pieces(b []byte, e *edit) []byte {
	b = appendU32(append(b, byte(opLocalGet)), uint32(w.scan.locals))
	b = appendS64(append(b, byte(opI32Const)), pieceBytes)
	b = appendS64(append(b, byte(opI32LeU), byte(opIf)), int64(w.three))
	b = append(b, w.scan.r.b[e.at:e.end]...)
	b = appendU32(append(b, byte(opElse), byte(opCall)), uint32(len(w.m.funcs))+1+e.val)
	return append(b, byte(opEnd))
}

// Locals of a helper. What it is given is what the operation takes.
const (
	localTo   = iota
	localFrom // of memory.fill: the value
	localLen
)

// body gives the helper's code, its size before it. What is out of bounds is
// tried as a whole, so that it traps before anything is written.
func (h helper) body(tick uint32) []byte {
	all := h.do(get(localTo), get(localFrom), get(localLen))
	code := join([]byte{0}, h.within(), op(opI32Eqz, opIf), op(noValue), all, op(opReturn, opEnd))
	if h.op == opMemoryCopy {
		// Onto itself, further up: from its end.
		code = join(code, get(localFrom), get(localTo), op(opI32LtU, opIf), op(noValue), h.down(tick), all, op(opReturn, opEnd))
	}
	code = join(code, h.up(tick), all, op(opEnd))
	return append(appendU32(nil, uint32(len(code))), code...)
}

// within computes whether the whole is within the memory and the segment.
func (h helper) within() []byte {
	end := func(local byte) []byte {
		return join(get(local), op(opI64ExtendU), get(localLen), op(opI64ExtendU, opI64Add))
	}
	memory := join(op(opMemorySize), []byte{0}, op(opI64ExtendU, opI64Const), []byte{16}, op(opI64Shl))
	ok := join(end(localTo), memory, op(opI64LeU))
	switch h.op {
	case opMemoryCopy:
		return join(ok, end(localFrom), memory, op(opI64LeU, opI32And))
	case opMemoryInit:
		return join(ok, end(localFrom), appendS64(op(opI64Const), int64(h.size)), op(opI64LeU, opI32And))
	}
	return ok
}

// do does the operation once.
func (h helper) do(to, from, n []byte) []byte {
	b := join(to, from, n, []byte{prefixMisc, byte(h.op)})
	switch h.op {
	case opMemoryInit:
		return append(appendU32(b, h.segment), 0)
	case opMemoryCopy:
		return append(b, 0, 0)
	}
	return append(b, 0)
}

// up does pieces from the first on until what is left is one piece or less.
func (h helper) up(tick uint32) []byte {
	b := join(op(opLoop), op(noValue), h.do(get(localTo), get(localFrom), piece()), add(localTo, opI32Add))
	if h.op != opMemoryFill {
		b = join(b, add(localFrom, opI32Add))
	}
	return join(b, add(localLen, opI32Sub), goOn(tick))
}

// down does pieces from the last on.
func (h helper) down(tick uint32) []byte {
	at := func(local byte) []byte { return join(get(local), get(localLen), op(opI32Add)) }
	return join(op(opLoop), op(noValue), add(localLen, opI32Sub), h.do(at(localTo), at(localFrom), piece()), goOn(tick))
}

// goOn lets the host look at the clock and goes on while more than a piece is left.
func goOn(tick uint32) []byte {
	b := appendU32(op(opCall), tick)
	return join(b, get(localLen), piece(), op(opI32GtU, opBrIf), []byte{0}, op(opEnd))
}

func get(local byte) []byte { return []byte{byte(opLocalGet), local} }
func piece() []byte         { return appendS64(op(opI32Const), pieceBytes) }

// add adds a piece to a local, or takes it away.
func add(local byte, o opcode) []byte {
	return join(get(local), piece(), op(o, opLocalSet), []byte{local})
}

func op(ops ...opcode) (b []byte) {
	for _, o := range ops {
		b = append(b, byte(o))
	}
	return b
}

func join(parts ...[]byte) (b []byte) {
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}
