//go:build unix && !linux

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// rename gives f the name of target. A new file never replaces one that
// appeared meanwhile. There is no swap, so nothing to settle.
func rename(f *os.File, target string, _ []byte, expect Expect) (settle func() error, err error) {
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
