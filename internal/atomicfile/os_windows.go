package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/natefinch/atomic"
	"golang.org/x/sys/windows"
)

// staleAge is how old a temporary file must be to be taken for an orphan. A
// file cannot be both locked and renamed here, so its age has to do.
const staleAge = 10 * time.Minute

// links is not known without opening the file; a rename over one of several
// hard links is accepted here.
func links(fs.FileInfo) uint64 { return 1 }

func writable(string) bool { return true }

func keepMode(*os.File, fs.FileInfo) error { return nil }

func lockTemp(*os.File) {}

// lock keeps other writers of the target out until unlock. The lock is a hidden
// file beside it that nobody else can open meanwhile and that the system
// removes when it is closed, also by a crash. Where it cannot be had, held is
// false and there is nothing to unlock.
func lock(target string) (unlock func(), held bool) {
	name, err := windows.UTF16PtrFromString(filepath.Join(filepath.Dir(target), hiddenName(target)+"lock"))
	if err != nil {
		return func() {}, false
	}
	h := windows.InvalidHandle
	held = acquire(lockWait, func() (err error) {
		h, err = windows.CreateFile(name, windows.GENERIC_READ|windows.DELETE, 0, nil, windows.OPEN_ALWAYS,
			windows.FILE_ATTRIBUTE_HIDDEN|windows.FILE_FLAG_DELETE_ON_CLOSE|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
		return err
	})
	return func() {
		if held {
			windows.CloseHandle(h)
		}
	}, held
}

// busy also takes a refusal for a sign of life: that is how the system answers
// while the lock of another is being removed.
func busy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}

func removeIfOrphan(path string) {
	if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > staleAge {
		os.Remove(path)
	}
}

// rename replaces the target; an open file cannot be renamed, so it is closed
// first. There is no swap, so nothing to settle.
func rename(f *os.File, target string, _ []byte, expect Expect) (settle func() error, err error) {
	if err := f.Close(); err != nil {
		return nil, err
	}
	if expect.kind == absent {
		return nil, moveNew(f.Name(), target)
	}
	return nil, atomic.ReplaceFile(f.Name(), target)
}

// moveNew renames without replacing a file that appeared meanwhile.
func moveNew(from, to string) error {
	a, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	b, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	err = windows.MoveFileEx(a, b, windows.MOVEFILE_WRITE_THROUGH)
	if errors.Is(err, windows.ERROR_ALREADY_EXISTS) || errors.Is(err, windows.ERROR_FILE_EXISTS) {
		return ErrChanged
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// syncFolder does nothing: the rename above is written through.
func syncFolder(string) error { return nil }
