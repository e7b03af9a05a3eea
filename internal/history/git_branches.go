package history

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/safefile"
)

// maxBranches is how many branches of a repository are looked at.
const maxBranches = 20_000

// GitBranches lists the branches of the repository that a folder lies in, from git's
// files: none without git, and what can't be read is left out.
func GitBranches(ctx context.Context, dir string) []string {
	if foreign(dir) {
		return nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	for path := realPath(abs); ; path = filepath.Dir(path) {
		if tree, ok := openGit(path); ok {
			return tree.branches(ctx)
		}
		if filepath.Dir(path) == path {
			return nil
		}
	}
}

func (t gitTree) branches(ctx context.Context) []string {
	if t.common == "" {
		return nil
	}
	common := safefile.Beneath(t.common)
	names := reftableBranches(ctx, t.common)
	_ = common.Sub("refs", "heads").Walk(ctx, maxBranches, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && name != "." && !strings.HasSuffix(name, ".lock") {
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	packed, _, err := common.Read(ctx, "packed-refs", maxRefs)
	if err == nil {
		for line := range bytes.Lines(packed) {
			_, ref, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
			if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok && len(names) < maxBranches {
				names = append(names, name)
			}
		}
	}
	for i := range names {
		names[i] = strings.ToValidUTF8(names[i], "\uFFFD")
	}
	slices.Sort(names)
	return slices.Compact(names)
}
