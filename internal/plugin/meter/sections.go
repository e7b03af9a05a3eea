package meter

import "recollect/internal/printable"

func (m *module) readTypes(r *reader, lim Limits) error {
	n := r.count()
	if err := over(n, lim.Types, "types"); err != nil {
		return err
	}
	m.types = make([]funcType, 0, n)
	for i := 0; i < n && r.err == nil; i++ {
		switch form := r.byte(); form {
		case 0x60:
		case 0x4e, 0x50, 0x4f, 0x5f, 0x5e:
			r.unsupported("a type of the garbage-collection proposal")
		default:
			r.fail("%#x is not a function type", form)
		}
		var t funcType
		for _, list := range []*[]valType{&t.params, &t.results} {
			k := r.count()
			if err := over(k, lim.Params, "parameters or results of a type"); err != nil {
				return err
			}
			for j := 0; j < k && r.err == nil; j++ {
				*list = append(*list, r.valueType())
			}
		}
		m.types = append(m.types, t)
	}
	return nil
}

// typeIndex reads a type index that must exist: wazero panics on some that
// don't.
func (m *module) typeIndex(r *reader) uint32 {
	x := r.u32()
	if r.err == nil && int64(x) >= int64(len(m.types)) {
		r.fail("there is no type %d", x)
	}
	return x
}

func (m *module) readImports(r *reader, lim Limits) error {
	n := r.count()
	if err := over(n, lim.Imports, "imports"); err != nil {
		return err
	}
	for i := 0; i < n && r.err == nil; i++ {
		im := importDecl{module: r.name(), name: r.name(), kind: externKind(r.byte())}
		switch im.kind {
		case externFunc:
			im.typ = m.typeIndex(r)
			m.funcs = append(m.funcs, im.typ)
			m.importFuncs++
		case externTable:
			r.table()
			m.importTables++
		case externMemory:
			r.limits()
			m.importMemories++
		case externGlobal:
			r.globalType()
			m.importGlobals++
		default:
			r.unsupported("an import of an unknown kind")
		}
		im.end = r.pos
		m.imports = append(m.imports, im)
	}
	return nil
}

func (m *module) readFunctions(r *reader, lim Limits) error {
	n := r.count()
	if err := over(n+m.importFuncs, lim.Functions, "functions"); err != nil {
		return err
	}
	for i := 0; i < n && r.err == nil; i++ {
		m.funcs = append(m.funcs, m.typeIndex(r))
	}
	return nil
}

func (m *module) readTables(r *reader, lim Limits) error {
	n := r.count()
	if err := over(n+m.importTables, lim.Tables, "tables"); err != nil {
		return err
	}
	total := 0
	for i := 0; i < n && r.err == nil; i++ {
		t := r.table()
		if t.hasMax && t.max < t.min {
			r.fail("a table's maximum is below its minimum")
		}
		total += int(t.min)
		m.tables = append(m.tables, t)
	}
	return over(total, lim.TableEntries, "declared entries of tables")
}

func (m *module) readMemories(r *reader, lim Limits) error {
	n := r.count()
	if r.err == nil && n+m.importMemories > 1 {
		r.unsupported("more than one memory")
	}
	if n == 0 || r.err != nil {
		return nil
	}
	l := r.limits()
	const most = 1 << 16 // pages of a 32-bit memory
	if r.err == nil && (l.min > most || l.hasMax && (l.max > most || l.max < l.min)) {
		r.fail("declares sizes that no memory can have")
	}
	m.memory = &l
	return over(int(l.min), lim.MemoryPages, "declared pages of memory")
}

func (r *reader) globalType() (t valType, mutable bool) {
	t = r.valueType()
	mut := r.byte()
	if mut > 1 {
		r.fail("%#x is not a mutability", mut)
	}
	return t, mut == 1
}

func (m *module) readGlobals(r *reader, lim Limits) error {
	n := r.count()
	if err := over(n+m.importGlobals, lim.Globals, "globals"); err != nil {
		return err
	}
	for i := 0; i < n && r.err == nil; i++ {
		var g globalDecl
		from := r.pos
		g.typ, g.mutable = r.globalType()
		g.head = r.b[from:r.pos]
		g.init = m.constExpr(r)
		m.globals = append(m.globals, g)
	}
	return nil
}

func (m *module) readExports(r *reader, lim Limits) error {
	n := r.count()
	if err := over(n, lim.Exports, "exports"); err != nil {
		return err
	}
	seen := make(map[string]bool, n)
	for i := 0; i < n && r.err == nil; i++ {
		e := exportDecl{name: r.name(), kind: externKind(r.byte())}
		if e.kind > externGlobal {
			r.unsupported("an export of an unknown kind")
		}
		e.index = r.u32()
		if r.err != nil {
			break
		}
		have := [...]int{len(m.funcs), m.allTables(), m.allMemories(), m.allGlobals()}[e.kind]
		if int64(e.index) >= int64(have) {
			r.fail("%s names a %s that there is not", printable.Quote(e.name, 80), e.kind)
		}
		if seen[e.name] {
			r.fail("two exports are named %s", printable.Quote(e.name, 80))
		}
		seen[e.name] = true
		m.exports = append(m.exports, e)
	}
	return nil
}

// funcIndex reads the index of a function that must exist.
func (m *module) funcIndex(r *reader) uint32 {
	x := r.u32()
	if r.err == nil && int64(x) >= int64(len(m.funcs)) {
		r.fail("there is no function %d", x)
	}
	return x
}

func (m *module) readStart(r *reader, _ Limits) error {
	x := m.funcIndex(r)
	m.start = &x
	return nil
}

func (m *module) readBodies(r *reader, lim Limits) error {
	n := r.count()
	for i := 0; i < n && r.err == nil; i++ {
		size := int(r.u32())
		if err := over(size, lim.BodyBytes, "bytes of one function's body"); err != nil {
			return err
		}
		m.bodyAt = append(m.bodyAt, r.pos)
		m.bodies = append(m.bodies, r.take(size))
	}
	return nil
}

func (m *module) readData(r *reader, lim Limits) error {
	n := r.count()
	if err := over(n, lim.Segments, "data segments"); err != nil {
		return err
	}
	for i := 0; i < n && r.err == nil; i++ {
		form := r.u32()
		switch {
		case form > 2:
			r.fail("%d is not a kind of data segment", form)
		case form == 2 && r.u32() != 0:
			r.fail("names a memory other than the first")
		}
		if form != 1 {
			if r.err == nil && m.allMemories() == 0 {
				r.fail("fills a memory that there is not")
			}
			m.constExpr(r)
		}
		size := r.count()
		r.take(size)
		m.data = append(m.data, dataDecl{passive: form == 1, size: size})
	}
	return nil
}

func (m *module) readDataCount(r *reader, lim Limits) error {
	n := r.u32()
	m.dataCount = &n
	return over(int(n), lim.Segments, "data segments")
}
