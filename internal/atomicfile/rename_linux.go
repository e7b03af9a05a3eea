package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// rename gives f, which holds data, the name of target. Programs that know
// nothing of our lock could still save between the last check and a plain
// rename; so where content is expected the two files swap names, and settle,
// which is nil after a plain rename, says whether the old one, now under the
// temporary name, was the expected one. For a new file the system itself
// refuses to replace anything.
func rename(f *os.File, target string, data []byte, expect Expect) (settle func() error, err error) {
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
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		err = exchange(f.Name(), target)
		if err == nil {
			return func() error {
				return giveBack(f.Name(), target, entry{info, SumOf(data)}, expect.sum, exchange)
			}, nil
		}
		if errors.Is(err, unix.ENOENT) {
			return nil, ErrChanged
		}
		if !unsupported(err) {
			return nil, err
		}
	}
	return nil, os.Rename(f.Name(), target)
}

// maxSwaps bounds how often somebody may save during one give-back.
const maxSwaps = 100

// giveBack undoes the swap with ErrChanged if the file under the temporary
// name is not the expected one. Every swap may bring out a still newer save, so
// it goes on until it holds what it had put in itself, which nobody needs.
// Whoever replaced, edited or removed what it had put in has the last word.
// Tests pass their own swap.
func giveBack(temp, target string, put entry, expected Sum, swap func(temp, target string) error) error {
	held, err := look(temp)
	if err != nil || held.sum == expected {
		return err
	}
	for range maxSwaps {
		now, err := look(target)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !now.is(put) {
			return ErrChanged
		}
		if err == nil {
			err = swap(temp, target)
		}
		if errors.Is(err, unix.ENOENT) {
			return ErrChanged
		}
		if err != nil {
			return errors.Join(err, rescue(temp, target))
		}
		got, err := look(temp)
		if err == nil && got.is(put) {
			return errors.Join(ErrChanged, syncFolder(filepath.Dir(target)))
		}
		put, held = held, got
	}
	return errors.Join(ErrChanged, rescue(temp, target))
}

// rescue keeps a save that could not be put back under a name that is not
// cleaned away, and says which.
func rescue(temp, target string) error {
	saved := target + filepath.Ext(temp[:len(temp)-len(tempSuffix)]) + ".saved"
	if err := os.Rename(temp, saved); err != nil {
		return errors.Join(err, errLeaveTemp)
	}
	return fmt.Errorf("%w; somebody's save is kept as %s", ErrChanged, saved)
}

// entry is what a name holds at one moment. The sum of what is no regular file
// or cannot be read is zero, which no content has.
type entry struct {
	info fs.FileInfo
	sum  Sum
}

func look(name string) (e entry, err error) {
	if e.info, err = os.Lstat(name); err == nil && e.info.Mode().IsRegular() {
		// An error leaves the zero sum: not known to be what was expected.
		e.sum, _ = sumFile(name)
	}
	return e, err
}

func (e entry) is(o entry) bool { return os.SameFile(e.info, o.info) && e.sum == o.sum }

func exchange(temp, target string) error { return renameat2(temp, target, unix.RENAME_EXCHANGE) }

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
