//go:build !linux && !darwin

package claudecode

import "io/fs"

// stampOf is not known here.
func stampOf(fs.FileInfo) uint64 { return 0 }
