package plugin

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"recollect/hostapi"
	"recollect/internal/plugin/meter"
)

// instance is one instance of a module. One call at a time has it.
type instance struct {
	guest   api.Module
	world   *world
	memory  *arena
	fuel    api.MutableGlobal
	globals []api.MutableGlobal // that the guest may change, as far as clean holds
	clean   bool                // its memory, globals and world are all that it remembers
	calls   int

	restored bool // at least once
}

// instantiate makes an instance as the module declares it, and runs its start
// section.
func (m *module) instantiate(s *session) (*instance, error) {
	in := &instance{world: newWorld(s), memory: &arena{}}
	ctx := experimental.WithMemoryAllocator(s.within(), in.memory)
	var err error
	if in.guest, err = m.runtime.InstantiateModule(ctx, m.compiled, in.world.config()); err != nil {
		in.memory.free()
		return nil, err
	}
	var ok bool
	if in.fuel, ok = in.guest.ExportedGlobal(meter.FuelExport).(api.MutableGlobal); !ok || in.guest.Memory() == nil {
		in.close()
		return nil, errors.New("its module was not metered")
	}
	in.clean = in.guest.ExportedGlobal(meter.CleanExport) != nil
	for in.clean {
		g, ok := in.guest.ExportedGlobal(meter.GlobalName(len(in.globals))).(api.MutableGlobal)
		if !ok {
			break
		}
		in.globals = append(in.globals, g)
	}
	return in, nil
}

func (in *instance) close() {
	_ = guard(func() error { return in.guest.Close(context.Background()) })
	in.memory.free()
}

// run calls an export without parameters and results, if there is one.
func (in *instance) run(s *session, export string) error {
	f := in.guest.ExportedFunction(export)
	if f == nil {
		return nil
	}
	_, err := f.Call(s.within())
	return err
}

// initialize brings a new instance to where calls begin, and gives its image if
// later calls may begin from there: the guest must not have asked the host for
// anything that may be another thing in the next call.
func (in *instance) initialize(s *session) (*image, error) {
	if err := in.run(s, hostapi.ExportInitialize); err != nil {
		return nil, err
	}
	if !in.clean || s.talked {
		return nil, nil
	}
	s.alone = true
	defer func() { s.alone = false }()
	if err := in.run(s, hostapi.ExportWarmup); err != nil {
		return nil, err
	}
	return in.image(s), nil
}

// image is the state of an instance that calls begin from.
type image struct {
	size       uint32 // of the memory, in bytes
	runs       []extent
	globals    []uint64
	wall, mono int64
	random     rand.ChaCha8
	stderr     []byte // what was written on the way
}

// extent is a part of a memory that is not all zero. What lies between extents
// is.
type extent struct {
	at   int
	data []byte
}

const (
	blockBytes = 4 << 10 // what extents are made of
	// pieceBytes is the most that is copied or cleared at once: meanwhile Go can
	// neither stop the goroutine nor collect garbage.
	pieceBytes = 1 << 20
)

var zeroBlock [blockBytes]byte

func (in *instance) image(s *session) *image {
	memory, _ := in.guest.Memory().Read(0, in.guest.Memory().Size())
	im := &image{
		size: uint32(len(memory)), wall: in.world.wall, mono: in.world.mono,
		random: *in.world.random, stderr: slices.Clone(s.stderr.data),
	}
	start := 0
	for at := 0; at <= len(memory); at += blockBytes {
		filled := at < len(memory) && !bytes.Equal(memory[at:at+blockBytes], zeroBlock[:])
		if filled && at-start < pieceBytes {
			continue
		}
		if at > start {
			im.runs = append(im.runs, extent{start, slices.Clone(memory[start:at])})
		}
		start = at
		if !filled {
			start += blockBytes
		}
	}
	for _, g := range in.globals {
		im.globals = append(im.globals, g.Get())
	}
	return im
}

// restore sets the instance back to an image of its module. With false it did
// not, and the instance is of no use.
func (in *instance) restore(im *image) bool {
	if len(in.globals) != len(im.globals) || !in.resize(im.size) {
		return false
	}
	memory, ok := in.guest.Memory().Read(0, im.size)
	if !ok {
		return false
	}
	zero := clearAll
	if !in.restored {
		zero, in.restored = clearTouched, true
	}
	end := 0
	for _, r := range im.runs {
		zero(memory[end:r.at])
		copy(memory[r.at:], r.data)
		end = r.at + len(r.data)
	}
	zero(memory[end:])
	for i, g := range in.globals {
		g.Set(im.globals[i])
	}
	w := in.world
	w.wall, w.mono, *w.random = im.wall, im.mono, im.random
	w.session = nil
	return true
}

// clearTouched clears the blocks of a young memory that were written to. The
// others the system has not given yet, which takes longer than to look at them.
func clearTouched(b []byte) {
	for ; len(b) > 0; b = b[blockBytes:] {
		if !bytes.Equal(b[:blockBytes], zeroBlock[:]) {
			clear(b[:blockBytes])
		}
	}
}

func clearAll(b []byte) {
	for len(b) > pieceBytes {
		clear(b[:pieceBytes])
		b = b[pieceBytes:]
	}
	clear(b)
}

// resize makes the memory as large as size bytes. To make it smaller it is
// asked to grow, and the arena gives less instead.
func (in *instance) resize(size uint32) bool {
	m := in.guest.Memory()
	if now := m.Size(); now > size {
		in.memory.shrinking, in.memory.target = true, uint64(size)
		m.Grow(1)
		in.memory.shrinking = false
	} else if now < size {
		m.Grow((size - now) / pageBytes)
	}
	return m.Size() == size
}
