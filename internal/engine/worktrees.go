package engine

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

// worktreesFile keeps the work trees that the project ever had: git forgets one
// that is removed, and what was said in it is history all the same.
type worktreesFile struct {
	Version   int      `json:"version"`
	Worktrees []string `json:"worktrees"`
}

const (
	worktreesName    = "worktrees.json"
	worktreesVersion = 1
)

// maxWorktreesFile bounds it: some thousands of paths.
const maxWorktreesFile = 4 << 20

// rememberWorktrees adds those of earlier runs to the project, and says whether
// there are new ones to note.
func (e *Engine) rememberWorktrees() (news bool) {
	known := append(loadWorktrees(e.state()), e.former()...)
	now := e.project.Worktrees
	news = slices.ContainsFunc(now, func(w string) bool { return !slices.Contains(known, w) })
	for _, w := range known {
		if filepath.IsAbs(w) && !slices.Contains(now, w) {
			e.project.Worktrees = append(e.project.Worktrees, w)
		}
	}
	return news
}

// loadWorktrees gives the work trees that a state remembers; none, if that can't be
// read.
func loadWorktrees(state safefile.Folder) []string {
	data, _, err := state.Read(context.Background(), worktreesName, maxWorktreesFile)
	var known worktreesFile
	if err != nil || json.Unmarshal(data, &known) != nil || known.Version > worktreesVersion {
		return nil
	}
	return known.Worktrees
}

// noteWorktrees writes down the work trees that are known now. The caller holds
// the lock.
func (e *Engine) noteWorktrees() error {
	if !e.rememberWorktrees() {
		return nil
	}
	if data, _, err := e.state().Read(context.Background(), worktreesName, maxWorktreesFile); err == nil && newer(data, worktreesVersion) {
		return nil // it is left as it is
	}
	data, err := json.Marshal(worktreesFile{Version: worktreesVersion, Worktrees: e.project.Worktrees})
	if err != nil {
		return err
	}
	return atomicfile.ReplaceIn(e.state(), worktreesName, data, atomicfile.Expect{}, atomicfile.Options{Mode: 0o600})
}

// workTree is the top of the work tree that the engine was opened in: a linked
// one, or the project's root.
func (e *Engine) workTree() (string, error) {
	dir, err := filepath.Abs(e.options.Dir)
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	top := ""
	for _, w := range e.project.Worktrees {
		if rel, err := filepath.Rel(w, dir); err == nil && filepath.IsLocal(rel) && len(w) > len(top) {
			top = w
		}
	}
	if top == "" {
		top = e.project.Root
	}
	return top, nil
}
