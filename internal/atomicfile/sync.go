package atomicfile

import (
	"errors"
	"os"
	"syscall"

	"recollect/internal/safefile"
)

// Sync makes what was written to f durable, where its file system can do that.
func Sync(f *os.File) error { return synced(f.Sync()) }

// synced forgives a sync that the file system does not offer: shares and file
// systems of programs say so in several ways, and nothing more can be done there.
// That it was tried and failed, as on a full or a broken disk, stays an error.
func synced(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) || noSync(err) {
		return nil
	}
	return err
}

// SyncFolder makes renames and removals in a folder durable, where the system
// can do that.
func SyncFolder(dir string) error {
	in, err := hold(dir)
	if err != nil {
		return err
	}
	defer in.close()
	return synced(syncFolder(in))
}

// SyncFolderIn is SyncFolder of f.
func SyncFolderIn(f safefile.Folder) error {
	t, err := locateIn(f, ".sync")
	if err != nil {
		return err
	}
	defer t.close()
	return synced(syncFolder(t.in))
}
