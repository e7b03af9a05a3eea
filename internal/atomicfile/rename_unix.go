//go:build unix && !linux

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// rename gives f the name of target. A new file never replaces one that
// appeared meanwhile.
func rename(f *os.File, target string, expect Expect) (old *os.File, err error) {
	if expect.kind != absent {
		return nil, os.Rename(f.Name(), target)
	}
	err = os.Link(f.Name(), target)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrChanged
	}
	if err != nil {
		return nil, os.Rename(f.Name(), target)
	}
	return nil, os.Remove(f.Name())
}

// settle has nothing to check: the old file has no name any more.
func settle(*os.File, string, Expect) error { return nil }
