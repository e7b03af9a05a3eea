package history

import (
	"os"
	"path/filepath"
)

// HeadFolders gives the folders in which git notes what is checked out in the work
// trees of the project, each with the work tree's top: of a repository with a reftable,
// also the one where that is.
func (p Project) HeadFolders() map[string]string {
	folders := map[string]string{}
	for _, top := range append([]string{p.Root}, p.Worktrees...) {
		tree, ok := openGit(top)
		if !ok || tree.dir == "" {
			continue
		}
		folders[tree.dir] = top
		if refs := filepath.Join(tree.dir, "reftable"); isFolder(refs) {
			folders[refs] = top
		}
	}
	return folders
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

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
