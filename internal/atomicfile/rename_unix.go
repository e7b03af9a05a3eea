//go:build unix && !linux

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// rename gives f the name of target. A new file never replaces one that
// appeared meanwhile.
func rename(f *os.File, target string, expect Expect) error {
	if expect.kind != absent {
		return os.Rename(f.Name(), target)
	}
	err := os.Link(f.Name(), target)
	if errors.Is(err, fs.ErrExist) {
		return ErrChanged
	}
	if err != nil {
		return os.Rename(f.Name(), target)
	}
	return os.Remove(f.Name())
}
