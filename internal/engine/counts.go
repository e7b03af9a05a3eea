package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/atomicfile"
	"recollect/internal/memory"
)

// counts is what was counted of a project, so that looking at it again reads only
// what changed. It is a cache and may be deleted at any time.
type counts struct {
	Version int    `json:"version"`
	Root    string `json:"root"`
	// NewTurns are the turns that were not memorized when Branches last looked.
	NewTurns int                    `json:"new_turns"`
	Counted  time.Time              `json:"counted,omitzero"`
	Memories map[string]countsOfOne `json:"memories"` // by branch
}

// countsOfOne is what a memory with one stamp holds.
type countsOfOne struct {
	Stamp    string          `json:"stamp"`
	Revision memory.Revision `json:"revision"`
	Items    int             `json:"items"` // active ones
	Damage   int             `json:"damage"`
	Known    string          `json:"known"` // names what was known when Unseen was counted
	Unseen   int             `json:"unseen"`
	Held     string          `json:"held,omitempty"` // what prepared.Held must be
	// Unreadable says why the memory can't be loaded; it is never kept.
	Unreadable error `json:"-"`
}

const (
	countsVersion = 1
	maxCounts     = 16 << 20
)

func (e *Engine) countsFile() string {
	return filepath.Join(e.dirs.Cache, "counts", fmt.Sprintf("%016x.json", xxhash.Sum64String(e.project.Root)))
}

// loadCounts gives what was counted; nothing, if that can't be read.
func (e *Engine) loadCounts() counts {
	data, _, err := atomicfile.Read(e.countsFile(), maxCounts)
	if err != nil {
		return counts{Root: e.project.Root, Memories: map[string]countsOfOne{}}
	}
	return decodeCounts(data, e.project.Root)
}

func decodeCounts(data []byte, root string) counts {
	var c counts
	if json.Unmarshal(data, &c) != nil || c.Version != countsVersion || c.Root != root {
		c = counts{Root: root}
	}
	if c.Memories == nil {
		c.Memories = map[string]countsOfOne{}
	}
	return c
}

// saveCounts keeps what was counted. Without it the next look takes longer.
func (e *Engine) saveCounts(c counts) {
	c.Version = countsVersion
	data, err := json.Marshal(c)
	if err != nil || os.MkdirAll(filepath.Dir(e.countsFile()), 0o700) != nil {
		return
	}
	_ = atomicfile.Replace(e.countsFile(), data, atomicfile.Expect{}, atomicfile.Options{Mode: 0o600})
}

// countsNow gives the counts of the memories as they are, and keeps them.
func (e *Engine) countsNow() (counts, error) {
	c := e.loadCounts()
	news, err := e.countMemories(&c)
	if err == nil && news {
		now := e.loadCounts() // another call may have counted turns meanwhile
		now.Memories = c.Memories
		e.saveCounts(now)
	}
	return c, err
}

// countMemories counts what the memories hold, loading those that are not as
// they were, and says whether there was any.
func (e *Engine) countMemories(c *counts) (news bool, err error) {
	store := e.memories()
	names, err := store.Branches()
	if err != nil {
		return false, err
	}
	next := make(map[string]countsOfOne, len(names))
	l := e.lookNow()
	for _, name := range names {
		stamp, names := store.Stamp(name), l.name(name)
		if one, ok := c.Memories[name]; ok && stamp != "" && one.Stamp == stamp && one.Known == names {
			next[name] = one
			continue
		}
		m, rev, err := store.Load(name)
		k, sure := l.at(m)
		if err != nil || !sure {
			stamp = "" // to be looked at again
		}
		next[name] = countsOfOne{
			Stamp: stamp, Revision: rev, Items: len(m.Active()), Damage: len(m.Damage), Unreadable: err,
			Known: names, Unseen: len(unseenOf(m, k)), Held: heldKey(k),
		}
		news = news || stamp != ""
	}
	news = news || len(next) != len(c.Memories)
	c.Memories = next
	return news, nil
}
