//go:build unix

package claudecode

import (
	"os"

	"golang.org/x/sys/unix"
)

// stamp is a hash of what the file system says of a file beside its size and
// its settable time: its number and when it was last changed in any way. 0 is
// unknown.
func stamp(f *os.File) uint64 {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return 0
	}
	return mixStamp(uint64(st.Ino), st.Ctim.Nano())
}
