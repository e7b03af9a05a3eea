package meter

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tetratelabs/wazero/api"
)

// BenchmarkSlowdown runs all variants of each guest in turn within one
// process and reports medians of the ratio to the plain one, round by round.
func BenchmarkSlowdown(b *testing.B) {
	goWasm := goGuest(b, "cpu", "-buildmode=c-shared")
	type job struct {
		name string
		wasm []byte
		opt  Options
		run  func(variant) error
	}
	request := func(export string, n int) func(variant) error {
		in := turns(n)
		return func(v variant) error {
			p, err := v.mod.ExportedFunction("rc_alloc").Call(v.ctx, uint64(len(in)))
			if err != nil {
				return err
			}
			v.mod.Memory().Write(uint32(p[0]), in)
			_, err = v.mod.ExportedFunction(export).Call(v.ctx, uint64(len(in)))
			return err
		}
	}
	for _, j := range []job{
		{"go-json-2KB", goWasm, Options{}, request("rc_extract", 6)},
		{"go-json-100KB", goWasm, Options{}, request("rc_extract", 200)},
		{"go-fnv-2KB", goWasm, Options{}, request("rc_check", 6)},
		{"c-scan-2KB", lines(b), Options{}, request("rc_extract", 6)},
		{"c-scan-100KB", lines(b), Options{}, request("rc_extract", 200)},
		{"sum-loop", madeByHand("sum"), loose, call("f", 1_000_000)},
		{"fib", madeByHand("fib"), loose, call("f", 24)},
		{"bytes-loop", bytesLoop(), loose, call("f", 200_000)},
	} {
		b.Run(j.name, func(b *testing.B) {
			vs := variants(b, j.wasm, j.opt)
			times := make([][]float64, len(vs))
			for range 5 {
				for _, v := range vs {
					if err := j.run(v); err != nil {
						b.Fatal(err)
					}
				}
			}
			for b.Loop() {
				for i, v := range vs {
					from := time.Now()
					if err := j.run(v); err != nil {
						b.Fatal(err)
					}
					times[i] = append(times[i], float64(time.Since(from)))
				}
			}
			plain := times[0]
			fuel := vs[1].mod.ExportedGlobal(FuelExport).(api.MutableGlobal)
			const plenty = 1 << 60 // no tick takes any of it
			fuel.Set(plenty)
			if err := j.run(vs[1]); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(plenty-fuel.Get())/median(times[1]), "units/ns")
			for i, v := range vs {
				ratios := make([]float64, len(plain))
				for k := range plain {
					ratios[k] = times[i][k] / plain[k]
				}
				b.ReportMetric(median(times[i])/1e3, fmt.Sprintf("µs/%s", v.name))
				if i > 0 {
					b.ReportMetric(median(ratios), fmt.Sprintf("x/%s", v.name))
				}
			}
		})
	}
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

func madeByHand(name string) []byte {
	for _, m := range handMade() {
		if m.name == name {
			return m.wasm
		}
	}
	panic(name)
}

func call(export string, n uint64) func(variant) error {
	return func(v variant) error {
		_, err := v.mod.ExportedFunction(export).Call(v.ctx, n)
		return err
	}
}

// bytesLoop counts the bytes of a kind in memory, as a scanner does.
func bytesLoop() []byte {
	return parts{types: [][]byte{sig([]valType{i32}, i32)}, funcs: []byte{0}, mems: [][]byte{cat(0, 16)},
		exports: [][]byte{export("f", 0, 0)}, bodies: [][]byte{body([]byte{2, byte(i32)},
			opLoop, noValue,
			opLocalGet, 1, 0x2d, 0, 0, opI32Const, 0x22, 0x46, opIf, noValue, opLocalGet, 2, opI32Const, 1, 0x6a, 0x21, 2, opEnd,
			opLocalGet, 1, opI32Const, 1, 0x6a, 0x22, 1, opLocalGet, 0, 0x49, opBrIf, 0, opEnd, opLocalGet, 2)}}.wasm()
}
