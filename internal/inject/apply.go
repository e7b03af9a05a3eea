package inject

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

// maxTries is how often a file is read again because somebody wrote it between
// our reading and our writing.
const maxTries = 10

// writer replaces a file; a test may put faults into its options.
type writer struct {
	options atomicfile.Options
}

// apply puts block into a place, or takes ours out if block is empty.
func apply(ctx context.Context, p *place, block string, m mode) Result {
	return writer{}.apply(ctx, p, block, m)
}

func (w writer) apply(ctx context.Context, p *place, block string, m mode) Result {
	r := Result{Path: p.target, Name: p.name}
	if p.file != "" && filepath.Clean(p.file) != filepath.Clean(p.target) {
		r.File = p.file
	}
	if p.alias {
		r.Outcome, r.Reason = Skipped, p.instead
		return r
	}
	err := p.err
	if err == nil {
		err = w.edit(ctx, p, block, m, &r)
	}
	if err != nil {
		r.Created, r.Deleted = false, false
	}
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal) && block == "" && p.instead == "" && refusal.Problem.holdsNoBlock():
		r.Outcome = Nothing
	case errors.As(err, &refusal):
		refusal.Path = p.target
		r.Outcome, r.Reason, r.Lines, r.Err = Refused, refusal.Reason, refusal.Lines, err
	case err != nil:
		r.Outcome, r.Reason, r.Err = Failed, err.Error(), err
	case p.instead != "":
		r.Reason = p.instead
		if r.Outcome == Nothing {
			r.Outcome, r.Before, r.After = Skipped, "", ""
		}
	}
	return r
}

// edit reads, splices and writes, and begins again if the file was changed in
// between.
func (w writer) edit(ctx context.Context, p *place, block string, m mode, r *Result) error {
	for try := range maxTries {
		if err := wait(ctx, try); err != nil {
			return err
		}
		c, err := plan(p, block)
		if err != nil {
			return explain(err)
		}
		r.Outcome, r.Created, r.Deleted = c.outcome, c.create, c.remove
		if m == forReal {
			err = w.write(p, c)
		} else {
			err = w.check(p, c)
		}
		switch {
		case errors.Is(err, atomicfile.ErrChanged):
			continue
		case err != nil:
			return explain(err)
		case m == asDiffs:
			r.Diff = c.diff(p.target)
		case m == asTexts:
			r.Before, r.After = c.texts()
		}
		return nil
	}
	return refuse(Busy, nil, "somebody else keeps writing it; try again")
}

// wait lets whoever is writing finish: a little longer each time.
func wait(ctx context.Context, try int) error {
	if try == 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(try*try) * time.Millisecond):
		return nil
	}
}

// change is what is to be done with a file.
type change struct {
	outcome        Outcome
	before, after  []byte
	expect         atomicfile.Expect
	create, remove bool
}

func plan(p *place, block string) (change, error) {
	src, sum, _, err := atomicfile.ReadIn(p.folder, p.base, MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		if block == "" {
			return change{outcome: Nothing}, nil
		}
		return change{outcome: Written, after: Create(block), expect: atomicfile.Absent(), create: true}, nil
	}
	if err != nil {
		return change{}, err
	}
	if to, ok := linkText(p.folder, src); ok && block != "" {
		return change{}, refuse(LinkText, nil, "a symbolic link to "+to+" that was checked out as text; inject into "+to+" instead")
	}
	c := change{outcome: Written, before: src, expect: atomicfile.Content(sum)}
	if block == "" {
		c.outcome, c.remove = TakenOut, IsOnlyOurs(src)
	}
	if c.after, err = Splice(src, block); err != nil {
		if block == "" && !mentionsBlock(src) {
			return change{outcome: Nothing}, nil
		}
		return change{}, err
	}
	if bytes.Equal(c.after, src) {
		c.outcome = Unchanged
		if block == "" {
			c.outcome = Nothing
		}
	}
	return c, nil
}

// mentionsBlock reports whether a file that can't be edited may hold our block,
// in whatever encoding it was saved since.
func mentionsBlock(src []byte) bool {
	return mayHoldMarker(bytes.ReplaceAll(src, []byte{0}, nil))
}

// texts are what the file holds before and after the change.
func (c change) texts() (before, after string) {
	before = string(c.before)
	switch {
	case c.remove:
		return before, ""
	case c.outcome == Written || c.outcome == TakenOut:
		return before, string(c.after)
	}
	return before, before
}

func (c change) diff(name string) string {
	if c.outcome != Written && c.outcome != TakenOut {
		return ""
	}
	from, to := name, name
	if c.create {
		from = os.DevNull
	}
	after := c.after
	if c.remove {
		to, after = os.DevNull, nil
	}
	return string(diff.Diff(from, c.before, to, after))
}

func (w writer) write(p *place, c change) error {
	switch {
	case c.outcome != Written && c.outcome != TakenOut:
		return nil
	case c.remove:
		return removeExact(p.folder, p.base, c.before)
	}
	return atomicfile.ReplaceIn(p.folder, p.base, c.after, c.expect, w.options)
}

// check says what write would be refused with.
func (w writer) check(p *place, c change) error {
	switch {
	case c.outcome != Written && c.outcome != TakenOut:
		return nil
	case c.remove:
		return atomicfile.CheckFolder(p.folder.Path())
	}
	return atomicfile.CheckIn(p.folder, p.base, c.expect, w.options)
}

// removeExact removes a file if it still holds want. It is moved aside first,
// so that what an editor saves in between is neither removed nor replaced.
func removeExact(folder safefile.Folder, name string, want []byte) error {
	var dir string
	for try := 0; ; try++ {
		dir = fmt.Sprintf(".recollect-%08x", rand.Uint32())
		err := mkdir(folder, dir)
		if err == nil {
			break
		}
		if try == maxTries || !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	defer folder.Remove(dir)
	aside := filepath.Join(dir, name)
	if err := folder.Rename(name, aside); err != nil {
		return err
	}
	if now, _, err := folder.Read(context.Background(), aside, MaxFile); err != nil || !bytes.Equal(now, want) {
		return errors.Join(atomicfile.ErrChanged, putBack(folder, aside, name))
	}
	return folder.Remove(aside)
}

func mkdir(folder safefile.Folder, name string) error {
	root, err := folder.Root()
	if err != nil {
		return err
	}
	defer root.Close()
	return root.Mkdir(folder.Rel(name), 0o700)
}

// putBack gives a file its name again unless somebody took the name meanwhile.
func putBack(folder safefile.Folder, aside, name string) error {
	root, err := folder.Root()
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Link(folder.Rel(aside), folder.Rel(name)); err == nil {
		return folder.Remove(aside)
	}
	if _, err := folder.Lstat(name); err == nil {
		return nil // aside stays: it is somebody's text
	}
	return folder.Rename(aside, name)
}

// explain makes a refusal of the errors that a person can mend.
func explain(err error) error {
	for _, known := range []struct {
		err     error
		problem Problem
		reason  string
	}{
		{atomicfile.ErrTooLarge, TooLarge, "larger than 4 MiB, which assistants do not read"},
		{atomicfile.ErrNotRegular, NotAFile, "not a regular file"},
		{atomicfile.ErrHardLinked, HardLink, "has further hard links, which a replacement would cut off"},
		{atomicfile.ErrReadOnly, ReadOnly, "read-only"},
		{atomicfile.ErrLoop, BadLink, "a symbolic link that leads in a circle"},
		{atomicfile.ErrDangling, BadLink, "a symbolic link to a file that does not exist"},
		{safefile.ErrOutside, BadLink, "a symbolic link that leads out of its folder, and came while it was looked at"},
		{fs.ErrPermission, ReadOnly, "may not be written"},
	} {
		if errors.Is(err, known.err) {
			return &Refusal{Problem: known.problem, Reason: known.reason, Err: err}
		}
	}
	return err
}
