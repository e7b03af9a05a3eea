package puffin

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"recollect/internal/history"
	"recollect/internal/safefile"
)

const (
	folderName = ".puffin"
	fileName   = "history.json"
	maxFiles   = 10_000
	maxEntries = 1_000_000 // of folders that are looked through for files
)

// candidate is a file that may be Puffin's; it surely is where Puffin keeps it.
type candidate struct {
	path string
	sure bool
}

func isSure(path string) bool { return filepath.Base(filepath.Dir(path)) == folderName }

// find lists the files of a scope, each once, sorted by path.
func find(ctx context.Context, scope history.Scope) ([]candidate, []history.Damage, error) {
	var found []candidate
	var damage []history.Damage
	if len(scope.Transcripts) == 0 {
		for _, root := range append([]string{scope.Project.Root}, scope.Project.Worktrees...) {
			path := filepath.Join(root, folderName, fileName)
			if _, err := os.Stat(path); root != "" && err == nil {
				found = append(found, candidate{path, true}) // what is no file is told of by who opens it
			}
		}
	}
	for _, given := range scope.Transcripts {
		more, bad, err := walk(ctx, given)
		if err != nil {
			return nil, nil, err
		}
		found, damage = append(found, more...), append(damage, bad...)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(found, func(a, b candidate) int { return cmpString(a.path, b.path) })
	found = slices.CompactFunc(found, func(a, b candidate) bool { return a.path == b.path })
	return found, damage, nil
}

// lookedAt gives Puffin's folders of a scope.
func lookedAt(scope history.Scope) []history.Looked {
	if len(scope.Transcripts) > 0 || scope.Project.Root == "" {
		return nil
	}
	var out []history.Looked
	for _, root := range append([]string{scope.Project.Root}, scope.Project.Worktrees...) {
		l := history.Looked{Folder: filepath.Join(root, folderName)}
		_, err := os.Stat(l.Folder)
		if l.Found = err == nil; l.Found || root == scope.Project.Root { // of worktrees only what is there
			out = append(out, l)
		}
	}
	return out
}

// walk looks for the file name at and below a path. It does not follow symlinks
// below it. A path that is missing is the caller's to report: it is no file of
// ours.
func walk(ctx context.Context, given string) (found []candidate, damage []history.Damage, err error) {
	root, err := filepath.Abs(given)
	if err != nil {
		return nil, nil, err
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	err = safefile.Walk(ctx, root, maxEntries, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			if !errors.Is(err, fs.ErrNotExist) {
				damage = append(damage, history.Damage{File: path, Kind: history.DamageFile, Note: reason(err)})
			}
		case d.IsDir():
			if d.Name() == ".git" && path != root {
				return fs.SkipDir
			}
		case d.Name() == fileName && !d.Type().IsRegular() && isSure(path):
			damage = append(damage, history.Damage{File: path, Kind: history.DamageFile, Note: safefile.ErrNotRegular.Error()})
		case d.Name() == fileName && d.Type().IsRegular():
			found = append(found, candidate{path, isSure(path)})
			if len(found) == maxFiles {
				damage = append(damage, history.Damage{File: root, Kind: history.DamageFile, Note: "too many files named " + fileName})
				return fs.SkipAll
			}
		}
		return nil
	})
	if errors.Is(err, safefile.ErrTooMany) {
		damage, err = append(damage, history.Damage{File: root, Kind: history.DamageFile, Note: reason(err)}), nil
	}
	return found, damage, err
}

// looksOurs says whether a file may have Puffin's format, by its beginning: a
// file that is somebody else's need not be read to its end.
func looksOurs(path string) bool {
	f, _, err := safefile.Open(path, history.MaxFile)
	if err != nil {
		return true // the reader says why
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(f, head)
	return bytes.Contains(head[:n], []byte(`"branches"`))
}

// reason is an error without the path, which the damage names already.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

func cmpString(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
