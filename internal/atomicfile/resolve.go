package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/safefile"
)

// maxLinks is how many symbolic links a path may go through; systems give up
// at 40 or less.
const maxLinks = 40

// Resolve follows the symbolic links of path and returns where a replace would
// write. For a path that does not exist and is no link it returns the path
// itself. With ErrDangling it also returns the place that the last link leads
// to, if the folder of that place exists.
func Resolve(path string) (string, error) {
	target, err := place(path)
	if err != nil {
		return "", err
	}
	for hops := range maxLinks {
		info, err := os.Lstat(target)
		if errors.Is(err, fs.ErrNotExist) {
			if hops > 0 {
				return target, &fs.PathError{Op: "resolve", Path: path, Err: ErrDangling}
			}
			return target, nil
		}
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return target, nil
		}
		to, err := os.Readlink(target)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Dir(target) + string(filepath.Separator) + to
		}
		target, err = place(to)
		if errors.Is(err, fs.ErrNotExist) {
			return "", &fs.PathError{Op: "resolve", Path: path, Err: ErrDangling}
		}
		if err != nil {
			return "", err
		}
	}
	return "", &fs.PathError{Op: "resolve", Path: path, Err: ErrLoop}
}

// place resolves the folder of path and keeps the last name. The path must not
// be cleaned before: "link/../f" is not "f".
func place(path string) (string, error) {
	dir, base := filepath.Split(path)
	if base == "" || base == "." || base == ".." {
		return filepath.EvalSymlinks(path)
	}
	if dir == "" {
		return base, nil
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, base), nil
}

// ResolveIn is Resolve beneath the top of f; the path that it returns is from the
// top. A link that leads out of the top is safefile.ErrOutside; an absolute one
// that leads into it is followed.
func ResolveIn(f safefile.Folder, name string) (string, error) {
	root, err := f.Root()
	if err != nil {
		return "", err
	}
	defer root.Close()
	target, err := resolveIn(root, f.Top(), f.Rel(name))
	return target, safefile.Outside(err)
}

// resolveIn follows a path from the top of a tree element by element. What it
// returns is opened beneath the root, so that it is no matter if a link comes in
// its way afterwards.
func resolveIn(root *os.Root, top, path string) (string, error) {
	fail := func(err error) (string, error) {
		return "", &fs.PathError{Op: "resolve", Path: filepath.Join(top, path), Err: err}
	}
	todo := elements(path)
	var real []string
	for hops := 0; len(todo) > 0; {
		next := todo[0]
		todo = todo[1:]
		if next == ".." {
			if len(real) == 0 {
				return fail(safefile.ErrOutside)
			}
			real = real[:len(real)-1]
			continue
		}
		at := filepath.Join(append(slices.Clone(real), next)...)
		info, err := root.Lstat(at)
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case missing && len(todo) == 0 && hops == 0:
			return at, nil
		case missing && len(todo) == 0:
			return at, &fs.PathError{Op: "resolve", Path: filepath.Join(top, path), Err: ErrDangling}
		case missing && hops > 0:
			return fail(ErrDangling)
		case err != nil:
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			real = append(real, next)
			continue
		}
		if hops++; hops > maxLinks {
			return fail(ErrLoop)
		}
		to, err := root.Readlink(at)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(to) {
			if to, err = below(top, to); err != nil {
				return fail(err)
			}
			real = nil
		}
		todo = append(elements(to), todo...)
	}
	if len(real) == 0 {
		return ".", nil
	}
	return filepath.Join(real...), nil
}

// below gives the path from the top of what an absolute link names.
func below(top, to string) (string, error) {
	real, err := filepath.EvalSymlinks(top)
	if err == nil {
		if real, err = filepath.Abs(real); err != nil {
			return "", err
		}
	}
	for _, t := range []string{top, real} {
		if rel, err := filepath.Rel(t, to); err == nil && filepath.IsLocal(rel) {
			return rel, nil
		}
	}
	return "", safefile.ErrOutside
}

// elements splits a path and does not clean it: "link/../f" is not "f".
func elements(path string) []string {
	all := strings.FieldsFunc(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
	return slices.DeleteFunc(all, func(e string) bool { return e == "." })
}
