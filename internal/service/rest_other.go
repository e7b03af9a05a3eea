//go:build !linux

package service

import "runtime/debug"

// Rest gives back what the last work took.
func Rest() { debug.FreeOSMemory() }
