package claudecode

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/history"
	"recollect/internal/safefile"
)

// Bounds of what is looked through for transcripts, in entries of folders. An
// assistant that is used all day for years leaves some ten thousand.
const (
	maxFolder = 200_000   // of one folder
	maxFound  = 1_000_000 // of all
)

// found is the transcripts of a scope.
type found struct {
	paths  []string // sorted, each once
	damage []history.Damage
	// tops are the folders of all projects; none if transcripts were given.
	tops   []history.Looked
	seen   map[string]bool // real paths of folders and files
	looked int             // entries of folders
}

// walk takes in a file or a folder with all that is below it. Symbolic links
// are followed, each folder once, so that a loop of them ends.
func (f *found) walk(ctx context.Context, path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	return f.walkReal(ctx, path, real)
}

// walkReal is walk for a path whose real one is known.
func (f *found) walkReal(ctx context.Context, path, real string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if f.seen[real] {
		return nil
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	f.seen[real] = true
	if !info.IsDir() {
		f.paths = append(f.paths, path)
		return nil
	}
	entries, err := safefile.ReadDir(real, min(maxFolder, maxFound-f.looked))
	if err != nil {
		return err
	}
	f.looked += len(entries)
	for _, e := range entries {
		sub := filepath.Join(path, e.Name())
		if e.IsDir() && isTranscript(e) {
			f.damage = append(f.damage, noTranscript(sub))
			continue
		}
		if !e.IsDir() && e.Type()&fs.ModeSymlink == 0 && !isTranscript(e) {
			continue
		}
		if e.Type()&fs.ModeSymlink != 0 && !isTranscript(e) {
			if target, err := os.Stat(sub); err != nil || !target.IsDir() {
				continue
			}
		}
		if e.Type().IsRegular() {
			if key := filepath.Join(real, e.Name()); !f.seen[key] {
				f.seen[key] = true
				f.paths = append(f.paths, sub)
			}
			continue
		}
		err := error(nil)
		if e.IsDir() {
			err = f.walkReal(ctx, sub, filepath.Join(real, e.Name()))
		} else {
			err = f.walk(ctx, sub)
		}
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			f.damage = append(f.damage, unreadable(sub, err))
		}
	}
	return nil
}

// isTranscript tells sessions from what else lies beside them: subagents' own
// transcripts and the journals of workflows are nobody's words.
func isTranscript(e fs.DirEntry) bool {
	name := e.Name()
	return strings.HasSuffix(name, ".jsonl") && !strings.HasPrefix(name, "agent-") && name != "journal.jsonl"
}

func (f *found) finish() {
	slices.Sort(f.paths)
	f.paths = slices.Compact(f.paths)
}

// noTranscript is what has a transcript's name and is none: a folder, a pipe, a
// device, a socket.
func noTranscript(path string) history.Damage { return unreadable(path, safefile.ErrNotRegular) }

// unreadable describes a file without the path that its error repeats.
func unreadable(path string, err error) history.Damage {
	note := err.Error()
	if i := strings.LastIndex(note, ": "); i >= 0 {
		note = note[i+2:]
	}
	return history.Damage{File: path, Kind: history.DamageFile, Note: note}
}
