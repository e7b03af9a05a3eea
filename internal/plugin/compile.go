package plugin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"

	"recollect/internal/plugin/meter"
)

// CompileLimits bound the process that compiles one module. Zero fields stand
// for the default, which grows with the module: wazero takes about 0.4 s of CPU
// time and 40 MB for a MB of Wasm, and any amount for what is made to hurt.
type CompileLimits struct {
	CPU    time.Duration // in whole seconds
	Wall   time.Duration
	Memory int64 // bytes
}

// of fills in the defaults for a module of n bytes.
func (l CompileLimits) of(n int) CompileLimits {
	mb := int64(n >> 20)
	if l.CPU <= 0 {
		l.CPU = time.Duration(10+5*mb) * time.Second
	}
	if l.Wall <= 0 {
		l.Wall = 6 * l.CPU // the machine may be busy
	}
	if l.Memory <= 0 {
		l.Memory = (512 + 64*mb) << 20
	}
	return l
}

func (l CompileLimits) cpuSeconds() uint64 { return uint64((l.CPU + time.Second - 1) / time.Second) }

// Compiling tells about a module that is being compiled. wazero does not say how
// far it is.
type Compiling struct {
	Plugin  string        // id
	Elapsed time.Duration // since it began
	Done    bool          // this is the last word, whether it went well or not, or nobody waits any more
}

// compileWorkers is how many threads compile one module: all of a small machine,
// not all of a large one.
func compileWorkers() int { return min(runtime.GOMAXPROCS(0), 4) }

// build meters and compiles a module into an entry of the cache.
func build(ctx context.Context, dir string, wasm []byte, memory int64) error {
	metered, _, err := instrument(wasm, memory)
	if err != nil {
		return err
	}
	machine, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return err
	}
	defer machine.Close(context.Background())
	m, err := compile(experimental.WithCompilationWorkers(ctx, compileWorkers()), machine, metered, memory)
	if err != nil {
		return err
	}
	m.close()
	return os.WriteFile(filepath.Join(dir, meteredName), metered, 0o600)
}

// instrument gives a module its meter. Errors are the rest of a sentence.
func instrument(wasm []byte, memory int64) (metered []byte, info *meter.Info, err error) {
	err = guard(func() (err error) {
		metered, info, err = meter.Instrument(wasm, meter.Options{Limits: meter.Limits{MemoryPages: int(memory / pageBytes)}})
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("its module is refused: %w", err)
	}
	return metered, info, nil
}

// code is a module as its author made it, and how it is to be made ready.
type code struct {
	plugin  string // id
	wasm    []byte
	memory  int64 // bytes of linear memory that it may have
	trusted bool  // it ships with the program
	// missed, if set, is called when a child has to compile it, before it does.
	missed func(code)
	// enough, if set, is closed when nobody waits for it any more.
	enough <-chan struct{}
	// listen, if set, is told instead of HostOptions.Compiling.
	listen func(Compiling)
}

// load gives a module ready to run, from the cache if it is there, else it is
// compiled: a trusted one by this process, others by a child. An error is a
// *Error or the rest of a sentence about the plug-in.
//
// While a child compiles, a call may be interpreted: see [Plugin.module]. wazero's
// interpreter is ready in a fifth of the time for a guest in Go, and at once for a
// small one. It was 31 times slower than compiled code for an extraction of 30
// turns, 60 times for a selection out of 200 items and 130 times for a check of
// twelve, so it doesn't stand in for the compiler, but races with it.
func (h *Host) load(ctx context.Context, c code) (*module, error) {
	cache, err := h.codeCache()
	if err != nil {
		return nil, err
	}
	name := cache.name(c.wasm, c.memory)
	if m, err := cache.load(ctx, name, c.memory); err == nil {
		return m, nil
	}
	if c.missed != nil && !c.trusted {
		c.missed(c)
	}
	lock, err := cache.lock(ctx, name)
	if err != nil {
		return nil, h.stopped(ctx, c, err)
	}
	defer lock.Release()
	m, err := cache.load(ctx, name, c.memory) // another process may have made it
	if err == nil {
		return m, nil
	}
	dir, err := cache.begin(name)
	if err != nil {
		return nil, fmt.Errorf("its module can't be compiled: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := h.make(ctx, dir, c); err != nil {
		return nil, h.stopped(ctx, c, err)
	}
	if err := cache.put(dir, name); err != nil {
		return nil, fmt.Errorf("its compiled module can't be kept: %w", err)
	}
	return cache.load(ctx, name, c.memory)
}

// make fills a folder with an entry, and tells so.
func (h *Host) make(ctx context.Context, dir string, c code) error {
	defer h.tell(c)()
	if c.trusted {
		return build(ctx, dir, c.wasm, c.memory)
	}
	return buildApart(ctx, dir, c, h.options.Compile.of(len(c.wasm)))
}

// stopped makes a caller's cancellation known as such.
func (h *Host) stopped(ctx context.Context, c code, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return newError(c.plugin, "", KindCancelled, "compiling its module was stopped", cause)
	}
	if e := (*Error)(nil); errors.As(err, &e) {
		e.Plugin = c.plugin
	}
	return err
}

// tell calls the host's listener until the function that it gives is called, or
// nobody waits.
func (h *Host) tell(c code) (done func()) {
	listen := h.options.Compiling
	if c.listen != nil {
		listen = c.listen
	}
	if listen == nil {
		return func() {}
	}
	began, stop, stopped := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				listen(Compiling{c.plugin, time.Since(began), true})
				return
			case <-c.enough:
				listen(Compiling{c.plugin, time.Since(began), true})
				return
			case <-tick.C:
				listen(Compiling{c.plugin, time.Since(began), false})
			}
		}
	}()
	return func() { close(stop); <-stopped }
}

// Prepare compiles the package that waits for approval, or the approved one if
// none waits, and checks that it plays the roles of its manifest. It does not
// run it. sha256 is the digest of the package. listen, if not nil, is called
// instead of HostOptions.Compiling. Errors are *Error.
func (h *Host) Prepare(ctx context.Context, id, sha256 string, listen func(Compiling)) error {
	e, err := h.library.Get(id)
	if err != nil {
		return err
	}
	if p := e.Pending; p != nil && p.SHA256 == sha256 {
		e.Manifest, e.SHA256 = p.Manifest, p.SHA256
	}
	if e.SHA256 != sha256 {
		return newError(id, "", KindInvalid, "the package is another one than was shown", fs.ErrNotExist)
	}
	p := h.plugin(e)
	p.listen = listen
	defer p.close()
	return p.Prepare(ctx)
}
