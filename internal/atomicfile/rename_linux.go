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
func rename(f *os.File, t spot, data []byte, expect Expect) (settle func() error, err error) {
	temp := filepath.Base(f.Name())
	switch expect.kind {
	case absent:
		err := renameat2(t.in, temp, t.base, unix.RENAME_NOREPLACE)
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
		err = exchange(t.in, temp, t.base)
		if err == nil {
			return func() error {
				return giveBack(t.in, temp, t.base, entry{info, SumOf(data)}, expect.sum, exchange)
			}, nil
		}
		if errors.Is(err, unix.ENOENT) {
			return nil, ErrChanged
		}
		if !unsupported(err) {
			return nil, err
		}
	}
	return nil, t.in.Rename(temp, t.base)
}

// maxSwaps bounds how often somebody may save during one give-back.
const maxSwaps = 100

// giveBack undoes the swap with ErrChanged if the file under the temporary
// name is not the expected one. Every swap may bring out a still newer save, so
// it goes on until it holds what it had put in itself, which nobody needs.
// Whoever replaced, edited or removed what it had put in has the last word.
// Tests pass their own swap.
func giveBack(in *folder, temp, target string, put entry, expected Sum, swap func(in *folder, temp, target string) error) error {
	held, err := look(in, temp)
	if err != nil || held.sum == expected {
		return err
	}
	for range maxSwaps {
		now, err := look(in, target)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !now.is(put) {
			return ErrChanged
		}
		if err == nil {
			err = swap(in, temp, target)
		}
		if errors.Is(err, unix.ENOENT) {
			return ErrChanged
		}
		if err != nil {
			return errors.Join(err, rescue(in, temp, target))
		}
		got, err := look(in, temp)
		if err == nil && got.is(put) {
			return errors.Join(ErrChanged, syncFolder(in))
		}
		put, held = held, got
	}
	return errors.Join(ErrChanged, rescue(in, temp, target))
}

// rescue keeps a save that could not be put back under a name that is not
// cleaned away, and says which.
func rescue(in *folder, temp, target string) error {
	saved := target + filepath.Ext(temp[:len(temp)-len(tempSuffix)]) + ".saved"
	if err := in.Rename(temp, saved); err != nil {
		return errors.Join(err, errLeaveTemp)
	}
	return fmt.Errorf("%w; somebody's save is kept as %s", ErrChanged, filepath.Join(in.path, saved))
}

// entry is what a name holds at one moment. The sum of what is no regular file
// or cannot be read is zero, which no content has.
type entry struct {
	info fs.FileInfo
	sum  Sum
}

func look(in *folder, name string) (e entry, err error) {
	if e.info, err = in.Lstat(name); err == nil && e.info.Mode().IsRegular() {
		// An error leaves the zero sum: not known to be what was expected.
		e.sum, _ = sumFile(spot{in, name})
	}
	return e, err
}

func (e entry) is(o entry) bool { return os.SameFile(e.info, o.info) && e.sum == o.sum }

func exchange(in *folder, temp, target string) error {
	return renameat2(in, temp, target, unix.RENAME_EXCHANGE)
}

func renameat2(in *folder, from, to string, flags uint) error {
	fd, old := in.relative(from)
	_, new := in.relative(to)
	err := unix.Renameat2(fd, old, fd, new, flags)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

func unsupported(err error) bool {
	return errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EPERM)
}
