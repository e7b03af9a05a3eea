//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakBytes is the most memory that a finished process held, 0 if unknown.
func peakBytes(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	peak := int64(usage.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak *= 1024 // elsewhere it is counted in KiB
	}
	return peak
}
