//go:build darwin || freebsd

package peer

import "golang.org/x/sys/unix"

// userOf tells whose process is at the other end.
func userOf(fd int) (uid int, known bool, err error) {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, false, err
	}
	return int(cred.Uid), true, nil
}
