package safefile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Walk visits all that is beneath a folder, and first the folder itself, as
// filepath.WalkDir does: by name, without following links, with visit deciding
// about errors by fs.SkipDir and fs.SkipAll. More than most entries give
// ErrTooMany; it also ends with ctx.
func Walk(ctx context.Context, root string, most int, visit fs.WalkDirFunc) error {
	w := walker{ctx: ctx, left: most, visit: visit, list: func(dir string, left int) ([]fs.DirEntry, error) { return ReadDir(dir, left) }}
	info, err := os.Lstat(root)
	return w.from(root, info, err)
}

// Walk is Walk of a folder; names are from the folder.
func (f Folder) Walk(ctx context.Context, most int, visit fs.WalkDirFunc) error {
	w := walker{ctx: ctx, left: most, visit: visit, list: func(dir string, left int) ([]fs.DirEntry, error) { return f.Sub(dir).ReadDir(left) }}
	info, err := f.Stat(".")
	return w.from(".", info, err)
}

type walker struct {
	ctx   context.Context
	left  int
	visit fs.WalkDirFunc
	list  func(dir string, most int) ([]fs.DirEntry, error)
}

func (w *walker) from(root string, info fs.FileInfo, err error) error {
	if err != nil {
		err = w.visit(root, nil, err)
	} else {
		err = w.walk(root, fs.FileInfoToDirEntry(info))
	}
	if errors.Is(err, fs.SkipDir) || errors.Is(err, fs.SkipAll) {
		return nil
	}
	return err
}

func (w *walker) walk(name string, d fs.DirEntry) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if err := w.visit(name, d, nil); err != nil || !d.IsDir() {
		if d.IsDir() && errors.Is(err, fs.SkipDir) {
			return nil
		}
		return err
	}
	entries, err := w.list(name, w.left)
	if errors.Is(err, ErrTooMany) {
		return err
	}
	if err != nil {
		if err = w.visit(name, d, err); errors.Is(err, fs.SkipDir) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	w.left -= len(entries)
	for _, e := range entries {
		if err := w.walk(filepath.Join(name, e.Name()), e); err != nil {
			if errors.Is(err, fs.SkipDir) {
				break // a file's: the rest of its folder
			}
			return err
		}
	}
	return nil
}

// Match gives the paths of the files in a folder whose names match a pattern of
// filepath.Match, by name. A folder that is not there has none.
func Match(dir, pattern string, most int) ([]string, error) {
	entries, err := ReadDir(dir, most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		ok, err := filepath.Match(pattern, e.Name())
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, err
}
