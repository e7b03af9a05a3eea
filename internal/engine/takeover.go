package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

// Earlier versions kept a project's state in .recollect/local. What lies there may
// as well have come with a clone or an archive, so none of it counts until the
// person says that it was Recollect on this machine that wrote it. Then it is moved
// to where the state is now.

// Limits of what is taken over.
const (
	maxTakenFiles = 20_000
	maxTakenBytes = 1 << 30
	maxTakenDepth = 4
)

// stateKinds are the parts of an earlier state, and what a person reads of each:
// the words for one file of it and for several.
var stateKinds = []struct{ name, one, many string }{
	{"history", "kept version of a memory", "kept versions of memories"},
	{"archive", "file of the archive", "files of the archive"},
	{"seen", "list of turns that were read", "lists of turns that were read"},
	{"review", "inbox with proposals", "inboxes with proposals"},
	{"storage", "note of plug-ins", "notes of plug-ins"},
	{worktreesName, "list of work trees", "lists of work trees"},
}

// earlier is the folder of the state of earlier versions.
func (e *Engine) earlier() safefile.Folder { return e.folder().Sub(localDir) }

// unit is what is taken over as a whole: a file, or a folder of a branch or plug-in.
type unit struct {
	kind  int
	path  string // from the top of either state
	files []string
	bytes int64
}

// units lists what there is of an earlier state and not in the one now.
func (e *Engine) units() ([]unit, error) {
	var out []unit
	files, bytes := 0, int64(0)
	for k, kind := range stateKinds {
		info, err := e.earlier().Lstat(kind.name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		names := []string{kind.name}
		if info.IsDir() {
			entries, err := e.earlier().Sub(kind.name).ReadDir(maxTakenFiles)
			if err != nil {
				return nil, err
			}
			names = nil
			for _, entry := range entries {
				names = append(names, filepath.Join(kind.name, entry.Name()))
			}
		}
		for _, name := range names {
			if _, err := e.state().Lstat(name); err == nil {
				continue // there is one of this machine by now
			}
			u := unit{kind: k, path: name}
			if err := u.list(e.earlier(), name, maxTakenDepth); err != nil {
				return nil, err
			}
			if files, bytes = files+len(u.files), bytes+u.bytes; files > maxTakenFiles || bytes > maxTakenBytes {
				return nil, &fs.PathError{Op: "read", Path: e.earlier().Path(), Err: safefile.ErrTooMany}
			}
			if len(u.files) > 0 {
				out = append(out, u)
			}
		}
	}
	return out, nil
}

// list adds the files below a name. What is no file is left where it is.
func (u *unit) list(in safefile.Folder, name string, depth int) error {
	info, err := in.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() {
		u.files = append(u.files, name)
		u.bytes += info.Size()
		return nil
	}
	if !info.IsDir() || depth == 0 {
		return nil
	}
	entries, err := in.Sub(name).ReadDir(maxTakenFiles)
	for _, entry := range entries {
		if err == nil && len(u.files) <= maxTakenFiles {
			err = u.list(in, filepath.Join(name, entry.Name()), depth-1)
		}
	}
	return err
}

// stateClaims tells what an earlier version left, or something else brought, where
// the state was.
func (e *Engine) stateClaims(context.Context) ([]Claim, error) {
	units, err := e.units()
	if isRefused(err) {
		return nil, nil // Doctor tells of it
	}
	if err != nil {
		return nil, err
	}
	var out []Claim
	for k, kind := range stateKinds {
		n, saving, sum := 0, 0, sha256.New()
		for _, u := range units {
			if u.kind != k {
				continue
			}
			for _, f := range u.files {
				info, err := e.earlier().Lstat(f)
				if err != nil {
					return nil, err
				}
				fmt.Fprintf(sum, "%q %d %d\n", f, info.Size(), info.ModTime().UnixNano())
				if n++; filepath.Base(f) == "saving" {
					saving++
				}
			}
		}
		if n == 0 {
			continue
		}
		words := number(n, kind.one, kind.many) + " would be used as if Recollect had written " + it(n) + " here"
		if saving > 0 {
			words += ", and an interrupted save in a memory would be completed"
		}
		if kind.name == worktreesName {
			words += ", and what was said in these folders would count as the project's: " + someOf(loadWorktrees(e.earlier()))
		}
		out = append(out, Claim{
			Kind: ClaimState, Name: kind.name, Value: hex.EncodeToString(sum.Sum(nil)),
			Words: words + ". Say yes only if it was Recollect on this machine that wrote " + it(n) + ".",
		})
	}
	return out, nil
}

// isRefused says that what lies somewhere is not as we write it.
func isRefused(err error) bool {
	return errors.Is(err, safefile.ErrOutside) || errors.Is(err, safefile.ErrNotRegular) ||
		errors.Is(err, safefile.ErrTooMany) || errors.Is(err, safefile.ErrTooLarge)
}

// someOf names the first of some paths that somebody else may have written.
func someOf(paths []string) string {
	const most = 5
	var out []string
	for _, p := range paths[:min(len(paths), most)] {
		out = append(out, strconv.QuoteToGraphic(oneLine(p)))
	}
	if more := len(paths) - most; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}

func it(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// takeState takes an earlier state over that the person said yes to; without a yes
// nothing is to be done, as what was taken over is this machine's.
func (e *Engine) takeState(ctx context.Context, claims []Claim) error {
	if len(claims) == 0 {
		return nil
	}
	lock, err := e.lock(ctx, "taking over what an earlier version kept")
	if err != nil {
		return err
	}
	defer lock.Release()
	now, err := e.stateClaims(ctx)
	if err != nil {
		return err
	}
	if digestOf("", now) != digestOf("", claims) {
		return ErrClaimsChanged
	}
	return e.takeOverState(ctx)
}

// takeOverState moves the earlier state, a unit at a time: it is copied whole, gets
// its name in one step, and only then goes from where it was. The caller holds the
// lock.
func (e *Engine) takeOverState(ctx context.Context) error {
	units, err := e.units()
	if err != nil {
		return err
	}
	const staging = "taking"
	for _, u := range units {
		if err := e.state().RemoveAll(staging); err != nil {
			return err
		}
		for _, f := range u.files {
			data, _, err := e.earlier().Read(ctx, f, maxSeen)
			if err != nil {
				return err
			}
			to := e.state().Sub(staging, filepath.Dir(f))
			if err := to.Make(0o700); err != nil {
				return err
			}
			if err := atomicfile.ReplaceIn(to, filepath.Base(f), data, atomicfile.Absent(), atomicfile.Options{Mode: 0o600}); err != nil {
				return err
			}
		}
		if err := e.state().Sub(filepath.Dir(u.path)).Make(0o700); err != nil {
			return err
		}
		if err := e.state().Rename(filepath.Join(staging, u.path), u.path); err != nil {
			return err
		}
		if err := e.earlier().RemoveAll(u.path); err != nil {
			return err
		}
	}
	return e.state().RemoveAll(staging)
}

// hasEarlierState says whether an earlier state waits for the person.
func (e *Engine) hasEarlierState() bool {
	if !e.earlier().IsDir() {
		return false
	}
	units, err := e.units()
	return err == nil && len(units) > 0
}

// diagnoseState says where the state is, and which states have no folder any more.
func (e *Engine) diagnoseState(d *Diagnosis) {
	if e.hasState() {
		d.folder("state", e.state().Path())
	} else {
		d.folder("state", e.states().dir+", nothing of this project yet: the first command that writes makes it")
	}
	if _, err := e.units(); err != nil {
		d.find(Finding{Where: e.earlier().Path(), What: "what lies where an earlier version kept its state is left alone: " + err.Error()})
	}
	for _, root := range e.former() {
		d.fact("earlier place", root+": what was said there is this project's history")
	}
	var left []string
	for _, kind := range stateKinds {
		if _, err := e.earlier().Lstat(kind.name); err == nil {
			left = append(left, kind.name)
		}
	}
	if len(left) > 0 && e.earlier().IsDir() && !e.hasEarlierState() {
		d.find(Finding{Where: e.earlier().Path(), What: strings.Join(left, ", ") + " of an earlier version is not used: there is newer state; it can be removed"})
	}
	ids, err := safefile.ReadDir(e.states().dir, maxRecords)
	if err != nil {
		return
	}
	for _, id := range ids {
		at, _ := e.states().place(id.Name())
		if !id.IsDir() || at.Root == "" || isFolder(at.Root) || id.Name() == filepath.Base(e.state().Top()) {
			continue
		}
		d.find(Finding{Where: e.states().folder(id.Name()).Path(), What: "the state of " + at.Root + ", which is not there any more; it is used if the folder comes back, or is found elsewhere, and goes with recollect uninstall --data"})
	}
}
