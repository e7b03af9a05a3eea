package plugin

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/safefile"
)

// What the cache keeps: entries that were used lately, as long as there is room,
// and the folders of other versions for a while, since several may be installed.
const (
	keepEntry   = 60 * 24 * time.Hour
	keepUnmade  = 24 * time.Hour // what a process that died left behind
	keepVersion = 14 * 24 * time.Hour
	keepBytes   = 1 << 30
	maxCached   = 100_000 // entries of a folder that are looked at
)

// prune removes what is no longer worth its room, but the entry named keep.
// What can't be removed now is removed another time.
func (c *codeCache) prune(now time.Time, keep string) {
	total := treeSize(filepath.Join(c.dir, keep))
	for _, e := range folders(c.dir) {
		if e.Name() == keep {
			continue
		}
		dir, age := filepath.Join(c.dir, e.Name()), now.Sub(e.ModTime())
		total += treeSize(dir)
		if age > keepEntry || total > keepBytes || strings.HasSuffix(dir, unmade) && age > keepUnmade {
			_ = os.RemoveAll(dir)
		}
	}
	for _, v := range folders(c.parent) {
		dir := filepath.Join(c.parent, v.Name())
		if dir == c.dir || !strings.HasPrefix(v.Name(), cachePrefix) {
			continue
		}
		last := v.ModTime()
		if entries := folders(dir); len(entries) > 0 && entries[0].ModTime().After(last) {
			last = entries[0].ModTime()
		}
		if now.Sub(last) > keepVersion {
			_ = os.RemoveAll(dir)
		}
	}
}

// folders gives the folders in dir, the last changed one first.
func folders(dir string) []fs.FileInfo {
	entries, err := safefile.ReadDir(dir, maxCached)
	if err != nil && !errors.Is(err, safefile.ErrTooMany) {
		return nil
	}
	var list []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.IsDir() {
			list = append(list, info)
		}
	}
	slices.SortStableFunc(list, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	return list
}

func treeSize(dir string) (n int64) {
	_ = safefile.Walk(context.Background(), dir, maxCached, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it is being removed
		}
		if info, err := d.Info(); err == nil && d.Type().IsRegular() {
			n += info.Size()
		}
		return nil
	})
	return n
}
