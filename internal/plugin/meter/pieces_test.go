package meter

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tetratelabs/wazero/api"
)

// large is a module with two pages more than 3 pieces of memory, and a passive
// segment of two pieces and a half; f(to, from, n) does one operation.
func large(op ...any) []byte {
	pages := appendU32(nil, 3*pieceBytes>>16+2)
	segment := make([]byte, 5*pieceBytes/2)
	for i := range segment {
		segment[i] = byte(i*7 + i>>8)
	}
	three := cat(opLocalGet, 0, opLocalGet, 1, opLocalGet, 2)
	init := cat(opI32Const, 5, opI32Const, 3, opI32Const, appendS64(nil, int64(len(segment)-3)), opMemoryInit, 0, 0)
	return parts{
		types: [][]byte{sig([]valType{i32, i32, i32}), nothing}, funcs: []byte{0, 1, 1}, mems: [][]byte{cat(0, pages)},
		exports: [][]byte{export("f", 0, 0), export("init", 0, 1), export("drop", 0, 2), export("memory", 2, 0)},
		count:   []byte{1},
		bodies:  [][]byte{body(nil, three, cat(op...)), body(nil, init), body(nil, opDataDrop, 0)},
		data:    [][]byte{cat(1, appendU32(nil, uint32(len(segment))), segment)},
	}.wasm()
}

// Large operations do in pieces what they do at once: where source and
// destination overlap either way, at the edges of a piece and of the memory, and
// when they trap, which changes nothing.
func TestPieces(t *testing.T) {
	const p = pieceBytes
	size := uint64(3*p + 2<<16)
	for name, op := range map[string][]byte{
		"copy": cat(opMemoryCopy, 0, 0), "fill": cat(opMemoryFill, 0), "init": cat(opMemoryInit, 0, 0),
	} {
		wasm := large(op)
		metered, _, err := Instrument(wasm, loose)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range [][3]uint64{
			{0, 0, 3 * p}, {1, 0, 3 * p}, {0, 1, 3 * p}, {p, 0, 2 * p}, {0, p, 2 * p}, {100, 7, p}, {7, 100, p + 1}, {9, 3, p - 1},
			{3*p/2 + 1, 0, 3*p/2 + 3}, {0, 3*p/2 + 1, 3*p/2 + 3}, {size - 2*p, 0, 2 * p}, {0, size - 2*p, 2 * p},
			{size - 2*p + 1, 0, 2 * p}, {0, size - 2*p + 1, 2 * p}, {1 << 31, 0, 2 * p}, {0, 1 << 31, 2 * p}, {0, 0, 1<<32 - 1},
			{2 * p, 2 * p, 1<<32 - p}, {0, 0, 5 * p / 2}, {0, 1, 5 * p / 2}, {1, 0, 5*p/2 + 1}, {size, 0, 0}, {size + 1, 0, 0},
		} {
			var got [2]string
			for i, w := range [][]byte{wasm, metered} {
				h := newHost(t, config())
				mod, err := h.start(w)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range []string{"init", "drop"} {
					if name != "init" || e == "init" {
						got[i] += outcome(mod.ExportedFunction(e), nil)
					}
				}
				h.ticks = 0
				got[i] += outcome(mod.ExportedFunction("f"), c[:]) + state(mod)
				if i == 1 && c[2] >= 3*p && c[2] < size && !strings.Contains(got[i], "error") && h.ticks < 2 {
					t.Errorf("%s %v: the host was let in %d times", name, c, h.ticks)
				}
				_ = h.Close(t.Context())
			}
			if got[0] != got[1] {
				t.Errorf("%s %v: plain %s, metered %s", name, c, got[0], got[1])
			}
		}
		// A segment that was dropped has nothing to give.
		h := newHost(t, config())
		mod, err := h.start(metered)
		if err != nil {
			t.Fatal(err)
		}
		before := state(mod)
		drop, init := outcome(mod.ExportedFunction("drop"), nil), outcome(mod.ExportedFunction("init"), nil)
		if drop != "[]" || !strings.Contains(init, "out of bounds") || state(mod) != before {
			t.Errorf("%s, then %s", drop, init)
		}
	}
}

// deep are functions that call themselves and take much of the stack, each in
// another way. With what is before the call f(n) calls itself n times.
func deep() []made {
	const n = 1_000
	recur := cat(opLocalGet, 0, opI32Eqz, opIf, noValue, opReturn, opEnd, opLocalGet, 0, opI32Const, 1, opI32Sub, opCall, 0)
	repeat := func(code []byte, times int) (b []byte) {
		for range times {
			b = append(b, code...)
		}
		return b
	}
	module := func(groups []byte, code ...any) []byte {
		return parts{types: [][]byte{sig([]valType{i32}), sig([]valType{i32}, i32, i64, i32)}, funcs: []byte{0, 1}, mems: [][]byte{cat(0, 16)},
			tables:  [][]byte{cat(funcref, 0, 1)},
			elems:   [][]byte{cat(0, opI32Const, 0, opEnd, 1, 0)},
			exports: [][]byte{export("f", 0, 0), export("g", 0, 1)}, bodies: [][]byte{body(groups, code...),
				body(nil, opLocalGet, 0, opIf, noValue, opLocalGet, 0, opI32Const, 1, opI32Sub, opCall, 1, 0x1a, 0x1a, 0x1a, opEnd,
					opI32Const, 1, opI64Const, 2, opI32Const, 3, opLocalGet, 0, opBrIf, 0, opReturn)}}.wasm()
	}
	loads := func(load ...any) []byte { return cat(opI32Const, 0, repeat(cat(opLocalGet, 0, cat(load...)), n)) }
	store := cat(0x36, 2, 0)
	var sets, arms, gets []byte
	for i := range 100 {
		set := appendU32(cat(opLocalGet, 0, 0x28, 2, 4, opLocalSet), uint32(i+1))
		sets = append(sets, set...)
		gets = append(gets, appendU32(cat(opLocalGet), uint32(i+1))...)
	}
	for range 20 { // each end is where two values of each local meet
		arms = append(arms, cat(opLocalGet, 0, opIf, noValue, sets, opEnd, recur)...)
	}
	sum := cat(opI32Const, 0, gets, repeat(cat(opI32Add), 99), store)
	locals := []byte{100, byte(i32)}
	return []made{
		{"nothing", module(nil, recur)},
		{"by a table", module(nil, opLocalGet, 0, opI32Eqz, opBrIf, 0, opLocalGet, 0, opI32Const, 1, opI32Sub, opI32Const, 0, opCallIndirect, 0, 0)},
		{"values", module(nil, loads(0x28, 2, 4), recur, repeat(cat(opI32Add), n-1), store)},
		{"vectors", module(nil, loads(0xfd, 0, 0, 4), recur, repeat(cat(0xfd, 0x6e), n-1), 0xfd, 0x0b, 4, 0)},
		{"values of one call after the other", module(nil, repeat(cat(opI32Const, 0, opLocalGet, 0, 0x28, 2, 4, recur, store), 200))},
		{"locals", module(locals, sets, recur, sum)},
		{"locals that meet", module(locals, arms, sum)},
	}
}

// Recursion ends when the guest has taken the stack that it may, whatever its
// frames are made of, long before the engine's own end; what comes back gives
// back what it took.
func TestStack(t *testing.T) {
	for _, pages := range []int{16, 128, 512, 1024} {
		testStack(t, pages)
	}
}

func testStack(t *testing.T, pages int) {
	may := StackBytes(pages)
	for _, m := range deep() {
		t.Run(fmt.Sprintf("%s, %d KB", m.name, may>>10), func(t *testing.T) {
			opt := loose
			opt.Limits.MemoryPages = pages
			metered, _, err := Instrument(m.wasm, opt)
			if err != nil {
				t.Fatal(err)
			}
			h := newHost(t, config())
			mod, err := h.start(metered)
			if err != nil {
				t.Fatal(err)
			}
			left := mod.ExportedGlobal(StackExport)
			for _, name := range []string{"f", "g"} {
				for n := range uint64(4) {
					if _, err := mod.ExportedFunction(name).Call(t.Context(), n); err != nil || int(api.DecodeI32(left.Get())) != may {
						t.Fatalf("%s(%d): %v, %d bytes are left", name, n, err, api.DecodeI32(left.Get()))
					}
				}
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := mod.ExportedFunction("f").Call(t.Context(), 1_000_000); !errors.Is(err, errStack) {
				t.Errorf("ended with %v", err)
			}
			runtime.ReadMemStats(&after)
			took := after.TotalAlloc - before.TotalAlloc
			if t.Logf("%d KB", took>>10); took > uint64(4*may) {
				t.Errorf("the engine took %d MB for the %d MB of stack that the guest may take", took>>20, may>>20)
			}
		})
	}
}

// BenchmarkPiece is what one operation of that size takes at best.
func BenchmarkPiece(b *testing.B) {
	for name, op := range map[string][]byte{"copy": cat(opMemoryCopy, 0, 0), "fill": cat(opMemoryFill, 0)} {
		for _, size := range []uint64{pieceBytes / 4, pieceBytes, 2 * pieceBytes} {
			b.Run(fmt.Sprint(name, " of ", size>>10, " KB"), func(b *testing.B) {
				mod, err := newHost(b, config()).start(large(op))
				if err != nil {
					b.Fatal(err)
				}
				best := time.Hour
				for b.Loop() {
					began := time.Now()
					if _, err := mod.ExportedFunction("f").Call(b.Context(), 1, 0, size); err != nil {
						b.Fatal(err)
					}
					best = min(best, time.Since(began))
				}
				b.ReportMetric(float64(best.Microseconds()), "best-µs")
			})
		}
	}
}
