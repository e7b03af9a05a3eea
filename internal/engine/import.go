package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"recollect/internal/memory"
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
	if names, err := filepath.Glob(filepath.Join(folder, "*.md")); err == nil && len(names) == 0 {
		return []memory.Imported{}, nil
	}
	if err := e.settle(ctx); err != nil {
		return nil, err
	}
	done, err := e.memories().Import(ctx, folder)
	if err != nil && !errors.Is(err, memory.ErrChanged) {
		err = fmt.Errorf("import %s: %w", folder, err)
	}
	if done == nil {
		done = []memory.Imported{}
	}
	return done, err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
