package history

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// MemoryDir is the name of the folder that holds a project's memory, inside the
// project's root.
const MemoryDir = ".recollect"

// maxPath bounds the length of a path from a record, in bytes.
const maxPath = 1 << 15

// Project is a folder tree with one memory folder. Two working directories
// belong to one project when the rules of Locate give them one root.
type Project struct {
	// Root is the absolute, symlink-free path of the folder that holds (or will
	// hold) the memory folder.
	Root string
	// GitCommonDir is the absolute path of the repository's common directory,
	// which its worktrees share; empty without git, and where it lies elsewhere and
	// does not say that the folder is its worktree.
	GitCommonDir string
	// Worktrees are the roots of the repository's linked worktrees. Locate lists
	// those that git has registered now and whose own .git leads back. Git forgets a worktree that is removed,
	// so a caller that wants the history of such a one keeps the list and adds
	// the old entries here.
	Worktrees []string
}

// Locate gives the project of a folder; "" is the working directory.
//
// Going up from the folder, the first one decides that holds a memory folder or
// is the top of a git worktree; if there is none, the folder is a project by
// itself. One that is TooWide does not decide for those below it. A linked worktree stands for the main one: its root is the main
// worktree's, and a memory folder checked out in both counts once, in the main
// one. Where the main repository is bare, the root is the bare repository, or
// its parent if its name begins with a dot (".bare"). A submodule and a
// repository inside another are projects of their own. Git's environment
// variables are ignored.
//
// A folder that does not exist is judged by its nearest existing ancestor and
// the rest of its name. A Windows path given elsewhere than on Windows, and
// never a folder here, is only cleaned. The only errors are those of making the
// path absolute and symlink-free.
func Locate(dir string) (Project, error) {
	if foreign(dir) {
		if _, err := os.Lstat(dir); err != nil {
			return Project{Root: cleanWindows(dir)}, nil
		}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Project{}, fmt.Errorf("project folder: %w", err)
	}
	path, err := resolve(abs)
	if err != nil {
		return Project{}, fmt.Errorf("project folder: %w", err)
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		path = filepath.Dir(path)
	}
	found, _ := findPlace(path, nil)
	if found.root == "" {
		found.root = path
	}
	p := Project{Root: found.root, GitCommonDir: found.common}
	if p.GitCommonDir != "" {
		p.Worktrees = registeredWorktrees(p.GitCommonDir)
	}
	return p, nil
}

// Name is the project's name for people: the base name of its root.
func (p Project) Name() string {
	root := p.Root
	if foreign(root) {
		root = strings.ReplaceAll(root, `\`, "/")
	}
	return strings.ToValidUTF8(filepath.Base(root), "\uFFFD")
}

// Owns says whether a working directory, as a record names it, belongs to the
// project. It does if Locate gives it the project's root, if it is below the
// root or a worktree (also a removed one) and no nearer memory folder or git
// repository claims it. Absolute paths only: "" and relative ones are nobody's.
//
// Windows paths compare without regard to case and kind of separator, on every
// system; other paths by their bytes.
//
// It looks at the file system as it is now, which costs some tens of
// microseconds: callers with many records keep the answer per distinct path.
// It may be called from several goroutines.
func (p Project) Owns(cwd string) bool {
	if p.Root == "" || len(cwd) > maxPath || strings.ContainsRune(cwd, 0) {
		return false
	}
	if foreign(cwd) || foreign(p.Root) {
		return p.ownsByName(cwd)
	}
	if !filepath.IsAbs(cwd) {
		return false
	}
	path, err := resolve(filepath.Clean(cwd))
	if err != nil {
		return false
	}
	found, ours := findPlace(path, &p)
	return ours || found.root != "" && samePath(found.root, p.Root)
}

// ownsByName compares paths of another system, which cannot be looked up here.
func (p Project) ownsByName(cwd string) bool {
	key := pathKey(cwd)
	return keyBelow(key, pathKey(p.Root)) || slices.ContainsFunc(p.Worktrees, func(w string) bool {
		return keyBelow(key, pathKey(w))
	})
}

// place is what a folder belongs to: root is empty if nothing claims it.
type place struct {
	root   string
	common string
}

// findPlace applies the rules of Locate to an absolute, symlink-free path. With
// a project it also answers whether the path reaches the project's root without
// a nearer claim, and takes the project's worktrees as worktrees even where
// nothing is left of them.
func findPlace(path string, p *Project) (found place, ours bool) {
	memory := ""
	for dir := path; ; {
		own := p != nil && memory == "" && samePath(dir, p.Root)
		here := memory == "" && hasMemory(dir)
		var tree gitTree
		top := false
		if !own {
			tree, top = treeAt(dir, p)
		}
		switch {
		case (own || here || top) && dir != path && TooWide(dir):
			return place{root: memory}, false
		case own:
			return place{root: p.Root, common: p.GitCommonDir}, true
		case here:
			memory = dir
		}
		if top {
			return tree.place(path, memory), false
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return place{root: memory}, false
		}
		dir = parent
	}
}

// treeAt gives the git worktree whose top is dir.
func treeAt(dir string, p *Project) (gitTree, bool) {
	tree, ok := openGit(dir)
	if p == nil {
		return tree, ok
	}
	if !ok && slices.ContainsFunc(p.Worktrees, func(w string) bool { return samePath(w, dir) }) {
		tree, ok = gitTree{top: dir, common: p.GitCommonDir, linked: true}, true
	}
	if ok && tree.linked && samePath(tree.common, p.GitCommonDir) {
		tree.main = p.top()
	}
	return tree, ok
}

// top gives the root that the project's worktrees share, which is above the
// project's own where that is a part of a repository.
func (p *Project) top() string {
	for dir := p.Root; ; {
		if tree, ok := openGit(dir); ok {
			if samePath(tree.common, p.GitCommonDir) {
				return tree.main
			}
			return p.Root
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return p.Root
		}
		dir = parent
	}
}

// place gives what path, below the tree's top, belongs to; memory is the
// nearest memory folder's parent between the two, if any.
func (t gitTree) place(path, memory string) place {
	if !t.linked || samePath(t.main, t.top) {
		if memory == "" {
			memory = t.main
		}
		return place{root: memory, common: t.common}
	}
	root := t.main
	rel, err := filepath.Rel(t.top, path)
	if err != nil {
		return place{root: root, common: t.common}
	}
	for rel != "." {
		dir := filepath.Join(t.main, rel)
		if hasMemory(dir) {
			root = dir
			break
		}
		if memory != "" && samePath(filepath.Join(t.top, rel), memory) {
			root = memory // only this worktree's branch has it
			break
		}
		rel = filepath.Dir(rel)
	}
	return place{root: root, common: t.common}
}

func hasMemory(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, MemoryDir))
	return err == nil && info.IsDir()
}
