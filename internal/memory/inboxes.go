package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
	"recollect/internal/unmerged"
)

const (
	inboxExt     = ".json"
	inboxVersion = 2
	// plainInbox is the version of an inbox with no suggestion, which programs read
	// that know of none.
	plainInbox = 1
)

// ErrFull says that more would wait for review than an inbox holds.
var ErrFull = fmt.Errorf("more than %d items would wait for review", MaxWaiting)

// InboxError says that the file of an inbox can't be read. It is left as it is
// until SetAside.
type InboxError struct {
	Path string
	Err  error
}

// Error implements error.
func (e *InboxError) Error() string {
	return fmt.Sprintf("what waits for review in %s can't be read: %v", e.Path, e.Err)
}

// Unwrap gives the cause.
func (e *InboxError) Unwrap() error { return e.Err }

// Inboxes are the inboxes of a project, one file NAME.json for each branch in the
// folder that Dir gives; FileStem says what NAME is. What is saved replaces only
// what was read, so that several processes may write.
type Inboxes struct {
	Dir func() safefile.Folder
	// Make, if set, makes what Dir lies in before something is written there.
	Make func() error
	// Before is called before each step of writing; tests use it.
	Before func(file string, step atomicfile.Step) error
}

func (x Inboxes) file(branch string) file { return file{x.Dir(), FileStem(branch) + inboxExt} }

// Load reads the inbox of a branch; an empty one if it has none. One that can't
// be read is an *InboxError, one of a newer version wraps ErrNewer.
func (x Inboxes) Load(branch string) (Inbox, Revision, error) {
	b, rev, err := x.read(x.file(branch))
	if rev == "" {
		b.Branch = branch
	}
	return b, rev, err
}

// read reads a file; the empty revision says that there is none.
func (x Inboxes) read(f file) (Inbox, Revision, error) {
	path := f.path()
	data, sum, _, err := readSummed(f)
	switch {
	case errors.Is(err, atomicfile.ErrTooLarge), errors.Is(err, atomicfile.ErrNotRegular):
		return Inbox{}, "", &InboxError{path, err}
	case err != nil || data == nil:
		return Inbox{}, "", err
	}
	ours, theirs, line := unmerged.Sides(data)
	b, err := DecodeInbox(ours)
	if err == nil && line > 0 {
		var other Inbox
		if other, err = DecodeInbox(theirs); err == nil {
			b, err = b.and(other)
		}
	}
	if err == nil && FileStem(b.Branch)+inboxExt != f.name {
		err = fmt.Errorf("it is of branch %q", b.Branch)
	}
	switch {
	case errors.Is(err, ErrNewer):
		return Inbox{}, "", fmt.Errorf("%s: %w", path, err)
	case err != nil:
		return Inbox{}, "", &InboxError{path, err}
	}
	return b, Revision(sum.String()), nil
}

// and gives what waits or was refused in either of two inboxes of one branch, as the
// sides of a merge have them. Of what waits in both the first one's holds.
func (b Inbox) and(o Inbox) (Inbox, error) {
	if b.Branch != o.Branch {
		return b, fmt.Errorf("it is of branch %q and of %q", b.Branch, o.Branch)
	}
	waits := map[string]bool{}
	for _, w := range b.Waiting {
		waits[w.Item.ID] = true
	}
	for _, w := range o.Waiting {
		if !waits[w.Item.ID] {
			b.Waiting = append(b.Waiting, w)
		}
	}
	for _, r := range o.Refused {
		if !slices.Contains(b.Refused, r) {
			b.Refused = append(b.Refused, r)
		}
	}
	b.Done = nil // taken back one at a time, they would meet what they did not know
	return b, checkWaiting(b.Waiting)
}

// Save writes an inbox if its file is still at rev; else it fails with
// ErrChanged. More than it holds is ErrFull. Nothing is written then.
func (x Inboxes) Save(b Inbox, rev Revision) error {
	data, err := b.Encode()
	if err != nil {
		return named(b.Branch, err)
	}
	f := x.file(b.Branch)
	expect := atomicfile.Absent()
	if rev != "" {
		now, sum, _, err := readSummed(f)
		if err != nil {
			return err
		}
		if now == nil || Revision(sum.String()) != rev {
			return named(b.Branch, ErrChanged)
		}
		if bytes.Equal(now, data) {
			return nil
		}
		expect = atomicfile.Content(sum)
	}
	if x.Make != nil {
		if err := x.Make(); err != nil {
			return err
		}
		f = x.file(b.Branch)
	}
	if err := f.in.Make(0o700); err != nil {
		return err
	}
	o := atomicfile.Options{Mode: 0o600}
	if x.Before != nil {
		o.Before = func(s atomicfile.Step) error { return x.Before(filepath.Base(f.name), s) }
	}
	err = atomicfile.ReplaceIn(f.in, f.name, data, expect, o)
	if errors.Is(err, atomicfile.ErrChanged) {
		return named(b.Branch, ErrChanged)
	}
	return err
}

// SetAside moves a file that can't be read out of the way and returns where it
// is.
func (x Inboxes) SetAside(e *InboxError) (string, error) {
	dir, name := x.Dir(), filepath.Base(e.Path)
	aside := asideOf(dir, name)
	return dir.Path(aside), dir.Rename(name, aside)
}

// asideOf gives a name that is free for a file of a folder that can't be read.
func asideOf(dir safefile.Folder, name string) string {
	for n := 1; ; n++ {
		aside := name + damagedExt
		if n > 1 {
			aside = fmt.Sprintf("%s.%d", aside, n)
		}
		if _, err := dir.Lstat(aside); err != nil {
			return aside
		}
	}
}

// maxInboxFiles bounds the folder of the inboxes.
const maxInboxFiles = 100_000

// Held is an inbox as it was read.
type Held struct {
	Inbox
	Revision Revision // of its file
}

// All reads the inboxes of all branches, in the order of their names, and says
// which can't be read.
func (x Inboxes) All() ([]Held, []*InboxError, error) {
	dir := x.Dir()
	entries, err := dir.ReadDir(maxInboxFiles)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	var held []Held
	var damaged []*InboxError
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), inboxExt) || strings.HasPrefix(e.Name(), ".") || e.IsDir() {
			continue
		}
		b, rev, err := x.read(file{dir, e.Name()})
		var bad *InboxError
		switch {
		case errors.As(err, &bad):
			damaged = append(damaged, bad)
		case err != nil:
			return nil, nil, err
		case rev != "":
			held = append(held, Held{b, rev})
		}
	}
	slices.SortFunc(held, func(a, b Held) int { return strings.Compare(a.Branch, b.Branch) })
	return held, damaged, nil
}

// Aside lists the files that were set aside.
func (x Inboxes) Aside() ([]string, error) {
	dir := x.Dir()
	entries, err := dir.ReadDir(maxInboxFiles)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		if strings.Contains(e.Name(), inboxExt+damagedExt) {
			out = append(out, dir.Path(e.Name()))
		}
	}
	return out, err
}

// inboxFile is how an inbox is written.
type inboxFile struct {
	Version int       `json:"version"`
	Branch  string    `json:"branch"` // as writeName writes it
	Layout  Layout    `json:"layout"`
	Waiting []Waiting `json:"waiting"`
	Refused []Refusal `json:"refused"`
	Done    []Decided `json:"done,omitempty"`
}

// Encode gives the text of the inbox's file.
func (b Inbox) Encode() ([]byte, error) {
	if err := checkWaiting(b.Waiting); err != nil {
		return nil, err
	}
	f := inboxFile{b.version(), writeName(b.Branch), b.Layout, b.Waiting, b.Refused, b.Done}
	if f.Waiting == nil {
		f.Waiting = []Waiting{}
	}
	if f.Refused == nil {
		f.Refused = []Refusal{}
	}
	data, err := marshal(f)
	if err == nil && len(data) >= maxFile && f.Done != nil {
		f.Done = nil // rather no undo than no inbox
		data, err = marshal(f)
	}
	if err == nil && len(data) >= maxFile {
		err = ErrFull
	}
	return append(data, '\n'), err
}

// version is that which the inbox is written in.
func (b Inbox) version() int {
	if b.Suggests() || slices.ContainsFunc(b.Done, func(d Decided) bool {
		return slices.ContainsFunc(d.Gone, func(g Gone) bool { return g.Waiting.Suggestion })
	}) {
		return inboxVersion
	}
	return plainInbox
}

// DecodeInbox reads what Encode wrote, strictly.
func DecodeInbox(data []byte) (Inbox, error) {
	var v struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return Inbox{}, err
	}
	if v.Version > inboxVersion {
		return Inbox{}, ErrNewer
	}
	if v.Version < plainInbox {
		return Inbox{}, fmt.Errorf("version %d is unknown", v.Version)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var f inboxFile
	if err := d.Decode(&f); err != nil {
		return Inbox{}, err
	}
	if _, err := d.Token(); err != io.EOF {
		return Inbox{}, errors.New("something stands behind it")
	}
	b := Inbox{readName(f.Branch), f.Layout, f.Waiting, f.Refused, f.Done}
	if len(b.Waiting) == 0 {
		b.Waiting = nil
	}
	if len(b.Refused) == 0 {
		b.Refused = nil
	}
	if err := checkWaiting(b.Waiting); err != nil {
		return Inbox{}, err
	}
	for _, d := range b.Done {
		if err := d.check(); err != nil {
			return Inbox{}, err
		}
	}
	return b, nil
}

// checkWaiting says what of a file could not have been written by Encode.
func checkWaiting(all []Waiting) error {
	if len(all) > MaxWaiting {
		return ErrFull
	}
	ids := make(map[string]bool, len(all))
	suggested := map[string]bool{}
	for _, w := range all {
		suggested[w.Item.ID] = w.Suggestion
	}
	for i, w := range all {
		it := w.Item
		bad := func(what string) error { return fmt.Errorf("item %d: %s", i+1, what) }
		switch {
		case it.ID == "" || ids[it.ID]:
			return bad("no id of its own")
		case it.Section == "" || it.Content == "" || it.Content != Clean(it.Content):
			return bad("no section, or not one line of text")
		case it.State != Active && it.State != Superseded:
			return bad("its state")
		case it.State == Active && it.SupersededBy != "":
			return bad("replaced and active")
		case !(it.Confidence >= 0 && it.Confidence <= 1):
			return bad("its confidence")
		case w.Base != nil && w.Base.State != Active && w.Base.State != Superseded:
			return bad("the state that it has in memory")
		case w.Suggestion && (w.Base != nil || w.Wording || it.State != Active):
			return bad("a suggestion that is no addition")
		case suggested[it.SupersededBy]:
			return bad("replaced by what is only a suggestion")
		case w.Base != nil && w.Base.State != Active && it.State != Active:
			return bad("nothing about it would change")
		}
		ids[it.ID] = true
	}
	return nil
}
