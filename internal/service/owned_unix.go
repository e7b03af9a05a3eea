//go:build unix

package service

import (
	"io/fs"
	"os"
	"syscall"
)

// owned says whether a file belongs to the user that this process acts as.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
