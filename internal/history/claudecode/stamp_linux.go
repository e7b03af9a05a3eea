package claudecode

import (
	"io/fs"
	"syscall"
)

// stampOf is stamp of a file that was looked at and not opened.
func stampOf(info fs.FileInfo) uint64 {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return mixStamp(uint64(st.Ino), st.Ctim.Nano())
}
