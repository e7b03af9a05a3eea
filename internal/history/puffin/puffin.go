// Package puffin reads the history of Puffin, which keeps all conversations of
// a project in one file, .puffin/history.json: branches of its own (they are no
// git branches), each a list of prompts with their responses. Puffin writes the
// whole file anew after each prompt.
package puffin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"recollect/internal/history"
)

// Name is the assistant's name.
const Name = "puffin"

// Options are the settings of a source. The zero value is what users want.
type Options struct {
	// MaxSize is the largest file that is read, in bytes; 0 is 1 GiB.
	MaxSize int64
	// IndexDir is the folder for what Discover found, so that the next run reads
	// only what changed. It belongs to this source alone and may be deleted at any
	// time; it holds no text. "" keeps nothing.
	IndexDir string
}

const defaultMaxSize = 1 << 30

// Source reads Puffin's history. It keeps the index of each file it has read,
// without the texts, so that a file that did not change costs only its hash. It
// may be used from several goroutines.
type Source struct {
	maxSize  int64
	indexDir string

	mu    sync.Mutex
	known map[string]*file // by path
}

// New makes a source.
func New(o Options) *Source {
	if o.MaxSize <= 0 {
		o.MaxSize = defaultMaxSize
	}
	return &Source{maxSize: o.MaxSize, indexDir: o.IndexDir, known: map[string]*file{}}
}

// Name implements history.Source.
func (s *Source) Name() string { return Name }

// Open implements history.Source. Without given transcripts it reads the
// history.json in the .puffin folder of the project's root and of its
// worktrees. Of given ones it takes the files named history.json that have
// Puffin's format; others are not its own and say nothing.
//
// A file that is being written is read again a few times; if it stays
// unfinished, the prompts that are complete in it are used.
func (s *Source) Open(ctx context.Context, scope history.Scope) (history.History, error) {
	found, damage, err := find(ctx, scope)
	if err != nil {
		return nil, err
	}
	report := history.Report{Source: Name, Damage: damage, Looked: lookedAt(scope)}
	var files []*file
	for _, c := range found {
		if !c.sure && !looksOurs(c.path) {
			continue
		}
		f, fresh, err := s.load(ctx, c.path)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			report.Damage = append(report.Damage, history.Damage{File: c.path, Kind: history.DamageFile, Note: reason(err)})
			continue
		}
		if !f.ours && !c.sure {
			continue
		}
		files = append(files, f)
		report.Files++
		report.Bytes += f.size
		report.Records += f.records
		report.Damage = append(report.Damage, f.damage...)
		if fresh {
			report.BytesRead += f.size
		}
	}
	return newView(s, files, report), nil
}

// load gives the index of a file as it is now, and whether it had to be read
// anew.
func (s *Source) load(ctx context.Context, path string) (f *file, fresh bool, err error) {
	s.mu.Lock()
	old := s.known[path]
	s.mu.Unlock()
	f, err = readStable(ctx, path, s.maxSize, old)
	if err != nil {
		return nil, false, err
	}
	s.mu.Lock()
	s.known[path] = f
	s.mu.Unlock()
	return f, f != old, nil
}

// digest names what parts say, each part apart from the next.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
