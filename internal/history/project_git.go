package history

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/safefile"
)

const (
	maxGitFile   = 1 << 20 // of a file that we read in a git directory
	maxWorktrees = 4096
)

// gitTree is one worktree of a git repository.
type gitTree struct {
	top    string // the worktree's root
	dir    string // its own git directory; empty if .git leads nowhere
	common string // the repository's common directory; empty likewise, or if it is not shown to be this folder's
	main   string // the root that stands for all of its worktrees
	linked bool   // it is not the main worktree
}

// openGit reads the git worktree whose top is dir, or the bare repository that
// dir is. A .git that leads nowhere still bounds a worktree.
//
// What git's files in the folder say may have come with an archive. A common
// directory counts as the folder's only if it lies in the folder, or says itself
// that the folder is its worktree: else any folder could make itself a part of any
// repository, and have its conversations for its own.
func openGit(dir string) (gitTree, bool) {
	tree := gitTree{top: dir, main: dir}
	link := filepath.Join(dir, ".git")
	info, err := os.Stat(link)
	switch {
	case err != nil || !info.IsDir() && !info.Mode().IsRegular():
		if !isGitDir(dir) {
			return gitTree{}, false
		}
		tree.dir = dir
		tree.main = sharedRoot(dir)
	case info.IsDir():
		if !isGitDir(link) {
			return gitTree{}, false
		}
		tree.dir = link
	default:
		tree.dir = gitLink(link)
		if tree.dir == "" {
			return tree, true
		}
	}
	if real, err := filepath.EvalSymlinks(tree.dir); err == nil {
		tree.dir = real
	}
	to, err := readLine(filepath.Join(tree.dir, "commondir"))
	switch {
	case err == nil && to != "":
		common := realPath(joinFrom(tree.dir, to))
		if filepath.Dir(tree.dir) == filepath.Join(common, "worktrees") && worktreeOf(tree.dir) == dir {
			tree.common, tree.linked, tree.main = common, true, sharedRoot(common)
		}
	case within(dir, tree.dir):
		tree.common = tree.dir
	default:
		if _, worktree := coreConfig(tree.dir); worktree != "" && realPath(joinFrom(tree.dir, worktree)) == dir {
			tree.common = tree.dir
		}
	}
	return tree, true
}

// worktreeOf gives the folder that the git directory of a linked worktree says it
// belongs to, "" if it says none.
func worktreeOf(gitDir string) string {
	link, err := readLine(filepath.Join(gitDir, "gitdir"))
	if err != nil || filepath.Base(link) != ".git" {
		return ""
	}
	return realPath(filepath.Dir(joinFrom(gitDir, link)))
}

// within says whether a path is dir or below it. Both are free of links.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// isGitDir asks for what every git directory has: a HEAD, which may be a
// symlink to a branch not born yet, and objects or the way to the common ones.
func isGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	for _, name := range []string{"commondir", "objects"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// gitLink gives the git directory that a .git file names, or "".
func gitLink(file string) string {
	line, err := readLine(file)
	if err != nil {
		return ""
	}
	to, ok := strings.CutPrefix(line, "gitdir:")
	if !ok {
		return ""
	}
	dir := joinFrom(filepath.Dir(file), strings.TrimSpace(to))
	if !isGitDir(dir) {
		return ""
	}
	return dir
}

// sharedRoot gives the root that stands for the worktrees of a common
// directory: the main worktree's; of a bare repository the repository itself,
// or the folder that hides it under a name with a dot.
func sharedRoot(common string) string {
	bare, worktree := coreConfig(common)
	if worktree != "" && !bare {
		if top := realPath(joinFrom(common, worktree)); leadsTo(top, common) {
			return top
		}
	}
	if strings.HasPrefix(filepath.Base(common), ".") {
		return filepath.Dir(common)
	}
	return common
}

// leadsTo says whether the .git of a folder is a git directory or names it.
func leadsTo(top, gitDir string) bool {
	link := filepath.Join(top, ".git")
	info, err := os.Stat(link)
	if err != nil {
		return false
	}
	if !info.IsDir() {
		link = gitLink(link)
	}
	real, err := filepath.EvalSymlinks(link)
	return err == nil && real == gitDir
}

// coreConfig reads core.bare and core.worktree of a repository.
func coreConfig(common string) (bare bool, worktree string) {
	for _, name := range []string{"config", "config.worktree"} {
		data, err := readCapped(filepath.Join(common, name))
		if err != nil {
			continue
		}
		core := false
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, maxGitFile+1)
		for lines.Scan() {
			line := strings.TrimSpace(lines.Text())
			if strings.HasPrefix(line, "[") {
				head, rest, _ := strings.Cut(line, "]")
				core = strings.EqualFold(strings.TrimSpace(head[1:]), "core")
				line = strings.TrimSpace(rest)
			}
			if !core {
				continue
			}
			key, value, has := strings.Cut(line, "=")
			value = strings.TrimSpace(value)
			switch strings.ToLower(strings.TrimSpace(key)) {
			case "bare":
				bare = !has || slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(value))
			case "worktree":
				worktree = unquoteGit(value)
			}
		}
	}
	return bare, worktree
}

// unquoteGit reads a value of git's configuration as far as paths need it.
func unquoteGit(value string) string {
	inner, ok := strings.CutPrefix(value, `"`)
	if !ok {
		return value
	}
	inner = strings.TrimSuffix(inner, `"`)
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(inner)
}

// registeredWorktrees lists the roots of the linked worktrees that a common
// directory knows and that say themselves that they are, sorted.
func registeredWorktrees(common string) []string {
	entries, err := safefile.ReadDir(filepath.Join(common, "worktrees"), maxWorktrees)
	if err != nil && !errors.Is(err, safefile.ErrTooMany) {
		return nil
	}
	var roots []string
	for _, e := range entries {
		dir := filepath.Join(common, "worktrees", e.Name())
		if realPath(dir) != dir {
			continue // another repository's
		}
		if top := worktreeOf(dir); top != "" && leadsTo(top, dir) {
			roots = append(roots, top)
		}
	}
	slices.Sort(roots)
	return slices.Compact(roots)
}

// GitBranch gives the name of the branch that is checked out in the worktree of
// a folder: Detached for a detached head, NoBranch without git. It reads git's
// files, so a branch without a commit has its name too. A *BranchError means that
// there is a repository and its head cannot be read.
func GitBranch(dir string) (string, error) {
	if foreign(dir) {
		return NoBranch, nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("git branch: %w", err)
	}
	path, err := resolve(abs)
	if err != nil {
		return "", fmt.Errorf("git branch: %w", err)
	}
	for {
		if tree, ok := openGit(path); ok {
			if tree.dir == "" {
				return "", &BranchError{fmt.Errorf("%s leads to no repository", filepath.Join(path, ".git"))}
			}
			return headBranch(tree)
		}
		parent := filepath.Dir(path)
		if parent == path {
			return NoBranch, nil
		}
		path = parent
	}
}

// reftableMark is what the file HEAD names where the head is in a reftable.
const reftableMark = "refs/heads/.invalid"

// BranchError says that there is a repository, and that what it has checked out can't
// be read.
type BranchError struct{ Err error }

// Error implements error.
func (e *BranchError) Error() string { return "git branch: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *BranchError) Unwrap() error { return e.Err }

func headBranch(tree gitTree) (string, error) {
	file := filepath.Join(tree.dir, "HEAD")
	ref, err := os.Readlink(file) // how old versions of git wrote it
	if err != nil {
		line, err := readLine(file)
		if err != nil {
			return "", &BranchError{err}
		}
		to, ok := strings.CutPrefix(line, "ref:")
		if !ok {
			return Detached, nil
		}
		ref = strings.TrimSpace(to)
	}
	if ref == reftableMark {
		if ref, err = reftableRef(tree.dir); err != nil {
			return "", &BranchError{fmt.Errorf("the reftable of %s: %w", tree.dir, err)}
		}
		if ref == "" {
			return Detached, nil
		}
	}
	name := strings.TrimPrefix(filepath.ToSlash(ref), "refs/heads/")
	if name == "" {
		return "", &BranchError{fmt.Errorf("%s names no branch", file)}
	}
	return strings.ToValidUTF8(name, "\uFFFD"), nil
}

// readLine gives the first line of a file.
func readLine(file string) (string, error) {
	data, err := readCapped(file)
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return strings.TrimRight(string(line), "\r"), err
}

// readCapped reads one of git's files. None is as large as the limit.
func readCapped(file string) ([]byte, error) {
	data, _, err := safefile.Read(context.Background(), file, maxGitFile)
	return data, err
}

// joinFrom gives the absolute path of what dir names as to.
func joinFrom(dir, to string) string {
	to = filepath.FromSlash(to)
	if filepath.IsAbs(to) {
		return filepath.Clean(to)
	}
	return filepath.Join(dir, to)
}

// realPath is resolve where a path that cannot be resolved may stay as it is.
func realPath(abs string) string {
	if real, err := resolve(abs); err == nil {
		return real
	}
	return abs
}
