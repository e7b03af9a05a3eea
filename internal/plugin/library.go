package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"recollect/hostapi"
	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

// Library is the plug-ins that a person has: the built-in ones and those that
// were added, with what was approved of them.
//
// Its folder holds plugins.json, the state, and packages/SHA256/, one folder for
// each package that the state names.
type Library struct {
	dir      string
	builtins []fs.FS
}

// NewLibrary gives the library in a folder, which need not exist yet. Each of
// builtins is a package that ships with the program and is approved as it is.
// Nothing is read before it is asked for.
func NewLibrary(dir string, builtins []fs.FS) *Library {
	return &Library{dir: dir, builtins: builtins}
}

// Entry is one plug-in of a library.
type Entry struct {
	ID string `json:"id"`
	// Manifest and SHA256 are those of the approved package, or of the one that
	// waits for approval if none is approved. A built-in has no SHA256.
	Manifest hostapi.Manifest `json:"manifest"`
	SHA256   string           `json:"sha256,omitempty"`
	BuiltIn  bool             `json:"built_in"`
	Approved bool             `json:"approved"`
	Disabled bool             `json:"disabled"` // by the person
	Pending  *Pending         `json:"pending,omitempty"`
	Paused   string           `json:"paused,omitempty"` // why it is paused; see [Host.Metrics]

	fsys fs.FS // of a built-in
}

// Pending is a package that was added and waits for approval.
type Pending struct {
	Manifest hostapi.Manifest `json:"manifest"`
	SHA256   string           `json:"sha256"`
	// More says what it asks for beyond the approved one, in words; empty if
	// nothing is approved.
	More []string `json:"more,omitempty"`
}

// refuses says why the plug-in can't be called; "" if it can.
func (e Entry) refuses() string {
	switch {
	case !e.Approved:
		return "it is not approved yet"
	case e.Disabled:
		return "it is disabled"
	}
	return ""
}

// List gives all plug-ins, the built-in ones first, and what is wrong with the
// library, in words. The built-in ones are there whatever is wrong.
func (l *Library) List() (entries []Entry, problems []string) {
	st, err := l.read()
	if err != nil {
		problems = append(problems, err.Error())
	}
	for _, fsys := range l.builtins {
		e, err := builtin(fsys)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		e.Disabled = st.Plugins[e.ID].Disabled
		entries = append(entries, e)
	}
	var added []Entry
	for id, r := range st.Plugins {
		isBuiltin := slices.ContainsFunc(entries, func(e Entry) bool { return e.ID == id })
		if e, ok := r.entry(id); ok && !isBuiltin {
			added = append(added, e)
			if _, err := os.Stat(l.packageDir(e.SHA256)); err != nil {
				problems = append(problems, fmt.Sprintf("plug-in %s: its package is missing", id))
			}
		}
	}
	slices.SortFunc(added, func(a, b Entry) int { return compare(a.ID, b.ID) })
	return append(entries, added...), problems
}

// Get gives one plug-in. Errors are *Error.
func (l *Library) Get(id string) (Entry, error) {
	for _, fsys := range l.builtins {
		if e, err := builtin(fsys); err == nil && e.ID == id {
			r, _ := l.record(id)
			e.Disabled = r.Disabled
			return e, nil
		}
	}
	r, err := l.record(id)
	if e, ok := r.entry(id); ok {
		return e, nil
	}
	reason := "there is no such plug-in"
	if err != nil {
		reason = err.Error()
	}
	return Entry{}, newError(id, "", KindNotFound, reason, err)
}

// Has says whether a plug-in is here with its package, whether it may be called or
// not.
func (l *Library) Has(id string) bool {
	e, err := l.Get(id)
	if err != nil || e.BuiltIn {
		return err == nil
	}
	_, err = os.Stat(l.packageDir(e.SHA256))
	return !errors.Is(err, fs.ErrNotExist)
}

// builtin reads the manifest of a built-in only: it is checked when the program
// is built, and its module is read when it is needed.
func builtin(fsys fs.FS) (Entry, error) {
	data, err := fs.ReadFile(fsys, hostapi.ManifestName)
	var m hostapi.Manifest
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		return Entry{}, fmt.Errorf("a built-in plug-in can't be read: %w", err)
	}
	return Entry{ID: m.ID, Manifest: m, BuiltIn: true, Approved: true, fsys: fsys}, nil
}

// open reads the package of an entry, checked as when it was added.
func (l *Library) open(e Entry) (*Package, error) {
	var p *Package
	var err error
	if e.BuiltIn {
		p, err = readFS(e.fsys)
	} else {
		p, err = readPackage(l.packageDir(e.SHA256))
	}
	if err != nil {
		return nil, err
	}
	if !e.BuiltIn && (p.SHA256 != e.SHA256 || !sameManifest(p.Manifest, e.Manifest)) {
		return nil, errors.New("its package was changed after it was approved")
	}
	return p, nil
}

func sameManifest(a, b hostapi.Manifest) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && string(x) == string(y)
}

// Add copies the package at path, a folder or a .rplug file, into the library.
// Whether it is new or an update, it waits for approval; an approved version
// stays in force meanwhile. To add what is approved already changes nothing but
// that an update which waits is given up. Errors are *Error.
func (l *Library) Add(path string) (Entry, error) {
	p, err := ReadPackage(path)
	if err != nil {
		return Entry{}, err
	}
	id := p.Manifest.ID
	err = l.update(id, func(r *record, isBuiltin bool) error {
		if isBuiltin {
			return errors.New("a built-in plug-in has this id")
		}
		if reservedID(id) {
			return fmt.Errorf("ids that begin with %s, or look like it, are for built-in plug-ins", ourDomain)
		}
		if r.Approved != nil && r.Approved.SHA256 == p.SHA256 {
			r.Pending = nil
			return l.unpack(p)
		}
		r.Pending = &version{SHA256: p.SHA256, Manifest: p.Manifest}
		return l.unpack(p)
	})
	if err != nil {
		return Entry{}, err
	}
	return l.Get(id)
}

// Approve puts the package that waits into force, if it is the one with this
// digest: the one that the person has seen. It also enables the plug-in.
func (l *Library) Approve(id, sha256 string) error {
	return l.update(id, func(r *record, isBuiltin bool) error {
		switch {
		case isBuiltin:
			return errors.New("it is built in and approved")
		case r.Approved != nil && r.Pending == nil && r.Approved.SHA256 == sha256:
			r.Disabled = false
			return nil
		case r.Pending == nil && r.Approved == nil:
			return errNoPlugin
		case r.Pending == nil || r.Pending.SHA256 != sha256:
			return errors.New("the package that waits for approval is another one than was shown")
		}
		r.Approved, r.Pending, r.Disabled = r.Pending, nil, false
		return nil
	})
}

// Disable keeps a plug-in from being called. It stays approved.
func (l *Library) Disable(id string) error { return l.setDisabled(id, true) }

// Enable undoes Disable.
func (l *Library) Enable(id string) error { return l.setDisabled(id, false) }

func (l *Library) setDisabled(id string, disabled bool) error {
	return l.update(id, func(r *record, isBuiltin bool) error {
		if !isBuiltin && r.Approved == nil && r.Pending == nil {
			return errNoPlugin
		}
		r.Disabled = disabled
		return nil
	})
}

// Remove takes a plug-in out of the library, with its package. What it stored in
// projects stays there.
func (l *Library) Remove(id string) error {
	return l.update(id, func(r *record, isBuiltin bool) error {
		if isBuiltin {
			return errors.New("it is built in: it can be disabled, not removed")
		}
		if r.Approved == nil && r.Pending == nil {
			return errNoPlugin
		}
		*r = record{}
		return nil
	})
}

func (l *Library) packageDir(sha256 string) string { return filepath.Join(l.dir, "packages", sha256) }

// unpack makes the folder of a package whole, by renaming it into place.
func (l *Library) unpack(p *Package) error {
	target := l.packageDir(p.SHA256)
	if there, err := readPackage(target); err == nil && there.SHA256 == p.SHA256 {
		return nil
	}
	if err := safefile.MakePrivate(filepath.Dir(target)); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(target), ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for name, data := range p.files {
		if err := writeSynced(filepath.Join(temp, filepath.FromSlash(name)), data); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	return os.Rename(temp, target)
}

func writeSynced(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, _, err := safefile.Private(name, os.O_WRONLY|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, atomicfile.Sync(f), f.Close())
}
