package meter

// A scan walks over one function's body at a time, checks what the engine does
// not, and notes the edits that rewriting will make.
type scan struct {
	m   *module
	lim Limits

	r        reader
	locals   int // parameters included
	slots    int // of 8 bytes that the declared ones take
	groups   int // declarations of locals
	declared int // offset of the first of them
	code     int // offset of the first instruction
	bulk     int // bulk operations
	merges   int // blocks, a loop as often as loops are around it
	loops    int // around where the scan stands
	branches int // targets of br_tables
	scratch  bool
	keeps    bool // some function changes what is neither memory nor a global
	stack    stackUse

	now    debt
	frames []frame
	edits  []edit
}

// body scans the i-th body of the code section.
func (s *scan) body(i int) error {
	sig := &s.m.types[s.m.funcs[s.m.importFuncs+i]]
	s.r = reader{b: s.m.bodies[i]}
	s.bulk, s.merges, s.loops, s.branches, s.scratch, s.stack = 0, 0, 0, 0, false, stackUse{}
	s.frames, s.edits = s.frames[:0], s.edits[:0]
	if err := s.readLocals(sig); err != nil {
		return err
	}
	s.now = debt{owed: quarters + frameCost(s.slots), fresh: true, alone: true}
	s.code = s.r.pos
	s.frames = append(s.frames, frame{op: opEnd, out: debt{dead: true}})
	var in inst
	for s.r.err == nil && len(s.frames) > 0 {
		if s.r.inst(&in); s.r.err == nil {
			s.step(&in)
		}
		if len(s.frames) > s.lim.Nesting {
			return over(len(s.frames), s.lim.Nesting, "nested blocks")
		}
	}
	if s.r.err == nil && s.r.pos != len(s.r.b) {
		s.r.fail("goes on after its end")
	}
	if s.r.err != nil {
		return s.r.err
	}
	return s.totals()
}

func (s *scan) readLocals(sig *funcType) error {
	s.groups = s.r.count()
	s.declared = s.r.pos
	s.locals, s.slots = len(sig.params), 0
	s.stack.values = len(sig.params)
	for _, t := range sig.params {
		s.stack.wide = s.stack.wide || t == v128
	}
	for i := 0; i < s.groups && s.r.err == nil; i++ {
		n := s.r.u32()
		t := s.r.valueType()
		if int64(n)+int64(s.locals) > int64(s.lim.Locals) {
			return over(int(n)+s.locals, s.lim.Locals, "locals")
		}
		s.locals += int(n)
		s.slots += int(n) * t.slots()
		s.stack.wide = s.stack.wide || t == v128
	}
	return s.r.err
}

func (s *scan) totals() error {
	if err := over(s.bulk, s.lim.BulkOps, "bulk operations"); err != nil {
		return err
	}
	if err := over(s.branches, s.lim.Branching, "branch targets"); err != nil {
		return err
	}
	return over(s.merges*s.locals, s.lim.Merges, "pairs of a block and a local, nested loops counted by their depth")
}

func (s *scan) push(f frame) {
	f.out = debt{dead: true}
	if f.op == opLoop {
		s.loops++
	}
	s.merges += max(s.loops, 1)
	f.sets = s.stack.sets
	s.frames = append(s.frames, f)
}

// step takes in one instruction.
func (s *scan) step(in *inst) {
	if s.now.owed >= regionCap && !s.now.dead {
		s.charge(in.start)
	}
	s.now.owed += cost(in.op)
	s.stack.add(in.op)
	switch in.op {
	case opBlock:
		s.blockType(in)
		s.push(frame{op: opBlock})
	case opLoop:
		s.blockType(in)
		s.enterLoop(in)
	case opIf:
		s.blockType(in)
		s.push(frame{op: opIf, enter: s.now})
	case opElse:
		s.otherwise()
	case opEnd:
		s.end(in)
	default:
		s.flow(in)
	}
}

func (s *scan) blockType(in *inst) {
	switch t := in.block; {
	case t >= int64(len(s.m.types)):
		s.r.fail("there is no type %d", t)
	case t >= 0:
		s.stack.values += len(s.m.types[t].params) + len(s.m.types[t].results)
	case t == -64:
	case t >= -5, t == -16, t == -17:
		s.stack.values++
	default:
		s.r.unsupported("a block's type")
	}
}

func (s *scan) otherwise() {
	f := &s.frames[len(s.frames)-1]
	if f.op != opIf {
		s.r.fail("has an else without an if")
		return
	}
	f.op, f.out, s.now = opElse, f.out.join(s.now), f.enter
}

func (s *scan) end(in *inst) {
	f := s.frames[len(s.frames)-1]
	s.frames = s.frames[:len(s.frames)-1]
	if f.op != opEnd {
		s.stack.values += min(s.stack.sets-f.sets, s.locals)
	}
	switch f.op {
	case opEnd:
		s.leave(in.start)
		s.edits = append(s.edits, edit{kind: editLeave, at: in.start, end: in.start})
	case opLoop:
		s.loops--
		s.leaveLoop(&f)
	case opIf:
		s.now = s.now.join(f.out).join(f.enter)
	default:
		s.now = s.now.join(f.out)
	}
}

// flow takes in what branches, calls or names something by an index.
func (s *scan) flow(in *inst) {
	s.keeps = s.keeps || in.op.keeps()
	switch in.op {
	case opUnreachable:
		s.now = debt{dead: true}
	case opBr:
		s.branch(in, in.x)
		s.now = debt{dead: true}
	case opBrIf:
		s.branch(in, in.x)
	case opBrTable:
		s.table(in)
		s.now = debt{dead: true}
	case opReturn:
		s.leave(in.start)
		s.edits = append(s.edits, edit{kind: editReturn, at: in.start, end: in.end, val: uint32(len(s.frames) - 1)})
		s.now = debt{dead: true}
	case opCall:
		if s.function(in); s.r.err == nil {
			s.stack.call(&s.m.types[s.m.funcs[in.x]])
		}
		if int(in.x) >= s.m.importFuncs {
			s.call(in.start)
		} else {
			s.now.owed += hostCost
		}
		s.shift(in)
	case opCallIndirect:
		if s.below(in.x, len(s.m.types), "type"); s.r.err == nil {
			s.stack.call(&s.m.types[in.x])
		}
		s.below(in.y, s.m.allTables(), "table")
		s.call(in.start)
	case opRefFunc:
		s.function(in)
		s.shift(in)
	case opGlobalGet, opGlobalSet:
		s.below(in.x, s.m.allGlobals(), "global")
	case opLocalGet, opLocalSet, opLocalTee:
		s.below(in.x, s.locals, "local")
	default:
		s.bulkOp(in)
	}
}

// below refuses an index of something that there is not: rewriting adds to
// what there is, and what was invalid must not become valid by it.
func (s *scan) below(x uint32, n int, what string) {
	if int64(x) >= int64(n) {
		s.r.fail("there is no %s %d", what, x)
	}
}

func (s *scan) function(in *inst) { s.below(in.x, len(s.m.funcs), "function") }

func (s *scan) shift(in *inst) {
	s.edits = append(s.edits, edit{kind: editIndex, at: in.at, end: in.end, val: in.x})
}

// table takes in a br_table.
func (s *scan) table(in *inst) {
	if n := int(in.x); n > s.lim.BranchTargets {
		s.r.err = over(n, s.lim.BranchTargets, "targets of a br_table")
		return
	}
	s.branches += int(in.x) + 1
	t := reader{b: s.r.b, pos: in.at}
	for n := t.u32() + 1; n > 0 && s.r.err == nil; n-- {
		s.branch(in, t.u32())
	}
}

// bulkOp takes in the operations whose time grows with an operand.
func (s *scan) bulkOp(in *inst) {
	kind, pieces := editBulk, -1
	switch in.op {
	case opMemoryInit, opMemoryCopy, opMemoryFill:
		pieces = s.m.inPieces(in)
	case opTableInit, opTableCopy, opTableGrow, opTableFill:
		kind = editTable
	case opMemoryGrow:
		kind = editGrow
	default:
		return
	}
	s.bulk++
	s.scratch = true
	s.edits = append(s.edits, edit{kind: kind, at: in.start, end: in.start})
	if pieces >= 0 {
		s.edits = append(s.edits, edit{kind: editPieces, at: in.start, end: in.end, val: uint32(pieces)})
	}
}
