package history

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	maxGitFile   = 1 << 20 // of a file that we read in a git directory
	maxWorktrees = 4096
)

// gitTree is one worktree of a git repository.
type gitTree struct {
	top    string // the worktree's root
	dir    string // its own git directory; empty if .git leads nowhere
	common string // the repository's common directory; empty likewise
	main   string // the root that stands for all of its worktrees
	linked bool   // it is not the main worktree
}

// openGit reads the git worktree whose top is dir, or the bare repository that
// dir is. A .git that leads nowhere still bounds a worktree.
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
	tree.common = tree.dir
	if to, err := readLine(filepath.Join(tree.dir, "commondir")); err == nil && to != "" {
		tree.common = realPath(joinFrom(tree.dir, to))
		tree.linked = tree.common != tree.dir
	}
	if tree.linked {
		tree.main = sharedRoot(tree.common)
	}
	return tree, true
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
		return realPath(joinFrom(common, worktree))
	}
	if strings.HasPrefix(filepath.Base(common), ".") {
		return filepath.Dir(common)
	}
	return common
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
// directory knows, sorted.
func registeredWorktrees(common string) []string {
	folder, err := os.Open(filepath.Join(common, "worktrees"))
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(maxWorktrees)
	var roots []string
	for _, name := range names {
		dir := filepath.Join(common, "worktrees", name)
		link, err := readLine(filepath.Join(dir, "gitdir"))
		if err != nil || filepath.Base(link) != ".git" {
			continue
		}
		roots = append(roots, realPath(filepath.Dir(joinFrom(dir, link))))
	}
	slices.Sort(roots)
	return slices.Compact(roots)
}

// GitBranch gives the name of the branch that is checked out in the worktree of
// a folder: Detached for a detached head, NoBranch without git. It reads git's
// files, so a branch without a commit has its name too. An error means that
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
				return "", fmt.Errorf("git branch: %s leads to no repository", filepath.Join(path, ".git"))
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

func headBranch(tree gitTree) (string, error) {
	file := filepath.Join(tree.dir, "HEAD")
	ref, err := os.Readlink(file) // how old versions of git wrote it
	if err != nil {
		line, err := readLine(file)
		if err != nil {
			return "", fmt.Errorf("git branch: %w", err)
		}
		to, ok := strings.CutPrefix(line, "ref:")
		if !ok {
			return Detached, nil
		}
		ref = strings.TrimSpace(to)
	}
	if ref == "refs/heads/.invalid" {
		return "", fmt.Errorf("git branch: %s keeps its branches in a reftable, which is not supported", tree.common)
	}
	name := strings.TrimPrefix(filepath.ToSlash(ref), "refs/heads/")
	if name == "" {
		return "", fmt.Errorf("git branch: %s names no branch", file)
	}
	return strings.ToValidUTF8(name, "\uFFFD"), nil
}

// readLine gives the first line of a file.
func readLine(file string) (string, error) {
	data, err := readCapped(file)
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return strings.TrimRight(string(line), "\r"), err
}

// readCapped reads a regular file of bounded size: a pipe would block us.
func readCapped(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: file, Err: errors.New("not a regular file")}
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxGitFile))
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
