package history

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"recollect/internal/safefile"
)

// maxReflog bounds the log of one branch: some ten thousand commits.
const maxReflog = 8 << 20

// RenamedFrom gives the branch that git renamed to the given one last, in the
// repository of a folder, "" if it tells of none. One that is there again is a branch of
// its own. It reads git's files.
func RenamedFrom(dir, branch string) string {
	tree, ok := treeOf(dir)
	if !ok || tree.common == "" || !validRef(branch) {
		return ""
	}
	common := safefile.Beneath(tree.common)
	log, _, err := common.Read(context.Background(), filepath.Join("logs", "refs", "heads", filepath.FromSlash(branch)), maxReflog)
	if err != nil {
		return ""
	}
	from := ""
	for line := range bytes.Lines(log) {
		_, what, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), "\t")
		old, is := strings.CutPrefix(what, "Branch: renamed refs/heads/")
		if old, is2 := strings.CutSuffix(old, " to refs/heads/"+branch); is && is2 {
			from = old
		}
	}
	if from == "" || from == branch || !validRef(from) || tree.hasBranch(common, from) {
		return ""
	}
	return strings.ToValidUTF8(from, "\uFFFD")
}

// treeOf gives the work tree that a folder lies in.
func treeOf(dir string) (gitTree, bool) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return gitTree{}, false
	}
	path, err := resolve(abs)
	for ; err == nil; path = filepath.Dir(path) {
		if tree, ok := openGit(path); ok || filepath.Dir(path) == path {
			return tree, ok
		}
	}
	return gitTree{}, false
}

// validRef says that a branch's name leads to no file but its own.
func validRef(branch string) bool {
	return branch != "" && filepath.IsLocal(filepath.FromSlash(branch)) && !strings.Contains(branch, "..")
}

// hasBranch also says so of one that can't be told.
func (t gitTree) hasBranch(common safefile.Folder, branch string) bool {
	ref := "refs/heads/" + branch
	if info, err := common.Lstat(filepath.FromSlash(ref)); err == nil && !info.IsDir() {
		return true
	}
	if _, err := common.Lstat("packed-refs"); err != nil {
		return false
	}
	packed, _, err := common.Read(context.Background(), "packed-refs", maxRefs)
	if err != nil {
		return true
	}
	for line := range bytes.Lines(packed) {
		if _, name, ok := strings.Cut(strings.TrimSpace(string(line)), " "); ok && name == ref {
			return true
		}
	}
	return false
}
