package meter

import (
	"fmt"
	"strings"
)

// What the meter exports so that the host can set an instance back to an
// earlier state: memory, and the globals that the guest may change. Guests that
// export a name with reservedPrefix are refused.
const (
	// GlobalExport and a number, from 0 on without gaps, name the guest's mutable
	// globals in the metered module.
	GlobalExport = "recollect_global_"
	// CleanExport is there when memory and those globals are all that an instance
	// of the module remembers. It names the fuel once more.
	CleanExport = "recollect_clean"
	// keepsExport stands in its place when there is more: a table that code
	// writes to, a segment that it drops, a global whose value the engine does
	// not give away.
	keepsExport = "recollect_keeps"

	reservedPrefix = "recollect_"
)

// maxRestored bounds how many globals are exported to be set back.
const maxRestored = 1024

// GlobalName gives the name of the i-th of the guest's mutable globals.
func GlobalName(i int) string { return fmt.Sprint(GlobalExport, i) }

// mutableGlobals gives the indexes of the globals that code may change; false
// if one of them can't be set back from outside.
func (m *module) mutableGlobals() (indexes []uint32, ok bool) {
	for i, g := range m.globals {
		switch {
		case !g.mutable:
		case g.typ != i32 && g.typ != i64 && g.typ != f32 && g.typ != f64:
			return nil, false
		default:
			indexes = append(indexes, uint32(m.importGlobals+i))
		}
	}
	return indexes, len(indexes) <= maxRestored
}

// keeps says whether an instruction changes what is neither memory nor a global.
func (op opcode) keeps() bool {
	switch op {
	case opTableSet, opTableInit, opTableCopy, opTableGrow, opTableFill, opElemDrop, opDataDrop:
		return true
	}
	return false
}

// restoring appends the exports that a host sets an instance back by, the mark
// last, and gives how many there are.
func (w *writer) restoring() (exports []byte, n uint32) {
	globals, ok := w.m.mutableGlobals()
	if !ok || w.m.importGlobals+w.m.importMemories+w.m.importTables > 0 {
		w.scan.keeps = true
		globals = nil
	}
	for i, g := range globals {
		exports = append(appendName(exports, GlobalName(i)), byte(externGlobal))
		exports = appendU32(exports, g)
	}
	exports = append(appendName(exports, CleanExport), byte(externGlobal))
	return appendU32(exports, w.fuel), uint32(len(globals)) + 1
}

// markKept puts keepsExport in the place of CleanExport, which was written
// before the code was seen.
func (w *writer) markKept() {
	if w.scan.keeps {
		copy(w.out[w.mark:], keepsExport)
	}
}

func reservedName(name string) bool { return strings.HasPrefix(name, reservedPrefix) }
