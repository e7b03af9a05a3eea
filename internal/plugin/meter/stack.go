package meter

// StackBytes is how much of the engine's stack a guest may take, as [stackUse]
// reckons it, that may have so many pages of memory: a quarter of them, and from 1
// to 16 MB. The engine doubles a stack that is full and copies it, which takes four
// times as much for a moment where the reckoning is exact, and half of that as a
// rule. With 16 MB a guest may be stopped late by the small frames that fit between
// two ticks, so it takes up to some 100 MB there.
func StackBytes(memoryPages int) int {
	return min(max(memoryPages<<16/4, leastStack), mostStack)
}

const (
	leastStack, mostStack = 1 << 20, 16 << 20
	// frameBytes is what any frame takes: addresses, and registers that are kept.
	frameBytes = 128
	// leafBytes is what a function that calls no other may take without being
	// counted: there is only one such frame at a time.
	leafBytes = 64 << 10
	// quietBytes is up to what size a frame is counted, and looked at with the
	// next tick only, where a guest may take the most. Each is one of a function
	// that calls another and has paid callCost, so between two ticks there are at
	// most 12.5 MB of them.
	quietBytes = 1 << 10
)

// stackUse is what a function takes of the engine's stack. The engine gives each
// value that it can't keep in a register a place of its own in the frame, of 8
// bytes or 16: values that instructions compute, and those that it makes where
// paths with different values of a local meet. So this is no less than the
// truth, and for what compilers make about twice as much.
type stackUse struct {
	values int
	sets   int // of locals
	passed int // most values that one call gives and takes
	wide   bool
	calls  bool
}

func (u *stackUse) add(op opcode) {
	switch {
	case op == opLocalSet, op == opLocalTee:
		u.sets++
	case op <= opCallIndirect, op == opDrop, op == opLocalGet, op >= opI32Const && op <= opF64Const, op >= opI32Store && op <= opI64Store32:
	default:
		u.values++
		u.wide = u.wide || op>>8 == prefixVector
	}
}

// call takes in a call of a function of that type.
func (u *stackUse) call(t *funcType) {
	u.calls = true
	u.values += len(t.results)
	u.passed = max(u.passed, len(t.params)+len(t.results))
	for _, list := range [][]valType{t.params, t.results} {
		for _, v := range list {
			u.wide = u.wide || v == v128
		}
	}
}

func (u *stackUse) bytes() int {
	n := 8 * (u.values + u.passed)
	if u.wide {
		n *= 2
	}
	return frameBytes + n
}

// counted tells whether the function's frames are counted: those of functions
// that call others, and large ones.
func (u *stackUse) counted() bool { return u.calls || u.bytes() > leafBytes }

// enter appends what a function that is counted begins with. Its body stands in
// a block, which all ways out of the body lead to the end of.
func (w *writer) enter(b []byte, typ uint32) []byte {
	b = appendU32(append(b, byte(opGlobalGet)), w.stack)
	b = appendS64(append(b, byte(opI32Const)), int64(w.scan.stack.bytes()))
	b = appendU32(append(b, byte(opI32Sub), byte(opGlobalSet)), w.stack)
	if w.scan.stack.bytes() > quietBytes || StackBytes(w.scan.lim.MemoryPages) < mostStack {
		b = appendU32(append(b, byte(opGlobalGet)), w.stack)
		b = append(b, byte(opI32Const), 0, byte(opI32GeS), byte(opIf), noValue, byte(opElse))
		b = appendU32(append(b, byte(opCall)), uint32(w.m.importFuncs))
		b = append(b, byte(opEnd))
	}
	b = append(b, byte(opBlock))
	switch t := w.m.types[typ]; len(t.results) {
	case 0:
		return append(b, noValue)
	case 1:
		return append(b, byte(t.results[0]))
	}
	return appendS64(b, int64(w.blocks[typ]))
}

// leave appends a return of a function that is counted: a branch to the end.
func (w *writer) leave(b []byte, e *edit) []byte {
	if !w.scan.stack.counted() {
		return append(b, byte(opReturn))
	}
	return appendU32(append(b, byte(opBr)), e.val)
}

// end appends what a function that is counted ends with.
func (w *writer) end(b []byte) []byte {
	if !w.scan.stack.counted() {
		return b
	}
	b = appendU32(append(b, byte(opEnd), byte(opGlobalGet)), w.stack)
	b = appendS64(append(b, byte(opI32Const)), int64(w.scan.stack.bytes()))
	return appendU32(append(b, byte(opI32Add), byte(opGlobalSet)), w.stack)
}
