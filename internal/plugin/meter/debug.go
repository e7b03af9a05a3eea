package meter

import (
	"encoding/binary"
	"sort"
)

// A moves says where code went: what stood from old on stands from new on, up
// to the next. Offsets count from the start of the code section's payload, as
// DWARF's addresses do.
type moves []struct{ old, new uint32 }

func (m *moves) add(old, new int) {
	*m = append(*m, struct{ old, new uint32 }{uint32(old), uint32(new)})
}

// to gives the address of what stood at addr. Addresses before the first
// function, and those that linkers give to what they left out, stay.
func (m moves) to(addr uint32) uint32 {
	i := sort.Search(len(m), func(i int) bool { return m[i].old > addr })
	if i == 0 || addr >= 1<<32-2 {
		return addr
	}
	return addr - m[i-1].old + m[i-1].new
}

// Sections of DWARF that are written back. The others serve debuggers, which
// don't see guests.
const (
	debugInfo   = ".debug_info"
	debugAbbrev = ".debug_abbrev"
	debugLine   = ".debug_line"
	debugRanges = ".debug_ranges"
	debugStr    = ".debug_str"
)

// A debug is the DWARF of a module on its way to where the code went.
type debug struct {
	moves  moves
	abbrev []byte
	info   []byte // patched in place
	ranges []byte // what it was, and a copy that is patched in place
	moved  []byte

	lines   map[uint32]uint32 // where units of the line section went
	abbrevs map[uint32]map[uint32][]attr
	done    map[uint32]bool // lists of ranges that are patched
	steps   int             // left; hostile sections could ask for any number
}

// An attr is an attribute of an entry and the form of its value.
type attr struct{ name, form uint32 }

// rewriteDebug gives the sections of DWARF that wazero reads, for moved code;
// nil if there are none, or any that this doesn't understand. Versions 2 to 4
// are what compilers emit for WebAssembly.
func rewriteDebug(sections []section, m moves) map[string][]byte {
	have := map[string][]byte{}
	for _, s := range sections {
		if s.id == secCustom && debugSection(s.name) {
			have[s.name] = s.data
		}
	}
	if have[debugInfo] == nil || have[debugLine] == nil {
		return nil
	}
	d := &debug{
		moves:   m,
		abbrev:  have[debugAbbrev],
		info:    append([]byte(nil), have[debugInfo]...),
		ranges:  have[debugRanges],
		moved:   append([]byte(nil), have[debugRanges]...),
		lines:   map[uint32]uint32{},
		abbrevs: map[uint32]map[uint32][]attr{},
		done:    map[uint32]bool{},
		steps:   1000 + 8*(len(have[debugInfo])+len(have[debugAbbrev])+len(have[debugRanges])),
	}
	lines, ok := d.lineUnits(have[debugLine])
	if !ok || !d.infoUnits() {
		return nil
	}
	return map[string][]byte{
		debugInfo: d.info, debugAbbrev: d.abbrev, debugLine: lines, debugRanges: d.moved, debugStr: have[debugStr],
	}
}

func (d *debug) step() bool {
	d.steps--
	return d.steps > 0
}

// infoUnits moves the addresses of all entries.
func (d *debug) infoUnits() bool {
	r := &reader{b: d.info}
	for !r.done() {
		size := int(r.le(4))
		unit := &reader{b: r.b, pos: r.pos}
		r.take(size)
		if r.err != nil {
			return false
		}
		unit.b = unit.b[:r.pos]
		version := unit.le(2)
		table := d.abbrevTable(uint32(unit.le(4)))
		if version < 2 || version > 4 || unit.byte() != 4 || table == nil {
			return false
		}
		if !d.entries(unit, table) {
			return false
		}
	}
	return r.err == nil
}

// abbrevTable reads the forms of a unit's entries.
func (d *debug) abbrevTable(at uint32) map[uint32][]attr {
	if t, ok := d.abbrevs[at]; ok {
		return t
	}
	if int64(at) > int64(len(d.abbrev)) {
		return nil
	}
	t := map[uint32][]attr{}
	r := &reader{b: d.abbrev, pos: int(at)}
	for {
		code := r.u32()
		if code == 0 {
			break
		}
		r.u32()  // tag
		r.byte() // has children
		var attrs []attr
		for d.step() {
			a := attr{r.u32(), r.u32()}
			if a == (attr{}) {
				break
			}
			attrs = append(attrs, a)
		}
		if r.err != nil || d.steps <= 0 {
			return nil
		}
		t[code] = attrs
	}
	if r.err != nil {
		return nil
	}
	d.abbrevs[at] = t
	return t
}

// Attributes and forms that hold addresses or refer to other sections.
const (
	attrStmtList = 0x10
	attrLowPC    = 0x11
	attrHighPC   = 0x12
	attrRanges   = 0x55

	formAddr = 0x01
)

// entries walks over the entries of one unit.
func (d *debug) entries(r *reader, table map[uint32][]attr) bool {
	var base uint32 // the unit's own address, which ranges count from
	first := true
	for !r.done() {
		code := r.u32()
		if code == 0 {
			continue
		}
		attrs, ok := table[code]
		if !ok {
			return false
		}
		var low uint32
		for _, a := range attrs {
			at := r.pos
			if !d.step() || !r.form(a.form) {
				return false
			}
			v := r.b[at:r.pos]
			if a.form == formAddr {
				old := binary.LittleEndian.Uint32(v)
				if a.name == attrLowPC {
					low = old
				}
				binary.LittleEndian.PutUint32(v, d.moves.to(old))
			} else if !d.patch(a.name, v, low, base, first) {
				return false
			}
			if first && a.name == attrLowPC {
				base = low
			}
		}
		first = false
	}
	return r.err == nil
}

// patch changes the value v of an attribute that is no address itself. low is
// the entry's address as it was.
func (d *debug) patch(name uint32, v []byte, low, base uint32, unit bool) bool {
	switch name {
	case attrHighPC: // a length
		if len(v) != 4 {
			return len(v) == 0
		}
		size := binary.LittleEndian.Uint32(v)
		binary.LittleEndian.PutUint32(v, d.moves.to(low+size)-d.moves.to(low))
	case attrStmtList:
		if len(v) != 4 {
			return false
		}
		to, ok := d.lines[binary.LittleEndian.Uint32(v)]
		binary.LittleEndian.PutUint32(v, to)
		return ok
	case attrRanges:
		return len(v) == 4 && d.list(binary.LittleEndian.Uint32(v), base)
	}
	return true
}

// list moves a list of ranges.
func (d *debug) list(at, base uint32) bool {
	if d.done[at] {
		return true
	}
	d.done[at] = true
	for ; int64(at)+8 <= int64(len(d.ranges)) && d.step(); at += 8 {
		lo, hi := binary.LittleEndian.Uint32(d.ranges[at:]), binary.LittleEndian.Uint32(d.ranges[at+4:])
		out := d.moved[at:]
		switch {
		case lo == 0 && hi == 0:
			return true
		case lo == 1<<32-1:
			base = hi
			binary.LittleEndian.PutUint32(out[4:], d.moves.to(hi))
		case lo == 1<<32-2: // what the linker left out
		default:
			binary.LittleEndian.PutUint32(out, d.moves.to(base+lo)-d.moves.to(base))
			binary.LittleEndian.PutUint32(out[4:], d.moves.to(base+hi)-d.moves.to(base))
		}
	}
	return false
}
