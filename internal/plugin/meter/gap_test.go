package meter

import (
	"context"
	"testing"
	"time"
)

// dear are endless modules that make the most of what a unit of fuel can do.
func dear() []made {
	one := func(name string, p parts) made {
		p.exports = append(p.exports, export("f", 0, 0))
		return made{name, p.wasm()}
	}
	void := [][]byte{nothing}
	locals := []byte{1, byte(i64)}
	divs := repeat(60/4, opLocalGet, 0, opI64Const, 7, 0x7f, 0x21, 0)
	tz := repeat(60, opLocalGet, 0, 0x7b, 0x21, 0) // population count
	moves := repeat(250, opLocalGet, 0, 0x21, 0)
	leaf := func(code ...any) parts {
		return parts{types: void, funcs: []byte{0, 0}, bodies: [][]byte{body(nil, forever(opCall, 1)), body(locals, code...)}}
	}
	big := cat(opI32Const, 0, opI32Const, 1, opI32Const, 0x80, 0x80, 0x80, 0x20, opMemoryFill, 0) // 64 MiB
	return []made{
		one("small functions that divide", leaf(divs)),
		one("small functions that count bits", leaf(tz)),
		one("small functions that move", leaf(moves)),
		one("memory.grow by nothing", parts{types: void, funcs: []byte{0}, mems: [][]byte{cat(0, 1)},
			bodies: [][]byte{body(nil, forever(opI32Const, 0, opMemoryGrow, 0, 0x1a))}}),
		one("memory.fill of nothing", parts{types: void, funcs: []byte{0}, mems: [][]byte{cat(0, 1)},
			bodies: [][]byte{body(nil, forever(opI32Const, 0, opI32Const, 0, opI32Const, 0, opMemoryFill, 0))}}),
		one("memory.fill of 64 MiB", parts{types: void, funcs: []byte{0}, mems: [][]byte{cat(0, 0x80, 8)},
			bodies: [][]byte{body(nil, forever(big))}}),
		one("calls through a table", parts{types: void, funcs: []byte{0, 0}, tables: [][]byte{cat(funcref, 0, 1)},
			elems:  [][]byte{cat(0, opI32Const, 0, opEnd, 1, 1)},
			bodies: [][]byte{body(nil, forever(opI32Const, 0, opCallIndirect, 0, 0)), body(nil)}}),
	}
}

// BenchmarkTickGap reports how long guests go between two ticks, on average
// and at most, for those that try to make it long.
func BenchmarkTickGap(b *testing.B) {
	for _, m := range append(dear(), endless()[:4]...) {
		b.Run(m.name, func(b *testing.B) {
			metered, _, err := Instrument(m.wasm, loose)
			if err != nil {
				b.Fatal(err)
			}
			h := newHost(b, config())
			mod, err := h.start(metered)
			if err != nil {
				b.Fatal(err)
			}
			var longest, total time.Duration
			for b.Loop() {
				ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
				h.ctx, h.acct, h.ticks = ctx, Account{}, 0
				from := time.Now()
				h.onTick = func() {
					longest = max(longest, time.Since(from))
					from = time.Now()
				}
				start := from
				mod.ExportedFunction("f").Call(context.Background())
				total += time.Since(start) / time.Duration(max(h.ticks, 1))
				cancel()
			}
			b.ReportMetric(float64(total.Microseconds())/float64(b.N), "µs/tick")
			b.ReportMetric(float64(longest.Microseconds()), "µs/longest")
		})
	}
}
