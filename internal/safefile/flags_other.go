//go:build !unix

package safefile

import (
	"io/fs"
	"os"
)

// A name in a folder leads to no pipe here.
const (
	readOnly   = os.O_RDONLY
	readFolder = os.O_RDONLY

	// OwnFlags are none here.
	OwnFlags = 0

	modes = false
)

func notFollowed(_ string, err error) error { return err }

func noFolder(_ string, err error) error { return err }

// Ours can't be told here from what a file's description holds.
func Ours(fs.FileInfo) bool { return true }
