package peer

import "golang.org/x/sys/unix"

// userOf tells whose process is at the other end.
func userOf(fd int) (uid int, known bool, err error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, false, err
	}
	return int(cred.Uid), true, nil
}
