package history

import (
	"os"
	"path/filepath"
)

// InsideGit says whether a folder is a git directory or lies in one, whatever its
// name: a bare repository, or that of a work tree. A work tree ends the search.
func InsideGit(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return false
		}
		if isGitDir(dir) {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}
