package meter

// A writer writes a module back with the meter in it.
type writer struct {
	m    *module
	scan *scan
	out  []byte

	tickType  uint32
	fuel      uint32 // index of the fuel global
	stack     uint32 // index of the stack global
	helpers   []helper
	blocks    []uint32 // by the guest's types: the type of a block with their results, if they are several
	three     uint32   // the type of the helpers
	body      []byte   // scratch
	chargeSub []byte   // what follows the cost of a charge
	fuelGet   []byte

	charges int
	mark    int  // where the name of CleanExport stands in out
	traced  bool // the module has DWARF
	bodyAt  int  // offset of the body in the section as it was
	codeAt  int  // offset of the section's payload in out
	moves   moves
	debug   map[string][]byte // what became of it
}

// prepare builds the instructions that are the same in every charge.
func (w *writer) prepare() {
	w.fuel = uint32(w.m.allGlobals())
	w.stack = w.fuel + 1
	w.helpers = w.m.helpers()
	w.fuelGet = appendU32([]byte{byte(opGlobalGet)}, w.fuel)
	b := []byte{byte(opI64Sub)}
	b = appendU32(append(b, byte(opGlobalSet)), w.fuel)
	b = append(b, w.fuelGet...)
	// The rare arm is the else: wazero then lays it out of the way.
	b = append(b, byte(opI64Const), 0, byte(opI64GeS), byte(opIf), noValue, byte(opElse))
	b = appendU32(append(b, byte(opCall)), uint32(w.m.importFuncs))
	w.chargeSub = append(b, byte(opEnd))
}

// writeBody appends the body that was scanned last, of a function of the given
// type, with its edits.
func (w *writer) writeBody(typ uint32) {
	s := w.scan
	src := s.r.b
	b := w.body[:0]
	if s.scratch {
		b = appendU32(b, uint32(s.groups)+1)
		b = append(b, src[s.declared:s.code]...)
		b = append(b, 1, byte(i32))
	} else {
		b = append(b, src[:s.code]...)
	}
	if s.stack.counted() {
		b = w.enter(b, typ)
	}
	moved := len(w.moves)
	w.move(s.code, len(b))
	from := s.code
	for i := range s.edits {
		e := &s.edits[i]
		b = append(b, src[from:e.at]...)
		from = e.end
		b = w.edit(b, e)
		w.move(from, len(b))
	}
	b = append(b, src[from:]...)
	w.move(len(src), len(b))
	w.body = b
	w.out = appendU32(w.out, uint32(len(b)))
	w.settle(moved, len(w.out))
	w.out = append(w.out, b...)
}

// move notes that what stands at old in the body that is written stands at new.
func (w *writer) move(old, new int) {
	if w.traced {
		w.moves.add(old, new)
	}
}

// settle makes the moves of one body, from the given one on, count from the
// start of the code section; the body is about to be written at new.
func (w *writer) settle(from, new int) {
	if !w.traced {
		return
	}
	for i := range w.moves[from:] {
		m := &w.moves[from+i]
		m.old += uint32(w.bodyAt)
		m.new += uint32(new - w.codeAt)
	}
}

func (w *writer) edit(b []byte, e *edit) []byte {
	switch {
	case e.kind == editIndex:
		return appendU32(b, w.m.shift(e.val))
	case e.kind == editCharge && e.val == 0:
		return b
	case e.kind == editPieces:
		return w.pieces(b, e)
	case e.kind == editReturn:
		return w.leave(b, e)
	case e.kind == editLeave:
		return w.end(b)
	}
	w.charges++
	if e.kind == editCharge {
		b = append(b, w.fuelGet...)
		b = appendS64(append(b, byte(opI64Const)), int64(e.val))
		return append(b, w.chargeSub...)
	}
	// The operand stays on the stack, a copy of it in the scratch local.
	scratch := uint32(w.scan.locals)
	b = appendU32(append(b, byte(opLocalTee)), scratch)
	b = append(b, w.fuelGet...)
	b = appendU32(append(b, byte(opLocalGet)), scratch)
	if e.kind == editGrow {
		// No memory has 2^16 pages more to give; a guest that asks for them
		// is refused and pays little.
		b = appendS64(append(b, byte(opI32Const)), 0xffff)
		b = append(b, byte(opI32And), byte(opI64ExtendU))
		b = appendS64(append(b, byte(opI64Const)), 1<<growShift)
		b = append(b, byte(opI64Mul))
	} else {
		shift := byte(bulkShift)
		if e.kind == editTable {
			shift = tableShift
		}
		b = append(b, byte(opI64ExtendU), byte(opI64Const), shift, byte(opI64ShrU))
	}
	return append(b, w.chargeSub...)
}
