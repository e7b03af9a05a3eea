package plugin

import (
	"fmt"
	"strings"
	"testing"
)

// What a person waits on: a first use ever, a first use in a run, and calls.

func BenchmarkColdCompile(b *testing.B) {
	wasm := goGuest(b, "echo")
	for b.Loop() {
		h := NewHost(NewLibrary(b.TempDir(), nil), HostOptions{CacheDir: b.TempDir()})
		_, err := h.load(b.Context(), code{plugin: "echo", wasm: wasm, memory: DefaultLimits.Memory})
		must(b, err)
		must(b, h.Close())
	}
}

func BenchmarkLoadFromCache(b *testing.B) {
	wasm := goGuest(b, "echo")
	dir, l := b.TempDir(), NewLibrary(b.TempDir(), nil)
	load := func() {
		h := NewHost(l, HostOptions{CacheDir: dir})
		_, err := h.load(b.Context(), code{plugin: "echo", wasm: wasm, memory: DefaultLimits.Memory})
		must(b, err)
		must(b, h.Close())
	}
	load()
	for b.Loop() {
		load()
	}
}

func BenchmarkOpenPackage(b *testing.B) {
	l := NewLibrary(b.TempDir(), nil)
	e, err := l.Add(packageDir(b, manifest("org.example.open"), goGuest(b, "echo")))
	must(b, err)
	for b.Loop() {
		if _, err := l.open(e); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCall extracts from 2 KB and 200 KB of turns with a Go guest, a new
// instance each time.
func BenchmarkCall(b *testing.B) {
	p := newBench(b, Limits{}).add(b, manifest("org.example.call"), goGuest(b, "echo"))
	must(b, p.Prepare(b.Context()))
	for _, size := range []int{2, 200} {
		var h past
		for i := range size {
			h = append(h, turn(fmt.Sprint(i), "main", strings.Repeat("words ", 170)))
		}
		x := extraction("main", h)
		b.Run(fmt.Sprintf("%dKB", size), func(b *testing.B) {
			b.SetBytes(int64(size) << 10)
			for b.Loop() {
				if items, err := founds(Extractor{Plugin: p}.Extract(b.Context(), x)); err != nil || len(items) != size {
					b.Fatal(len(items), err)
				}
			}
		})
	}
}

func BenchmarkCallTiny(b *testing.B) {
	p := newBench(b, Limits{}).add(b, manifest("org.example.tiny"), answering(`{"result":{"items":[]}}`))
	for b.Loop() {
		if _, err := p.Run(b.Context(), "extract", []byte("{}"), Setting{}); err != nil {
			b.Fatal(err)
		}
	}
}
