package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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
