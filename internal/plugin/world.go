package plugin

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// world is what WASI shows of the world to one instance: clocks that go on by
// themselves and random numbers that are always the same. The instance is set
// back together with it.
type world struct {
	session    *session // of the call that has the instance
	wall, mono int64    // nanoseconds
	random     *rand.ChaCha8
}

const (
	worldEpoch = 1_640_995_200_000_000_000 // midnight UTC on 2022-01-01
	clockStep  = int64(time.Millisecond)   // a reading takes as long
)

func newWorld(s *session) *world {
	return &world{session: s, wall: worldEpoch, random: rand.NewChaCha8([32]byte{})}
}

func (w *world) config() wazero.ModuleConfig {
	return wazero.NewModuleConfig().WithName("").WithStartFunctions().
		WithStderr(w).WithRandSource(w.random).
		WithWalltime(w.walltime, 1).WithNanotime(w.nanotime, 1).WithNanosleep(w.sleep)
}

func (w *world) walltime() (sec int64, nsec int32) {
	now := w.wall
	w.pass(clockStep)
	return now / 1e9, int32(now % 1e9)
}

func (w *world) nanotime() int64 {
	now := w.mono
	w.pass(clockStep)
	return now
}

// pass lets time go by. The clocks stop before they would turn over.
func (w *world) pass(ns int64) {
	ns = min(max(ns, 0), math.MaxInt64-w.wall)
	w.wall += ns
	w.mono += ns
}

// sleep sleeps for real, but never beyond the deadline or the end of the call: it
// does not return to the guest from those.
func (w *world) sleep(ns int64) {
	w.pass(ns)
	w.session.sleep(ns)
	w.session.mustGoOn()
}

// Write takes what the guest writes to its standard error.
func (w *world) Write(p []byte) (int, error) { return w.session.stderr.Write(p) }

// WASI's answers to what an instance must not remember.
const (
	wasiOK          = 0
	wasiBadFile     = 8  // EBADF
	wasiUnsupported = 58 // ENOTSUP
)

// wasi makes WASI preview 1, with nothing in it that a guest could change:
// closing and renaming its three standard files would outlive the call.
func wasi(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder(wasi_snapshot_preview1.ModuleName)
	wasi_snapshot_preview1.NewFunctionExporter().ExportFunctions(b)
	standard := func(_ context.Context, stack []uint64) {
		code := uint64(wasiBadFile)
		if uint32(stack[0]) <= 2 {
			code = wasiOK
		}
		stack[0] = code
	}
	refused := func(_ context.Context, stack []uint64) { stack[0] = wasiUnsupported }
	two, one := []api.ValueType{i32, i32}, []api.ValueType{i32}
	b.NewFunctionBuilder().WithGoFunction(api.GoFunc(standard), one, one).Export("fd_close")
	b.NewFunctionBuilder().WithGoFunction(api.GoFunc(standard), two, one).Export("fd_fdstat_set_flags")
	b.NewFunctionBuilder().WithGoFunction(api.GoFunc(refused), two, one).Export("fd_renumber")
	_, err := b.Instantiate(ctx)
	return err
}
