package atomicfile

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// writeAndRename is the usual way: a complete temporary file takes the
// target's name in one step.
func writeAndRename(target string, info fs.FileInfo, data []byte, expect Expect, o Options) (err error) {
	removeStale(target)
	if err := o.before(StepCreate); err != nil {
		return err
	}
	f, err := createTemp(target, o.Mode)
	if err != nil {
		return err
	}
	defer func() {
		f.Close()
		// After the rename the temporary name holds the old content, or nothing.
		if !errors.Is(err, errLeaveTemp) {
			os.Remove(f.Name())
		}
	}()
	if err := fill(f, info, data, o); err != nil {
		return err
	}
	if err := o.before(StepRecheck); err != nil {
		return err
	}
	if err := check(target, expect); err != nil {
		return err
	}
	if err := o.before(StepRename); err != nil {
		return err
	}
	old, err := rename(f, target, expect)
	if old != nil {
		defer old.Close()
	}
	if err != nil {
		return err
	}
	if err := o.before(StepSyncFolder); err != nil {
		return err
	}
	if err := syncFolder(filepath.Dir(target)); err != nil {
		return err
	}
	if old == nil {
		return nil
	}
	return settle(f, target, expect)
}

// errLeaveTemp says that the temporary file must not be removed.
var errLeaveTemp = errors.New("stopped, temporary file kept")

// Crash is an error for Options.Before: the replace ends there and cleans
// nothing up, as if the process had died.
func Crash() error { return errLeaveTemp }

// fill writes data to the new file and makes it durable.
func fill(f *os.File, old fs.FileInfo, data []byte, o Options) error {
	if old != nil {
		if err := keepMode(f, old); err != nil {
			return err
		}
	}
	if err := o.before(StepWrite); err != nil {
		return err
	}
	half := len(data) / 2
	if _, err := f.Write(data[:half]); err != nil {
		return err
	}
	if err := o.before(StepHalf); err != nil {
		return err
	}
	if _, err := f.Write(data[half:]); err != nil {
		return err
	}
	if err := o.before(StepSync); err != nil {
		return err
	}
	return f.Sync()
}

const tempSuffix = ".tmp"

// maxStem keeps the names made here within the 255 bytes of usual file systems.
const maxStem = 200

func hiddenName(target string) string {
	base := filepath.Base(target)
	return "." + base[:min(len(base), maxStem)] + "."
}

// createTemp creates and locks a new file beside the target.
func createTemp(target string, mode fs.FileMode) (*os.File, error) {
	if mode == 0 {
		mode = 0o644
	}
	var err error
	for range 100 {
		name := hiddenName(target) + strconv.FormatUint(rand.Uint64(), 36) + tempSuffix
		var f *os.File
		f, err = os.OpenFile(filepath.Join(filepath.Dir(target), name), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// A cleaner may have seen the file before it was locked.
		if lockTemp(f); stillThere(f) {
			return f, nil
		}
		f.Close()
		err = fs.ErrNotExist
	}
	return nil, err
}

func stillThere(f *os.File) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(a, b)
}

// removeStale removes the temporary files of this target whose writers died.
// It never fails: a file that stays does no harm.
func removeStale(target string) {
	dir := filepath.Dir(target)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	prefix := hiddenName(target)
	for _, e := range entries {
		random, ok := strings.CutPrefix(e.Name(), prefix)
		if !ok {
			continue
		}
		random, ok = strings.CutSuffix(random, tempSuffix)
		if !ok || !e.Type().IsRegular() || strings.Trim(random, "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
			continue
		}
		removeIfOrphan(filepath.Join(dir, e.Name()))
	}
}

// SyncFolder makes renames and removals in a folder durable, where the system
// can do that.
func SyncFolder(dir string) error { return syncFolder(dir) }
