package meter

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// endless are modules that an engine alone would never come back from. Their
// function f is the one to call; those with a start section hang before.
func endless() []made {
	one := func(code []byte) []byte {
		return parts{types: [][]byte{nothing}, funcs: []byte{0}, mems: [][]byte{cat(0, 16)},
			exports: [][]byte{export("f", 0, 0)}, bodies: [][]byte{body([]byte{1, byte(i32)}, code)}}.wasm()
	}
	ms := []made{
		{"loop", one(forever())},
		{"nops", one(forever(opNop, opNop))},
		{"branch table", one(cat(opLoop, noValue, opI32Const, 1, opBrTable, 2, 0, 0, 0, opEnd))},
		{"conditional", one(cat(opLoop, noValue, opI32Const, 1, opBrIf, 0, opEnd))},
		{"inner loops without an end", one(forever(opLoop, noValue, opEnd, opBlock, noValue, opBr, 0, opEnd))},
		{"loop after return", one(cat(opBlock, noValue, opI32Const, 0, opBrIf, 0, opBlock, noValue, opEnd, opEnd, forever()))},
		{"memory.fill", one(forever(opI32Const, 0, opI32Const, 1, opI32Const, 0x80, 0x80, 0xc0, 0, opMemoryFill, 0))},
		{"memory.grow", one(forever(opI32Const, 1, opMemoryGrow, 0, 0x1a))},
		{"calls itself", one(cat(forever(opI32Const, 0, opIf, noValue, opCall, 0, opEnd)))},
	}
	return append(ms, made{"call tree", callTree(45)}, made{"start section", startLoop()}, made{"indirect call tree", indirectTree(45)})
}

// callTree is a tree of calls without a loop: 2^depth of them.
func callTree(depth int) []byte {
	p := parts{types: [][]byte{nothing}, exports: [][]byte{export("f", 0, depth)}}
	for i := range depth + 1 {
		p.funcs = append(p.funcs, 0)
		if i == 0 {
			p.bodies = append(p.bodies, body(nil))
			continue
		}
		p.bodies = append(p.bodies, body(nil, opCall, i-1, opCall, i-1))
	}
	return p.wasm()
}

func indirectTree(depth int) []byte {
	p := parts{types: [][]byte{nothing}, exports: [][]byte{export("f", 0, depth)}, tables: [][]byte{cat(funcref, 0, depth+1)}}
	seg := cat(0, opI32Const, 0, opEnd, depth+1)
	for i := range depth + 1 {
		p.funcs = append(p.funcs, 0)
		seg = append(seg, byte(i))
		if i == 0 {
			p.bodies = append(p.bodies, body(nil))
			continue
		}
		call := cat(opI32Const, i-1, opCallIndirect, 0, 0)
		p.bodies = append(p.bodies, body(nil, call, call))
	}
	p.elems = [][]byte{seg}
	return p.wasm()
}

func startLoop() []byte {
	return parts{types: [][]byte{nothing}, funcs: []byte{0}, start: []byte{0}, bodies: [][]byte{body(nil, forever())}}.wasm()
}

// Whatever never ends is stopped by its budget, at the same unit each time,
// and by its context.
func TestEndless(t *testing.T) {
	for _, m := range endless() {
		t.Run(m.name, func(t *testing.T) {
			metered, _, err := Instrument(m.wasm, loose)
			if err != nil {
				t.Fatal(err)
			}
			h := newHost(t, config())
			run := func() (int64, error) {
				h.acct = Account{Budget: 20_000_000}
				mod, err := h.start(metered)
				if err == nil {
					_, err = mod.ExportedFunction("f").Call(context.Background())
				}
				return h.acct.granted, err
			}
			first, err := run()
			if !errors.Is(err, errFuel) {
				t.Fatalf("ended with %v", err)
			}
			if again, _ := run(); again != first {
				t.Errorf("stopped after %d, then after %d", first, again)
			}
			var cancel context.CancelFunc
			h.ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			from := time.Now()
			h.acct = Account{}
			mod, err := h.start(metered)
			if err == nil {
				_, err = mod.ExportedFunction("f").Call(context.Background())
			}
			if !errors.Is(err, errDone) {
				t.Fatalf("ended with %v", err)
			}
			if d := time.Since(from); d > 3*time.Second {
				t.Errorf("was stopped after %v", d)
			}
		})
	}
}

// Recursion ends by the engine's own limit or by fuel, whichever is first.
func TestDeepRecursion(t *testing.T) {
	wasm := parts{types: [][]byte{nothing}, funcs: []byte{0}, exports: [][]byte{export("f", 0, 0)},
		bodies: [][]byte{body(nil, opCall, 0)}}.wasm()
	metered, _, err := Instrument(wasm, loose)
	if err != nil {
		t.Fatal(err)
	}
	for _, budget := range []int64{1000, 0} {
		h := newHost(t, config())
		h.acct = Account{}
		mod, err := h.start(metered)
		if err != nil {
			t.Fatal(err)
		}
		mod.ExportedGlobal(FuelExport).(api.MutableGlobal).Set(uint64(h.acct.Begin(budget)))
		if _, err = mod.ExportedFunction("f").Call(t.Context()); err == nil {
			t.Fatal("came back")
		}
		if budget > 0 && !errors.Is(err, errFuel) {
			t.Errorf("with %d units it ended with %v", budget, err)
		}
	}
}

// Long code without loops ticks too, whatever way through it is taken.
func TestTicksInStraightCode(t *testing.T) {
	step := cat(opLocalGet, 0, opI32Const, 3, 0x6a, 0x21, 0)
	var straight, arms []byte
	for range 20_000 {
		straight = append(straight, step...)
		arms = append(arms, cat(opBlock, noValue, step, step, opLocalGet, 0, opBrIf, 0, step, step, step, opEnd)...)
	}
	for name, code := range map[string][]byte{"straight": straight, "arms": arms} {
		wasm := parts{types: [][]byte{nothing}, funcs: []byte{0}, exports: [][]byte{export("f", 0, 0)},
			bodies: [][]byte{body([]byte{1, byte(i32)}, code)}}.wasm()
		metered, info, err := Instrument(wasm, loose)
		if err != nil {
			t.Fatal(err)
		}
		h := newHost(t, wazero.NewRuntimeConfigInterpreter())
		mod, err := h.start(metered)
		if err != nil {
			t.Fatal(err)
		}
		h.acct.Begin(0)
		if _, err := mod.ExportedFunction("f").Call(t.Context()); err != nil {
			t.Fatal(err)
		}
		if used := spent(mod, &h.acct); used < 30_000 {
			t.Errorf("%s: 80,000 instructions and more, one in four of which computes, cost %d, charged in %d places", name, used, info.Charges)
		}
	}
}

func TestAccount(t *testing.T) {
	var a Account
	fuel := a.Begin(500_000)
	var stopped bool
	total := int64(0)
	for !stopped {
		total += 777
		if fuel -= 777; fuel < 0 {
			var ok bool
			if fuel, ok = a.Tick(fuel); !ok {
				stopped = true
			}
		}
		if total > 1_000_000 {
			t.Fatal("the budget never ends")
		}
	}
	if want := int64(500_000/777+1) * 777; total != want || a.Spent(fuel) != want {
		t.Errorf("stopped at %d, by the account %d, want %d", total, a.Spent(fuel), want)
	}
	b := Account{Budget: 1000}
	if _, ok := b.Tick(-1); ok {
		t.Error("an instance's first Quantum is not counted")
	}
	c := Account{}
	if refill, ok := c.Tick(-5_000_000); !ok || refill != Quantum || c.Spent(refill) != 5_000_000+Quantum {
		t.Errorf("after a bulk operation: %d, %v, %d", refill, ok, c.Spent(refill))
	}
}
