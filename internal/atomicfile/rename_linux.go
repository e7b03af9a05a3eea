package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// rename gives f the name of target. Between the last check and a plain rename
// an editor could still save; so where content is expected the two files swap
// names, the old one is checked once more, and they swap back if it is not the
// expected one. It is returned open, under the temporary name; settle checks it
// again when the folder is synced: a program that had opened it before the swap
// has written by then. For a new file the system itself refuses to replace
// anything.
func rename(f *os.File, target string, expect Expect) (old *os.File, err error) {
	switch expect.kind {
	case absent:
		err := renameat2(f.Name(), target, unix.RENAME_NOREPLACE)
		if errors.Is(err, unix.EEXIST) {
			return nil, ErrChanged
		}
		if !unsupported(err) {
			return nil, err
		}
	case content:
		// The lock keeps a cleaner from taking the swapped-out file for an orphan.
		old, err := os.Open(target)
		if err == nil {
			_ = unix.Flock(int(old.Fd()), unix.LOCK_SH|unix.LOCK_NB)
		}
		err = renameat2(f.Name(), target, unix.RENAME_EXCHANGE)
		if err == nil {
			return old, settle(f, target, expect)
		}
		old.Close()
		if errors.Is(err, unix.ENOENT) {
			return nil, ErrChanged
		}
		if !unsupported(err) {
			return nil, err
		}
	}
	return nil, os.Rename(f.Name(), target)
}

// settle swaps back if the old file, which has the temporary name now, was
// edited.
func settle(f *os.File, target string, expect Expect) error {
	if sum, err := sumFile(f.Name()); err != nil || sum == expect.sum {
		return err
	}
	ours, err := f.Stat()
	if err != nil {
		return errors.Join(err, errLeaveTemp)
	}
	if now, err := os.Lstat(target); err != nil || !os.SameFile(ours, now) {
		// Somebody replaced the target since and has the last word.
		return errors.Join(ErrChanged, err)
	}
	if err := renameat2(f.Name(), target, unix.RENAME_EXCHANGE); err != nil {
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
