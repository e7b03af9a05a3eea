package claudecode

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/internal/history"
	"recollect/internal/safefile"
)

var _ history.Discoverer = (*Source)(nil)

// Discover implements history.Discoverer. A session counts for the directory in
// which it began, whatever its folder is called: two directories can share a
// folder's name. Sessions lie where Claude Code puts them, in a folder of
// projects; deeper ones, which only Open reads, are not looked for. Our own calls
// and sessions in which nobody said anything do not count.
func (s *Source) Discover(ctx context.Context, _ []string) (history.Discovery, error) {
	d := history.Discovery{Source: Name}
	tops, err := s.projects()
	if err != nil {
		return d, err
	}
	d.Where, d.Tops = strings.Join(tops, ", "), tops
	found := &listing{seen: map[string]bool{}}
	for _, top := range tops {
		err := found.list(ctx, top)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil && (len(tops) == 1 || ctx.Err() != nil):
			return d, fmt.Errorf("claude code's history: %w", err)
		case err != nil:
			found.damage = append(found.damage, unreadable(top, err))
		}
		d.Found = true
	}
	if d.Damage = found.damage; !d.Found {
		return d, nil
	}
	c := s.refresh.openCatalog(ctx, strings.Join(tops, "\x00"))
	heads, err := s.heads(ctx, c, found.files)
	if err != nil {
		return d, err
	}
	c.save(false)
	d.Used, d.Folders = usedDirs(found.files, heads)
	for i, h := range heads {
		if h.err != nil {
			d.Damage = append(d.Damage, unreadable(found.files[i].path, h.err))
		}
	}
	return d, nil
}

// listed is a transcript as a folder lists it.
type listed struct {
	path string
	info fs.FileInfo
}

type listing struct {
	files  []listed
	damage []history.Damage
	seen   map[string]bool // real paths of folders, and of files that are linked to
}

// list lists the transcripts in a folder and in the folders in it, each once.
// Symbolic links are followed.
func (l *listing) list(ctx context.Context, top string) error {
	real, err := filepath.EvalSymlinks(top)
	if err != nil || l.seen[real] {
		return err
	}
	l.seen[real] = true
	entries, err := safefile.ReadDir(real, maxFolder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := filepath.Join(top, e.Name())
		if !e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			l.add(path, e)
			continue
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil || l.seen[real] {
			continue // a loop, or a link to nothing
		}
		l.seen[real] = true
		if info, err := os.Stat(real); err == nil && !info.IsDir() {
			l.add(path, e)
			continue
		}
		if e.IsDir() && isTranscript(e) {
			l.damage = append(l.damage, noTranscript(path))
			continue
		}
		below, err := safefile.ReadDir(real, maxFolder)
		if err != nil {
			l.damage = append(l.damage, unreadable(path, err))
		}
		for _, e := range below {
			l.add(filepath.Join(path, e.Name()), e)
		}
	}
	return nil
}

func (l *listing) add(path string, e fs.DirEntry) {
	if !isTranscript(e) {
		return
	}
	if e.IsDir() {
		l.damage = append(l.damage, noTranscript(path))
		return
	}
	info, err := e.Info()
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		info, err = os.Stat(path)
	}
	if err != nil {
		return // a link to nothing, or it was just removed
	}
	if !info.Mode().IsRegular() {
		l.damage = append(l.damage, noTranscript(path))
		return
	}
	l.files = append(l.files, listed{path, info})
}

// looked is the head of a file, or why it can't be read.
type looked struct {
	head
	err error
}

// heads gives the heads of files, reading those that changed, several at once.
func (s *Source) heads(ctx context.Context, c *catalog, files []listed) ([]looked, error) {
	out := make([]looked, len(files))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 8) {
		wg.Go(func() {
			for i := range next {
				out[i] = s.lookAt(c, files[i])
			}
		})
	}
	for i, f := range files {
		if e, ok := c.get(f.path, identityOf(f.info)); ok && e.head.kind != headUnread {
			out[i].head = e.head
		} else if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	wg.Wait()
	return out, ctx.Err()
}

func (s *Source) lookAt(c *catalog, l listed) looked {
	f, _, err := safefile.Open(l.path, history.MaxFile)
	if err != nil {
		return looked{err: err}
	}
	defer f.Close()
	h, err := readHead(f, l.info.Size(), s.refresh.own)
	if err != nil {
		return looked{err: err}
	}
	now := time.Now()
	if h.last == 0 || moment(h.last).After(history.Latest(l.info.ModTime(), now)) {
		h.last = earlier(l.info.ModTime(), now).UnixMicro()
	}
	c.put(l.path, identityOf(l.info), func(e *entryOf) { e.head = h })
	return looked{head: h}
}

// usedDirs sums up the sessions by directory. One whose beginning is too long to
// name a directory is counted where the last other one of its folder is.
func usedDirs(files []listed, heads []looked) ([]history.Used, map[string][]string) {
	neighbour := map[string]head{}
	for i, h := range heads {
		folder := filepath.Dir(files[i].path)
		if h.kind == headSession && h.dir != "" && h.last >= neighbour[folder].last {
			neighbour[folder] = h.head
		}
	}
	byDir, folders := map[string]history.Used{}, map[string][]string{}
	type session struct{ dir, file string }
	counted := map[session]bool{}
	for i, h := range heads {
		if h.kind != headSession || h.err != nil {
			continue
		}
		if h.dir == "" {
			h.dir = neighbour[filepath.Dir(files[i].path)].dir
		}
		if h.dir == "" {
			continue
		}
		u := byDir[h.dir]
		if folder := filepath.Dir(files[i].path); !slices.Contains(folders[h.dir], folder) {
			folders[h.dir] = append(folders[h.dir], folder)
		}
		// A file that was copied to another configuration folder is the same session.
		if key := (session{h.dir, filepath.Base(files[i].path)}); !counted[key] {
			counted[key] = true
			u.Sessions++
		}
		byDir[h.dir] = history.Used{Dir: h.dir, Sessions: u.Sessions, LastActive: later(u.LastActive, moment(h.last))}
	}
	out := make([]history.Used, 0, len(byDir))
	for _, dir := range slices.Sorted(maps.Keys(byDir)) {
		out = append(out, byDir[dir])
	}
	return out, folders
}
