//go:build !linux

package service

import "runtime/debug"

// rest gives back what the last work took.
func rest() { debug.FreeOSMemory() }
