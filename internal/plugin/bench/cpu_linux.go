package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpu is the time that the current thread has computed.
func cpu() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}

// allCPU is the time that this process and those that it has waited for have
// computed.
func allCPU() time.Duration {
	var all time.Duration
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var r unix.Rusage
		if err := unix.Getrusage(who, &r); err != nil {
			panic(err)
		}
		all += time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	return all
}
