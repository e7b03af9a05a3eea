package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/inject"
)

// yes is what the person said yes to in a project. It is kept where this machine
// keeps its own words about the project, never among its files.
type yes struct {
	Version int       `json:"version"`
	At      time.Time `json:"at,omitzero"` // of the last yes
	// Declined names what was left aside when the person did not want to be told of
	// it any more; see leftAsideDigest.
	Declined string `json:"declined,omitempty"`
	// Settings are the values that may count, by key.
	Settings map[string]json.RawMessage `json:"settings,omitempty"`
	// Links are the ways out of the project that context files may lead.
	Links []inject.Link `json:"links,omitempty"`
	// Asked are targets that a person named, which lead out of the project and wait
	// for their yes.
	Asked []string `json:"asked,omitempty"`
}

const (
	yesName    = "trust.json"
	yesVersion = 1
	maxYes     = 4 << 20 // a file of settings has at most a quarter of that
)

// yes reads what the person said yes to. What can't be read is no yes.
func (e *Engine) yes() yes {
	y, _, _ := e.readYes()
	return y
}

// readYes gives the text besides, nil if there is none.
func (e *Engine) readYes() (yes, []byte, error) {
	text, _, err := e.state().Read(context.Background(), yesName, maxYes)
	if errors.Is(err, fs.ErrNotExist) {
		return yes{}, nil, nil
	}
	if err != nil {
		return yes{}, nil, err
	}
	var y yes
	if err := json.Unmarshal(text, &y); err != nil || y.Version != yesVersion {
		return yes{}, text, nil
	}
	return y, text, nil
}

// changeYes changes what the person said yes to.
func (e *Engine) changeYes(change func(*yes)) error {
	for try := 1; ; try++ {
		y, before, err := e.readYes()
		if err != nil {
			return err
		}
		change(&y)
		y.Version = yesVersion
		after, err := json.Marshal(y)
		if err != nil {
			return err
		}
		expect := atomicfile.Absent()
		if before != nil {
			expect = atomicfile.Content(atomicfile.SumOf(before))
		}
		if after = append(after, '\n'); bytes.Equal(before, after) {
			return nil
		}
		if err := e.makeState(); err != nil {
			return fmt.Errorf("keep what you said yes to: %w", err)
		}
		err = atomicfile.ReplaceIn(e.state(), yesName, after, expect, atomicfile.Options{})
		if !errors.Is(err, atomicfile.ErrChanged) || try == maxSettingTries {
			return err
		}
	}
}
