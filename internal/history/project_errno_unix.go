//go:build !windows

package history

import (
	"errors"
	"syscall"
)

func notFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
