// Command go is the job of the benchmark as a plug-in that uses the Go SDK.
package main

import (
	"recollect/hostapi/guest"
	"recollect/internal/plugin/bench/job"
)

//go:wasmexport rc_check
func check(n int32) int64 {
	return guest.Check(n, func(r guest.CheckRequest) (guest.CheckResult, error) {
		return job.Do(r, func() ([]guest.MemoryItem, error) {
			return guest.Memory(guest.MemoryGetParams{Sections: []string{"facts"}})
		})
	})
}

func main() {}
