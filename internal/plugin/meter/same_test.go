package meter

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

var mutants = flag.Int("mutants", 3000, "how many mutated modules TestMutants tries")

// A verdict is what came of one module, plain and metered.
type verdict int

const (
	bothRefused verdict = iota
	bothRan             // accepted, and every export gave the same
	ourLimit            // refused for a limit of ours, or a feature that wazero refuses too
	stricter            // refused, though wazero accepts it: names, or a proposal that it half reads
	unasked             // refused, and not safe to give to wazero
	stopped             // accepted by both, out of fuel before an end
	plainPanic          // the engine panicked on the plain module, and the meter refused it
)

// same runs a module plain and metered and fails when the two differ. Both
// hosts are of the same configuration; metered code goes first, so that plain
// code only runs when it is known to end.
func same(t testing.TB, plain, metered *host, wasm []byte) verdict {
	out, _, err := Instrument(wasm, loose)
	var e *Error
	if errors.As(err, &e) && (e.Kind == TooLarge || wild(wasm)) {
		return unasked
	}
	pc, plainErr := plain.compile(wasm)
	if pc != nil {
		defer pc.Close(context.Background())
	}
	if err != nil {
		switch {
		case errors.As(plainErr, &panicked{}):
			return plainPanic
		case plainErr != nil:
			return bothRefused
		case strings.HasPrefix(e.text, "name section"), strings.HasPrefix(e.text, "data count section"):
			return stricter // wazero reads past the end of some names, and an absent count as none
		case e.Kind == Malformed:
			t.Errorf("wazero accepts what the meter says is malformed: %v\n%x", err, wasm)
		case e.Kind == Unsupported:
			return stricter
		}
		return ourLimit
	}
	mc, err := metered.compile(out)
	if mc != nil {
		defer mc.Close(context.Background())
	}
	if errors.As(plainErr, &panicked{}) || errors.As(err, &panicked{}) {
		t.Errorf("the meter lets through what wazero panics on: %v / %v\n%x", plainErr, err, wasm)
		return plainPanic
	}
	if (err == nil) != (plainErr == nil) {
		t.Errorf("plain: %v\nmetered: %v\n%x", plainErr, err, wasm)
	}
	if err != nil || plainErr != nil {
		return bothRefused
	}
	return sameRun(t, plain, metered, pc, mc, wasm)
}

// wild tells of bytes that may be a number of more than 2^21: wazero makes room
// for as many entries, locals or bytes before it reads them, and a test that
// asks it would run out of memory.
func wild(wasm []byte) bool {
	run := 0
	for _, c := range wasm {
		if c < 0x80 {
			run = 0
		} else if run++; run == 3 {
			return true
		}
	}
	return false
}

func sameRun(t testing.TB, plain, metered *host, pc, mc wazero.CompiledModule, wasm []byte) verdict {
	ctx := context.Background()
	cfg := wazero.NewModuleConfig().WithName("").WithStartFunctions()
	metered.acct = Account{Budget: 3_000_000}
	mm, err := metered.InstantiateModule(ctx, mc, cfg)
	if mm != nil {
		defer mm.Close(ctx)
	}
	if errors.Is(err, errFuel) {
		return stopped
	}
	pm, plainErr := plain.InstantiateModule(ctx, pc, cfg)
	if pm != nil {
		defer pm.Close(ctx)
	}
	if (err == nil) != (plainErr == nil) {
		t.Errorf("instantiating: plain: %v\nmetered: %v\n%x", plainErr, err, wasm)
	}
	if err != nil || plainErr != nil {
		return bothRan
	}
	for _, name := range sortedExports(pc) {
		f := pm.ExportedFunction(name)
		args := argsFor(f.Definition())
		again(mm)
		got := outcome(mm.ExportedFunction(name), args)
		if strings.Contains(got, errFuel.Error()) {
			return stopped
		}
		if want := outcome(f, args); want != got {
			t.Errorf("%q: plain %s, metered %s\n%x", name, want, got, wasm)
		}
	}
	if want, got := state(pm), state(mm); want != got {
		t.Errorf("state: plain %s, metered %s\n%x", want, got, wasm)
	}
	return bothRan
}

func sortedExports(c wazero.CompiledModule) (names []string) {
	for name := range c.ExportedFunctions() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names[:min(len(names), 12)]
}

// argsFor gives small arguments, the same for the same function.
func argsFor(d api.FunctionDefinition) (args []uint64) {
	for i, t := range d.ParamTypes() {
		switch byte(t) {
		case byte(funcref), byte(externref):
			args = append(args, 0)
		case byte(v128):
			args = append(args, 3, 5)
		default:
			args = append(args, uint64(7+3*i))
		}
	}
	return args
}

func outcome(f api.Function, args []uint64) string {
	res, err := f.Call(context.Background(), args...)
	if err != nil {
		if errors.Is(err, errStack) {
			return errStack.Error()
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		return first
	}
	slot := 0
	for _, t := range f.Definition().ResultTypes() {
		switch byte(t) {
		case byte(funcref):
			res[slot] = min(res[slot], 1) // a pointer, other in each instance
		case byte(v128):
			slot++
		}
		slot++
	}
	return fmt.Sprint(res)
}

// state sums up an instance's exported memory.
func state(m api.Module) string {
	h := fnv.New64a()
	for name := range m.ExportedMemoryDefinitions() {
		mem := m.ExportedMemory(name)
		view, _ := mem.Read(0, mem.Size())
		h.Write(view)
	}
	return fmt.Sprintf("%x", h.Sum64())
}

// seeds are small valid modules of the specification's tests, and ours.
func seeds(t testing.TB) (out [][]byte) {
	for _, m := range handMade() {
		out = append(out, m.wasm)
	}
	dir, err := specDir()
	if err != nil {
		t.Logf("without the specification's modules: %v", err)
		return out
	}
	h := newHost(t, config())
	defer h.Close(t.Context())
	files, _ := filepath.Glob(filepath.Join(dir, "v2", "testdata", "*.wasm"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil || len(b) < 60 || len(b) > 3000 {
			continue
		}
		if _, err := Check(b, loose); err != nil {
			continue
		}
		if c, err := h.compile(b); err == nil {
			c.Close(t.Context())
			out = append(out, b)
		}
	}
	return out
}

// specHost has what the specification's modules import.
func specHost(t testing.TB) *host {
	h := newHost(t, config())
	dir, err := specDir()
	if err != nil {
		return h
	}
	wasm, err := os.ReadFile(filepath.Join(dir, "testdata", "spectest.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.InstantiateWithConfig(context.Background(), wasm, wazero.NewModuleConfig()); err != nil {
		t.Fatal(err)
	}
	return h
}

// TestMutants holds mutated modules to the same verdict and the same results,
// plain and metered: go test -run Mutants -args -mutants 50000.
func TestMutants(t *testing.T) {
	all := seeds(t)
	rng := rand.New(rand.NewPCG(20, 26))
	count := map[verdict]int{}
	n := *mutants
	if testing.Short() {
		n = min(n, 500)
	}
	for n > 0 {
		plain, metered := specHost(t), specHost(t)
		for range min(n, 500) {
			m := mutate(rng, all[rng.IntN(len(all))], all[rng.IntN(len(all))])
			count[same(t, plain, metered, m)]++
			n--
		}
		plain.Close(t.Context())
		metered.Close(t.Context())
	}
	t.Logf("of %d seeds: %d refused by both, %d ran the same, %d out of fuel, %d beyond our limits, %d not safe to ask about, %d stricter, %d that wazero panics on and the meter refuses",
		len(all), count[bothRefused], count[bothRan], count[stopped], count[ourLimit], count[unasked], count[stricter], count[plainPanic])
}

// FuzzInstrument looks for modules on which plain and metered differ, and for
// panics.
func FuzzInstrument(f *testing.F) {
	for _, m := range handMade() {
		f.Add(m.wasm)
	}
	plain, metered := newHost(f, config()), newHost(f, config())
	f.Fuzz(func(t *testing.T, wasm []byte) {
		if _, err := Check(wasm, Options{}); err == nil {
			if _, _, err := Instrument(wasm, Options{}); err != nil {
				t.Fatalf("Check accepts what Instrument refuses: %v", err)
			}
		}
		same(t, plain, metered, wasm)
	})
}
