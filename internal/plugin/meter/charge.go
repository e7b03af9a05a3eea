package meter

// Costs. One unit of fuel is about one instruction of a processor; debts are
// kept in quarters, since what only moves values about costs next to nothing
// once compiled. (It can't be free: it isn't when there is much of it.)
const (
	quarters = 4 // of an instruction that computes

	// regionCap is the most that may be owed along any path before it is
	// charged: it bounds the time between two charges in code without loops.
	regionCap = 128 * quarters
	// exitSlack is what a function may owe when it returns; callCost, which
	// its caller pays, stands for it. So small functions without loops and
	// calls carry no charge of their own.
	exitSlack = 64 * quarters
	callCost  = 16 * quarters
	// hostCost stands for the way out of the sandbox and back.
	hostCost = 128 * quarters
	// entrySlack is what may be owed when a loop is entered without a charge
	// of its own before it.
	entrySlack = 16 * quarters
	// headCap is the most that the header of a loop with several ways back
	// charges for all of them; ways that owe more pay the rest themselves.
	headCap = 32 * quarters
	// bulkShift turns bytes of a bulk operation into units, and tableShift entries
	// of a table, which have 8 bytes each.
	bulkShift  = 4
	tableShift = bulkShift - 3
	// freeSlots is how many locals of 8 bytes a frame has room for at no cost but
	// callCost: more than compilers make of most functions. Each more is cleared
	// on entry, and the stack that they are on grows by copying: slotCost.
	freeSlots = 64
	slotCost  = quarters / 2
	// growShift turns pages of memory into units: a page is 64 KiB.
	growShift = 16 - bulkShift
)

// frameCost is what a function owes on entry for its locals.
func frameCost(slots int) uint32 { return uint32(max(slots-freeSlots, 0)) * slotCost }

// cost gives the quarters of an instruction, apart from calls.
func cost(op opcode) uint32 {
	switch op {
	case opNop, opBlock, opLoop, opElse, opEnd:
		return 0
	case opLocalGet, opLocalSet, opLocalTee, opDrop, opI32Const, opI64Const, opF32Const, opF64Const:
		return 1
	case opMemoryGrow, opTableGrow, opRefFunc: // wazero leaves compiled code for these
		return hostCost
	}
	if divides(op) {
		return 4 * quarters
	}
	return quarters
}

// divides tells of the divisions, remainders and square roots of numbers.
func divides(op opcode) bool {
	return op >= 0x6d && op <= 0x70 || op >= 0x7f && op <= 0x82 ||
		op == 0x91 || op == 0x95 || op == 0x9f || op == 0xa3
}

// units rounds up what is owed to whole units, of at least one.
func units(owed uint32) uint32 { return max((owed+quarters-1)/quarters, 1) }

// debt is what is owed where the scan of a function stands.
type debt struct {
	owed  uint32 // quarters, most along any path since it was charged last
	fresh bool   // some path from the entry of the function has not been charged
	alone bool   // some path from the entry has not paid for a call
	dead  bool   // nothing gets here
}

// join gives the debt where two paths meet.
func (d debt) join(e debt) debt {
	switch {
	case d.dead:
		return e
	case e.dead:
		return d
	}
	return debt{owed: max(d.owed, e.owed), fresh: d.fresh || e.fresh, alone: d.alone || e.alone}
}

type editKind uint8

const (
	editIndex  editKind = iota // the index of a function, to be shifted
	editCharge                 // a charge of a fixed cost; of cost 0: none
	editBulk                   // a charge for the bytes on top of the stack
	editTable                  // a charge for the entries on top of the stack
	editGrow                   // a charge for the pages on top of the stack
	editPieces                 // a bulk operation that a helper does if it is large
	editReturn                 // a return, out of so many blocks
	editLeave                  // the end of the body
)

// An edit is one change to a function's body, at a place of it.
type edit struct {
	kind    editKind
	at, end int
	val     uint32 // the index, the cost, the helper or the label
	prev    int    // of a way back to a loop: the one before it, by its place in the edits
}

// A frame is a block that the scan stands in. The outermost is the function.
type frame struct {
	op    opcode // block, loop, if, else; end for the function
	sets  int    // of locals, before it
	out   debt   // joined over the branches to the block's end
	enter debt   // of a loop or if: at its entry

	// Of a loop: its two charges, by their place in the edits; the branches
	// that go back to its header, and what is owed at most at one of them.
	before, head int
	last, ways   int
	back         uint32
}

// charge puts a charge of all that is owed at a place.
func (s *scan) charge(at int) {
	s.edits = append(s.edits, edit{kind: editCharge, at: at, end: at, val: units(s.now.owed)})
	s.now.owed, s.now.fresh = 0, false
}

func (s *scan) enterLoop(in *inst) {
	n := len(s.edits)
	s.edits = append(s.edits,
		edit{kind: editCharge, at: in.start, end: in.start},
		edit{kind: editCharge, at: in.end, end: in.end})
	s.push(frame{op: opLoop, enter: s.now, before: n, head: n + 1})
	s.now.owed, s.now.fresh = 0, false
}

// leaveLoop decides the charges of a loop. Its header charges what a round
// owes; if there are several ways back, at most headCap, and the dearer ways
// charge the rest. What was owed at the loop's entry is charged there too,
// unless that is much more than a round, which every round would pay.
func (s *scan) leaveLoop(f *frame) {
	entry := f.enter.owed
	if f.enter.dead {
		return
	}
	if f.ways == 0 {
		if entry > 0 || f.enter.fresh {
			s.edits[f.before].val = units(entry)
		}
		return
	}
	round := f.back
	if f.ways > 1 {
		round = min(round, headCap)
	}
	for i := f.last; i > 0; i = s.edits[i].prev {
		if e := &s.edits[i]; e.val > round {
			e.val = units(e.val - round)
		} else {
			e.val = 0
		}
	}
	switch {
	case entry <= round:
		s.edits[f.head].val = units(round)
	case entry <= entrySlack || entry <= 2*round:
		s.edits[f.head].val = units(entry)
	default:
		s.edits[f.before].val, s.edits[f.head].val = units(entry), units(round)
	}
}

// branch notes a branch of the instruction in to the label l.
func (s *scan) branch(in *inst, l uint32) {
	if int64(l) >= int64(len(s.frames)) {
		s.r.fail("branches to label %d within %d blocks", l, len(s.frames))
		return
	}
	if s.now.dead {
		return
	}
	f := &s.frames[len(s.frames)-1-int(l)]
	switch f.op {
	case opLoop:
		s.goBack(in, f)
	case opEnd:
		s.leave(in.start)
	default:
		f.out = f.out.join(s.now)
	}
}

// goBack notes a branch of the instruction in to a loop's header.
func (s *scan) goBack(in *inst, f *frame) {
	if f.ways > 0 && s.edits[f.last].at == in.start {
		return // another label of the same br_table
	}
	f.back = max(f.back, s.now.owed)
	s.edits = append(s.edits, edit{kind: editCharge, at: in.start, end: in.start, val: s.now.owed, prev: f.last})
	f.last, f.ways = len(s.edits)-1, f.ways+1
}

// leave is called before the function returns.
func (s *scan) leave(at int) {
	if !s.now.dead && s.now.owed > exitSlack {
		s.charge(at)
	}
}

// call is called before the function calls another of the module. The first call
// is charged before it is made: so recursion pays for each of its frames, and
// there are few of them from one tick to the next.
func (s *scan) call(at int) {
	if s.now.dead {
		return
	}
	s.now.owed += callCost
	if s.now.alone {
		s.charge(at)
		s.now.alone = false
	}
}
