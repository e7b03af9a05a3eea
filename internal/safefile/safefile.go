// Package safefile opens files that somebody else may have made: in a repository
// that was cloned, in an archive that was unpacked, in an assistant's history.
//
// Nothing here waits for another process, as opening a pipe would, or reads
// without an end, as a device would have it. What a name leads to is looked at
// after it was opened, since it may be exchanged between a look and the opening.
//
// The functions follow symbolic links wherever they lead; they are for places that
// the person chose. A Folder is for a place that others can write: what is opened
// through it lies beneath it.
package safefile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Errors that callers test for with errors.Is. The error that wraps one of them
// names the path.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("the file is too large")
	ErrNotFolder  = errors.New("not a folder")
	ErrTooMany    = errors.New("the folder has too many entries")
	ErrOutside    = errors.New("it leads out of its folder")
)

// NoLimit is for files that are read in pieces and never held whole.
const NoLimit int64 = -1

// Open opens a regular file of at most limit bytes for reading, and gives what it
// was when it was opened. It can grow afterwards: who reads it whole uses Read.
// What is no regular file gives ErrNotRegular, a larger one ErrTooLarge, a missing
// one fs.ErrNotExist.
func Open(path string, limit int64) (*os.File, fs.FileInfo, error) {
	return open(path, limit, os.Stat, os.OpenFile)
}

// Read gives the content of a regular file of at most limit bytes, and what it was
// when it was opened. Errors are those of Open, or why ctx ended.
func Read(ctx context.Context, path string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := Open(path, limit)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := readAll(ctx, f, info.Size(), limit)
	return data, info, err
}

// OpenIn is Open of a name in a folder that the caller holds open, and beneath it.
func OpenIn(root *os.Root, name string, limit int64) (*os.File, fs.FileInfo, error) {
	return open(name, limit, root.Stat, root.OpenFile)
}

// ReadAll gives the content of a file that Open gave, up to its limit.
func ReadAll(ctx context.Context, f *os.File, info fs.FileInfo, limit int64) ([]byte, error) {
	return readAll(ctx, f, info.Size(), limit)
}

// ReadDir gives the entries of a folder by name. Of more than most of them
// it gives some, most of them, and ErrTooMany. What is no folder gives ErrNotFolder.
func ReadDir(path string, most int) ([]fs.DirEntry, error) {
	return readDir(path, most, os.OpenFile)
}

type (
	statFunc func(string) (fs.FileInfo, error)
	openFunc func(string, int, fs.FileMode) (*os.File, error)
)

func open(path string, limit int64, stat statFunc, openFile openFunc) (*os.File, fs.FileInfo, error) {
	// Opening a device can do something, so it is not even tried.
	info, err := stat(path)
	if err != nil {
		return nil, nil, Outside(err)
	}
	if err := fits(path, info, limit); err != nil {
		return nil, nil, err
	}
	f, err := openFile(path, readOnly, 0)
	if err != nil {
		return nil, nil, Outside(err)
	}
	if info, err = f.Stat(); err == nil {
		err = fits(path, info, limit)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func fits(path string, info fs.FileInfo, limit int64) error {
	switch {
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	case limit >= 0 && info.Size() > limit:
		return &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge}
	}
	return nil
}

// chunk is how much is read between two looks at the context, in bytes.
const chunk = 1 << 20

func readAll(ctx context.Context, f *os.File, size, limit int64) ([]byte, error) {
	if limit >= 0 {
		size = min(size, limit)
	}
	data := make([]byte, 0, size+1)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := f.Read(data[len(data):min(cap(data), len(data)+chunk)])
		data = data[:len(data)+n]
		if limit >= 0 && int64(len(data)) > limit {
			return nil, &fs.PathError{Op: "read", Path: f.Name(), Err: ErrTooLarge}
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

func readDir(path string, most int, openFile openFunc) ([]fs.DirEntry, error) {
	f, err := openFile(path, readFolder, 0)
	if err != nil {
		return nil, Outside(noFolder(path, err))
	}
	defer f.Close()
	entries, err := f.ReadDir(most + 1)
	if err == io.EOF {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := readRest(f, most, &entries); err != nil {
		return nil, err
	}
	if len(entries) > most {
		entries, err = entries[:most], &fs.PathError{Op: "read", Path: path, Err: ErrTooMany}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// readRest reads on to the end of a folder: a system may give fewer entries at a
// time than were asked for.
func readRest(f *os.File, most int, entries *[]fs.DirEntry) error {
	for len(*entries) <= most {
		more, err := f.ReadDir(most + 1)
		*entries = append(*entries, more...)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// escapes is what os.Root says of a path that leads out of it; the package has no
// name for that error.
const escapes = "path escapes from parent"

// Outside gives an error of os.Root that a path leads out of it the name
// ErrOutside, and other errors back.
func Outside(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && pe.Err != nil && pe.Err.Error() == escapes {
		return &fs.PathError{Op: strings.TrimSuffix(pe.Op, "at"), Path: pe.Path, Err: ErrOutside}
	}
	var le *os.LinkError
	if errors.As(err, &le) && le.Err != nil && le.Err.Error() == escapes {
		return &fs.PathError{Op: strings.TrimSuffix(le.Op, "at"), Path: le.Old, Err: ErrOutside}
	}
	return err
}
