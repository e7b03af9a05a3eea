package meter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

func turns(n int) []byte {
	var v []map[string]string
	for i := range n {
		v = append(v, map[string]string{
			"id": fmt.Sprintf("m-%04d", n-i), "role": "user",
			"text": strings.Repeat("We decided this because of that. ", 1+i%30),
		})
	}
	b, _ := json.Marshal(v)
	return b
}

// initialize starts a reactor.
func (h *host) reactor(t testing.TB, wasm []byte) api.Module {
	t.Helper()
	mod, err := h.start(wasm)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mod.ExportedFunction("_initialize").Call(context.Background()); err != nil {
		t.Fatal(err)
	}
	return mod
}

// verb does one request.
func verb(mod api.Module, name string, in []byte) ([]byte, error) {
	ctx := context.Background()
	p, err := mod.ExportedFunction("rc_alloc").Call(ctx, uint64(len(in)))
	if err != nil {
		return nil, err
	}
	mod.Memory().Write(uint32(p[0]), in)
	res, err := mod.ExportedFunction(name).Call(ctx, uint64(len(in)))
	if err != nil {
		return nil, err
	}
	view, _ := mod.Memory().Read(uint32(res[0]>>32), uint32(res[0]))
	return bytes.Clone(view), nil
}

func TestGoReactor(t *testing.T) {
	wasm := goGuest(t, "cpu", "-buildmode=c-shared")
	metered, info, err := Instrument(wasm, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !info.Has("rc_extract") || info.Has("rc_select") || info.Charges == 0 {
		t.Errorf("info is %+v", info)
	}
	t.Logf("%d -> %d bytes (%.3f), %d charges", len(wasm), len(metered), float64(len(metered))/float64(len(wasm)), info.Charges)
	if again, _, _ := Instrument(wasm, Options{}); !bytes.Equal(again, metered) {
		t.Error("the same module gave other bytes")
	}

	h := newHost(t, config())
	plain, mod := h.reactor(t, wasm), h.reactor(t, metered)
	fuel := mod.ExportedGlobal(FuelExport).(api.MutableGlobal)
	for _, name := range []string{"rc_extract", "rc_check"} {
		in := turns(200)
		want, err := verb(plain, name, in)
		if err != nil {
			t.Fatal(err)
		}
		fuel.Set(uint64(h.acct.Begin(0)))
		before := h.ticks
		got, err := verb(mod, name, in)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) || len(got) == 0 {
			t.Errorf("%s gave %d bytes metered and %d plain", name, len(got), len(want))
		}
		if h.ticks == before {
			t.Errorf("%s never ticked", name)
		}
		t.Logf("%s: %d units, %d ticks", name, spent(mod, &h.acct), h.ticks-before)
	}
}

func TestGoEndless(t *testing.T) {
	metered, _, err := Instrument(goGuest(t, "cpu", "-buildmode=c-shared"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := newHost(t, config())
	var used [2]int64
	for i := range used {
		h.acct = Account{}
		mod := h.reactor(t, metered)
		mod.ExportedGlobal(FuelExport).(api.MutableGlobal).Set(uint64(h.acct.Begin(50_000_000)))
		if _, err := verb(mod, "rc_render", turns(3)); !errors.Is(err, errFuel) {
			t.Fatalf("the endless loop ended with %v", err)
		}
		used[i] = spent(mod, &h.acct)
	}
	if used[0] != used[1] {
		t.Errorf("the same budget stopped at %d and at %d", used[0], used[1])
	}

	h.acct = Account{}
	mod := h.reactor(t, metered)
	var cancel context.CancelFunc
	h.ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	from := time.Now()
	if _, err := verb(mod, "rc_render", nil); !errors.Is(err, errDone) {
		t.Fatalf("the endless loop ended with %v", err)
	}
	t.Logf("stopped after %v", time.Since(from))
}

// A guest's panic shows the guest's own functions.
func TestGoTrace(t *testing.T) {
	wasm := goGuest(t, "cpu", "-buildmode=c-shared")
	metered, _, err := Instrument(wasm, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := newHost(t, config())
	var traces [2]string
	for i, w := range [][]byte{wasm, metered} {
		_, err := verb(h.reactor(t, w), "rc_parse", nil)
		if err == nil {
			t.Fatal("writing to a nil map went well")
		}
		traces[i] = err.Error()
	}
	if traces[0] != traces[1] || !strings.Contains(traces[1], "main.parse") {
		t.Errorf("plain:\n%s\nmetered:\n%s", traces[0], traces[1])
	}
}

func TestGoCommand(t *testing.T) {
	wasm := goGuest(t, "command")
	if _, _, err := Instrument(wasm, Options{}); err == nil {
		t.Error("a program was taken for a plug-in")
	}
	metered, _, err := Instrument(wasm, loose)
	if err != nil {
		t.Fatal(err)
	}
	h := newHost(t, config())
	var outs [2]bytes.Buffer
	for i, w := range [][]byte{wasm, metered} {
		h.acct = Account{}
		c, err := h.compile(w)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.InstantiateModule(t.Context(), c, wazero.NewModuleConfig().WithName("").WithStdout(&outs[i])); err != nil && !strings.Contains(err.Error(), "exit_code(0)") {
			t.Fatal(err)
		}
	}
	if outs[0].String() != outs[1].String() || outs[0].Len() == 0 {
		t.Errorf("plain %q, metered %q", outs[0].String(), outs[1].String())
	}
}
