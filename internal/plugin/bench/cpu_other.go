//go:build !linux

package main

import "time"

var started = time.Now()

// cpu is the wall clock: it will do on a machine that does nothing else.
func cpu() time.Duration { return time.Since(started) }

func allCPU() time.Duration { return cpu() }
