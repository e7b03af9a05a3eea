package meter

// A constExpr is the bytes of a constant expression, and where in them the
// indexes of functions stand.
type constExpr struct {
	b    []byte
	refs []funcRef
}

// A funcRef is an index of a function within some bytes.
type funcRef struct {
	at, end int
	index   uint32
}

// constExpr reads a constant expression up to its end. Whether its type fits
// is the engine's to say; here it must only be of instructions that may stand
// in one, and refer to what is there.
func (m *module) constExpr(r *reader) (c constExpr) {
	from := r.pos
	var in inst
	for r.err == nil {
		r.inst(&in)
		switch in.op {
		case opI32Const, opI64Const, opF32Const, opF64Const, opV128Const, opRefNull:
		case opGlobalGet:
			if r.err == nil && int64(in.x) >= int64(m.importGlobals) {
				r.fail("a constant refers to global %d, which is not an imported one", in.x)
			}
		case opRefFunc:
			if r.err == nil && int64(in.x) >= int64(len(m.funcs)) {
				r.fail("there is no function %d", in.x)
			}
			c.refs = append(c.refs, funcRef{in.at - from, in.end - from, in.x})
		case opEnd:
			c.b = r.b[from:r.pos]
			return c
		default:
			r.unsupported("an instruction of a constant")
		}
	}
	return c
}

// shifted appends the expression with the indexes of functions as they are
// after rewriting.
func (c constExpr) shifted(out []byte, shift func(uint32) uint32) []byte {
	from := 0
	for _, ref := range c.refs {
		out = append(out, c.b[from:ref.at]...)
		out = appendU32(out, shift(ref.index))
		from = ref.end
	}
	return append(out, c.b[from:]...)
}

// A segment is an element segment: a head that is copied as it stands, and
// functions, either as indexes or as constant expressions.
type segment struct {
	form   uint32
	head   []byte
	offset constExpr // of an active segment; stands within the head's place
	tail   []byte    // between offset and functions
	funcs  []uint32
	exprs  []constExpr
}

// The bits of a segment's form.
const (
	segNotActive  = 1 // passive or declarative
	segTableOrNot = 2 // active: names its table; else: declarative
	segExprs      = 4
)

func (m *module) readElements(r *reader, lim Limits) error {
	n := r.count()
	if err := over(n, lim.Segments, "element segments"); err != nil {
		return err
	}
	total := 0
	for i := 0; i < n && r.err == nil; i++ {
		var s segment
		from := r.pos
		s.form = r.u32()
		if s.form > 7 {
			r.fail("%d is not a kind of element segment", s.form)
		}
		if s.form&segNotActive == 0 {
			m.activeHead(r, &s, from)
			from = r.pos
		}
		if s.form&(segNotActive|segTableOrNot) != 0 {
			m.elementType(r, s.form)
		}
		s.tail = r.b[from:r.pos]
		k := r.count()
		if total += k; total > lim.Elements {
			return over(total, lim.Elements, "entries of element segments")
		}
		for j := 0; j < k && r.err == nil; j++ {
			if s.form&segExprs != 0 {
				s.exprs = append(s.exprs, m.constExpr(r))
			} else {
				s.funcs = append(s.funcs, m.funcIndex(r))
			}
		}
		m.segments = append(m.segments, s)
	}
	return nil
}

// activeHead reads the table and the offset of an active segment.
func (m *module) activeHead(r *reader, s *segment, from int) {
	table := uint32(0)
	if s.form&segTableOrNot != 0 {
		table = r.u32()
	}
	if r.err == nil && int64(table) >= int64(m.allTables()) {
		r.fail("fills table %d, which there is not", table)
	}
	s.head = r.b[from:r.pos]
	s.offset = m.constExpr(r)
}

func (m *module) elementType(r *reader, form uint32) {
	if form&segExprs != 0 {
		r.refType()
	} else if kind := r.byte(); kind != 0 {
		r.fail("%#x is not a kind of element", kind)
	}
}

// append writes the segment with the indexes of functions as they are after
// rewriting.
func (s *segment) append(out []byte, shift func(uint32) uint32) []byte {
	out = append(out, s.head...)
	out = s.offset.shifted(out, shift)
	out = append(out, s.tail...)
	if s.form&segExprs != 0 {
		out = appendU32(out, uint32(len(s.exprs)))
		for _, e := range s.exprs {
			out = e.shifted(out, shift)
		}
		return out
	}
	out = appendU32(out, uint32(len(s.funcs)))
	for _, f := range s.funcs {
		out = appendU32(out, shift(f))
	}
	return out
}
