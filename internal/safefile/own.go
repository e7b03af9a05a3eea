package safefile

import (
	"io/fs"
	"os"
)

// The modes of what only the person has any business with.
const (
	privateFile   fs.FileMode = 0o600
	privateFolder fs.FileMode = 0o700
)

// Private opens a file of the program's own for writing and makes it if it is not
// there. Nobody else may read it afterwards, whatever the umask is and whatever
// mode it had. flag is one of os.O_WRONLY and os.O_RDWR, with os.O_APPEND,
// os.O_EXCL or os.O_TRUNC where they are wanted. What is no regular file, a link
// among it, gives ErrNotRegular and is not waited for.
func Private(path string, flag int) (*os.File, fs.FileInfo, error) {
	if err := own(path); err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(path, flag&^os.O_TRUNC|os.O_CREATE|OwnFlags, privateFile)
	if err != nil {
		return nil, nil, notFollowed(path, err)
	}
	info, err := f.Stat()
	if err == nil {
		err = fits(path, info, NoLimit)
	}
	if err == nil && wider(info, privateFile) && Ours(info) {
		_ = f.Chmod(privateFile) // a file system without modes is no reason not to work
	}
	if err == nil && flag&os.O_TRUNC != 0 {
		err = f.Truncate(0)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// own looks at what a name of the program's own is before it is opened: opening a
// device can do something.
func own(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return nil // opening it says why
	}
	return fits(path, info, NoLimit)
}

// MakePrivate makes a folder of the program's own, and those on the way to it, and
// closes it to others if it was open to them.
func MakePrivate(dir string) error {
	err := os.MkdirAll(dir, privateFolder)
	if err == nil {
		Close(dir)
	}
	return err
}

// Close closes a folder of the program's own to others, if it is there, the
// person's and open. Where that can't be done nothing is.
func Close(dir string) {
	if info, err := os.Stat(dir); err == nil && info.IsDir() && wider(info, privateFolder) && Ours(info) {
		_ = os.Chmod(dir, privateFolder)
	}
}

func wider(info fs.FileInfo, mode fs.FileMode) bool { return modes && info.Mode().Perm()&^mode != 0 }
