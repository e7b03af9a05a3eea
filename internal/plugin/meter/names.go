package meter

import "math"

const nameSection = "name"

// Subsections of the name section that are indexed by functions.
const (
	namesFunctions = 1
	namesLocals    = 2
	namesLabels    = 3
)

// names gives the name section with the functions' indexes shifted and tick
// named. One that does not read well is left as it is: whether the module is
// good all the same is the engine's to say.
func (w *writer) names(s *section) []byte {
	out := append([]byte(nil), s.body[:len(s.body)-len(s.data)]...)
	r := reader{b: s.data}
	for !r.done() {
		id := r.byte()
		sub := reader{b: r.take(r.count())}
		body := sub.b
		switch id {
		case namesFunctions:
			body = w.functionNames(&sub)
		case namesLocals, namesLabels:
			body = w.nestedNames(&sub)
		}
		if r.err != nil || sub.err != nil {
			return s.body
		}
		out = appendU32(append(out, id), uint32(len(body)))
		out = append(out, body...)
	}
	return out
}

func (w *writer) functionNames(r *reader) []byte {
	n := r.count()
	out := appendU32(make([]byte, 0, len(r.b)+64), uint32(n)+1)
	tick := func() {
		out = appendName(appendU32(out, uint32(w.m.importFuncs)), TickModule+"."+TickName)
	}
	named := false
	for i := 0; i < n && r.err == nil; i++ {
		x := r.u32()
		if !named && int(x) >= w.m.importFuncs {
			named = true
			tick()
		}
		out = appendU32(out, w.shiftName(x))
		from := r.pos
		r.name()
		out = append(out, r.b[from:r.pos]...)
	}
	if !named {
		tick()
	}
	w.ends(r)
	return out
}

// nestedNames shifts the functions of a map from functions to maps of names.
func (w *writer) nestedNames(r *reader) []byte {
	n := r.count()
	out := appendU32(make([]byte, 0, len(r.b)+64), uint32(n))
	for i := 0; i < n && r.err == nil; i++ {
		out = appendU32(out, w.shiftName(r.u32()))
		from := r.pos
		for k := r.count(); k > 0 && r.err == nil; k-- {
			r.u32()
			r.name()
		}
		out = append(out, r.b[from:r.pos]...)
	}
	w.ends(r)
	return out
}

// shiftName shifts an index that nobody has checked.
func (w *writer) shiftName(x uint32) uint32 {
	if x == math.MaxUint32 {
		return x
	}
	return w.shift(x)
}

func (w *writer) ends(r *reader) {
	if r.err == nil && r.pos != len(r.b) {
		r.fail("has bytes too many")
	}
}
