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

// fileID says which file it is on this machine: its device and its number.
func fileID(info fs.FileInfo) (device, number uint64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev), st.Ino
	}
	return 0, 0
}

// writable asks the system; the mode alone does not know whose file it is.
func writable(in *folder, name string) bool {
	fd, at := in.relative(name)
	return !errors.Is(unix.Faccessat(fd, at, unix.W_OK, 0), unix.EACCES)
}

// relative says a name in the folder as the calls that end in "at" want it.
func (f *folder) relative(name string) (fd int, at string) {
	if f.self == nil {
		return unix.AT_FDCWD, filepath.Join(f.path, name)
	}
	return int(f.self.Fd()), name
}

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
func lock(t spot) (unlock func(), held bool) {
	if t.in.self == nil {
		return func() {}, false
	}
	dir := int(t.in.self.Fd())
	held = acquire(lockWait, func() error { return unix.Flock(dir, unix.LOCK_EX|unix.LOCK_NB) })
	return func() {
		if held {
			_ = unix.Flock(dir, unix.LOCK_UN)
		}
	}, held
}

func busy(err error) bool { return errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) }

// removeIfOrphan removes a temporary file that nobody holds the lock of.
func removeIfOrphan(in *folder, name string) {
	f, err := in.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		in.Remove(name)
	}
}

// noSync knows no words for it that other systems don't have.
func noSync(error) bool { return false }

// syncFolder makes a rename in a folder durable. A folder may be writable without
// being readable; nothing more can be done there.
func syncFolder(in *folder) error {
	if in.self == nil {
		return nil
	}
	return in.self.Sync()
}
