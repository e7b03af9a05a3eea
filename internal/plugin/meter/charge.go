package meter

// Costs, in units of fuel; one unit is about one instruction.
const (
	// regionCap is the most that may be owed along any path before it is
	// charged: it bounds the time between two charges in code without loops.
	regionCap = 128
	// exitSlack is what a function may owe when it returns; callCost, which
	// its caller pays, stands for it. So small functions without loops and
	// calls carry no charge of their own.
	exitSlack = 64
	callCost  = 16
	// hostCost stands for the way out of the sandbox and back.
	hostCost = 128
	// entrySlack is what may be owed when a loop is entered without a charge
	// of its own before it.
	entrySlack = 16
	// bulkShift turns bytes or entries of a bulk operation into units.
	bulkShift = 4
	// growShift turns pages of memory into units: a page is 64 KiB.
	growShift = 16 - bulkShift
)

// debt is what is owed where the scan of a function stands.
type debt struct {
	owed  uint32 // most along any path since it was charged last
	fresh bool   // some path from the entry of the function has not been charged
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
	return debt{owed: max(d.owed, e.owed), fresh: d.fresh || e.fresh}
}

type editKind uint8

const (
	editIndex  editKind = iota // the index of a function, to be shifted
	editCharge                 // a charge of a fixed cost; of cost 0: none
	editBulk                   // a charge for the entries on top of the stack
	editGrow                   // a charge for the pages on top of the stack
)

// An edit is one change to a function's body, at a place of it.
type edit struct {
	kind    editKind
	at, end int
	val     uint32 // the index, or the cost
}

// A frame is a block that the scan stands in. The outermost is the function.
type frame struct {
	op    opcode // block, loop, if, else; end for the function
	out   debt   // joined over the branches to the block's end
	enter debt   // of a loop or if: at its entry

	// Of a loop: its two charges, by their place in the edits, and what is
	// owed at most when a branch goes back to its header.
	before, head int
	back         uint32
	again        bool // some branch goes back
}

// charge puts a charge of all that is owed at a place.
func (s *scan) charge(at int) {
	s.edits = append(s.edits, edit{kind: editCharge, at: at, end: at, val: max(s.now.owed, 1)})
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

// leaveLoop decides the charges of a loop: at its header what one round owes
// at most; what was owed at its entry there too, unless that is much more than
// a round, which every round would pay.
func (s *scan) leaveLoop(f *frame) {
	entry := f.enter.owed
	if f.enter.dead {
		return
	}
	if !f.again {
		if f.enter.fresh {
			entry = max(entry, 1)
		}
		s.edits[f.before].val = entry
		return
	}
	round := max(f.back, 1)
	switch {
	case entry <= round:
		s.edits[f.head].val = round
	case entry <= entrySlack || entry <= 2*round:
		s.edits[f.head].val = entry
	default:
		s.edits[f.before].val, s.edits[f.head].val = entry, round
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
		f.back, f.again = max(f.back, s.now.owed), true
	case opEnd:
		s.leave(in.start)
	default:
		f.out = f.out.join(s.now)
	}
}

// leave is called before the function returns.
func (s *scan) leave(at int) {
	if !s.now.dead && s.now.owed > exitSlack {
		s.charge(at)
	}
}

// call is called before the function calls another of the module. It charges
// when the function itself has not been, so that no recursion is free.
func (s *scan) call(at int) {
	if s.now.dead {
		return
	}
	if s.now.fresh {
		s.charge(at)
	}
	s.now.owed += callCost
}
