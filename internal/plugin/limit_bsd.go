//go:build unix && !linux

package plugin

import "syscall"

// endWithParent does nothing here: the child ends when its pipe does.
func endWithParent(*syscall.SysProcAttr) {}

// limitData does nothing here: macOS takes limits of memory and does not hold
// to them. boundMemory does.
func limitData(int64) error { return nil }
