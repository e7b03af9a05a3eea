package engine

import (
	"context"
	"errors"
	"io/fs"

	"recollect/internal/atomicfile"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/safefile"
)

// maxSeen bounds a file of seen turns: about a million turns.
const maxSeen = 128 << 20

// maxSeenFiles bounds their folder: one for each branch.
const maxSeenFiles = 100_000

// seenStore keeps what was memorized in the project's state.
type seenStore struct{ e *Engine }

func (e *Engine) seen() seenStore { return seenStore{e} }

func (s seenStore) in() safefile.Folder { return s.e.state().Sub("seen") }

func seenName(branch string) string { return memory.FileStem(branch) + ".json" }

// Load implements memorize.SeenStore.
func (s seenStore) Load(branch string) (*memorize.Seen, error) {
	data, _, err := s.in().Read(context.Background(), seenName(branch), maxSeen)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, safefile.ErrTooLarge), errors.Is(err, safefile.ErrNotRegular):
		return &memorize.Seen{}, nil
	case err != nil:
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
	if err := s.e.makeState(); err != nil {
		return err
	}
	if err := s.in().Make(0o700); err != nil {
		return err
	}
	return atomicfile.ReplaceIn(s.in(), seenName(branch), data, atomicfile.Expect{}, atomicfile.Options{Mode: 0o600})
}
