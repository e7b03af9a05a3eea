package meter

import "testing"

// TestWhatCanBeSetBack changes what an instance remembers and asks whether the
// host is told how to set it back.
func TestWhatCanBeSetBack(t *testing.T) {
	global := func(typ valType, mutable int, init ...any) func(*parts) {
		return func(p *parts) { p.globals = append(p.globals, cat(typ, mutable, cat(init...), opEnd)) }
	}
	table := func(c ...any) func(*parts) {
		return func(p *parts) {
			p.tables = [][]byte{cat(funcref, 0, 4)}
			p.elems = [][]byte{cat(1, 0, 1, 2)}
			p.count, p.data = []byte{1}, [][]byte{cat(1, 1, "x")}
			p.bodies[2] = body(nil, append(c, opI64Const, 0)...)
		}
	}
	for _, tt := range []struct {
		name    string
		change  func(*parts)
		globals int
		clean   bool
	}{
		{"nothing", func(*parts) {}, 1, true},
		{"no globals", func(p *parts) { p.globals = nil }, 0, true},
		{"a constant", global(i64, 0, opI64Const, 0), 1, true},
		{"an f64", global(f64, 1, 0x44, make([]byte, 8)), 2, true},
		{"a v128", global(v128, 1, 0xfd, 0x0c, make([]byte, 16)), 0, false},
		{"a reference", global(funcref, 1, opRefNull, funcref), 0, false},
		{"a constant reference", global(funcref, 0, opRefNull, funcref), 1, true},
		{"a call through a table", table(opI32Const, 0, opCallIndirect, 0, 0), 1, true},
		{"memory.init", table(opI32Const, 0, opI32Const, 0, opI32Const, 0, opMemoryInit, 0, 0), 1, true},
		{"data.drop", table(opDataDrop, 0), 1, false},
		{"elem.drop", table(opElemDrop, 0), 1, false},
		{"table.set", table(opI32Const, 0, opRefNull, funcref, opTableSet, 0), 1, false},
		{"table.grow", table(opRefNull, funcref, opI32Const, 1, opTableGrow, 0, opDrop), 1, false},
		{"table.fill", table(opI32Const, 0, opRefNull, funcref, opI32Const, 1, opTableFill, 0), 1, false},
		{"table.init", table(opI32Const, 0, opI32Const, 0, opI32Const, 1, opTableInit, 0, 0), 1, false},
		{"table.copy", table(opI32Const, 0, opI32Const, 0, opI32Const, 1, opTableCopy, 0, 0), 1, false},
	} {
		wasm, _, err := Instrument(with(tt.change), Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		mod, err := newHost(t, config()).start(wasm)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		n := 0
		for mod.ExportedGlobal(GlobalName(n)) != nil {
			n++
		}
		if clean := mod.ExportedGlobal(CleanExport) != nil; clean != tt.clean || tt.clean && n != tt.globals {
			t.Errorf("%s: %d globals, can be set back: %t; want %d, %t", tt.name, n, clean, tt.globals, tt.clean)
		}
	}
	for _, name := range []string{FuelExport, GlobalName(0), CleanExport, keepsExport} {
		wasm := with(func(p *parts) { p.exports = append(p.exports, export(name, externGlobal, 0)) })
		if _, err := Check(wasm, Options{}); err == nil {
			t.Errorf("a guest may export %s", name)
		}
	}
}
