package history

import (
	"errors"
	"syscall"
)

// Windows names a bad path by other numbers than a missing one.
func notFolder(err error) bool {
	const invalidName, directory = syscall.Errno(123), syscall.Errno(267)
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, invalidName) || errors.Is(err, directory)
}
