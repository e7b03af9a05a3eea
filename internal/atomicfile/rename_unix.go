//go:build unix && !linux

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// rename gives f the name of target. A new file never replaces one that
// appeared meanwhile. There is no swap, so nothing to settle.
func rename(f *os.File, t spot, _ []byte, expect Expect) (settle func() error, err error) {
	temp := filepath.Base(f.Name())
	if expect.kind != absent {
		return nil, t.in.Rename(temp, t.base)
	}
	err = t.in.Link(temp, t.base)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrChanged
	}
	if err != nil {
		return nil, t.in.Rename(temp, t.base)
	}
	return nil, t.in.Remove(temp)
}
