package meter

import "strings"

// write gives the module with the meter in it. The bodies are scanned as they
// are written, so that only one function's edits are held at a time.
func (w *writer) write(lim Limits) error {
	w.prepare()
	w.traced = w.m.hasDebug()
	added := []byte{secType, secImport, secGlobal, secExport}
	w.out = append(w.out, "\x00asm\x01\x00\x00\x00"...)
	for i := range w.m.sections {
		s := &w.m.sections[i]
		for s.id != secCustom && len(added) > 0 && rank(added[0]) <= rank(s.id) {
			if added[0] != s.id {
				w.section(&section{id: added[0], body: []byte{0}}, lim)
			}
			added = added[1:]
		}
		switch {
		case s.id == secCode:
			if err := w.code(); err != nil {
				return err
			}
		case s.id == secCustom && w.debug[s.name] != nil:
			w.put(secCustom, append(appendName(nil, s.name), w.debug[s.name]...))
		case s.kept():
			w.section(s, lim)
		}
	}
	for _, id := range added {
		w.section(&section{id: id, body: []byte{0}}, lim)
	}
	w.markKept()
	return nil
}

// kept tells of sections that are written back. Custom sections without any
// data are not: wazero reads them everywhere but at a module's end.
func (s *section) kept() bool {
	return s.id != secCustom || !debugSection(s.name) && (len(s.data) > 0 || s.name == nameSection)
}

// hasDebug tells whether a custom section holds offsets into the code.
func (m *module) hasDebug() bool {
	for i := range m.sections {
		if s := &m.sections[i]; s.id == secCustom && debugSection(s.name) {
			return true
		}
	}
	return false
}

// debugSection tells of custom sections that hold offsets into the code, which
// rewriting makes wrong.
func debugSection(name string) bool {
	return strings.HasPrefix(name, ".debug_") || strings.HasPrefix(name, "reloc.") ||
		name == "linking" || name == "sourceMappingURL" || name == "external_debug_info"
}

func (w *writer) section(s *section, lim Limits) {
	body := s.body
	switch s.id {
	case secType:
		body = w.types(body)
	case secImport:
		body = w.oneMore(body, append(appendName(appendName(nil, TickModule), TickName), byte(externFunc)))
		body = appendU32(body, w.tickType)
	case secFunction:
		for range w.helpers {
			body = w.oneMore(body, appendU32(nil, w.three))
		}
	case secTable:
		body = w.tables(lim)
	case secGlobal:
		body = w.globals(lim)
	case secExport:
		body = w.exports()
	case secStart:
		body = appendU32(nil, w.m.shift(*w.m.start))
	case secElement:
		body = w.elements()
	}
	w.put(s.id, body)
	if s.id == secExport {
		w.mark = len(w.out) - len(appendU32(nil, w.fuel)) - 1 - len(CleanExport)
	}
}

func (w *writer) put(id byte, body []byte) {
	w.out = appendU32(append(w.out, id), uint32(len(body)))
	w.out = append(w.out, body...)
}

// oneMore gives a vector with an entry after its last.
func (w *writer) oneMore(body, entry []byte) []byte {
	r := reader{b: body}
	n := r.u32()
	b := appendU32(make([]byte, 0, len(body)+len(entry)+8), n+1)
	b = append(b, body[r.pos:]...)
	return append(b, entry...)
}

// types adds the types of tick and of the helpers, and those of blocks with as
// many results as functions have, unless the module has them.
func (w *writer) types(body []byte) []byte {
	have := make(map[string]uint32, len(w.m.types))
	for i, t := range w.m.types {
		if _, there := have[t.String()]; !there {
			have[t.String()] = uint32(i)
		}
	}
	next := uint32(len(w.m.types))
	index := func(t funcType) uint32 {
		x, there := have[t.String()]
		if !there {
			x, have[t.String()] = next, next
			next++
			body = w.oneMore(body, t.append(nil))
		}
		return x
	}
	w.tickType = index(funcType{})
	if len(w.helpers) > 0 {
		w.three = index(funcType{params: []valType{i32, i32, i32}})
	}
	w.blocks = make([]uint32, len(w.m.types))
	for _, x := range w.m.funcs[w.m.importFuncs:] {
		if t := w.m.types[x]; len(t.results) > 1 {
			w.blocks[x] = index(funcType{results: t.results})
		}
	}
	return body
}

// tables clamps what tables may grow to.
func (w *writer) tables(lim Limits) []byte {
	b := appendU32(nil, uint32(len(w.m.tables)))
	for _, t := range w.m.tables {
		most := uint32(lim.TableEntries)
		if t.hasMax {
			most = min(most, t.max)
		}
		b = append(b, byte(t.elem), 1)
		b = appendU32(appendU32(b, t.min), most)
	}
	return b
}

func (w *writer) globals(lim Limits) []byte {
	b := appendU32(nil, uint32(len(w.m.globals))+2)
	for _, g := range w.m.globals {
		b = append(b, g.head...)
		b = g.init.shifted(b, w.m.shift)
	}
	b = append(b, byte(i64), 1, byte(opI64Const))
	b = append(appendS64(b, Quantum), byte(opEnd))
	b = append(b, byte(i32), 1, byte(opI32Const))
	return append(appendS64(b, int64(StackBytes(lim.MemoryPages))), byte(opEnd))
}

func (w *writer) exports() []byte {
	more, n := w.restoring()
	b := appendU32(nil, uint32(len(w.m.exports))+2+n)
	for _, e := range w.m.exports {
		b = append(appendName(b, e.name), byte(e.kind))
		if e.kind == externFunc {
			b = appendU32(b, w.m.shift(e.index))
		} else {
			b = appendU32(b, e.index)
		}
	}
	b = append(appendName(b, FuelExport), byte(externGlobal))
	b = append(appendName(appendU32(b, w.fuel), StackExport), byte(externGlobal))
	return append(appendU32(b, w.stack), more...)
}

func (w *writer) elements() []byte {
	b := appendU32(nil, uint32(len(w.m.segments)))
	for i := range w.m.segments {
		b = w.m.segments[i].append(b, w.m.shift)
	}
	return b
}

// code scans and writes the bodies. The size of the section is known last, so
// room is left for it.
func (w *writer) code() error {
	w.out = append(w.out, secCode)
	at := len(w.out)
	const room = 5
	w.codeAt = at + room
	w.out = append(w.out, make([]byte, room)...)
	w.out = appendU32(w.out, uint32(len(w.m.bodies)+len(w.helpers)))
	for i := range w.m.bodies {
		if err := w.scan.scanned(i); err != nil {
			return err
		}
		w.bodyAt = w.m.bodyAt[i]
		w.writeBody(w.m.funcs[w.m.importFuncs+i])
	}
	for _, h := range w.helpers {
		w.out = append(w.out, h.body(uint32(w.m.importFuncs))...)
	}
	size := uint32(len(w.out) - at - room)
	for i := 0; i < room; i++ {
		w.out[at+i] = byte(size>>(7*i))&0x7f | 0x80
	}
	w.out[at+room-1] &= 0x7f
	if w.traced {
		w.debug = rewriteDebug(w.m.sections, w.moves)
	}
	return nil
}
