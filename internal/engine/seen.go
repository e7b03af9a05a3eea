package engine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"recollect/internal/atomicfile"
	"recollect/internal/memorize"
	"recollect/internal/memory"
)

// maxSeen bounds a file of seen turns: about a million turns.
const maxSeen = 128 << 20

// seenStore keeps what was memorized in the local part of the memory folder.
type seenStore struct{ dir string }

func (e *Engine) seen() seenStore { return seenStore{e.local("seen")} }

func (s seenStore) file(branch string) string {
	return filepath.Join(s.dir, memory.FileStem(branch)+".json")
}

// Load implements memorize.SeenStore.
func (s seenStore) Load(branch string) (*memorize.Seen, error) {
	path := s.file(branch)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() > maxSeen {
		return &memorize.Seen{}, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return memorize.DecodeSeen(data, branch), nil
}

// Save implements memorize.SeenStore.
func (s seenStore) Save(branch string, seen *memorize.Seen) error {
	data, err := seen.Encode(branch)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	return atomicfile.Replace(s.file(branch), data, atomicfile.Expect{}, atomicfile.Options{})
}
