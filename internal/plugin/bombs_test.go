package plugin

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"recollect/internal/plugin/meter"
)

// TestBombs compiles what keeps wazero busy for minutes: without the meter, so
// that only the limits are between it and the machine, and as large as the meter
// lets it pass.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles bombs")
	}
	limits := CompileLimits{CPU: 2 * time.Second, Wall: time.Minute, Memory: 256 << 20}
	before := peakMemory(t)
	for _, b := range bombs {
		t.Run(b.name, func(t *testing.T) {
			cache := t.TempDir()
			wasm := b.make(b.full)
			began := time.Now()
			err := inChild(t.Context(), argPlain, order{childVersion(), cache, 64 << 20, len(wasm), limits}, wasm)
			t.Logf("%7d bytes without a meter: %6v, %v", len(wasm), time.Since(began).Round(time.Millisecond), err)
			if !IsKind(err, KindLimit) && !(err == nil && b.harmless) {
				var e *Error
				_ = errors.As(err, &e)
				t.Errorf("error = %+v", e)
			}
			nothingLeft(t, cache)

			n := b.full
			for n > 1 {
				if _, err := meter.Check(b.make(n), meter.Options{}); err == nil {
					break
				}
				n -= n/8 + 1
			}
			wasm = b.make(n)
			o := HostOptions{CacheDir: cache, Compile: limits}
			h := newHost(t, o)
			began = time.Now()
			_, err = h.load(t.Context(), code3(wasm))
			t.Logf("%7d bytes with a meter: %6v, %v", len(wasm), time.Since(began).Round(time.Millisecond), err)
			if err != nil && !IsKind(err, KindLimit) {
				t.Errorf("error = %v", err)
			}
			if time.Since(began) > limits.Wall+10*time.Second {
				t.Errorf("took %v", time.Since(began))
			}
			if err != nil {
				nothingLeft(t, cache)
			}
		})
	}
	if more := peakMemory(t) - before; more > 128<<20 {
		t.Errorf("the parent grew by %d MB", more>>20)
	}
}

// peakMemory is the most that this process had; 0 where there is no /proc.
func peakMemory(t *testing.T) (kb int64) {
	t.Helper()
	data, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	_, _ = fmt.Sscan(rest, &kb)
	return kb << 10
}

// bomb is a family of modules.
type bomb struct {
	name     string
	full     int // a size that hurts
	harmless bool
	make     func(n int) []byte
}

// bombs hold one function of much in little, or many of them, beside the
// contract's exports.
var bombs = []bomb{
	{"phi: ifs over locals", 4000, false, func(n int) []byte {
		var ifs []byte
		for i := range n {
			ifs = cat(ifs, constI32(1), []byte{0x04, void}, constI32(1), setLocal(uint32(i%2000)), []byte{0x0b})
		}
		return bombOf(2000, cat(ifs, getLocals(2000)))
	}},
	{"philoop: loops over locals", 1000, false, func(n int) []byte {
		return bombOf(uint32(n), cat(repeat(n, []byte{0x03, void}), getLocals(n), repeat(n, constI32(0), []byte{0x0d, 0, 0x0b})))
	}},
	{"bulkline: bulk operations", 24_000, false, func(n int) []byte {
		return bombOf(0, repeat(n, constI32(0), constI32(0), constI32(1), []byte{0xfc, 11, 0}))
	}},
	{"branch tables", 200, false, func(n int) []byte {
		return bombOf(0, repeat(n, []byte{0x02, void}, constI32(0), []byte{0x0e}, uleb(16_000), make([]byte, 16_001), []byte{0x0b}))
	}},
	{"nesting", 100_000, false, func(n int) []byte {
		return bombOf(0, cat(repeat(n, []byte{0x02, void}), repeat(n, []byte{0x0b})))
	}},
	{"locals", 4_000_000, true, func(n int) []byte {
		return bombOf(uint32(n), nil)
	}},
	{"functions", 100_000, true, func(n int) []byte { return bombOfMany(n) }},
}

func repeat(n int, parts ...[]byte) []byte { return bytes.Repeat(cat(parts...), n) }

func setLocal(i uint32) []byte { return cat([]byte{0x21}, uleb(i)) }

// getLocals reads each local and drops it.
func getLocals(n int) (b []byte) {
	for i := range n {
		b = append(append(append(b, 0x20), uleb(uint32(i))...), 0x1a)
	}
	return b
}

// bombOf is a module with one more function.
func bombOf(locals uint32, code []byte) []byte {
	b := cat([]byte{1}, uleb(locals), []byte{typeI32}, code, []byte{0x0b})
	return withFunctions(1, cat(uleb(uint32(len(b))), b))
}

func bombOfMany(n int) []byte { return withFunctions(n, repeat(n, body([]byte{0x01}))) }

func withFunctions(n int, bodies []byte) []byte {
	return cat([]byte("\x00asm\x01\x00\x00\x00"), section(1, types),
		section(3, cat(uleb(uint32(3+n)), []byte{tVoid, tAlloc, tVerb}, make([]byte, n))),
		section(5, vec([]byte{0, 1})), section(7, vec(
			cat(text("memory"), []byte{2, 0}), cat(text("rc_abi_1"), []byte{0, 0}),
			cat(text("rc_alloc"), []byte{0, 1}), cat(text("rc_extract"), []byte{0, 2}))),
		section(10, cat(uleb(uint32(3+n)), body(nil), body(constI32(1024)), body(constI64(0)), bodies)))
}
