//go:build !windows

package peer

import "syscall"

// errNobody is what a socket says that nobody listens at.
const errNobody = syscall.ECONNREFUSED
