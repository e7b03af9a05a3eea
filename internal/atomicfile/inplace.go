package atomicfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// StepInPlace is in the middle of overwriting a hard-linked file; the steps
// before it are those of setting the new content aside.
const StepInPlace Step = "overwrite the second half"

// writeInPlace overwrites a file that has further hard links. Both contents are
// first set aside beside the target under a name that finishInPlace knows. The
// lock is held all the while: that name is there once, and finishInPlace must
// not take a live writer for a crashed one.
func writeInPlace(target string, data []byte, expect Expect, o Options) error {
	defer lockAndClean(target)()
	if err := finishPending(target); err != nil {
		return err
	}
	old, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	if expect.kind == content && SumOf(old) != expect.sum {
		return ErrChanged
	}
	aside := binary.BigEndian.AppendUint64(nil, uint64(len(old)))
	aside = append(append(aside, old...), data...)
	if err := setAside(target, aside, o); err != nil {
		return err
	}
	if err := overwrite(target, data, o); err != nil {
		if errors.Is(err, errLeaveTemp) {
			return err
		}
		// The old content has room wherever the new one had none.
		if overwrite(target, old, Options{}) != nil {
			return err
		}
		return errors.Join(err, removePending(target))
	}
	return removePending(target)
}

func setAside(target string, aside []byte, o Options) error {
	pending := pendingName(target)
	removeStale(pending)
	f, err := writeTemp(pending, nil, aside, Options{Mode: 0o600, Before: o.Before})
	if err != nil {
		return err
	}
	return install(f, pending, aside, Expect{}, o)
}

func overwrite(target string, data []byte, o Options) error {
	f, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	half := len(data) / 2
	if _, err := f.WriteAt(data[:half], 0); err != nil {
		return err
	}
	if err := o.before(StepInPlace); err != nil {
		return err
	}
	if _, err := f.WriteAt(data[half:], int64(half)); err != nil {
		return err
	}
	if err := f.Truncate(int64(len(data))); err != nil {
		return err
	}
	return f.Sync()
}

func pendingName(target string) string {
	return filepath.Join(filepath.Dir(target), hiddenName(target)+"inplace")
}

func removePending(target string) error {
	// It is gone already if the lock could not be had and somebody helped.
	if err := os.Remove(pendingName(target)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncFolder(filepath.Dir(target))
}

// finishInPlace completes an overwrite that a crash interrupted; one that goes
// on is waited for. A file that somebody edited since is left alone, and what
// was set aside is dropped.
func finishInPlace(path string) error {
	target, err := Resolve(path)
	if err != nil {
		return nil // the caller's own look at the path reports it
	}
	if _, err := os.Lstat(pendingName(target)); err != nil {
		return nil
	}
	unlock, _ := lock(target)
	defer unlock()
	return finishPending(target)
}

// finishPending is finishInPlace for who holds the lock.
func finishPending(target string) error {
	aside, err := os.ReadFile(pendingName(target))
	if err != nil {
		return nil
	}
	now, err := os.ReadFile(target)
	if err != nil {
		return nil
	}
	if old, data, ok := splitAside(aside); ok && interrupted(now, old, data) {
		if err := overwrite(target, data, Options{}); err != nil {
			return err
		}
	}
	return removePending(target)
}

func splitAside(aside []byte) (old, data []byte, ok bool) {
	if len(aside) < 8 {
		return nil, nil, false
	}
	n := binary.BigEndian.Uint64(aside)
	rest := aside[8:]
	if n > uint64(len(rest)) {
		return nil, nil, false
	}
	return rest[:n], rest[n:], true
}

// interrupted reports whether now is old with some first part of it, but not
// all, overwritten by data.
func interrupted(now, old, data []byte) bool {
	k := 0
	for k < len(now) && k < len(data) && now[k] == data[k] {
		k++
	}
	return k > 0 && !bytes.Equal(now, data) && !bytes.Equal(now, old) &&
		bytes.Equal(now[k:], old[min(k, len(old)):])
}
