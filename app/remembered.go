package app

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

// remembered is what the window itself remembers, in window.json of the
// person's data folder. It may be lost: the first run is then offered again.
type remembered struct {
	Version  int  `json:"version"`
	FirstRun bool `json:"first_run_ended"`
}

const maxRemembered = 64 << 10

func (b *Bridge) rememberedFile() string { return filepath.Join(b.dirs.Data, "window.json") }

func (b *Bridge) remembered() remembered {
	var r remembered
	data, _, err := safefile.Read(context.Background(), b.rememberedFile(), maxRemembered)
	if err != nil || json.Unmarshal(data, &r) != nil {
		return remembered{}
	}
	return r
}

func (b *Bridge) remember(r remembered) error {
	r.Version = 1
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := safefile.MakePrivate(b.dirs.Data); err != nil {
		return err
	}
	expect := atomicfile.Absent()
	before, _, err := safefile.Read(context.Background(), b.rememberedFile(), maxRemembered)
	if err == nil {
		expect = atomicfile.Content(atomicfile.SumOf(before))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return atomicfile.Replace(b.rememberedFile(), append(data, '\n'), expect, atomicfile.Options{Mode: 0o600})
}
