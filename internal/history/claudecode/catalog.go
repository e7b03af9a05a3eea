package claudecode

import (
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/safefile"
)

// catalogVersion changes with the layout below and with what head finds.
const catalogVersion = "recollect claude-code catalog 2\n"

const (
	maxCatalog = 256 << 20
	// settled is how old a file's last change must be: within the tick of a clock
	// a file can change and look the same.
	settled = 2 * time.Second
)

// catalog says of each transcript below a folder what can be told without its
// index, as long as the file system says that it is as it was.
type catalog struct {
	file string // "" keeps none
	key  uint64 // of the options that decide what is found

	mu      sync.Mutex
	entries map[string]entryOf // by path
	used    map[string]bool    // paths that were asked for
	news    bool
}

// entryOf is what is known of one transcript.
type entryOf struct {
	identity
	head head
	// dirs are all directories of its records, if they are known and if nothing
	// in it names a session: then it says nothing to a project that owns none of
	// them.
	dirs []string
}

// openCatalog reads the catalog of the transcripts below a folder. A catalog
// that can't be read is empty.
func (r *refresher) openCatalog(ctx context.Context, folder string) *catalog {
	c := &catalog{key: r.key, entries: map[string]entryOf{}, used: map[string]bool{}}
	if r.dir == "" {
		return c
	}
	c.file = filepath.Join(r.dir, fmt.Sprintf("catalog-%016x", xxhash.Sum64String(folder)))
	if b, _, err := safefile.Read(ctx, c.file, maxCatalog); err == nil {
		if entries, err := decodeCatalog(b, r.key); err == nil {
			c.entries = entries
		}
	}
	return c
}

// get gives what is known of a file that is as it was.
func (c *catalog) get(path string, now identity) (entryOf, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used[path] = true
	e, ok := c.entries[path]
	return e, ok && e.identity == now
}

// put keeps what change says of a file, unless it was changed a moment ago.
func (c *catalog) put(path string, now identity, change func(*entryOf)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[path]
	if age := time.Since(time.Unix(0, now.mtime)); age < settled {
		if ok {
			delete(c.entries, path)
			c.news = true
		}
		return
	}
	if e.identity != now {
		e = entryOf{identity: now}
	}
	change(&e)
	c.entries[path], c.news = e, true
}

// save writes the catalog if there is something new; all says that every file
// was asked for, so that the others are gone. Without it the next run reads more:
// no reason to fail.
func (c *catalog) save(all bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for path := range c.entries {
		if all && !c.used[path] {
			delete(c.entries, path)
			c.news = true
		}
	}
	if c.file == "" || !c.news {
		return
	}
	_ = writeCache(c.file, func(f *os.File) error { return encodeCatalog(f, c.key, c.entries) })
	c.news = false
}

// verdict is what a catalog says of a transcript to a scope.
type verdict uint8

const (
	unknown verdict = iota
	known           // to be read: it may be the scope's
	foreign         // it is as it was and has nothing for the scope
)

// judge looks at a file without opening it.
func (c *catalog) judge(path string, owns func(dir string) bool) (identity, verdict) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return identity{}, known
	}
	now := identityOf(info)
	e, ok := c.get(path, now)
	switch {
	case !ok || len(e.dirs) == 0:
		return now, unknown
	case now.stamp == 0 || slices.ContainsFunc(e.dirs, owns):
		return now, known
	}
	return now, foreign
}

// note keeps the directories of a file that was read. It is never asked of a
// file with names of sessions, since those count in all scopes.
func (c *catalog) note(path string, now identity, t *transcript) {
	var dirs []string
	for _, p := range t.places {
		dirs = addNew(dirs, p.dir)
	}
	if len(t.titles) == 0 && len(dirs) > 0 {
		c.put(path, now, func(e *entryOf) { e.dirs = dirs })
	}
}

func mixStamp(ino uint64, changed int64) uint64 {
	return max(1, ino*0x9E3779B97F4A7C15^uint64(changed))
}

func identityOf(info fs.FileInfo) identity {
	return identity{info.Size(), info.ModTime().UnixNano(), stampOf(info)}
}

func encodeCatalog(w *os.File, key uint64, entries map[string]entryOf) error {
	e := &encoder{w: w, b: make([]byte, 0, 40<<10)}
	e.sum.Reset()
	e.b = append(e.b, catalogVersion...)
	e.hash(key)
	e.num(uint64(len(entries)))
	for path, x := range entries {
		e.str(path)
		e.int(x.size)
		e.int(x.mtime)
		e.hash(x.stamp)
		e.num(uint64(x.head.kind))
		e.str(x.head.dir)
		e.int(x.head.last)
		e.num(uint64(len(x.dirs)))
		for _, d := range x.dirs {
			e.str(d)
		}
	}
	e.flush()
	e.hash(e.sum.Sum64())
	e.flush()
	return e.err
}

func decodeCatalog(b []byte, key uint64) (map[string]entryOf, error) {
	if len(b) < len(catalogVersion)+8 || string(b[:len(catalogVersion)]) != catalogVersion {
		return nil, errIndex
	}
	end := len(b) - 8
	if binary.LittleEndian.Uint64(b[end:]) != xxhash.Sum64(b[:end]) {
		return nil, errIndex
	}
	d := &decoder{b: b[len(catalogVersion):end]}
	if d.hash() != key {
		return nil, errIndex
	}
	n := d.count(15)
	entries := make(map[string]entryOf, n)
	known := map[string]string{} // few directories have many transcripts
	dir := func() string {
		s := d.str()
		if k, ok := known[s]; ok {
			return k
		}
		known[s] = s
		return s
	}
	for range n {
		path := d.str()
		x := entryOf{identity: identity{d.int(), d.int(), d.hash()}}
		x.head = head{kind: headKind(d.u32(int(headKinds))), dir: dir(), last: d.int()}
		for range d.count(1) {
			x.dirs = append(x.dirs, dir())
		}
		entries[path] = x
	}
	if d.bad || len(d.b) > 0 {
		return nil, errIndex
	}
	return entries, nil
}
