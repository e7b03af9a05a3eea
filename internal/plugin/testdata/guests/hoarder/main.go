// Command hoarder is a guest that keeps whatever it can from one call for the
// next, and tells all that it finds.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"recollect/hostapi/guest"
)

//go:wasmexport rc_extract
func extract(n int32) int64 { return guest.Extract(n, find) }

func main() {}

var (
	calls int
	said  = map[string]int{}
	heap  [][]byte
	pool  sync.Pool
	born  = time.Now()
	luck  = rand.Uint64()
)

func find(r guest.ExtractRequest) (guest.ExtractResult, error) {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	var order []string
	for s := range said {
		order = append(order, s)
	}
	found := fmt.Sprint(calls, order, len(heap), pool.Get(), born, time.Now(), luck, rand.Uint64(), os.Getenv("LEFT"),
		runtime.NumGoroutine(), stats.NumGC, stats.HeapAlloc, stats.Sys, stats.Mallocs)

	calls++
	for i := range 8 {
		said[fmt.Sprint(r.Branch, i)]++
	}
	heap = append(heap, []byte(strings.Repeat(r.Branch, 3)))
	pool.Put(r.Branch)
	os.Setenv("LEFT", r.Branch)
	go func() { select {} }()
	time.AfterFunc(time.Millisecond, func() { calls += 100 })
	fmt.Fprintln(os.Stderr, r.Branch)
	switch {
	case strings.HasPrefix(r.Branch, "close"):
		os.Stderr.Close()
	case strings.HasPrefix(r.Branch, "grow"):
		heap = append(heap, make([]byte, 3<<20))
	case strings.HasPrefix(r.Branch, "panic"):
		panic(r.Branch)
	}
	return guest.ExtractResult{Items: []guest.Item{{Section: "x", Content: found}}}, nil
}
