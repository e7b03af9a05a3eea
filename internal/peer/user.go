package peer

import (
	"errors"
	"io/fs"
	"net"
	"os"
)

var errStranger = errors.New("the process at the other end belongs to another user")

// checkUser says whether the process at the other end is the person's own, where
// the system tells.
func checkUser(nc *net.UnixConn) error {
	conn, err := nc.SyscallConn()
	if err != nil {
		return err
	}
	var uid int
	var known bool
	var asked error
	if err := conn.Control(func(fd uintptr) { uid, known, asked = userOf(int(fd)) }); err != nil {
		return err
	}
	switch {
	case asked != nil:
		return asked
	case known && uid != os.Geteuid():
		return errStranger
	}
	return nil
}

// unlink removes a socket, if it is still there.
func unlink(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
