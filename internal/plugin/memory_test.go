package plugin

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/experimental"
)

// grower grows its memory by steps of so many pages until it is refused, and
// writes into each page.
func grower(step int64) []byte {
	pages := []byte{0x3f, 0}
	address := cat(pages, constI32(1), []byte{0x6b}, constI32(16), []byte{0x74}) // (size - 1) << 16
	return tiny{extract: cat(
		[]byte{0x03, void},
		constI32(step), []byte{0x40, 0}, constI32(0), []byte{0x4e, 0x04, void}, // if memory.grow >= 0
		address, constI32(step*65536-65536), []byte{0x6b}, constI32(1), constI32(step*65536), []byte{0xfc, 11, 0},
		[]byte{0x0c, 1, 0x0b, 0x0b}, constI64(0))}.build()
}

// linears are the linear memories that this system has.
func linears(most uint64) map[string]linear {
	return map[string]linear{"default of the system": newLinear(most), "heap": &heapMemory{most: most}}
}

func TestLinearMemory(t *testing.T) {
	const page = pageBytes
	for name, m := range linears(8 * page) {
		t.Run(name, func(t *testing.T) {
			all := func(size int, want byte) {
				t.Helper()
				b := m.Reallocate(uint64(size))
				if len(b) != size || cap(b) != size && name != "heap" {
					t.Fatalf("%d bytes of %d, want %d", len(b), cap(b), size)
				}
				for i := range b {
					if b[i] != want {
						t.Fatalf("byte %d is %d, want %d", i, b[i], want)
					}
					b[i] = 7
				}
			}
			all(0, 0)
			all(page, 0)
			b := m.Reallocate(3 * page)
			if b[0] != 7 || b[page] != 0 || b[3*page-1] != 0 {
				t.Error("growth did not keep what was there, or did not add zeros")
			}
			b[2*page] = 7
			if b = m.shrink(page); len(b) != page || b[page-1] != 7 {
				t.Error("what was to stay is gone")
			}
			if b = m.Reallocate(8 * page); b[2*page] != 0 || b[page-1] != 7 {
				t.Error("what was given back came back")
			}
			if m.Reallocate(9*page) != nil {
				t.Error("it grew beyond its maximum")
			}
			m.Free()
			m.Free()
		})
	}
}

// TestMemoryIsGivenBack makes many instances and expects no more mappings.
func TestMemoryIsGivenBack(t *testing.T) {
	mappings := func() int {
		data, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Skip("the system does not tell its mappings")
		}
		return strings.Count(string(data), "\n")
	}
	m := compiled(t, grower(16))
	extractIn(m, nil)
	before := mappings()
	for range 100 {
		if o := extractIn(m, nil); o.err != "" || o.memory < 60<<20 {
			t.Fatalf("%+v", o)
		}
	}
	if after := mappings(); after > before+20 {
		t.Errorf("%d mappings, %d before", after, before)
	}
}

// BenchmarkGrow has a guest grow to 64 MB in steps of 1 MB, with the memory of
// this package and with wazero's own.
func BenchmarkGrow(b *testing.B) {
	m := compiled(b, grower(16))
	for name, allocator := range map[string]func() experimental.MemoryAllocator{
		"arena": func() experimental.MemoryAllocator { return &arena{} },
		"heap": func() experimental.MemoryAllocator {
			return experimental.MemoryAllocatorFunc(func(_, most uint64) experimental.LinearMemory { return &heapMemory{most: most} })
		},
		"wazero": func() experimental.MemoryAllocator { return nil },
	} {
		b.Run(name, func(b *testing.B) {
			debug.FreeOSMemory()
			before := resident("VmRSS")
			newPeak()
			for b.Loop() {
				growOnce(b, m, allocator())
			}
			b.ReportMetric(float64(resident("VmHWM")-before)/(1<<20), "peak-MB")
		})
	}
}

func growOnce(b *testing.B, m *module, allocator experimental.MemoryAllocator) {
	s := newSession(context.Background(), manifest("x"), DefaultLimits, Setting{}, "")
	defer s.close()
	ctx := experimental.WithMemoryAllocator(s.within(), allocator)
	guest, err := m.runtime.InstantiateModule(ctx, m.compiled, newWorld(s).config())
	must(b, err)
	_, err = guest.ExportedFunction("rc_extract").Call(ctx, 0)
	must(b, err)
	if n := guest.Memory().Size(); n < 60<<20 {
		b.Fatalf("%d bytes", n)
	}
	must(b, guest.Close(ctx))
}

// newPeak has Linux measure VmHWM from here on.
func newPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// resident gives a line of Linux's /proc/self/status in bytes, 0 elsewhere.
func resident(what string) (n int64) {
	data, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(data), what+":")
	_, _ = fmt.Sscan(rest, &n)
	return n << 10
}
