//go:build unix && (amd64 || arm64)

package plugin

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// newLinear reserves addresses for all that a memory may grow to, and makes
// pages usable as it grows: nothing is copied, and Go's collector does not see
// it.
func newLinear(most uint64) linear {
	if all, err := unix.Mmap(-1, 0, int(most), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON); err == nil {
		return &reservedMemory{all: all}
	}
	return &heapMemory{most: most}
}

// reservedMemory is a range of addresses whose beginning is usable. A Wasm page
// is a multiple of every system's page.
type reservedMemory struct {
	all  []byte // nil: given back
	size uint64 // usable
}

// Reallocate implements experimental.LinearMemory.
func (r *reservedMemory) Reallocate(size uint64) []byte {
	if size < r.size || size > uint64(len(r.all)) {
		return nil
	}
	if size > r.size {
		if err := unix.Mprotect(r.all[r.size:size], unix.PROT_READ|unix.PROT_WRITE); err != nil {
			return nil
		}
		r.size = size
	}
	return r.all[:size:size]
}

// shrink gives the pages beyond size back, empty and unusable. Only Linux
// promises that pages which it is told to drop come back as zeros; elsewhere they
// are cleared.
func (r *reservedMemory) shrink(size uint64) []byte {
	if size < r.size {
		tail := r.all[size:r.size]
		if runtime.GOOS != "linux" || unix.Madvise(tail, unix.MADV_DONTNEED) != nil {
			clear(tail)
		}
		_ = unix.Mprotect(tail, unix.PROT_NONE)
		r.size = size
	}
	return r.all[:size:size]
}

// Free implements experimental.LinearMemory.
func (r *reservedMemory) Free() {
	if r.all != nil {
		_ = unix.Munmap(r.all)
		r.all, r.size = nil, 0
	}
}
