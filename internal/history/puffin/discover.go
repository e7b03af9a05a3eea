package puffin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/history"
	"recollect/internal/safefile"
)

var _ history.Discoverer = (*Source)(nil)

// settled is how old a file's last change must be for what is known of it to be
// kept: within the tick of a clock a file can change and look the same.
const settled = 2 * time.Second

const (
	knownVersion = 1
	maxKnown     = 16 << 20
)

// knownFiles is what is kept of files that were counted, so that the next run
// need not read those that are as they were.
type knownFiles struct {
	Version int                  `json:"version"`
	Files   map[string]knownFile `json:"files"` // by path
}

type knownFile struct {
	Size       int64     `json:"size"`
	Changed    time.Time `json:"changed"`
	Sessions   int       `json:"sessions"`
	LastActive time.Time `json:"last_active"`
}

// Discover implements history.Discoverer. Puffin keeps its history in the
// projects: of roots it takes those that have one.
func (s *Source) Discover(ctx context.Context, roots []string) (history.Discovery, error) {
	d := history.Discovery{Source: Name, Where: filepath.Join(folderName, fileName)}
	roots = slices.Compact(slices.Sorted(slices.Values(roots)))
	known := s.loadKnown()
	news := false
	for _, root := range roots {
		if err := ctx.Err(); err != nil {
			return d, err
		}
		path := filepath.Join(root, folderName, fileName)
		info, err := os.Stat(path)
		if root == "" || err != nil {
			continue
		}
		d.Found = true
		if !info.Mode().IsRegular() {
			d.Damage = append(d.Damage, history.Damage{File: path, Kind: history.DamageFile, Note: safefile.ErrNotRegular.Error()})
			continue
		}
		k, ok := known[path]
		if !ok || k.Size != info.Size() || !k.Changed.Equal(info.ModTime()) {
			if k, err = s.count(ctx, root, info); err != nil {
				if ctx.Err() != nil {
					return d, err
				}
				d.Damage = append(d.Damage, history.Damage{File: path, Kind: history.DamageFile, Note: reason(err)})
				continue
			}
			if time.Since(info.ModTime()) > settled {
				known[path], news = k, true
			}
		}
		if k.Sessions > 0 {
			d.Used = append(d.Used, history.Used{Dir: root, Sessions: k.Sessions, LastActive: k.LastActive})
			if d.Folders == nil {
				d.Folders = map[string][]string{}
			}
			d.Folders[root] = []string{filepath.Join(root, folderName)}
		}
	}
	if news {
		s.saveKnown(known)
	}
	return d, nil
}

// count reads a project's file.
func (s *Source) count(ctx context.Context, root string, info fs.FileInfo) (knownFile, error) {
	h, err := s.Open(ctx, history.Scope{Project: history.Project{Root: root}})
	if err != nil {
		return knownFile{}, err
	}
	defer h.Close()
	k := knownFile{Size: info.Size(), Changed: info.ModTime()}
	for _, session := range h.Sessions() {
		k.Sessions++
		if session.LastActive.After(k.LastActive) {
			k.LastActive = session.LastActive
		}
	}
	if report := h.Report(); k.Sessions == 0 && len(report.Damage) > 0 {
		return k, errors.New(fmt.Sprint(report.Damage[0].Kind, " ", report.Damage[0].Note))
	}
	return k, nil
}

func (s *Source) knownPath() string { return filepath.Join(s.indexDir, "found.json") }

// loadKnown gives what is kept; what can't be read is nothing.
func (s *Source) loadKnown() map[string]knownFile {
	var k knownFiles
	if s.indexDir != "" {
		data, _, err := atomicfile.Read(s.knownPath(), maxKnown)
		if err != nil || json.Unmarshal(data, &k) != nil || k.Version != knownVersion {
			k = knownFiles{}
		}
	}
	if k.Files == nil {
		k.Files = map[string]knownFile{}
	}
	return k.Files
}

// saveKnown keeps what is known of files that are there. Without it the next run
// reads more: no reason to fail.
func (s *Source) saveKnown(known map[string]knownFile) {
	if s.indexDir == "" {
		return
	}
	maps.DeleteFunc(known, func(path string, _ knownFile) bool {
		_, err := os.Lstat(path)
		return errors.Is(err, fs.ErrNotExist)
	})
	data, err := json.Marshal(knownFiles{Version: knownVersion, Files: known})
	if err != nil || safefile.MakePrivate(s.indexDir) != nil {
		return
	}
	_ = atomicfile.Replace(s.knownPath(), data, atomicfile.Expect{}, atomicfile.Options{Mode: 0o600})
}
