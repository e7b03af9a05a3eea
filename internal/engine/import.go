package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"recollect/internal/memory"
	"recollect/internal/safefile"
)

// ImportPuffin brings the memory of Puffin's memory plug-in into this project's:
// folder is its memory folder or the one with the Markdown files in it, "" the
// project's own (.puffin/memory). What is remembered already stays; nothing in
// the folder is changed. A project without that folder has nothing to import.
func (e *Engine) ImportPuffin(ctx context.Context, folder string) ([]memory.Imported, error) {
	asked := folder != ""
	if !asked {
		folder = filepath.Join(e.project.Root, ".puffin", "memory")
	}
	if sub := filepath.Join(folder, "branches"); isFolder(sub) {
		folder = sub
	}
	if !isFolder(folder) {
		if asked {
			return nil, &ProjectError{Dir: folder, Err: fs.ErrNotExist}
		}
		return []memory.Imported{}, nil
	}
	if entries, err := safefile.ReadDir(folder, maxImported); err == nil && !slices.ContainsFunc(entries, isMarkdown) {
		return []memory.Imported{}, nil
	}
	if err := e.settle(ctx); err != nil {
		return nil, err
	}
	done, err := e.memories().Import(ctx, folder)
	e.follow(ctx)
	if err != nil && !errors.Is(err, memory.ErrChanged) {
		err = fmt.Errorf("import %s: %w", folder, err)
	}
	if done == nil {
		done = []memory.Imported{}
	}
	return done, err
}

// maxImported is how many files of a folder are looked at before it is imported.
const maxImported = 100_000

func isMarkdown(f fs.DirEntry) bool { return filepath.Ext(f.Name()) == ".md" }

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
