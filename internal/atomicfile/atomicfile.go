// Package atomicfile replaces files so that a reader, a crash or a full disk
// never sees half of one, and so that an edit made since the file was read is
// never overwritten.
//
// A replace goes through these steps: resolve the path, check the target
// against the expectation, create a temporary file in the target's folder,
// write, sync, check again, rename, sync the folder. Whatever step fails, the
// target holds either all of its old or all of its new content.
//
// Two kinds of others may write the same file meanwhile:
//
//   - Writers that use this package take turns from the second check on, by a
//     lock on the target's folder (on Windows on a file beside the target). Of
//     several that expect the same content one succeeds and the others get
//     ErrChanged. Where the lock cannot be had (the
//     file system has none, the folder may be written but not read, somebody
//     holds it for ten seconds) the replace goes on without it, and three or
//     more writers at one moment can then lose an edit, or two that write in
//     place. Hard links in different folders do not share a lock.
//   - Editors know no lock. On Linux what a rename displaced is looked at and
//     given back if it is not the expected content; elsewhere a save between the
//     second check and the rename is lost. A program that keeps the old file open
//     and writes to it after the replace is done writes to a file without a name.
//
// What is kept and what is refused:
//
//   - Symbolic links are followed; the link stays and its target is replaced. A
//     loop and a link to nothing are errors of their own.
//   - The mode, and the owner where the system allows it, of an existing target
//     are kept. A target that its owner made read-only is refused.
//   - A target with several hard links is refused unless Options.HardLinks
//     allows writing in place, because a rename would part it from the others.
//   - A temporary file is named ".NAME.*.tmp" and is locked while its writer
//     lives. What a crash left is removed by the next replace of the same file
//     that gets the lock.
//
// A path is resolved once. From then on the folder that the target lies in is held
// open, and every step is made in it, so that a link that is put in the way
// meanwhile leads nowhere. ReadIn, ReplaceIn and CheckIn are for places that others
// can write: their links count as long as they stay beneath the top of a
// safefile.Folder, else the error is safefile.ErrOutside.
package atomicfile

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"

	"recollect/internal/safefile"
)

// Errors that callers test for with errors.Is. The error that wraps one of
// them names the path.
var (
	ErrChanged    = errors.New("the file changed since it was read")
	ErrLoop       = errors.New("the symbolic links lead in a circle")
	ErrDangling   = errors.New("the symbolic link leads to nothing")
	ErrHardLinked = errors.New("the file has further hard links")
	ErrReadOnly   = errors.New("the file is read-only")
	ErrNotRegular = safefile.ErrNotRegular
	ErrTooLarge   = safefile.ErrTooLarge
)

// Expect is what a target must hold for a replace to go ahead. The zero Expect
// accepts anything.
type Expect struct {
	kind expectation
	sum  Sum
}

type expectation int

const (
	anything expectation = iota
	absent
	content
)

// Absent expects that there is no file.
func Absent() Expect { return Expect{kind: absent} }

// Content expects a file with exactly the content that has this sum.
func Content(s Sum) Expect { return Expect{kind: content, sum: s} }

// Sum identifies content: its SHA-256.
type Sum [sha256.Size]byte

// SumOf returns the sum of data.
func SumOf(data []byte) Sum { return sha256.Sum256(data) }

// String returns the sum as lower-case hexadecimal digits.
func (s Sum) String() string { return hex.EncodeToString(s[:]) }

// Options of a replace. The zero value refuses everything that would need a
// decision.
type Options struct {
	// Mode of a file that did not exist, before the umask; 0 means 0o644.
	Mode fs.FileMode
	// HardLinks says what to do with a target that has further hard links.
	HardLinks HardLinks
	// CreateDangling creates the target of a symbolic link that leads to nothing.
	// The target's folder must exist.
	CreateDangling bool
	// Before, if set, is called before each step. An error ends the replace there
	// as if the step had failed. Tests use it.
	Before func(Step) error
}

// HardLinks is what to do with a target that has further hard links.
type HardLinks int

const (
	// RefuseHardLinks fails with ErrHardLinked.
	RefuseHardLinks HardLinks = iota
	// WriteInPlace overwrites the shared content, so that all links see it. This
	// is the one replace that a reader can see half of. A crash in its middle is
	// repaired by the next Replace of the same path, and Read gives the new content
	// until then: it was set aside, complete and synced, before the first byte was
	// overwritten.
	WriteInPlace
)

// Step is a point at which a replace can be stopped.
type Step string

// The steps in their order.
const (
	StepCheck      Step = "check"
	StepCreate     Step = "create"
	StepWrite      Step = "write"
	StepHalf       Step = "write the second half"
	StepSync       Step = "sync"
	StepRecheck    Step = "check again"
	StepRename     Step = "rename"
	StepSyncFolder Step = "sync the folder"
)

// Steps lists the steps of a replace by rename, in order.
func Steps() []Step {
	return []Step{StepCheck, StepCreate, StepWrite, StepHalf, StepSync, StepRecheck, StepRename, StepSyncFolder}
}

// Read returns the content of the file at path and its sum, and writes nothing. It
// follows symbolic links. Files of more than limit bytes are refused with
// ErrTooLarge; what is no regular file with ErrNotRegular; a missing file with
// fs.ErrNotExist.
func Read(path string, limit int64) ([]byte, Sum, error) {
	data, _, err := safefile.Read(context.Background(), path, limit)
	if err != nil {
		return nil, Sum{}, err
	}
	if t, err := locate(path); err == nil {
		defer t.close()
		data = t.whole(data)
	}
	return data, SumOf(data), nil
}

// ReadIn is Read of a file beneath the top of f.
func ReadIn(f safefile.Folder, name string, limit int64) ([]byte, Sum, fs.FileInfo, error) {
	t, err := locateIn(f, name)
	if errors.Is(err, ErrDangling) {
		t.close()
		err = &fs.PathError{Op: "read", Path: f.Path(name), Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, Sum{}, nil, err
	}
	defer t.close()
	data, info, err := t.read(limit)
	if err != nil {
		return nil, Sum{}, nil, t.named(err)
	}
	data = t.whole(data)
	return data, SumOf(data), info, nil
}

// Replace makes data the content of the file at path, if the file is as
// expected. On any error the file is untouched, but for an error of
// StepSyncFolder: then the new content is in place and may not survive a power
// cut.
func Replace(path string, data []byte, expect Expect, o Options) error {
	t, err := locate(path)
	return said("replace", path, t.then(err, o, func() error { return replace(t, data, expect, o) }))
}

// ReplaceIn is Replace of a file beneath the top of f.
func ReplaceIn(f safefile.Folder, name string, data []byte, expect Expect, o Options) error {
	t, err := locateIn(f, name)
	return said("replace", f.Path(name), t.then(err, o, func() error { return replace(t, data, expect, o) }))
}

// then does work on a target that was located with err, and lets go of it.
func (t spot) then(err error, o Options, work func() error) error {
	defer t.close()
	if errors.Is(err, ErrDangling) && o.CreateDangling && t.in != nil {
		err = nil
	}
	if err != nil {
		return err
	}
	return t.named(work())
}

// said makes an error one that names a path.
func said(op, path string, err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	if err == nil || errors.As(err, &pe) || errors.As(err, &le) {
		return err
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

func replace(t spot, data []byte, expect Expect, o Options) error {
	if err := finishInPlace(t); err != nil {
		return err
	}
	if err := o.before(StepCheck); err != nil {
		return err
	}
	old, err := allowed(t, expect, o)
	if err != nil {
		return err
	}
	if old != nil && links(old) > 1 {
		return writeInPlace(t, data, expect, o)
	}
	return writeAndRename(t, old, data, expect, o)
}

// allowed returns the facts of a target that a replace may go ahead with, nil if
// there is none.
func allowed(t spot, expect Expect, o Options) (fs.FileInfo, error) {
	old, err := inspect(t)
	if err != nil {
		return nil, err
	}
	if err := check(t, expect); err != nil {
		return nil, err
	}
	if old != nil && links(old) > 1 && o.HardLinks != WriteInPlace {
		return nil, ErrHardLinked
	}
	return old, nil
}

// Check returns the error that Replace would give before it writes anything, or
// nil. It writes nothing itself.
func Check(path string, expect Expect, o Options) error {
	t, err := locate(path)
	return said("replace", path, t.then(err, o, func() error { return mayReplace(t, expect, o) }))
}

// CheckIn is Check of a file beneath the top of f.
func CheckIn(f safefile.Folder, name string, expect Expect, o Options) error {
	t, err := locateIn(f, name)
	return said("replace", f.Path(name), t.then(err, o, func() error { return mayReplace(t, expect, o) }))
}

func mayReplace(t spot, expect Expect, o Options) error {
	if _, err := allowed(t, expect, o); err != nil {
		return err
	}
	return t.in.check()
}

// CheckFolder returns an fs.ErrPermission if files can't be made or removed in a
// folder, as far as the system tells without trying.
func CheckFolder(dir string) error {
	in, err := hold(dir)
	if err != nil {
		return err
	}
	defer in.close()
	return in.check()
}

func (o Options) before(s Step) error {
	if o.Before == nil {
		return nil
	}
	return o.Before(s)
}

// inspect returns the facts of a target that may be replaced, nil if there is
// none.
func inspect(t spot) (fs.FileInfo, error) {
	info, err := t.in.Lstat(t.base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	if info.Mode().Perm()&0o200 == 0 || !writable(t.in, t.base) {
		return nil, ErrReadOnly
	}
	return info, nil
}

// check compares a target with the expectation.
func check(t spot, expect Expect) error {
	switch expect.kind {
	case anything:
		return nil
	case absent:
		if _, err := t.in.Lstat(t.base); !errors.Is(err, fs.ErrNotExist) {
			return cmp.Or(err, ErrChanged)
		}
		return nil
	}
	sum, err := sumFile(t)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrTooLarge):
		return ErrChanged
	case err != nil:
		return err
	case sum != expect.sum:
		return ErrChanged
	}
	return nil
}

// maxExpected bounds what is compared with an expectation, in bytes: whoever has
// one has read the file, and holds far less in memory.
const maxExpected = 1 << 30

func sumFile(t spot) (s Sum, err error) {
	f, _, err := t.in.open(t.base, maxExpected)
	if err != nil {
		return s, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return s, err
	}
	h.Sum(s[:0])
	return s, nil
}
