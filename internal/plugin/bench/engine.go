package main

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"recollect/hostapi"
	"recollect/internal/plugin/meter"
)

// bare is a guest under wazero and nothing else of ours but, if it is metered,
// the meter: what the meter costs is seen without the rest of the host.
type bare struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	account  meter.Account
	reply    []byte
	kept     api.Module // the instance that all calls share
}

// way is how a guest can be stopped.
type way string

const (
	plain   way = "plain"   // not at all
	metered way = "metered" // by our meter
	closing way = "closing" // by WithCloseOnContextDone(true)
)

func newBare(ctx context.Context, w way, wasm []byte) (*bare, error) {
	b := &bare{reply: knownAnswer()}
	b.runtime = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().
		WithCoreFeatures(api.CoreFeaturesV2).WithMemoryLimitPages(4096).WithCloseOnContextDone(w == closing))
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, b.runtime); err != nil {
		return nil, err
	}
	if err := b.host(ctx); err != nil {
		return nil, err
	}
	var err error
	if w == metered {
		if wasm, _, err = meter.Instrument(wasm, meter.Options{}); err != nil {
			return nil, err
		}
	}
	if b.compiled, err = b.runtime.CompileModule(ctx, wasm); err != nil {
		return nil, err
	}
	b.kept, err = b.instance(ctx)
	return b, err
}

func (b *bare) host(ctx context.Context) error {
	m := b.runtime.NewHostModuleBuilder(hostapi.HostModule)
	export := func(name string, params, results int, f func(api.Module, []uint64)) {
		types := []api.ValueType{api.ValueTypeI32, api.ValueTypeI32, api.ValueTypeI32}
		m.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, mod api.Module, stack []uint64) {
			f(mod, stack)
		}), types[:params], types[:results]).Export(name)
	}
	export(hostapi.ImportCall, 2, 1, func(_ api.Module, stack []uint64) { stack[0] = uint64(len(b.reply)) })
	export(hostapi.ImportRead, 2, 1, func(mod api.Module, stack []uint64) {
		mod.Memory().Write(uint32(stack[0]), b.reply)
		stack[0] = uint64(len(b.reply))
	})
	export(hostapi.ImportLog, 3, 0, func(api.Module, []uint64) {})
	m.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, mod api.Module, _ []uint64) {
		if ctx.Err() != nil {
			panic(ctx.Err())
		}
		fuel := mod.ExportedGlobal(meter.FuelExport).(api.MutableGlobal)
		refill, ok := b.account.Tick(int64(fuel.Get()))
		if !ok {
			panic("out of fuel")
		}
		fuel.Set(uint64(refill))
	}), nil, nil).Export(hostapi.ImportTick)
	_, err := m.Instantiate(ctx)
	return err
}

func (b *bare) instance(ctx context.Context) (api.Module, error) {
	b.account = meter.Account{Budget: 1 << 60}
	mod, err := b.runtime.InstantiateModule(ctx, b.compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, err
	}
	if f := mod.ExportedFunction(hostapi.ExportInitialize); f != nil {
		_, err = f.Call(ctx)
	}
	return mod, err
}

// again calls the instance that is kept.
func (b *bare) again(ctx context.Context, request []byte) ([]byte, error) {
	return exchange(ctx, b.kept, request)
}

// fresh calls a new instance.
func (b *bare) fresh(ctx context.Context, request []byte) ([]byte, error) {
	mod, err := b.instance(ctx)
	if err != nil {
		return nil, err
	}
	defer mod.Close(ctx)
	return exchange(ctx, mod, request)
}

func exchange(ctx context.Context, mod api.Module, request []byte) ([]byte, error) {
	at, err := mod.ExportedFunction(hostapi.ExportAlloc).Call(ctx, uint64(len(request)))
	if err != nil {
		return nil, err
	}
	if !mod.Memory().Write(uint32(at[0]), request) {
		return nil, fmt.Errorf("no room for the request")
	}
	result, err := mod.ExportedFunction(hostapi.ExportCheck).Call(ctx, uint64(len(request)))
	if err != nil {
		return nil, err
	}
	view, ok := mod.Memory().Read(uint32(result[0]>>32), uint32(result[0]))
	if !ok {
		return nil, fmt.Errorf("the answer lies outside of memory")
	}
	return append([]byte(nil), view...), nil
}
