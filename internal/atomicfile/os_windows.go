package atomicfile

import (
	"errors"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

// staleAge is how old a temporary file must be to be taken for an orphan. A
// file cannot be both locked and renamed here, so its age has to do.
const staleAge = 10 * time.Minute

// links is not known without opening the file; a rename over one of several
// hard links is accepted here.
func links(fs.FileInfo) uint64 { return 1 }

// fileID is not asked for: nothing is written in place here.
func fileID(fs.FileInfo) (device, number uint64) { return 0, 0 }

func writable(*folder, string) bool { return true }

func keepMode(*os.File, fs.FileInfo) error { return nil }

func lockTemp(*os.File) {}

// lock keeps other writers of the target out until unlock. The lock is a hidden
// file beside it that nobody else can open meanwhile and that the system
// removes when it is closed, also by a crash. Where it cannot be had, held is
// false and there is nothing to unlock.
func lock(t spot) (unlock func(), held bool) {
	if t.in.self == nil {
		return func() {}, false
	}
	name, err := windows.NewNTUnicodeString(hiddenName(t.base) + "lock")
	if err != nil {
		return func() {}, false
	}
	at := &windows.OBJECT_ATTRIBUTES{RootDirectory: windows.Handle(t.in.self.Fd()), ObjectName: name, Attributes: windows.OBJ_CASE_INSENSITIVE}
	at.Length = 6 * bits.UintSize / 8 // its six fields take a word each
	h := windows.InvalidHandle
	held = acquire(lockWait, func() error {
		var status windows.IO_STATUS_BLOCK
		err := windows.NtCreateFile(&h, windows.FILE_GENERIC_READ|windows.DELETE, at, &status, nil,
			windows.FILE_ATTRIBUTE_HIDDEN, 0, windows.FILE_OPEN_IF,
			windows.FILE_DELETE_ON_CLOSE|windows.FILE_OPEN_REPARSE_POINT|windows.FILE_NON_DIRECTORY_FILE|windows.FILE_SYNCHRONOUS_IO_NONALERT, 0, 0)
		if status, ok := err.(windows.NTStatus); ok {
			return status.Errno()
		}
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

func removeIfOrphan(in *folder, name string) {
	if info, err := in.Lstat(name); err == nil && time.Since(info.ModTime()) > staleAge {
		in.Remove(name)
	}
}

// rename replaces the target; an open file cannot be renamed, so it is closed
// first. A new file never replaces one that appeared meanwhile. There is no swap,
// so nothing to settle.
func rename(f *os.File, t spot, _ []byte, expect Expect) (settle func() error, err error) {
	if err := f.Close(); err != nil {
		return nil, err
	}
	temp := filepath.Base(f.Name())
	if expect.kind == absent {
		err := t.in.Link(temp, t.base)
		if errors.Is(err, fs.ErrExist) {
			return nil, ErrChanged
		}
		if err == nil {
			err = t.in.Remove(temp)
		}
		return nil, errors.Join(err, flush(t))
	}
	return nil, errors.Join(t.in.Rename(temp, t.base), flush(t))
}

// flush makes the new name of a file durable.
func flush(t spot) error {
	f, err := t.in.OpenFile(t.base, os.O_RDWR, 0)
	if err != nil {
		return nil // it is in place; that a power cut could take it back is all
	}
	defer f.Close()
	return Sync(f)
}

// noSync says whether an error is how shares of Windows say that they can't sync.
func noSync(err error) bool { return errors.Is(err, windows.ERROR_INVALID_FUNCTION) }

// syncFolder does nothing: the rename above is flushed.
func syncFolder(*folder) error { return nil }
