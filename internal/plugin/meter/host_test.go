package meter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

var (
	errFuel = errors.New("out of fuel")
	errDone = errors.New("context is done")
	// errStack is in the words of the engine.
	errStack = errors.New("stack overflow")
)

// loose is what modules are held to that are no plug-ins.
var loose = Options{Contract: &Contract{AnyImport: true}}

// A host is a runtime with the host module of the contract. Its tick keeps one
// account.
type host struct {
	wazero.Runtime
	acct   Account
	ticks  int
	ctx    context.Context
	onTick func()
}

func config() wazero.RuntimeConfig {
	return wazero.NewRuntimeConfigCompiler().WithCoreFeatures(api.CoreFeaturesV2).WithMemoryLimitPages(1024)
}

func newHost(t testing.TB, cfg wazero.RuntimeConfig) *host {
	t.Helper()
	ctx := context.Background()
	h := &host{Runtime: wazero.NewRuntimeWithConfig(ctx, cfg), ctx: ctx}
	t.Cleanup(func() { h.Close(ctx) })
	b := h.NewHostModuleBuilder(TickModule)
	b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(h.tick), nil, nil).Export(TickName)
	b.NewFunctionBuilder().WithFunc(func(_, _ uint32) uint32 { return 0 }).Export("call")
	b.NewFunctionBuilder().WithFunc(func(_, _ uint32) uint32 { return 0 }).Export("read")
	b.NewFunctionBuilder().WithFunc(func(_, _, _ uint32) {}).Export("log")
	if _, err := b.Instantiate(ctx); err != nil {
		t.Fatal(err)
	}
	wasi_snapshot_preview1.MustInstantiate(ctx, h)
	return h
}

func (h *host) tick(_ context.Context, mod api.Module, _ []uint64) {
	h.ticks++
	if h.onTick != nil {
		h.onTick()
	}
	if h.ctx.Err() != nil {
		panic(errDone)
	}
	if g := mod.ExportedGlobal(StackExport); g != nil && api.DecodeI32(g.Get()) < 0 {
		panic(errStack)
	}
	fuel := mod.ExportedGlobal(FuelExport).(api.MutableGlobal)
	refill, ok := h.acct.Tick(int64(fuel.Get()))
	if !ok {
		panic(errFuel)
	}
	fuel.Set(uint64(refill))
}

// compile is CompileModule with its panics as errors.
func (h *host) compile(wasm []byte) (c wazero.CompiledModule, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked{p}
		}
	}()
	return h.CompileModule(context.Background(), wasm)
}

type panicked struct{ v any }

func (p panicked) Error() string { return fmt.Sprintf("wazero panicked: %v", p.v) }

// start instantiates a module without calling its start functions by name.
func (h *host) start(wasm []byte) (api.Module, error) {
	c, err := h.compile(wasm)
	if err != nil {
		return nil, err
	}
	return h.InstantiateModule(context.Background(), c,
		wazero.NewModuleConfig().WithName("").WithStartFunctions())
}

// again makes an instance that trapped fit for a call: a trap gives no stack back.
func again(mod api.Module) {
	if g, ok := mod.ExportedGlobal(StackExport).(api.MutableGlobal); ok {
		g.Set(uint64(StackBytes(DefaultLimits().MemoryPages)))
	}
}

func spent(mod api.Module, a *Account) int64 {
	return a.Spent(int64(mod.ExportedGlobal(FuelExport).Get()))
}

var built sync.Map

// goGuest builds the program in testdata/NAME for wasip1, once per run.
func goGuest(t testing.TB, name string, args ...string) []byte {
	t.Helper()
	build := sync.OnceValues(func() ([]byte, error) {
		dir, err := os.MkdirTemp("", "meter")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		out := filepath.Join(dir, "guest.wasm")
		cmd := exec.Command("go", append(append([]string{"build", "-o", out}, args...), "./testdata/"+name)...)
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
		if msg, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, msg)
		}
		return os.ReadFile(out)
	})
	f, _ := built.LoadOrStore(fmt.Sprint(name, args), build)
	wasm, err := f.(func() ([]byte, error))()
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}
