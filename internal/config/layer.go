package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/atomicfile"
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

// layer is one settings file: the keys that it sets.
type layer struct {
	text   []byte // of the file; nil if there is none
	values map[string]json.RawMessage
}

var byteOrderMark = []byte("\ufeff")

// Load gives the settings in force from the files at paths, the later one
// winning. A file that is not there sets nothing.
func Load(paths ...string) (Settings, error) {
	s, _, err := LoadTraced(paths...)
	return s, err
}

// LoadTraced is Load, and says for each key that a file sets which of paths it
// was.
func LoadTraced(paths ...string) (Settings, map[string]int, error) {
	s, from := Default(), map[string]int{}
	for i, p := range paths {
		l, err := readLayer(p)
		if err != nil {
			return Settings{}, nil, err
		}
		if err := l.apply(&s); err != nil {
			return Settings{}, nil, &FileError{p, err}
		}
		for name := range l.values {
			from[name] = i
		}
	}
	return s, from, nil
}

// Encode gives the text of the settings file at path with one key set, or, if
// value is nil, unset. It writes nothing: the caller replaces the file. before
// is the text that was read, nil if there is no file.
func Encode(path, name string, value json.RawMessage) (before, after []byte, err error) {
	l, err := readLayer(path)
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

// readLayer reads a settings file strictly.
func readLayer(path string) (*layer, error) {
	l := &layer{values: map[string]json.RawMessage{}}
	data, _, err := atomicfile.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if errors.Is(err, atomicfile.ErrTooLarge) {
		return nil, &FileError{path, fmt.Errorf("more than %d bytes are too many for settings", maxFile)}
	}
	if err != nil {
		return nil, err
	}
	l.text = data
	if err := l.decode(bytes.TrimPrefix(data, byteOrderMark)); err != nil {
		return nil, &FileError{path, err}
	}
	return l, nil
}

func (l *layer) decode(data []byte) error {
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
	return fmt.Errorf("%q: %w", name, ErrUnknownKey)
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

// ValidTarget says whether name can be an injection target: a relative path
// with slashes that stays below the project's root.
func ValidTarget(name string) bool {
	return name != "" && !strings.ContainsAny(name, "\\\x00\n\r") && filepath.IsLocal(filepath.FromSlash(name)) && name != "."
}
