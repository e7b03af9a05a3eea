// Command cpu is a guest of the contract that uses the processor.
package main

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"sort"
	"strings"
	"unsafe"
)

func main() {}

var in, out []byte

//go:wasmexport rc_abi_1
func marker() {}

//go:wasmexport rc_alloc
func alloc(n int32) int32 {
	in = make([]byte, max(n, 1))
	return int32(uintptr(unsafe.Pointer(&in[0])))
}

func reply(b []byte) int64 {
	out = b
	if len(out) == 0 {
		return 0
	}
	return int64(uintptr(unsafe.Pointer(&out[0])))<<32 | int64(len(out))
}

type turn struct {
	ID   string `json:"id"`
	Role string `json:"role"`
	Text string `json:"text"`
}

// extract reads turns, keeps the long ones and gives them back in order.
//
//go:wasmexport rc_extract
func extract(n int32) int64 {
	var turns []turn
	if err := json.Unmarshal(in[:n], &turns); err != nil {
		return reply([]byte(err.Error()))
	}
	kept := turns[:0]
	for _, t := range turns {
		low := strings.ToLower(t.Text)
		if strings.Contains(low, "decided") || strings.Contains(low, "because") || len(low)%3 == 0 {
			kept = append(kept, t)
		}
	}
	sort.Slice(kept, func(i, j int) bool { return kept[i].ID < kept[j].ID })
	b, _ := json.Marshal(kept)
	return reply(b)
}

// check hashes the input over and over: a loop without allocation.
//
//go:wasmexport rc_check
func check(n int32) int64 {
	h := fnv.New64a()
	for range 200 {
		h.Write(in[:n])
	}
	return reply(h.Sum(nil))
}

// render is a loop that never ends.
//
//go:wasmexport rc_render
func render(int32) int64 {
	for i := 0; ; i++ {
		if bytes.Equal(in, out) && i < 0 {
			return 0
		}
	}
}

// parse runs into a nil map.
//
//go:wasmexport rc_parse
func parse(int32) int64 {
	var m map[string]int
	m["x"] = 1
	return 0
}
