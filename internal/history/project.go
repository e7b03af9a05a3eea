package history

// Project is a folder tree with one memory folder. Two working directories
// belong to one project when the rules of Locate give them one root.
type Project struct {
	// Root is the absolute, symlink-free path of the folder that holds (or will
	// hold) the memory folder.
	Root string
	// GitCommonDir is the absolute path of the repository's common directory,
	// which its worktrees share; empty without git.
	GitCommonDir string
}
