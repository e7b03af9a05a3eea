package peer

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"recollect/internal/safefile"
)

// maxPath is what the systems allow a socket's path to have: macOS has 104
// bytes with the zero at the end, the others a few more.
const maxPath = 103

// newSuffix is at the end of a socket's name until it is closed to others.
const newSuffix = ".new"

// Folder says where the sockets of a person are, and makes nothing. data is the
// person's data folder. The folder that the system clears when the person logs
// out is taken if there is one and RECOLLECT_HOME does not move everything; else
// it is below data. A path that is too long for a socket is replaced by a short
// one in the folder for temporary files.
//
// Every program of the person must come to the same answer, whatever its
// environment: so the system's folder is found even where XDG_RUNTIME_DIR is not
// set, as in a cron job.
func Folder(data string, getenv func(string) string) string {
	dir := filepath.Join(data, "run")
	if getenv("RECOLLECT_HOME") == "" {
		if base := runtimeDir(getenv); base != "" {
			dir = filepath.Join(base, "recollect")
		}
	}
	if len(socketPath(dir, Service)+newSuffix) <= maxPath {
		return dir
	}
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(tempDir(), fmt.Sprintf("recollect-%s-%s", userName(), hex.EncodeToString(sum[:6])))
}

func runtimeDir(getenv func(string) string) string {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return ""
	}
	for _, dir := range []string{getenv("XDG_RUNTIME_DIR"), "/run/user/" + userName()} {
		if filepath.IsAbs(dir) && checkFolder(dir) == nil {
			return dir
		}
	}
	return ""
}

// tempDir does not follow TMPDIR where there is a folder that all programs agree
// on.
func tempDir() string {
	if runtime.GOOS == "windows" {
		return os.TempDir()
	}
	return "/tmp"
}

func userName() string { return strconv.Itoa(os.Geteuid()) }

func socketPath(dir string, r Role) string { return filepath.Join(dir, string(r)+".sock") }

func lockPath(dir string, r Role) string { return filepath.Join(dir, string(r)+".lock") }

// makeFolder makes the folder if need be and checks it.
func makeFolder(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return checkFolder(dir)
}

// checkFolder says whether a folder is the person's own and closed to others.
func checkFolder(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return &UnsafeError{dir, "a link stands where a folder must be"}
	case !info.IsDir():
		return &UnsafeError{dir, "a file stands where a folder must be"}
	case !safefile.Ours(info):
		return &UnsafeError{dir, "the folder belongs to another user"}
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return &UnsafeError{dir, fmt.Sprintf("the folder is open to others (mode %04o)", info.Mode().Perm())}
	}
	return nil
}

// checkSocket says whether a socket is the person's own and closed to others.
func checkSocket(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	switch {
	case runtime.GOOS == "windows":
		return nil // the profile's folder is closed as a whole
	case info.Mode()&fs.ModeSocket == 0:
		return &UnsafeError{path, "something else stands where a socket must be"}
	case !safefile.Ours(info):
		return &UnsafeError{path, "the socket belongs to another user"}
	case info.Mode().Perm()&0o077 != 0:
		return &UnsafeError{path, fmt.Sprintf("the socket is open to others (mode %04o)", info.Mode().Perm())}
	}
	return nil
}

// bind makes the socket, in place of one that a dead process left. It gets its
// name when it is closed to others. The caller holds the role's lock.
func bind(path string) (*net.UnixListener, error) {
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return nil, &UnsafeError{path, "a folder stands where a socket must be"}
	}
	name := path
	if runtime.GOOS != "windows" { // a socket can't be renamed there
		name += newSuffix
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: name, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if name != path {
		err = os.Chmod(name, 0o600)
		if err == nil {
			err = os.Rename(name, path)
		}
	}
	if err != nil {
		return nil, errors.Join(err, l.Close(), os.Remove(name))
	}
	return l, nil
}

// Clear removes what a role that is held by nobody left in the folder, and the
// folder if it is empty then. It is for uninstalling: a process that takes the
// role in this very moment would not be found by others.
func Clear(folder string, r Role) error {
	if err := checkFolder(folder); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	err := errors.Join(unlink(socketPath(folder, r)), unlink(socketPath(folder, r)+newSuffix), unlink(lockPath(folder, r)))
	_ = os.Remove(folder) // it stays if another role uses it
	return err
}
