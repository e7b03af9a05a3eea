package config

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
	"recollect/internal/unmerged"
)

// Version is the version of the settings files that this program writes and
// the only one that it reads.
const Version = 1

// maxFile bounds a settings file; a real one has a few hundred bytes.
const maxFile = 1 << 20

// FileError says what is wrong with a settings file. The file is left alone.
type FileError struct {
	Path string
	Err  error
}

// Error implements error.
func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *FileError) Unwrap() error { return e.Err }

// File is a settings file. It need not exist.
type File struct {
	Path    string
	read    func() ([]byte, error)
	replace func(text []byte, expect atomicfile.Expect) error
}

// PersonFile is the person's settings file at path.
func PersonFile(path string) File {
	return File{path, func() ([]byte, error) {
		data, _, err := safefile.Read(context.Background(), path, maxFile)
		return data, err
	}, func(text []byte, expect atomicfile.Expect) error {
		return atomicfile.Replace(path, text, expect, atomicfile.Options{})
	}}
}

// ProjectName is the name of a project's settings file in its memory folder.
const ProjectName = "config.json"

// ProjectFile is the settings file in a project's memory folder, beneath which it
// is read and written.
func ProjectFile(folder safefile.Folder) File {
	return File{folder.Path(ProjectName), func() ([]byte, error) {
		data, _, err := folder.Read(context.Background(), ProjectName, maxFile)
		return data, err
	}, func(text []byte, expect atomicfile.Expect) error {
		return atomicfile.ReplaceIn(folder, ProjectName, text, expect, atomicfile.Options{})
	}}
}

// Set sets one key in a file or, if value is nil, takes it out. It gives an error
// that wraps atomicfile.ErrChanged if somebody else changed the file meanwhile.
func (f File) Set(name string, value json.RawMessage) error {
	before, after, err := Encode(f, name, value)
	if err != nil || before != nil && bytes.Equal(before, after) {
		return err
	}
	expect := atomicfile.Absent()
	if before != nil {
		expect = atomicfile.Content(atomicfile.SumOf(before))
	}
	return f.replace(after, expect)
}

// layer is one settings file: the keys that it sets.
type layer struct {
	text   []byte // of the file; nil if there is none
	values map[string]json.RawMessage
}

var byteOrderMark = []byte("\ufeff")

// Load gives the person's settings: what is built in, and above it their file at
// path.
func Load(path string) (Settings, error) {
	s := Default()
	_, err := s.lay(PersonFile(path))
	return s, err
}

// lay puts what a file says over the settings. With an error they are of no use.
func (s *Settings) lay(f File) (*layer, error) {
	l, err := f.layer()
	if err != nil {
		return nil, err
	}
	if err := l.apply(s); err != nil {
		return nil, &FileError{f.Path, err}
	}
	return l, nil
}

// Origin says whose word a setting is.
type Origin string

// The origins, the later ones going before the earlier.
const (
	BuiltIn Origin = "default"
	User    Origin = "user"
	Project Origin = "project"
)

// InForce are the settings that hold in a project.
type InForce struct {
	Settings
	Without  Settings                   // those that hold without the project's file
	From     map[string]Origin          // by key; one that is not here is built in
	Requests []Request                  // of the project, which do not count by themselves; by key
	Given    bool                       // there are some, and they count because the person said yes
	Stands   map[string]json.RawMessage // all that the project's file sets
}

// LoadProject gives the settings of a project: the person's, and above them those
// of the project's file that count by themselves. The others, the requests, count
// together if given says that the person said yes to them; stands is all that the
// file sets.
func LoadProject(person, project File, given func(requests []Request, stands map[string]json.RawMessage) bool) (InForce, error) {
	f := InForce{Settings: Default(), From: map[string]Origin{}}
	own, err := f.lay(person)
	if err != nil {
		return InForce{}, err
	}
	for name := range own.values {
		f.From[name] = User
	}
	f.Without = f.clone()
	l, err := project.layer()
	if err != nil {
		return InForce{}, err
	}
	f.Stands = l.values
	for _, name := range slices.Sorted(maps.Keys(l.values)) {
		counts, asked := alone(f.Without, name, l.values[name])
		if asked != nil {
			f.Requests = append(f.Requests, *asked)
		}
		if counts {
			err = cmp.Or(err, f.take(name, l.values[name]))
		}
	}
	if len(f.Requests) > 0 && given(f.Requests, f.Stands) {
		f.Given = true
		for _, r := range f.Requests {
			err = cmp.Or(err, f.take(r.Key, l.values[r.Key]))
		}
	}
	if err != nil {
		return InForce{}, &FileError{project.Path, err}
	}
	return f, nil
}

// take puts one value of the project in force. Where the person's own word would be
// the same about what is theirs, it stays their word.
func (f *InForce) take(name string, value json.RawMessage) error {
	r, _ := ruleOf(name)
	old, _ := f.Without.Get(name)
	err := applyOne(&f.Settings, name, value)
	if now, _ := f.Get(name); !r.personal || !same(old, now) {
		f.From[name] = Project
	}
	return err
}

// Home says whose file a value of a setting belongs into if nobody says which: the
// project's if it counts there by itself and is about the project, else the
// person's. A nil value, which takes the setting out, goes where it is set.
func (f InForce) Home(name string, value json.RawMessage) Origin {
	r, _ := ruleOf(name)
	if value == nil {
		if _, there := f.Stands[name]; there || !r.personal {
			return Project
		}
		return User
	}
	if counts, _ := alone(f.Without, name, value); counts && !r.personal {
		return Project
	}
	return User
}

// Request is what a project would ask for with a value; nil: nothing.
func (f InForce) Request(name string, value json.RawMessage) *Request {
	if value == nil {
		return nil
	}
	_, asked := alone(f.Without, name, value)
	return asked
}

// Waits says whether a request for another setting waits for a yes.
func (f InForce) Waits(other string) bool {
	return !f.Given && slices.ContainsFunc(f.Requests, func(r Request) bool { return r.Key != other })
}

// Encode gives the text of a settings file with one key set, or, if value is nil,
// unset. It writes nothing: the caller replaces the file. before is the text that
// was read, nil if there is no file.
func Encode(f File, name string, value json.RawMessage) (before, after []byte, err error) {
	l, err := f.layer()
	if err != nil {
		return nil, nil, err
	}
	if value == nil {
		if err := known(name); err != nil {
			return nil, nil, err
		}
		delete(l.values, name)
	} else if err := l.set(name, value); err != nil {
		return nil, nil, err
	}
	after, err = l.encode()
	return l.text, after, err
}

// layer reads a settings file strictly.
func (f File) layer() (*layer, error) {
	l := &layer{values: map[string]json.RawMessage{}}
	data, err := f.read()
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if errors.Is(err, safefile.ErrTooLarge) {
		return nil, &FileError{f.Path, fmt.Errorf("more than %d bytes are too many for settings", maxFile)}
	}
	if err != nil {
		return nil, err
	}
	l.text = data
	if err := l.decode(bytes.TrimPrefix(data, byteOrderMark)); err != nil {
		return nil, &FileError{f.Path, err}
	}
	return l, nil
}

func (l *layer) decode(data []byte) error {
	if _, _, line := unmerged.Sides(data); line > 0 {
		return fmt.Errorf("line %d: git left both sides of a merge here; keep what holds, and take git's marks (<<<<<<<, =======, >>>>>>>) out", line)
	}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(data, &top); err != nil {
		return fmt.Errorf("not readable as JSON: %w", err)
	}
	version := 0
	if err := json.Unmarshal(top["version"], &version); err != nil || version < 1 {
		return errors.New(`"version" must be a number: 1`)
	}
	if version > Version {
		return fmt.Errorf("version %d needs a newer Recollect", version)
	}
	delete(top, "version")
	for name, raw := range top {
		switch {
		case isGroup(name):
			var group map[string]json.RawMessage
			if json.Unmarshal(raw, &group) != nil {
				return &ValueError{name, string(raw), "an object"}
			}
			for sub, v := range group {
				if err := l.set(name+"."+sub, v); err != nil {
					return err
				}
			}
		default:
			if err := l.set(name, raw); err != nil {
				return err
			}
		}
	}
	return nil
}

// isGroup says whether name is an object that holds settings.
func isGroup(name string) bool {
	return name+"." == pluginsPrefix || slices.ContainsFunc(keys, func(k key) bool {
		return strings.HasPrefix(k.Name, name+".")
	})
}

// set checks and keeps one value.
func (l *layer) set(name string, value json.RawMessage) error {
	scratch := Default()
	if err := applyOne(&scratch, name, value); err != nil {
		return err
	}
	if l.values != nil {
		l.values[name] = value
	}
	return nil
}

func (l *layer) apply(s *Settings) error {
	for name, v := range l.values {
		if err := applyOne(s, name, v); err != nil {
			return err
		}
	}
	return nil
}

func applyOne(s *Settings, name string, value json.RawMessage) error {
	for _, k := range keys {
		if k.Name == name {
			if !k.apply(s, value) {
				return &ValueError{name, string(value), k.want}
			}
			return nil
		}
	}
	if err := known(name); err != nil {
		return err
	}
	var object map[string]json.RawMessage
	if !decode(value, &object) {
		return &ValueError{name, string(value), "a JSON object"}
	}
	s.Plugins[strings.TrimPrefix(name, pluginsPrefix)] = value
	return nil
}

func known(name string) error {
	if slices.Contains(Keys(), name) {
		return nil
	}
	if id, ok := strings.CutPrefix(name, pluginsPrefix); ok && validID(id) {
		return nil
	}
	return unknownKey(name)
}

// encode writes the keys in a fixed order, with the line endings and the byte
// order mark of the text that was read.
func (l *layer) encode() ([]byte, error) {
	top := map[string]any{"version": Version}
	for name, v := range l.values {
		group, sub, ok := strings.Cut(name, ".")
		if !ok {
			top[name] = v
			continue
		}
		m, _ := top[group].(map[string]any)
		if m == nil {
			m = map[string]any{}
			top[group] = m
		}
		m[sub] = v
	}
	out, err := json.MarshalIndent(top, "", "  ")
	out = append(out, '\n')
	if bytes.Contains(l.text, []byte("\r\n")) {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	if bytes.HasPrefix(l.text, byteOrderMark) {
		out = append(bytes.Clone(byteOrderMark), out...)
	}
	return out, err
}
