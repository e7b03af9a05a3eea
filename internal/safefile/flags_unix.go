//go:build unix

package safefile

import (
	"os"
	"syscall"
)

const (
	// readOnly opens without waiting for the other end of a pipe, and without
	// making a terminal ours.
	readOnly   = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY
	readFolder = readOnly | syscall.O_DIRECTORY
)
