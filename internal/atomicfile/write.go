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
// target's name in one step, and only one writer at a time is at that step.
func writeAndRename(t spot, info fs.FileInfo, data []byte, expect Expect, o Options) (err error) {
	f, err := writeTemp(t, info, data, o)
	if err != nil {
		return err
	}
	defer lockAndClean(t)()
	return install(f, t, data, expect, o)
}

// writeTemp returns a new file beside the target that durably holds data. On an
// error it leaves none.
func writeTemp(t spot, info fs.FileInfo, data []byte, o Options) (*os.File, error) {
	if err := o.before(StepCreate); err != nil {
		return nil, err
	}
	f, err := createTemp(t, o.Mode)
	if err != nil {
		return nil, err
	}
	if err := fill(f, info, data, o); err != nil {
		dropTemp(t.in, f, err)
		return nil, err
	}
	return f, nil
}

// install gives f, which holds data, the target's name and closes it. The
// caller holds the lock.
func install(f *os.File, t spot, data []byte, expect Expect, o Options) (err error) {
	// After a swap the temporary name holds the old content.
	defer func() { dropTemp(t.in, f, err) }()
	if err := o.before(StepRecheck); err != nil {
		return err
	}
	if err := check(t, expect); err != nil {
		return err
	}
	if err := o.before(StepRename); err != nil {
		return err
	}
	settle, err := rename(f, t, data, expect)
	if err != nil {
		return err
	}
	if settle == nil {
		settle = func() error { return nil }
	}
	if err := settle(); err != nil {
		return err
	}
	if err := synced(o.before(StepSyncFolder)); err != nil {
		return err
	}
	err = synced(syncFolder(t.in))
	// Once more: a program that had opened the old file before the swap has
	// written by now.
	return errors.Join(err, settle())
}

// dropTemp closes f and removes what its name holds, unless err says otherwise.
func dropTemp(in *folder, f *os.File, err error) {
	f.Close()
	if !errors.Is(err, errLeaveTemp) {
		in.Remove(filepath.Base(f.Name()))
	}
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
	if err := synced(o.before(StepSync)); err != nil {
		return err
	}
	return Sync(f)
}

const tempSuffix = ".tmp"

// maxStem keeps the names made here within the 255 bytes of usual file systems.
const maxStem = 200

func hiddenName(base string) string {
	return "." + base[:min(len(base), maxStem)] + "."
}

// createTemp creates and locks a new file beside the target.
func createTemp(t spot, mode fs.FileMode) (*os.File, error) {
	if mode == 0 {
		mode = 0o644
	}
	var err error
	for range 100 {
		name := hiddenName(t.base) + strconv.FormatUint(rand.Uint64(), 36) + tempSuffix
		var f *os.File
		f, err = t.in.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// A cleaner may have seen the file before it was locked.
		if lockTemp(f); stillThere(t.in, f) {
			return f, nil
		}
		f.Close()
		err = fs.ErrNotExist
	}
	return nil, err
}

func stillThere(in *folder, f *os.File) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := in.Lstat(filepath.Base(f.Name()))
	return err == nil && os.SameFile(a, b)
}

// listed is how many names of a folder are held at a time.
const listed = 1024

// removeStale removes the temporary files of this target whose writers died.
// It never fails: a file that stays does no harm.
func removeStale(t spot) {
	dir, err := t.in.OpenFile(".", os.O_RDONLY, 0)
	if err != nil {
		return
	}
	defer dir.Close()
	prefix := hiddenName(t.base)
	for {
		entries, err := dir.ReadDir(listed)
		for _, e := range entries {
			random, ok := strings.CutPrefix(e.Name(), prefix)
			if !ok {
				continue
			}
			random, ok = strings.CutSuffix(random, tempSuffix)
			if !ok || !e.Type().IsRegular() || strings.Trim(random, "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
				continue
			}
			removeIfOrphan(t.in, e.Name())
		}
		if err != nil {
			return
		}
	}
}
