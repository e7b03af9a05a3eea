package plugin

import "github.com/tetratelabs/wazero/experimental"

// linear is a guest's linear memory that can be made smaller again.
type linear interface {
	experimental.LinearMemory
	// shrink gives back what is beyond size bytes. Memory that grows again is
	// zero, as it is when it is new.
	shrink(size uint64) []byte
}

// arena is the linear memory of one instance. WebAssembly has no way to make a
// memory smaller; wazero takes for its buffer what Reallocate gives.
type arena struct {
	linear
	shrinking bool
	target    uint64 // bytes
}

// Allocate implements experimental.MemoryAllocator.
func (a *arena) Allocate(_, most uint64) experimental.LinearMemory {
	a.linear = newLinear(most)
	return a
}

// Reallocate implements experimental.LinearMemory.
func (a *arena) Reallocate(size uint64) []byte {
	if a.shrinking {
		return a.shrink(a.target)
	}
	return a.linear.Reallocate(size)
}

// free gives all of it back. Twice is harmless.
func (a *arena) free() {
	if a.linear != nil {
		a.linear.Free()
	}
}

// heapMemory is linear memory in Go's heap, where nothing better is known.
type heapMemory struct {
	data []byte
	most uint64
}

// Reallocate implements experimental.LinearMemory.
func (h *heapMemory) Reallocate(size uint64) []byte {
	if size > h.most {
		return nil
	}
	if size > uint64(cap(h.data)) {
		grown := make([]byte, size, min(h.most, max(size, uint64(cap(h.data))*3/2)))
		copy(grown, h.data)
		h.data = grown
	}
	h.data = h.data[:size]
	return h.data
}

func (h *heapMemory) shrink(size uint64) []byte {
	clear(h.data[size:])
	h.data = h.data[:size]
	return h.data
}

// Free implements experimental.LinearMemory.
func (h *heapMemory) Free() { h.data = nil }
