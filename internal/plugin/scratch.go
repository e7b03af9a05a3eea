package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// storage is where the host methods of a plug-in's storage end.
type storage interface {
	// get gives a value; fs.ErrNotExist if there is none.
	get(key string) (string, error)
	// put keeps a value; errQuota if there is no room.
	put(ctx context.Context, key, value string) error
	delete(ctx context.Context, key string) error
	// list gives the keys that begin with prefix, sorted.
	list(prefix string) ([]string, error)
}

// Scratch takes what plug-ins store during a run that shall leave no trace. They
// read the stored values and then what they put themselves; nothing reaches the
// disk, and all is gone with the Scratch. The zero value is empty. It may be used
// by several goroutines.
type Scratch struct {
	mu   sync.Mutex
	laid map[string]map[string]*string // by storage folder and key; nil: deleted
}

// over is a Scratch over a plug-in's storage.
type over struct {
	store
	scratch *Scratch
}

var _, _ storage = store{}, over{}

// values gives the plug-in's part of the scratch. The caller holds its lock.
func (o over) values() map[string]*string {
	if o.scratch.laid == nil {
		o.scratch.laid = map[string]map[string]*string{}
	}
	if o.scratch.laid[o.dir] == nil {
		o.scratch.laid[o.dir] = map[string]*string{}
	}
	return o.scratch.laid[o.dir]
}

func (o over) get(key string) (string, error) {
	o.scratch.mu.Lock()
	value, laid := o.values()[key]
	o.scratch.mu.Unlock()
	switch {
	case !laid:
		return o.store.get(key)
	case value == nil:
		return "", fs.ErrNotExist
	}
	return *value, nil
}

func (o over) put(_ context.Context, key, value string) error {
	o.scratch.mu.Lock()
	defer o.scratch.mu.Unlock()
	keys, size, err := o.counted(key)
	if err != nil {
		return err
	}
	if keys+1 > maxKeys || size+storedSize(key, value) > maxStorageBytes {
		return errQuota
	}
	o.values()[key] = &value
	return nil
}

// counted counts keys and bytes as they would be stored, without one key.
func (o over) counted(except string) (keys int, size int64, err error) {
	hidden := map[string]bool{filepath.Base(o.file(except)): true}
	for key, value := range o.values() {
		hidden[filepath.Base(o.file(key))] = true
		if value != nil && key != except {
			keys++
			size += storedSize(key, *value)
		}
	}
	entries, err := o.entries()
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !hidden[e.Name()] {
			keys++
			size += info.Size()
		}
	}
	return keys, size, err
}

// storedSize is what a value takes in a file.
func storedSize(key, value string) int64 {
	head, err := json.Marshal(key)
	if err != nil {
		return int64(len(key) + len(value))
	}
	return int64(len(head) + 1 + len(value))
}

func (o over) delete(_ context.Context, key string) error {
	o.scratch.mu.Lock()
	defer o.scratch.mu.Unlock()
	o.values()[key] = nil
	return nil
}

func (o over) list(prefix string) ([]string, error) {
	stored, err := o.store.list(prefix)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	o.scratch.mu.Lock()
	defer o.scratch.mu.Unlock()
	keys := []string{}
	for _, key := range stored {
		if _, laid := o.values()[key]; !laid {
			keys = append(keys, key)
		}
	}
	for key, value := range o.values() {
		if value != nil && strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}
