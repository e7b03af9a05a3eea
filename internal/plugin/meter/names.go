package meter

import "math"

const nameSection = "name"

// Subsections of the name section that the meter looks into.
const (
	namesModule    = 0
	namesFunctions = 1
	namesLocals    = 2
	namesLabels    = 3
)

// names puts the name section right: functions' indexes shifted, tick named.
// Names that don't read well are refused: wazero reads past the end of some,
// so that its verdict depends on what comes after them.
func (m *module) names(s *section) error {
	out := append([]byte(nil), s.body[:len(s.body)-len(s.data)]...)
	r := reader{b: s.data, what: "name section"}
	for !r.done() {
		id := r.byte()
		sub := reader{b: r.take(r.count()), what: r.what}
		body := sub.b
		switch id {
		case namesModule:
			sub.name()
			sub.ends()
		case namesFunctions:
			body = m.functionNames(&sub)
		case namesLocals, namesLabels:
			body = m.nestedNames(&sub)
		}
		if r.err != nil {
			return r.err
		}
		if sub.err != nil {
			return sub.err
		}
		out = appendU32(append(out, id), uint32(len(body)))
		out = append(out, body...)
	}
	s.body = out
	return r.err
}

func (m *module) functionNames(r *reader) []byte {
	n := r.count()
	out := appendU32(make([]byte, 0, len(r.b)+64), uint32(n)+1)
	tick := func() {
		out = appendName(appendU32(out, uint32(m.importFuncs)), TickModule+"."+TickName)
	}
	named := false
	for i := 0; i < n && r.err == nil; i++ {
		x := r.u32()
		if !named && int(x) >= m.importFuncs {
			named = true
			tick()
		}
		out = appendU32(out, m.shiftName(x))
		from := r.pos
		r.name()
		out = append(out, r.b[from:r.pos]...)
	}
	if !named {
		tick()
	}
	r.ends()
	return out
}

// nestedNames shifts the functions of a map from functions to maps of names.
func (m *module) nestedNames(r *reader) []byte {
	n := r.count()
	out := appendU32(make([]byte, 0, len(r.b)+64), uint32(n))
	for i := 0; i < n && r.err == nil; i++ {
		out = appendU32(out, m.shiftName(r.u32()))
		from := r.pos
		for k := r.count(); k > 0 && r.err == nil; k-- {
			r.u32()
			r.name()
		}
		out = append(out, r.b[from:r.pos]...)
	}
	r.ends()
	return out
}

// shiftName shifts an index that nobody has checked.
func (m *module) shiftName(x uint32) uint32 {
	if x == math.MaxUint32 {
		return x
	}
	return m.shift(x)
}
