package safefile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Folder is a folder whose files are opened beneath its top and nowhere else, by
// reading and by writing, also when a link is put in the way at that moment. Links
// that stay beneath the top are followed; whatever else would lead out of it gives
// ErrOutside. Names are relative and may have several elements.
//
// A Folder is a name and holds nothing open; the folder need not exist. The zero
// Folder is of no use.
type Folder struct{ top, rel string }

// Beneath gives the folder top itself. top may be reached through links.
func Beneath(top string) Folder { return Folder{top, "."} }

// Sub gives a folder in f, under the same top.
func (f Folder) Sub(elem ...string) Folder { return Folder{f.top, f.at(elem...)} }

// Top is the folder that nothing leads out of.
func (f Folder) Top() string { return f.top }

// Path names a file of the folder for people and for comparing. To open it by that
// name is to follow any link.
func (f Folder) Path(elem ...string) string { return filepath.Join(f.top, f.at(elem...)) }

// Rel is Path from the top.
func (f Folder) Rel(elem ...string) string { return f.at(elem...) }

func (f Folder) at(elem ...string) string {
	return filepath.Join(append([]string{f.rel}, elem...)...)
}

// Root opens the top for a call of os.Root that has no method here. The caller
// closes it. Below a file there is no top.
func (f Folder) Root() (*os.Root, error) {
	root, err := os.OpenRoot(f.top)
	if errors.Is(err, syscall.ENOTDIR) {
		err = &fs.PathError{Op: "open", Path: f.top, Err: fs.ErrNotExist}
	}
	return root, err
}

// Open is Open of a file in the folder.
func (f Folder) Open(name string, limit int64) (*os.File, fs.FileInfo, error) {
	root, err := f.Root()
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	file, info, err := open(f.at(name), limit, root.Stat, root.OpenFile)
	return file, info, f.named(err)
}

// Read is Read of a file in the folder.
func (f Folder) Read(ctx context.Context, name string, limit int64) ([]byte, fs.FileInfo, error) {
	file, info, err := f.Open(name, limit)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	data, err := readAll(ctx, file, info.Size(), limit)
	return data, info, f.named(err)
}

// ReadDir is ReadDir of the folder itself.
func (f Folder) ReadDir(most int) ([]fs.DirEntry, error) {
	var entries []fs.DirEntry
	err := f.do(func(root *os.Root) (err error) {
		entries, err = readDir(f.rel, most, root.OpenFile)
		return err
	})
	return entries, err
}

// Stat looks at what a name leads to, beneath the top.
func (f Folder) Stat(name string) (info fs.FileInfo, err error) {
	err = f.do(func(root *os.Root) (err error) { info, err = root.Stat(f.at(name)); return err })
	return info, err
}

// Lstat looks at a name itself; the folders on the way may be links.
func (f Folder) Lstat(name string) (info fs.FileInfo, err error) {
	err = f.do(func(root *os.Root) (err error) { info, err = root.Lstat(f.at(name)); return err })
	return info, err
}

// IsDir says whether the folder is there.
func (f Folder) IsDir() bool {
	info, err := f.Stat(".")
	return err == nil && info.IsDir()
}

// Make makes the folder, and those on the way to it from the top.
func (f Folder) Make(mode fs.FileMode) error {
	return f.do(func(root *os.Root) error {
		err := root.MkdirAll(f.rel, mode)
		if info, serr := root.Stat(f.rel); err != nil && serr == nil && info.IsDir() {
			return nil // behind a link
		}
		return err
	})
}

// Remove removes a name.
func (f Folder) Remove(name string) error {
	return f.do(func(root *os.Root) error { return root.Remove(f.at(name)) })
}

// RemoveAll removes a name and all that is beneath it; links are not followed.
func (f Folder) RemoveAll(name string) error {
	return f.do(func(root *os.Root) error { return root.RemoveAll(f.at(name)) })
}

// Rename gives a file of the folder another name there.
func (f Folder) Rename(from, to string) error {
	return f.do(func(root *os.Root) error { return root.Rename(f.at(from), f.at(to)) })
}

func (f Folder) do(work func(*os.Root) error) error {
	root, err := f.Root()
	if err != nil {
		return err
	}
	defer root.Close()
	return f.named(work(root))
}

// named puts the whole path into an error that has the one from the top.
func (f Folder) named(err error) error {
	err = Outside(err)
	var pe *fs.PathError
	if errors.As(err, &pe) && !filepath.IsAbs(pe.Path) {
		pe.Path = filepath.Join(f.top, pe.Path)
	}
	return err
}
