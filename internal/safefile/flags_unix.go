//go:build unix

package safefile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

const (
	// readOnly opens without waiting for the other end of a pipe, and without
	// making a terminal ours.
	readOnly   = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY
	readFolder = readOnly | syscall.O_DIRECTORY

	// OwnFlags go into the opening of a file of the program's own by a library: as
	// Private opens it.
	OwnFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY | syscall.O_NOFOLLOW

	// modes says that a file's mode tells who may read it.
	modes = true
)

// notFollowed names the error of a link that was put in the way.
func notFollowed(path string, err error) error {
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EMLINK) || errors.Is(err, syscall.ENXIO) {
		return &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	return err
}

// noFolder names the error of opening as a folder what is none.
func noFolder(path string, err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		return &fs.PathError{Op: "read", Path: path, Err: ErrNotFolder}
	}
	return err
}

// Ours says whether a file belongs to the user that this process acts as.
func Ours(info fs.FileInfo) bool {
	uid, ok := uidOf(info)
	return ok && uid == os.Geteuid()
}

func uidOf(info fs.FileInfo) (int, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}
