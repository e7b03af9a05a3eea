package atomicfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"recollect/internal/safefile"
)

// folder is a folder that is held open: whatever becomes of the path that led to
// it, what is done by a name is done in it.
type folder struct {
	names
	path string
	root *os.Root // nil where the folder may be written but not read
	self *os.File // the folder itself, for calls that os.Root has not; nil likewise
}

// names is what is done in a folder by a name.
type names interface {
	Lstat(name string) (fs.FileInfo, error)
	OpenFile(name string, flag int, mode fs.FileMode) (*os.File, error)
	Remove(name string) error
	Rename(from, to string) error
	Link(from, to string) error
}

// hold opens a folder by its path, which may go through links.
func hold(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrPermission) {
		// It can't be held without being read; a file of a known name may be
		// replaced in it all the same.
		if info, serr := os.Stat(dir); serr == nil && info.IsDir() {
			return &folder{names: unread(dir), path: dir}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return holdRoot(root, dir)
}

func holdRoot(root *os.Root, path string) (*folder, error) {
	self, err := root.Open(".")
	if err != nil {
		root.Close()
		return nil, err
	}
	return &folder{root, path, root, self}, nil
}

func (f *folder) close() {
	if f.root != nil {
		f.self.Close()
		f.root.Close()
	}
}

// open is safefile.Open in the folder.
func (f *folder) open(name string, limit int64) (*os.File, fs.FileInfo, error) {
	if f.root == nil {
		return safefile.Open(filepath.Join(f.path, name), limit)
	}
	return safefile.OpenIn(f.root, name, limit)
}

// check returns an fs.ErrPermission if files can't be made in the folder.
func (f *folder) check() error {
	if !writable(f, ".") {
		return &fs.PathError{Op: "write", Path: f.path, Err: fs.ErrPermission}
	}
	return nil
}

// unread is a folder that may be written but not read. It can't be held open.
type unread string

func (u unread) at(name string) string { return filepath.Join(string(u), name) }

func (u unread) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(u.at(name)) }

func (u unread) OpenFile(name string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(u.at(name), flag, mode)
}

func (u unread) Remove(name string) error { return os.Remove(u.at(name)) }

func (u unread) Rename(from, to string) error { return os.Rename(u.at(from), u.at(to)) }

func (u unread) Link(from, to string) error { return os.Link(u.at(from), u.at(to)) }

// spot is where a file is, or will be.
type spot struct {
	in   *folder
	base string
}

// locate follows a path to where a replace would write. The caller closes the spot,
// which may be there with ErrDangling too.
func locate(path string) (spot, error) {
	target, rerr := Resolve(path)
	if target == "" {
		return spot{}, rerr
	}
	in, err := hold(filepath.Dir(target))
	if err != nil {
		return spot{}, errors.Join(rerr, err)
	}
	return spot{in, filepath.Base(target)}, rerr
}

// locateIn is locate beneath the top of a folder.
func locateIn(f safefile.Folder, name string) (spot, error) {
	root, err := f.Root()
	if err != nil {
		return spot{}, err
	}
	defer root.Close()
	target, rerr := resolveIn(root, f.Top(), f.Rel(name))
	if target == "" {
		return spot{}, safefile.Outside(rerr)
	}
	dir, err := root.OpenRoot(filepath.Dir(target))
	if err != nil {
		return spot{}, errors.Join(rerr, safefile.Outside(err))
	}
	in, err := holdRoot(dir, filepath.Join(f.Top(), filepath.Dir(target)))
	if err != nil {
		return spot{}, errors.Join(rerr, err)
	}
	return spot{in, filepath.Base(target)}, rerr
}

func (t spot) close() {
	if t.in != nil {
		t.in.close()
	}
}

// path names the file for people, and for comparing.
func (t spot) path() string { return filepath.Join(t.in.path, t.base) }

// beside is another file in the same folder.
func (t spot) beside(base string) spot { return spot{t.in, base} }

// read gives the whole file, and what it was when it was opened.
func (t spot) read(limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := t.in.open(t.base, limit)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := safefile.ReadAll(context.Background(), f, info, limit)
	return data, info, err
}

// named puts whole paths into an error that has names in the folder.
func (t spot) named(err error) error {
	err = safefile.Outside(err)
	var pe *fs.PathError
	if errors.As(err, &pe) && !filepath.IsAbs(pe.Path) {
		pe.Path = filepath.Join(t.in.path, pe.Path)
	}
	var le *os.LinkError
	if errors.As(err, &le) && !filepath.IsAbs(le.Old) {
		le.Old, le.New = filepath.Join(t.in.path, le.Old), filepath.Join(t.in.path, le.New)
	}
	return err
}
