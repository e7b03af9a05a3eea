package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"recollect/hostapi"
	"recollect/internal/atomicfile"
	"recollect/internal/filelock"
	"recollect/internal/safefile"
)

const (
	stateName    = "plugins.json"
	stateVersion = 1
	maxState     = 16 << 20
)

// state is plugins.json.
type state struct {
	Version int               `json:"version"`
	Plugins map[string]record `json:"plugins"` // by id
}

// record is what the state knows of one plug-in. That of a built-in holds only
// whether it is disabled.
type record struct {
	Disabled bool     `json:"disabled,omitempty"`
	Approved *version `json:"approved,omitempty"`
	Pending  *version `json:"pending,omitempty"`
}

type version struct {
	SHA256   string           `json:"sha256"`
	Manifest hostapi.Manifest `json:"manifest"`
}

var (
	errNoPlugin    = errors.New("there is no such plug-in")
	errStateNewer  = errors.New("the list of plug-ins was written by a newer Recollect")
	errStateBroken = errors.New("the list of plug-ins is damaged; added plug-ins must be approved again")
)

// entry gives the public view of a record; false if it stands for nothing.
func (r record) entry(id string) (Entry, bool) {
	now := r.Approved
	if now == nil {
		now = r.Pending
	}
	if now == nil {
		return Entry{}, false
	}
	e := Entry{ID: id, Manifest: now.Manifest, SHA256: now.SHA256, Approved: r.Approved != nil, Disabled: r.Disabled}
	if p := r.Pending; p != nil {
		e.Pending = &Pending{Manifest: p.Manifest, SHA256: p.SHA256}
		if r.Approved != nil {
			e.Pending.More = more(r.Approved.Manifest, p.Manifest)
		}
	}
	return e, true
}

// more says what the manifest b asks for that a does not, in the host's words.
func more(a, b hostapi.Manifest) []string {
	var list []string
	for _, r := range b.Roles {
		if !slices.Contains(a.Roles, r) {
			list = append(list, fmt.Sprintf("the role %s", r))
		}
	}
	for _, p := range Powers(b) {
		g := b.Capabilities[p.Capability]
		old, had := a.Capabilities[p.Capability]
		widerScope := g.Scope == scopeProject && old.Scope != scopeProject
		widerSections := len(old.Sections) > 0 && (len(g.Sections) == 0 ||
			slices.ContainsFunc(g.Sections, func(s string) bool { return !slices.Contains(old.Sections, s) }))
		if !had || widerScope || widerSections {
			list = append(list, fmt.Sprintf("%s: %s", p.Capability, p.Words))
		}
	}
	return append(list, moreOf(asked(a.Limits), asked(b.Limits))...)
}

// moreOf says which limits are higher in b.
func moreOf(a, b Limits) (list []string) {
	if b.Memory > a.Memory {
		list = append(list, fmt.Sprintf("%d MB of memory instead of %d", b.Memory>>20, a.Memory>>20))
	}
	if b.Wall > a.Wall {
		list = append(list, fmt.Sprintf("%v in one call instead of %v", b.Wall, a.Wall))
	}
	if b.ModelCalls > a.ModelCalls {
		list = append(list, fmt.Sprintf("%d questions to your model in one call instead of %d", b.ModelCalls, a.ModelCalls))
	}
	if b.Fuel > a.Fuel || b.HostCalls > a.HostCalls || b.Request > a.Request || b.Reply > a.Reply || b.Log > a.Log {
		list = append(list, "more steps, calls to the host or text than before")
	}
	return list
}

var digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// record gives that of one plug-in. Each command asks for each plug-in that it
// calls, so the others' manifests are skipped, not parsed, as long as all is
// well.
func (l *Library) record(id string) (record, error) {
	data, _, err := atomicfile.Read(filepath.Join(l.dir, stateName), maxState)
	if err == nil && gjson.ValidBytes(data) && gjson.GetBytes(data, "version").Int() == stateVersion {
		r := gjson.GetBytes(data, "plugins."+gjson.Escape(id))
		var rec record
		if json.Unmarshal([]byte(r.Raw), &rec) == nil && (state{Plugins: map[string]record{id: rec}}).valid() {
			return rec, nil
		}
		if !r.Exists() && !bytes.Contains(data, []byte(`"`+id+`"`)) {
			return record{}, nil
		}
	}
	st, err := parseState(data, err)
	return st.Plugins[id], err
}

// read reads the state. With an error it gives an empty one.
func (l *Library) read() (state, error) {
	data, _, err := atomicfile.Read(filepath.Join(l.dir, stateName), maxState)
	return parseState(data, err)
}

// valid says whether each record is of the plug-in that it stands for.
func (st state) valid() bool {
	for id, r := range st.Plugins {
		for _, v := range []*version{r.Approved, r.Pending} {
			if v != nil && (v.Manifest.ID != id || !digestForm.MatchString(v.SHA256)) {
				return false
			}
		}
	}
	return true
}

// parseState makes sense of what reading the state gave.
func parseState(data []byte, err error) (state, error) {
	empty := state{Version: stateVersion, Plugins: map[string]record{}}
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if err != nil {
		return empty, fmt.Errorf("the list of plug-ins can't be read: %w", err)
	}
	var st state
	if err := json.Unmarshal(data, &st); err != nil || st.Version < 1 {
		return empty, errStateBroken
	}
	if st.Version > stateVersion {
		return empty, errStateNewer
	}
	if !st.valid() {
		return empty, errStateBroken
	}
	if st.Plugins == nil {
		st.Plugins = map[string]record{}
	}
	return st, nil
}

// maxPackages bounds the packages that are looked at in the library.
const maxPackages = 10_000

// rebuild gives a state in which every package of the library waits for
// approval.
func (l *Library) rebuild() state {
	st := state{Version: stateVersion, Plugins: map[string]record{}}
	entries, err := safefile.ReadDir(filepath.Join(l.dir, "packages"), maxPackages)
	if err != nil && !errors.Is(err, safefile.ErrTooMany) {
		return st
	}
	for _, e := range entries {
		if p, err := readPackage(l.packageDir(e.Name())); err == nil && p.SHA256 == e.Name() {
			st.Plugins[p.Manifest.ID] = record{Pending: &version{SHA256: p.SHA256, Manifest: p.Manifest}}
		}
	}
	return st
}

// update changes the record of one plug-in under the library's lock. A damaged
// state is set aside first; a newer one is left alone. Errors are *Error.
func (l *Library) update(id string, change func(r *record, isBuiltin bool) error) error {
	err := l.locked(func() error {
		st, err := l.read()
		name := filepath.Join(l.dir, stateName)
		if errors.Is(err, errStateBroken) {
			err = os.Rename(name, name+".damaged-"+time.Now().UTC().Format("20060102T150405.000"))
			st = l.rebuild()
		}
		if err != nil {
			return err
		}
		isBuiltin := slices.ContainsFunc(l.builtins, func(fsys fs.FS) bool {
			e, err := builtin(fsys)
			return err == nil && e.ID == id
		})
		r := st.Plugins[id]
		if err := change(&r, isBuiltin); err != nil {
			return err
		}
		st.Plugins[id] = r
		if r == (record{}) {
			delete(st.Plugins, id)
		}
		data, err := json.MarshalIndent(st, "", "  ")
		if err != nil {
			return err
		}
		if err := atomicfile.Replace(name, append(data, '\n'), atomicfile.Expect{}, atomicfile.Options{Mode: 0o600}); err != nil {
			return err
		}
		l.sweep(st)
		return nil
	})
	if err == nil {
		return nil
	}
	kind := KindInvalid
	if errors.Is(err, errNoPlugin) {
		kind = KindNotFound
	}
	return newError(id, "", kind, err.Error(), err)
}

func (l *Library) locked(f func() error) error {
	if err := safefile.MakePrivate(l.dir); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*lockWait)
	defer cancel()
	lock, err := filelock.Acquire(ctx, filepath.Join(l.dir, "lock"), filelock.Options{})
	if err != nil {
		return err
	}
	defer lock.Release()
	return f()
}

// sweep removes the packages that the state no longer names, and what an
// interrupted Add left. What can't be removed now is removed next time.
func (l *Library) sweep(st state) {
	used := map[string]bool{}
	for _, r := range st.Plugins {
		for _, v := range []*version{r.Approved, r.Pending} {
			if v != nil {
				used[v.SHA256] = true
			}
		}
	}
	dir := filepath.Join(l.dir, "packages")
	entries, err := safefile.ReadDir(dir, maxPackages)
	if err != nil && !errors.Is(err, safefile.ErrTooMany) {
		return
	}
	for _, e := range entries {
		if !used[e.Name()] {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
