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
