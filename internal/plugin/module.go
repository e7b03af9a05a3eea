package plugin

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"recollect/hostapi"
	"recollect/internal/printable"
)

const pageBytes = 64 << 10

const i32 = api.ValueTypeI32

// imports of the module hostapi.HostModule besides tick, with their parameters
// and results.
var imports = map[string]struct{ params, results []api.ValueType }{
	hostapi.ImportCall: {[]api.ValueType{i32, i32}, []api.ValueType{i32}},
	hostapi.ImportRead: {[]api.ValueType{i32, i32}, []api.ValueType{i32}},
	hostapi.ImportLog:  {[]api.ValueType{i32, i32, i32}, nil},
}

// verbs by the export that plays them.
var verbs = map[string]string{
	"extract": hostapi.ExportExtract, "evolve": hostapi.ExportEvolve,
	"sections": hostapi.ExportSections, "check": hostapi.ExportCheck,
	"render": hostapi.ExportRender, "parse": hostapi.ExportParse,
	"select": hostapi.ExportSelect,
}

// module is a compiled plug-in in a runtime of its own.
type module struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	pool     *pool
}

// guard turns a panic of wazero into an error: it reads what strangers wrote.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("wazero: %v", r)
		}
	}()
	return f()
}

// compile makes a metered module ready to run as machine code. Errors are the
// rest of a sentence about the module.
func compile(ctx context.Context, cache wazero.CompilationCache, wasm []byte, memory int64) (*module, error) {
	config := wazero.NewRuntimeConfigCompiler()
	if cache != nil {
		config = config.WithCompilationCache(cache)
	}
	return ready(ctx, config, wasm, memory)
}

// ready makes a metered module ready to run as config says.
func ready(ctx context.Context, config wazero.RuntimeConfig, wasm []byte, memory int64) (m *module, err error) {
	config = config.
		WithCoreFeatures(api.CoreFeaturesV2).
		WithMemoryLimitPages(uint32(max(memory/pageBytes, 1))).
		WithMemoryCapacityFromMax(false).
		WithCloseOnContextDone(false).
		WithDebugInfoEnabled(false)
	m = &module{pool: newPool()}
	err = guard(func() error {
		m.runtime = wazero.NewRuntimeWithConfig(ctx, config)
		if err := wasi(ctx, m.runtime); err != nil {
			return err
		}
		if err := hostModule(ctx, m.runtime); err != nil {
			return err
		}
		var err error
		if m.compiled, err = m.runtime.CompileModule(ctx, wasm); err != nil {
			return fmt.Errorf("its module is not valid WebAssembly: %w", err)
		}
		return checkWASI(m.compiled, m.runtime.Module(wasi_snapshot_preview1.ModuleName))
	})
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

func (m *module) close() {
	m.pool.close()
	if m.runtime != nil {
		_ = guard(func() error { return m.runtime.Close(context.Background()) })
	}
}

// checkWASI refuses what WASI preview 1 does not have: the meter has checked the
// other imports, and the exports.
func checkWASI(c wazero.CompiledModule, wasi api.Module) error {
	known := wasi.ExportedFunctionDefinitions()
	for _, d := range c.ImportedFunctions() {
		module, name, _ := d.Import()
		if module != wasi_snapshot_preview1.ModuleName {
			continue
		}
		want, ok := known[name]
		if !ok {
			return fmt.Errorf("its module imports %s, which does not exist", printable.Quote(module+"."+name, 80))
		}
		if !slices.Equal(want.ParamTypes(), d.ParamTypes()) || !slices.Equal(want.ResultTypes(), d.ResultTypes()) {
			return fmt.Errorf("its module imports %s.%s with a wrong signature", module, name)
		}
	}
	return nil
}

// plays says whether the module has the verb.
func (m *module) plays(verb string) bool {
	_, ok := m.compiled.ExportedFunctions()[verbs[verb]]
	return ok
}

// call runs one verb in an instance that is as new and gives a copy of its
// answer. An instance in which anything went wrong is gone afterwards.
func (m *module) call(s *session, verb string, request []byte) (answer []byte, err error) {
	if err := m.pool.enter(s.ctx); err != nil {
		return nil, err
	}
	defer m.pool.leave()
	err = guard(func() error {
		s.clock.start()
		defer s.clock.stop()
		in, err := m.pool.take(s, m)
		if err != nil {
			return err
		}
		done := false
		defer func() {
			if !done {
				in.close()
			}
		}()
		answer, err = s.exchange(in, verb, request)
		s.measure(in)
		if err != nil {
			return err
		}
		s.clock.stop()
		done = true
		m.pool.give(in)
		return nil
	})
	return answer, err
}

// exchange hands the request over, calls the verb and copies the answer. The
// fuel of a call counts from here on, so that it is the same in an instance that
// is new and in one that was set back.
func (s *session) exchange(in *instance, verb string, request []byte) ([]byte, error) {
	s.fuel = in.fuel
	s.fuel.Set(uint64(s.account.Begin(s.limits.Fuel)))
	ctx, memory := s.within(), in.guest.Memory()
	size := uint64(len(request))
	at, err := in.guest.ExportedFunction(hostapi.ExportAlloc).Call(ctx, size)
	if err != nil {
		return nil, err
	}
	if uint32(at[0]) == 0 {
		return nil, &abort{KindMemory, fmt.Sprintf("it has no memory for a request of %d bytes", size)}
	}
	if !memory.Write(uint32(at[0]), request) {
		return nil, &abort{KindInvalid, "its rc_alloc gave a buffer outside of its memory"}
	}
	result, err := in.guest.ExportedFunction(verbs[verb]).Call(ctx, size)
	if err != nil {
		return nil, err
	}
	ptr, n := uint32(result[0]>>32), uint32(result[0])
	if int64(n) > s.limits.Reply {
		return nil, &abort{KindLimit, fmt.Sprintf("its answer of %d bytes is longer than the %d it may have", n, s.limits.Reply)}
	}
	view, ok := memory.Read(ptr, n)
	if !ok {
		return nil, &abort{KindInvalid, "its answer lies outside of its memory"}
	}
	return slices.Clone(view), nil
}

// measure notes what the instance has used.
func (s *session) measure(in *instance) {
	s.usage.Memory = int64(in.guest.Memory().Size())
	s.usage.Fuel = s.account.Spent(int64(in.fuel.Get()))
}

// crash gives kind and reason of an error that came out of the plug-in's own
// code.
func (s *session) crash(err error) (Kind, string) {
	stderr := s.stderr.String()
	if strings.Contains(stderr, "out of memory") || s.usage.Memory+(1<<20) > s.limits.Memory {
		return KindMemory, fmt.Sprintf("it wanted more memory than the %d MB it may have", s.limits.Memory>>20)
	}
	for line := range strings.Lines(stderr) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return KindTrap, "it crashed: " + printable.Line(strings.TrimSpace(line), 200)
		}
	}
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		return KindTrap, fmt.Sprintf("it ended itself with exit code %d", exit.ExitCode())
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	reason := "it crashed: " + printable.Line(strings.TrimPrefix(first, "wasm error: "), 200)
	if s.usage.Memory > s.limits.Memory/4 {
		// A large step may have been refused long before the memory was full.
		reason += fmt.Sprintf(", with %d of its %d MB in use", s.usage.Memory>>20, s.limits.Memory>>20)
	}
	return KindTrap, reason
}

// wazeroVersion names the version that this program was built with.
func wazeroVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "github.com/tetratelabs/wazero" {
				return d.Version
			}
		}
	}
	return "unknown"
}
