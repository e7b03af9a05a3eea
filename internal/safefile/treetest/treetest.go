// Package treetest tells for tests whether something left a folder as it was.
package treetest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// hashed is up to which size the content of a file is looked at, in bytes: larger
// ones are holes that a test made.
const hashed = 1 << 24

// Tree is all that lies below a folder, by path from there: what each name is, its
// mode, its time, and what is in it or where it leads. The folder itself is ".".
type Tree map[string]string

// Of looks at a folder, without what lies at and below the paths left out. Links
// are not followed.
func Of(dir string, leftOut ...string) (Tree, error) {
	tree := Tree{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if slices.Contains(leftOut, path) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		tree[rel], err = is(path, info)
		return err
	})
	return tree, err
}

func is(path string, info fs.FileInfo) (string, error) {
	said := fmt.Sprintf("%v %d", info.Mode(), info.ModTime().UnixNano())
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		to, err := os.Readlink(path)
		return said + " " + to, err
	case mode.IsRegular() && info.Size() <= hashed:
		data, err := os.ReadFile(path)
		return fmt.Sprintf("%s %d bytes %x", said, len(data), sha256.Sum256(data)), err
	case mode.IsRegular():
		return fmt.Sprintf("%s %d bytes", said, info.Size()), nil
	}
	return said, nil
}

// Changes says in words what is another in after, sorted; nil if nothing is.
func (before Tree) Changes(after Tree) []string {
	var out []string
	for name, was := range before {
		switch now, there := after[name]; {
		case !there:
			out = append(out, fmt.Sprintf("%s is gone: %s", name, was))
		case now != was:
			out = append(out, fmt.Sprintf("%s is %s, was %s", name, now, was))
		}
	}
	for name, now := range after {
		if _, there := before[name]; !there {
			out = append(out, fmt.Sprintf("%s was made: %s", name, now))
		}
	}
	slices.Sort(out)
	return out
}
