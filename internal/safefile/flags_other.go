//go:build !unix

package safefile

import "os"

// A name in a folder leads to no pipe here.
const (
	readOnly   = os.O_RDONLY
	readFolder = os.O_RDONLY
)
