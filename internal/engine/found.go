package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"recollect/internal/config"
	"recollect/internal/history"
)

// errNoProject says that there is nothing in a folder that makes it a project.
var errNoProject = errors.New("no project is here: neither a git repository, nor what an assistant said, nor a memory folder")

// wideError says that a folder holds more than one project can.
type wideError struct{ root string }

// Error implements error.
func (e *wideError) Error() string {
	return fmt.Sprintf("%s is no project: it is your home folder, one that holds it, the top of a disk, or for temporary files", e.root)
}

// TooWide says that the project is a folder that holds more than one can and that
// the person did not say yes to.
func (e *Engine) TooWide() bool {
	return history.TooWide(e.project.Root) && e.record(e.project.Root).Wide.IsZero()
}

// isProject says whether there is anything that makes the folder a project: a memory
// folder, git, a person who named it, or turns.
func (e *Engine) isProject(ctx context.Context) (bool, error) {
	if e.hasMemoryFolder() || e.project.GitCommonDir != "" || !e.record(e.project.Root).Added.IsZero() {
		return true, nil
	}
	return e.hasTurns(ctx, nil)
}

// hasTurns says whether the history has turns, of some branches if any are named.
func (e *Engine) hasTurns(ctx context.Context, branches []string) (bool, error) {
	h, err := e.openHistory(ctx)
	if err != nil {
		return false, err
	}
	defer h.Close()
	if branches == nil {
		branches = []string{"*"}
	}
	for _, b := range branches {
		if len(h.Refs(b)) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// settle makes the memory folder of a project, or what is missing of it. Where
// nothing makes the folder a project, only Init does.
func (e *Engine) settle(ctx context.Context) error {
	is, err := e.isProject(ctx)
	if err != nil {
		return err
	}
	if !is {
		return errNoProject
	}
	_, err = e.Init(ctx)
	return err
}

// anyToMemorize looks, where there is no memory folder yet, whether a memorize would
// find a turn, so that one that can't or need not be done makes none.
func (e *Engine) anyToMemorize(ctx context.Context, o MemorizeOptions) (bool, error) {
	if err := cmp.Or(ctx.Err(), e.mayWrite()); err != nil {
		return false, err
	}
	if _, err := e.parts(o.Extractors, nil, scratch(true)); err != nil {
		return false, err
	}
	h, err := e.openHistory(ctx)
	if err != nil {
		return false, err
	}
	branches, err := e.chosen(h, o)
	if err := errors.Join(err, h.Close()); err != nil {
		return false, err
	}
	if is, err := e.isProject(ctx); err != nil || !is {
		return false, cmp.Or(err, errNoProject)
	}
	if len(branches) == 0 {
		return false, nil
	}
	return e.hasTurns(ctx, branches)
}

// nothingToSet says that a change of the project's settings is none, or can't be
// made, which is known before a memory folder is.
func (e *Engine) nothingToSet(name string, next func(config.InForce) (json.RawMessage, bool, error)) (bool, error) {
	before, err := e.load()
	if err != nil {
		return true, err
	}
	value, write, err := next(before)
	if err != nil || !write || value == nil {
		return true, err
	}
	_, _, err = config.Encode(e.file(config.Project), name, value)
	return err != nil, err
}

// diagnoseWide finds memory folders that an earlier version made in a home folder.
func (e *Engine) diagnoseWide(d *Diagnosis) {
	for _, home := range history.Homes() {
		left := filepath.Join(home, history.MemoryDir)
		if _, err := os.Lstat(left); errors.Is(err, fs.ErrNotExist) || err != nil || !e.record(home).Wide.IsZero() {
			continue
		}
		d.find(Finding{Where: left, What: "an earlier version took your home folder for a project; it is no longer the memory of the folders below. " +
			"recollect -p " + home + " show reads it. Move it away, or, if you want it, keep it: recollect -p " + home + " init --yes"})
	}
}
