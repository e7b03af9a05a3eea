package plugin

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/tetratelabs/wazero"

	"recollect/hostapi"
)

// attempt is a call in an interpreted module while the compiler works.
type attempt func(context.Context, *module) (answered bool)

// errAnswered says that the module is not needed any more.
var errAnswered = errors.New("the call is answered")

// spared is how long a call is interpreted in any case, and else for as long as
// it took to make the module ready: one that takes longer will probably lose, and
// keeps a small machine from compiling.
const spared = 250 * time.Millisecond

// unhurried is the wall time of an interpreted call: the race ends it.
const unhurried = time.Duration(math.MaxInt64 / 2)

// meanwhile makes an attempt of a call, or nil if the call has to wait for the
// compiler: the attempt may be broken off and the call made again, so it must
// not change anything at the host. Only an answer counts, be it that the plug-in
// failed or lacks the verb: what else goes wrong may be the interpreter's doing,
// which has less room for frames, and is tried again on compiled code.
func (p *Plugin) meanwhile(run func(context.Context, *module, Limits) error) attempt {
	for _, effect := range []hostapi.Capability{hostapi.CapLLMCall, hostapi.CapStorage} {
		if _, granted := p.Manifest.Capabilities[effect]; granted {
			return nil
		}
	}
	limits := p.limits
	limits.Wall = unhurried
	return func(ctx context.Context, m *module) bool {
		err := run(ctx, m, limits)
		return err == nil || IsKind(err, KindFailed) || IsKind(err, KindUnsupported)
	}
}

// attempt tries a call until the compiler is done or it is not worth it.
func (l *loading) attempt(ctx context.Context, meanwhile attempt, spared time.Duration) bool {
	if l.over.Err() != nil {
		return false
	}
	m, err := l.slow()
	if err != nil || l.over.Err() != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, max(l.took, spared))
	defer cancel()
	defer context.AfterFunc(l.over, cancel)()
	return meanwhile(ctx, m)
}

// answered accepts the answer of an attempt, unless the module was refused.
func (p *Plugin) answered(l *loading) bool {
	p.load.Lock()
	defer p.load.Unlock()
	if l.ended && l.err != nil {
		return false
	}
	if !l.answered {
		l.answered = true
		close(l.enough)
	}
	return true
}

// maxInterpreted bounds the volume of a module that is interpreted. It is made
// ready by this process, where nothing limits that or breaks it off. The time and
// the memory grow with the volume: 0.2 s and 94 MB for the 2.3 million of a guest
// in Go, about 1.3 s and 300 MB for the worst of this size that we could make.
const maxInterpreted = 4 << 20

// interpret makes a module ready to be interpreted.
func interpret(ctx context.Context, c code) (*module, error) {
	metered, info, err := instrument(c.wasm, c.memory)
	if err != nil {
		return nil, err
	}
	if info.Volume > maxInterpreted {
		return nil, errors.New("its module is too large to be interpreted")
	}
	return ready(ctx, wazero.NewRuntimeConfigInterpreter(), metered, c.memory)
}
