// Package claudecode reads the history that Claude Code keeps: one JSON line
// per record, in a file per session, below projects in its configuration
// folder. It reads what the versions from 1.0 on have written.
//
// What counts is in package history. Beside that:
//   - Subagents are not read: not their files, not the sidechain records that
//     older versions wrote into a session. Their results are tool results.
//   - A prompt that was queued while the assistant was busy counts where it
//     reached it: as a record of its own or as an attachment. The records of the
//     queue itself have no id and do not say whether the person took it back.
//   - An unterminated last line is read again each time. If it is whole it
//     counts already.
package claudecode

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/history"
	"recollect/internal/safefile"
)

// Name is the assistant's.
const Name = "claude-code"

// Options of a source. The zero value reads the user's own history and keeps no
// index.
type Options struct {
	// ConfigDir is Claude Code's configuration folder, or several with commas between
	// them; default: the environment variable CLAUDE_CONFIG_DIR, else .claude in the
	// user's home and claude in the folder for settings there.
	ConfigDir string
	// IndexDir is the folder for what was learnt of each transcript, so that the
	// next run reads only what is new. It belongs to this source alone and may be
	// deleted at any time; it holds no text of a transcript. "" keeps none.
	IndexDir string
	// OwnMarkers are beginnings of prompts, beside history.OwnMarker, that make a
	// session our own call.
	OwnMarkers []string
}

// Source reads Claude Code's history. It may be used by several goroutines, and
// several processes may use one IndexDir.
type Source struct {
	config  string
	refresh refresher
}

// New makes a source. Nothing is read before Open.
func New(o Options) *Source {
	own := append([]string{history.OwnMarker}, o.OwnMarkers...)
	return &Source{
		config:  o.ConfigDir,
		refresh: refresher{dir: o.IndexDir, key: xxhash.Sum64String(strings.Join(own, "\x00")), own: own},
	}
}

// Name gives "claude-code".
func (s *Source) Name() string { return Name }

// Open implements history.Source. It fails if a path of scope.Transcripts cannot
// be read at all, or with ctx.
func (s *Source) Open(ctx context.Context, scope history.Scope) (history.History, error) {
	files, err := s.discover(ctx, scope)
	if err != nil {
		return nil, err
	}
	report := history.Report{Source: Name, Damage: files.damage, Looked: files.tops}
	owns := owner(scope)
	c := &catalog{entries: map[string]entryOf{}, used: map[string]bool{}}
	if len(files.tops) > 0 {
		c = s.refresh.openCatalog(ctx, joinTops(files.tops))
	}
	transcripts, err := s.read(ctx, files, c, owns, &report)
	if err != nil {
		return nil, err
	}
	c.save(true)
	return newView(transcripts, report, owns), nil
}

// owner says which directories are of a scope, asking for each once. It may be
// called by several goroutines.
func owner(scope history.Scope) func(dir string) bool {
	if len(scope.Transcripts) > 0 {
		return func(string) bool { return true }
	}
	var mu sync.Mutex
	known := map[string]bool{}
	return func(dir string) bool {
		mu.Lock()
		defer mu.Unlock()
		owned, ok := known[dir]
		if !ok {
			owned = scope.Project.Owns(dir)
			known[dir] = owned
		}
		return owned
	}
}

func (s *Source) discover(ctx context.Context, scope history.Scope) (*found, error) {
	f := &found{seen: map[string]bool{}}
	if len(scope.Transcripts) == 0 {
		tops, err := s.projects()
		if err != nil {
			return nil, err
		}
		for _, dir := range tops {
			err := f.walk(ctx, dir)
			f.tops = append(f.tops, history.Looked{Folder: dir, Found: !errors.Is(err, os.ErrNotExist)})
			switch {
			case err == nil, errors.Is(err, os.ErrNotExist):
			case errors.Is(err, safefile.ErrTooMany), len(tops) > 1 && ctx.Err() == nil:
				f.damage = append(f.damage, unreadable(dir, err))
			default:
				return nil, fmt.Errorf("claude code's history: %w", err)
			}
		}
	}
	for _, path := range scope.Transcripts {
		abs, err := filepath.Abs(path)
		if err == nil {
			err = f.walk(ctx, abs)
		}
		if err != nil {
			return nil, fmt.Errorf("transcripts: %w", err)
		}
	}
	f.finish()
	return f, nil
}

// read brings the transcripts up to date, several at once, and counts those that
// may have something to do with the scope. Of the others it keeps what names
// sessions: old versions wrote that into whatever file was open.
func (s *Source) read(ctx context.Context, found *found, c *catalog, owns func(string) bool, report *history.Report) ([]*file, error) {
	files := make([]*file, len(found.paths))
	errs := make([]error, len(found.paths))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(found.paths), 8) {
		wg.Go(func() {
			for i := range next {
				files[i], errs[i] = s.readFile(ctx, found.paths[i], c, owns)
			}
		})
	}
	for i := range found.paths {
		next <- i
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := files[:0]
	for i, f := range files {
		if errs[i] != nil {
			report.Damage = append(report.Damage, unreadable(found.paths[i], errs[i]))
			continue
		}
		if f == nil {
			continue
		}
		out = append(out, f)
		report.BytesRead += f.read
		if f.foreign {
			continue
		}
		report.Files++
		report.Bytes += f.size
		report.Records += f.records
		for _, x := range f.strangers {
			report.Strangers = addStranger(report.Strangers, x)
		}
		for _, d := range f.damage {
			d.File = f.path
			report.Damage = append(report.Damage, d)
		}
		if more := f.hurt - len(f.damage); more > 0 {
			report.Damage = append(report.Damage, history.Damage{File: f.path, Kind: history.DamageRecord, Note: fmt.Sprintf("%d more", more)})
		}
	}
	return out, nil
}

// readFile brings one transcript up to date; nil is one that has nothing for the
// scope.
func (s *Source) readFile(ctx context.Context, path string, c *catalog, owns func(string) bool) (*file, error) {
	now, v := c.judge(path, owns)
	if v == foreign {
		return nil, nil
	}
	f, err := s.refresh.refresh(ctx, path)
	if err != nil {
		return nil, err
	}
	if v == unknown {
		c.note(path, now, f.transcript)
	}
	if f.isForeign(owns) {
		f.transcript, f.foreign = &transcript{titles: f.titles}, true
	}
	return f, nil
}

// isForeign says whether a file has records with directories, and none of them
// belongs to the scope.
func (f *file) isForeign(owns func(dir string) bool) bool {
	named := false
	for _, p := range f.places {
		if p.dir == "" {
			continue
		}
		if named = true; owns(p.dir) {
			return false
		}
	}
	return named
}
