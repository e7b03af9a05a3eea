package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// rename gives f the name of target. Between the last check and a plain rename
// an editor could still save; so where content is expected the two files swap
// names, the old one is checked once more, and they swap back if it is not the
// expected one. For a new file the system itself refuses to replace anything.
func rename(f *os.File, target string, expect Expect) error {
	switch expect.kind {
	case absent:
		err := renameat2(f.Name(), target, unix.RENAME_NOREPLACE)
		if errors.Is(err, unix.EEXIST) {
			return ErrChanged
		}
		if !unsupported(err) {
			return err
		}
	case content:
		// The lock keeps a cleaner from taking the swapped-out file for an orphan.
		if old, err := os.Open(target); err == nil {
			defer old.Close()
			_ = unix.Flock(int(old.Fd()), unix.LOCK_SH|unix.LOCK_NB)
		}
		err := renameat2(f.Name(), target, unix.RENAME_EXCHANGE)
		if err == nil {
			return dropOld(f.Name(), target, expect)
		}
		if errors.Is(err, unix.ENOENT) {
			return ErrChanged
		}
		if !unsupported(err) {
			return err
		}
	}
	return os.Rename(f.Name(), target)
}

// dropOld removes the old content, which has the temporary name now.
func dropOld(tmp, target string, expect Expect) error {
	if sum, err := sumFile(tmp); err == nil && sum == expect.sum {
		return os.Remove(tmp)
	}
	if err := renameat2(tmp, target, unix.RENAME_EXCHANGE); err != nil {
		// The temporary name holds somebody's edit now.
		return errors.Join(err, errLeaveTemp)
	}
	return ErrChanged
}

func renameat2(from, to string, flags uint) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

func unsupported(err error) bool {
	return errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EPERM)
}
