package atomicfile

import (
	"errors"
	"io/fs"
	"os"
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

func removeIfOrphan(path string) {
	if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > staleAge {
		os.Remove(path)
	}
}

// rename replaces the target; an open file cannot be renamed, so it is closed
// first.
func rename(f *os.File, target string, expect Expect) (old *os.File, err error) {
	if err := f.Close(); err != nil {
		return nil, err
	}
	if expect.kind == absent {
		return nil, moveNew(f.Name(), target)
	}
	return nil, atomic.ReplaceFile(f.Name(), target)
}

// settle has nothing to check: the old file has no name any more.
func settle(*os.File, string, Expect) error { return nil }

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
