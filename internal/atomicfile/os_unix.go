//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

func links(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// writable asks the system; the mode alone does not know whose file it is.
func writable(path string) bool { return !errors.Is(unix.Access(path, unix.W_OK), unix.EACCES) }

// keepMode gives f the mode of old, and its owner where the system allows it.
func keepMode(f *os.File, old fs.FileInfo) error {
	if st, ok := old.Sys().(*syscall.Stat_t); ok {
		// Not being allowed to give a file away is no reason to lose the write.
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
	return f.Chmod(old.Mode().Perm() | old.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
}

// lockTemp marks f as being written. It waits, because a cleaner may just be
// trying f and then has removed it. Where locks are not supported there is no
// telling an orphan, and removeIfOrphan leaves it.
func lockTemp(f *os.File) {
	for unix.Flock(int(f.Fd()), unix.LOCK_EX) == unix.EINTR {
	}
}

// lock keeps other writers of the target's folder out until unlock. The lock is
// on the folder itself, so it leaves nothing behind and ends with the process.
// Where it cannot be had, because the folder may not be read, its file system
// has no such locks or somebody else is stuck with it, held is false and there
// is nothing to unlock.
func lock(target string) (unlock func(), held bool) {
	dir, err := os.Open(filepath.Dir(target))
	if err != nil {
		return func() {}, false
	}
	held = acquire(lockWait, func() error { return unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB) })
	return func() { dir.Close() }, held
}

func busy(err error) bool { return errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) }

// removeIfOrphan removes a temporary file that nobody holds the lock of.
func removeIfOrphan(path string) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		os.Remove(path)
	}
}

// syncFolder makes a rename in dir durable. Some file systems cannot sync a
// folder and say so, and a folder may be writable without being readable;
// nothing more can be done there.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return nil
}
