package meter

import (
	"context"
	"testing"

	"github.com/tetratelabs/wazero/api"
)

// BenchmarkInstrument rewrites a Go guest of about 3 MB.
func BenchmarkInstrument(b *testing.B) {
	wasm := goGuest(b, "cpu", "-buildmode=c-shared")
	b.SetBytes(int64(len(wasm)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Instrument(wasm, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCompile is what metering adds to the engine's compilation.
func BenchmarkCompile(b *testing.B) {
	wasm := goGuest(b, "cpu", "-buildmode=c-shared")
	metered, _, err := Instrument(wasm, Options{})
	if err != nil {
		b.Fatal(err)
	}
	for name, w := range map[string][]byte{"plain": wasm, "metered": metered} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				h := newHost(b, config())
				if _, err := h.compile(w); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// variant is one way of running a guest.
type variant struct {
	name string
	mod  api.Module
	ctx  context.Context
}

// variants starts a guest plain, metered, and with the engine's own way to
// stop it.
func variants(b *testing.B, wasm []byte, opt Options) []variant {
	b.Helper()
	metered, _, err := Instrument(wasm, opt)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	b.Cleanup(cancel)
	vs := []variant{{name: "plain", ctx: context.Background()}, {name: "metered", ctx: context.Background()}, {name: "closeOnDone", ctx: ctx}}
	for i, w := range [][]byte{wasm, metered, wasm} {
		cfg := config()
		if i == 2 {
			cfg = cfg.WithCloseOnContextDone(true)
		}
		h := newHost(b, cfg)
		mod, err := h.start(w)
		if err != nil {
			b.Fatal(err)
		}
		if f := mod.ExportedFunction("_initialize"); f != nil {
			if _, err := f.Call(ctx); err != nil {
				b.Fatal(err)
			}
		}
		vs[i].mod = mod
	}
	return vs
}
