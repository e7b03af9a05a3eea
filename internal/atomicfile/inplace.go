package atomicfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"slices"
)

// StepInPlace is in the middle of overwriting a hard-linked file; the steps
// before it are those of setting the new content aside.
const StepInPlace Step = "overwrite the second half"

// maxInPlace is the largest file that is written in place, in bytes: twice as much
// is held.
const maxInPlace = 64 << 20

// writeInPlace overwrites a file that has further hard links. Both contents are
// first set aside beside the target under a name that finishInPlace knows. The
// lock is held all the while: that name is there once, and finishInPlace must
// not take a live writer for a crashed one.
func writeInPlace(t spot, data []byte, expect Expect, o Options) error {
	defer lockAndClean(t)()
	if err := finishPending(t); err != nil {
		return err
	}
	old, info, err := t.read(maxInPlace)
	if err == nil && len(data) > maxInPlace {
		err = ErrTooLarge
	}
	if err != nil {
		return err
	}
	if expect.kind == content && SumOf(old) != expect.sum {
		return ErrChanged
	}
	if err := setAside(t, slices.Concat(asideHead(info, len(old)), old, data), o); err != nil {
		return err
	}
	if err := overwrite(t, data, o); err != nil {
		if errors.Is(err, errLeaveTemp) {
			return err
		}
		// The old content has room wherever the new one had none.
		if overwrite(t, old, Options{}) != nil {
			return err
		}
		return errors.Join(err, removePending(t))
	}
	return removePending(t)
}

func setAside(t spot, aside []byte, o Options) error {
	pending := t.beside(pendingName(t))
	removeStale(pending)
	f, err := writeTemp(pending, nil, aside, Options{Mode: 0o600, Before: o.Before})
	if err != nil {
		return err
	}
	return install(f, pending, aside, Expect{}, o)
}

func overwrite(t spot, data []byte, o Options) error {
	f, err := t.in.OpenFile(t.base, os.O_WRONLY, 0)
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
	return Sync(f)
}

func pendingName(t spot) string { return hiddenName(t.base) + "inplace" }

func removePending(t spot) error {
	// It is gone already if the lock could not be had and somebody helped.
	if err := t.in.Remove(pendingName(t)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncFolder(t.in)
}

// finishInPlace completes an overwrite that a crash interrupted; one that goes
// on is waited for. A file that somebody edited since is left alone, and what
// was set aside is dropped.
func finishInPlace(t spot) error {
	if info, err := t.in.Lstat(pendingName(t)); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	unlock, _ := lock(t)
	defer unlock()
	return finishPending(t)
}

// finishPending is finishInPlace for who holds the lock.
func finishPending(t spot) error {
	now, _, err := t.read(maxInPlace)
	if err != nil {
		return nil
	}
	if data := t.whole(now); !bytes.Equal(data, now) {
		if err := overwrite(t, data, Options{}); err != nil {
			return err
		}
	}
	return removePending(t)
}

// whole gives what a file will hold when an overwrite of it that was interrupted
// is completed: now, its content, if there was none.
func (t spot) whole(now []byte) []byte {
	pending := t.beside(pendingName(t))
	if _, err := t.in.Lstat(pending.base); err != nil {
		return now
	}
	aside, _, err := pending.read(2*maxInPlace + 24)
	if err != nil {
		return now
	}
	info, err := t.in.Lstat(t.base)
	if err != nil || links(info) < 2 {
		return now
	}
	if old, data, ok := splitAside(aside, info); ok && interrupted(now, old, data) {
		return data
	}
	return now
}

// asideHead stands before what is set aside: the device and the number of the file
// and how long its old content is, eight bytes each. What came with an archive
// can't name the file that it was unpacked beside.
func asideHead(info fs.FileInfo, old int) []byte {
	device, number := fileID(info)
	head := binary.BigEndian.AppendUint64(nil, device)
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(head, number), uint64(old))
}

func splitAside(aside []byte, info fs.FileInfo) (old, data []byte, ok bool) {
	head := asideHead(info, 0)
	if len(aside) < len(head) || !bytes.HasPrefix(aside, head[:16]) {
		return nil, nil, false
	}
	n := binary.BigEndian.Uint64(aside[16:])
	rest := aside[len(head):]
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
