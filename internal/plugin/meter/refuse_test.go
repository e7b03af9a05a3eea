package meter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"recollect/hostapi"
)

// guest is a small plug-in; each test spoils one thing of it.
func guest() parts {
	verb := sig([]valType{i32}, i64)
	return parts{
		types:   [][]byte{nothing, sig([]valType{i32}, i32), verb, sig([]valType{i32, i32}, i32), sig([]valType{i32, i32, i32})},
		imports: [][]byte{importFunc("recollect", "call", 3), importFunc("recollect", "log", 4)},
		funcs:   []byte{0, 1, 2},
		mems:    [][]byte{cat(0, 1)},
		globals: [][]byte{cat(i32, 1, opI32Const, 0, opEnd)},
		exports: [][]byte{export("memory", externMemory, 0), export("rc_abi_1", 0, 2), export("rc_alloc", 0, 3), export("rc_extract", 0, 4)},
		bodies:  [][]byte{body(nil), body(nil, opI32Const, 16), body(nil, opI64Const, 0)},
	}
}

func with(change func(*parts)) []byte {
	p := guest()
	change(&p)
	return p.wasm()
}

// code gives the guest with another body of rc_extract.
func code(groups []byte, c ...any) []byte {
	return with(func(p *parts) { p.bodies[2] = body(groups, c...) })
}

func repeat(n int, args ...any) []byte { return bytes.Repeat(cat(args...), n) }

func TestGuestIsAccepted(t *testing.T) {
	out, info, err := Instrument(guest().wasm(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !info.Has(hostapi.ExportExtract) || info.Has(hostapi.ExportMemory) || info.Functions != 3 || info.MemoryPages != 1 {
		t.Errorf("info is %+v", info)
	}
	h := newHost(t, config())
	if _, err := h.start(out); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Instrument(out, Options{}); err == nil {
		t.Error("a metered module was metered again")
	}
}

func TestRefusals(t *testing.T) {
	set := func(i int, to []byte) func(*parts) { return func(p *parts) { p.exports[i] = to } }
	imp := func(b []byte) func(*parts) { return func(p *parts) { p.imports[0] = b } }
	for _, c := range []struct {
		name string
		wasm []byte
		kind Kind
		text string
	}{
		{"nothing", nil, Malformed, "not a WebAssembly module"},
		{"a component", []byte("\x00asm\x0d\x00\x01\x00"), Malformed, "not a WebAssembly module"},
		{"truncated", guest().wasm()[:60], Malformed, "room for"},
		{"tick", with(imp(importFunc("recollect", "tick", 0))), Forbidden, "reserved"},
		{"unknown host function", with(imp(importFunc("recollect", "exec", 0))), Forbidden, "no such function"},
		{"unknown module", with(imp(importFunc("env", "abort", 0))), Forbidden, "no such module"},
		{"other signature of call", with(imp(importFunc("recollect", "call", 0))), Forbidden, "as () -> (); it is (i32, i32) -> i32"},
		{"imported memory", with(imp(cat(appendName(nil, "recollect"), appendName(nil, "call"), 2, 0, 1))), Unsupported, "more than one memory"},
		{"imported global", with(imp(cat(appendName(nil, "env"), appendName(nil, "g"), 3, i32, 0))), Malformed, ""},
		{"no marker", with(set(1, export("rc_abi_2", 0, 2))), Forbidden, "does not export rc_abi_1 () -> ()"},
		{"no allocator", with(set(2, export("malloc", 0, 3))), Forbidden, "does not export rc_alloc"},
		{"no memory", with(set(0, export("mem", 2, 0))), Forbidden, "its memory"},
		{"verb of another signature", with(set(3, export("rc_extract", 0, 3))), Forbidden, "exports rc_extract as (i32) -> i32"},
		{"verb that is a global", with(set(3, export("rc_extract", 3, 0))), Forbidden, "as a global"},
		{"fuel", with(set(3, export(FuelExport, 3, 0))), Forbidden, "reserved"},
		{"the same export twice", with(set(3, export("memory", 2, 0))), Malformed, "two exports"},
		{"reads the fuel", code(nil, opGlobalGet, 1, 0x1a, opI64Const, 0), Malformed, "no global 1"},
		{"writes the fuel", code(nil, opI64Const, 0, opGlobalSet, 1, opI64Const, 0), Malformed, "no global 1"},
		{"exports the fuel by index", with(set(3, export("x", 3, 1))), Malformed, "a global that there is not"},
		{"uses the scratch local", code(nil, opI32Const, 1, opMemoryGrow, 0, 0x1a, opLocalGet, 1, 0x1a, opI64Const, 0), Malformed, "no local 1"},
		{"calls past the last function", code(nil, opCall, 5, opI64Const, 0), Malformed, "no function 5"},
		{"calls the last number", code(nil, opCall, 0xff, 0xff, 0xff, 0xff, 0x0f, opI64Const, 0), Malformed, "no function"},
		{"type past the last", code(nil, opBlock, 5, opEnd, opI64Const, 0), Malformed, "no type 5"},
		{"declared memory", with(func(p *parts) { p.mems[0] = cat(0, 0x80, 0x80, 4) }), TooLarge, "65536 declared pages"},
		{"declared table", with(func(p *parts) { p.tables = [][]byte{cat(funcref, 0, 0x80, 0xc2, 0xd7, 0x2f)} }), TooLarge, "entries of tables"},
		{"many tables", with(func(p *parts) { p.tables = slicesOf(17, cat(funcref, 0, 1)) }), TooLarge, "tables"},
		{"two memories", with(func(p *parts) { p.mems = slicesOf(2, cat(0, 1)) }), Unsupported, "more than one memory"},
		{"shared memory", with(func(p *parts) { p.mems[0] = cat(3, 1, 1) }), Unsupported, "shared"},
		{"many locals", with(func(p *parts) { p.bodies[2] = cat(7, 1, 0x80, 0x20, i32, opI64Const, 0, opEnd) }), TooLarge, "locals"},
		{"nesting", code(nil, repeat(5000, opBlock, noValue), repeat(5000, opEnd), opI64Const, 0), TooLarge, "nested"},
		{"branch table", code(nil, opBlock, noValue, opI32Const, 0, opBrTable, appendU32(nil, 20_000), repeat(20_001, 0), opEnd, opI64Const, 0), TooLarge, "br_table"},
		{"large body", code(nil, repeat(1_100_000, opNop), opI64Const, 0), TooLarge, "body"},
		{"tail call", code(nil, 0x12, 2), Unsupported, "0x12"},
		{"atomics", code(nil, 0xfe, 3, 0), Unsupported, "0xfe"},
		{"exceptions", with(func(p *parts) { p.exports[3] = export("t", 4, 0) }), Unsupported, "kind"},
		{"functions", with(func(p *parts) { p.funcs = make([]byte, 100_001) }), TooLarge, "functions"},
		{"element of no function", with(func(p *parts) {
			p.tables, p.elems = [][]byte{cat(funcref, 0, 1)}, [][]byte{cat(0, opI32Const, 0, opEnd, 1, 5)}
		}), Malformed, "no function 5"},
		{"start of no function", with(func(p *parts) { p.start = []byte{5} }), Malformed, "no function 5"},
		{"data count", with(func(p *parts) { p.count = []byte{3} }), Malformed, "announced"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Check(c.wasm, Options{})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("was not refused: %v", err)
			}
			if e.Kind != c.kind || !strings.Contains(e.Error(), c.text) {
				t.Errorf("refused as %d: %v", e.Kind, err)
			}
			if _, _, again := Instrument(c.wasm, Options{}); again == nil || again.Error() != err.Error() {
				t.Errorf("Check says %v, Instrument %v", err, again)
			}
		})
	}
}

func slicesOf(n int, b []byte) (out [][]byte) {
	for range n {
		out = append(out, b)
	}
	return out
}

// The function section names a type that there is not, and another function
// calls it: the engine panics on that.
func TestPanicOfEngine(t *testing.T) {
	wasm := parts{types: [][]byte{nothing}, funcs: []byte{0, 9}, bodies: [][]byte{body(nil, opCall, 1), body(nil)}}.wasm()
	_, err := newHost(t, config()).compile(wasm)
	if !errors.As(err, &panicked{}) {
		t.Logf("wazero no longer panics: %v", err)
	}
	var e *Error
	if _, err := Check(wasm, loose); !errors.As(err, &e) || e.Kind != Malformed {
		t.Errorf("the meter says %v", err)
	}
}

// Small modules that would take an engine minutes to compile.
func bombs() []made {
	one := func(name string, groups []byte, code ...any) made {
		b := append(appendU32(nil, uint32(len(groups)/3)), groups...)
		b = append(b, cat(append(code, opEnd)...)...)
		return made{name, parts{types: [][]byte{nothing}, funcs: []byte{0}, mems: [][]byte{cat(0, 1)}, bodies: [][]byte{append(appendU32(nil, uint32(len(b))), b...)}}.wasm()}
	}
	many := func(n int) []byte { // n locals in groups of 128, each three bytes
		return repeat(n/128, 0x80, 1, i32)
	}
	set := func(n int) (b []byte) {
		for i := range n {
			b = appendU32(append(b, byte(opI32Const), 1, 0x21), uint32(i))
		}
		return b
	}
	return []made{
		one("loops over locals", many(512), set(512), repeat(500, opLoop, noValue), set(512), repeat(500, opI32Const, 0, opBrIf, 0, opEnd)),
		one("ifs over locals", many(2048), repeat(4000, opI32Const, 1, opIf, noValue, opI32Const, 1, 0x21, 5, opEnd)),
		one("bulk operations", nil, repeat(20_000, opI32Const, 0, opI32Const, 0, opI32Const, 1, opMemoryFill, 0)),
		one("branch tables", nil, repeat(20, opBlock, noValue, opI32Const, 0, opBrTable, appendU32(nil, 16_000), repeat(16_001, 0), opEnd)),
	}
}

func TestCompileBombs(t *testing.T) {
	for _, m := range bombs() {
		_, err := Check(m.wasm, loose)
		var e *Error
		if !errors.As(err, &e) || e.Kind != TooLarge {
			t.Errorf("%s, %d bytes: %v", m.name, len(m.wasm), err)
		}
	}
}

// What just passes the limits is compiled in bounded time, metered.
func TestJustWithinLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for seconds")
	}
	one := func(groups []byte, code ...any) []byte {
		b := cat(append([]any{len(groups) / 3, groups}, append(code, opEnd)...)...)
		return parts{types: [][]byte{nothing}, funcs: []byte{0}, mems: [][]byte{cat(0, 1)}, bodies: [][]byte{append(appendU32(nil, uint32(len(b))), b...)}}.wasm()
	}
	var sets, gets []byte
	for i := range 256 {
		sets = appendU32(append(sets, byte(opI32Const), 1, 0x21), uint32(i))
		gets = append(appendU32(append(gets, byte(opLocalGet)), uint32(i)), 0x1a)
	}
	for name, wasm := range map[string][]byte{
		"bulk":     one(nil, repeat(1000, opI32Const, 0, opI32Const, 0, opI32Const, 1, opMemoryFill, 0)),
		"loops":    one(repeat(2, 0x80, 1, i32), sets, repeat(120, opLoop, noValue), gets, repeat(120, opI32Const, 0, opBrIf, 0, opEnd)),
		"ifs":      one(repeat(3, 0x80, 1, i32), repeat(5000, opI32Const, 1, opIf, noValue, opI32Const, 1, 0x21, 5, opEnd)),
		"straight": one(repeat(1, 1, i32, 0)[:0], repeat(300_000, opI32Const, 1, 0x1a)),
		"tables":   one(nil, repeat(4, opBlock, noValue, opI32Const, 0, opBrTable, appendU32(nil, 16_000), repeat(16_001, 0), opEnd)),
		"nesting":  one(nil, repeat(4000, opBlock, noValue), repeat(4000, opEnd)),
	} {
		out, info, err := Instrument(wasm, loose)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for kind, w := range map[string][]byte{"plain": wasm, "metered": out} {
			h := newHost(t, config())
			from := time.Now()
			_, err := h.CompileModule(context.Background(), w)
			t.Log(fmt.Sprintf("%-8s %-7s %7d bytes, %5d charges: %6d ms, %v", name, kind, len(w), info.Charges, time.Since(from).Milliseconds(), err))
			h.Close(context.Background())
		}
	}
}
