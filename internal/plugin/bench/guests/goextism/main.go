//go:build wasip1

// Command goextism is the job of the benchmark as a plug-in of Extism, with what
// its PDK would do written out: eight bytes move with each call.
package main

import (
	"encoding/binary"
	"encoding/json"

	"recollect/hostapi"
	"recollect/internal/plugin/bench/job"
)

//go:wasmimport extism:host/env input_length
func inputLength() uint64

//go:wasmimport extism:host/env input_load_u8
func inputLoad8(at uint64) uint32

//go:wasmimport extism:host/env input_load_u64
func inputLoad64(at uint64) uint64

//go:wasmimport extism:host/env alloc
func arenaAlloc(n uint64) uint64

//go:wasmimport extism:host/env free
func arenaFree(at uint64)

//go:wasmimport extism:host/env length
func arenaLength(at uint64) uint64

//go:wasmimport extism:host/env load_u8
func load8(at uint64) uint32

//go:wasmimport extism:host/env load_u64
func load64(at uint64) uint64

//go:wasmimport extism:host/env store_u8
func store8(at uint64, v uint32)

//go:wasmimport extism:host/env store_u64
func store64(at, v uint64)

//go:wasmimport extism:host/env output_set
func outputSet(at, n uint64)

//go:wasmimport extism:host/user rc_call
func hostCall(at uint64) uint64

func main() {}

//go:wasmexport check
func check() int32 {
	var r hostapi.CheckRequest
	if json.Unmarshal(load(inputLength(), inputLoad8, inputLoad64), &r) != nil {
		return 1
	}
	got, err := job.Do(r, known)
	if err != nil {
		return 1
	}
	answer, err := json.Marshal(struct {
		Result hostapi.CheckResult `json:"result"`
	}{got})
	if err != nil {
		return 1
	}
	outputSet(store(answer), uint64(len(answer)))
	return 0
}

func known() ([]hostapi.MemoryItem, error) {
	sent := store([]byte(`{"method":"memory.get","params":{"sections":["facts"]}}`))
	at := hostCall(sent)
	var reply struct{ Result hostapi.MemoryGetResult }
	err := json.Unmarshal(load(arenaLength(at),
		func(i uint64) uint32 { return load8(at + i) }, func(i uint64) uint64 { return load64(at + i) }), &reply)
	arenaFree(sent)
	arenaFree(at)
	return reply.Result.Items, err
}

func load(n uint64, one func(uint64) uint32, eight func(uint64) uint64) []byte {
	b := make([]byte, n)
	i := uint64(0)
	for ; i+8 <= n; i += 8 {
		binary.LittleEndian.PutUint64(b[i:], eight(i))
	}
	for ; i < n; i++ {
		b[i] = byte(one(i))
	}
	return b
}

func store(b []byte) uint64 {
	n := uint64(len(b))
	at := arenaAlloc(n)
	i := uint64(0)
	for ; i+8 <= n; i += 8 {
		store64(at+i, binary.LittleEndian.Uint64(b[i:]))
	}
	for ; i < n; i++ {
		store8(at+i, uint32(b[i]))
	}
	return at
}
