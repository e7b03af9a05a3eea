package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"recollect/internal/printable"
)

// Bounds of a configuration's schema, which a stranger wrote: reading and
// applying it must be cheap. Regular expressions take linear time in Go, but
// repetitions make large programs of small texts.
const (
	maxSchemaDepth   = 64
	maxSchemaSize    = 5_000 // subschemas, with what they refer to in their place
	maxPatterns      = 64
	maxPatternLength = 256
)

// compileSchema reads a JSON Schema of draft 2020-12 (or 7). It may refer to its
// own "$defs" only, and not to itself: a form has an end. An error is the rest of
// a sentence about the manifest.
func compileSchema(raw json.RawMessage) (s *jsonschema.Resolved, err error) {
	if err := checkDepth(raw); err != nil {
		return nil, fmt.Errorf(`"config" is not JSON: %w`, err)
	}
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return nil, errors.New(`"config" must be a JSON Schema object`)
	}
	err = guard(func() error {
		root := new(jsonschema.Schema)
		if err := json.Unmarshal(raw, root); err != nil {
			return err
		}
		w := schemaWalk{root: root, size: map[*jsonschema.Schema]int{}}
		if _, err := w.walk(root); err != nil {
			return err
		}
		s, err = root.Resolve(nil)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf(`"config" is not a JSON Schema that can be used: %s`, printable.Line(strings.ReplaceAll(err.Error(), "\n", "; "), 300))
	}
	return s, nil
}

// checkDepth refuses what is not JSON or is nested deep: the schema's decoder
// reads each level anew.
func checkDepth(raw []byte) error {
	depth := 0
	for dec := json.NewDecoder(bytes.NewReader(raw)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth > maxSchemaDepth {
			return fmt.Errorf("it is nested deeper than %d", maxSchemaDepth)
		}
	}
}

// schemaWalk checks every subschema and counts them as often as they are applied.
type schemaWalk struct {
	root     *jsonschema.Schema
	size     map[*jsonschema.Schema]int // -1: being counted
	patterns int
}

func (w *schemaWalk) walk(s *jsonschema.Schema) (int, error) {
	if s == nil {
		return 0, errors.New("a schema is null")
	}
	if n, ok := w.size[s]; ok {
		if n < 0 {
			return 0, errors.New("it refers to itself")
		}
		return n, nil
	}
	w.size[s] = -1
	if err := w.check(s); err != nil {
		return 0, err
	}
	children := subschemas(s)
	if s.Ref != "" {
		to, err := w.resolve(s.Ref)
		if err != nil {
			return 0, err
		}
		children = append(children, to)
	}
	total := 1
	for _, c := range children {
		n, err := w.walk(c)
		if err != nil {
			return 0, err
		}
		if total += n; total > maxSchemaSize {
			return 0, fmt.Errorf("it comes to more than %d schemas", maxSchemaSize)
		}
	}
	w.size[s] = total
	return total, nil
}

var schemaTypes = []string{"null", "boolean", "object", "array", "number", "string", "integer"}

// check looks at what the library takes on trust.
func (w *schemaWalk) check(s *jsonschema.Schema) error {
	if s.DynamicRef != "" || s.DynamicAnchor != "" {
		return errors.New("it uses dynamic references")
	}
	if s.ID != "" && s != w.root {
		return errors.New(`it has an "$id" within`)
	}
	for _, t := range append(slices.Clone(s.Types), s.Type) {
		if t != "" && !slices.Contains(schemaTypes, t) {
			return fmt.Errorf("there is no type %s", printable.Quote(t, 80))
		}
	}
	if s.MultipleOf != nil && *s.MultipleOf <= 0 {
		return errors.New(`"multipleOf" must be above 0`)
	}
	patterns := []string{}
	if s.Pattern != "" {
		patterns = append(patterns, s.Pattern)
	}
	for p := range s.PatternProperties {
		patterns = append(patterns, p)
	}
	for _, p := range patterns {
		if w.patterns++; w.patterns > maxPatterns {
			return fmt.Errorf("it has more than %d regular expressions", maxPatterns)
		}
		if len(p) > maxPatternLength {
			return fmt.Errorf("a regular expression is longer than %d bytes", maxPatternLength)
		}
	}
	return nil
}

// resolve finds what a reference within the schema means.
func (w *schemaWalk) resolve(ref string) (*jsonschema.Schema, error) {
	defs, name := w.root.Defs, ""
	var ok bool
	if name, ok = strings.CutPrefix(ref, "#/$defs/"); !ok {
		defs = w.root.Definitions
		name, ok = strings.CutPrefix(ref, "#/definitions/")
	}
	if !ok || strings.ContainsAny(name, "/~%") {
		return nil, fmt.Errorf(`it refers to %s, which is not one of its "$defs"`, printable.Quote(ref, 200))
	}
	to := defs[name]
	if to == nil {
		return nil, fmt.Errorf(`%s is not one of its "$defs"`, printable.Quote(ref, 200))
	}
	return to, nil
}

// subschemas gives the schemas that a schema holds, whatever for.
func subschemas(s *jsonschema.Schema) (list []*jsonschema.Schema) {
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i).Interface().(type) {
		case *jsonschema.Schema:
			if f != nil {
				list = append(list, f)
			}
		case []*jsonschema.Schema:
			list = append(list, f...)
		case map[string]*jsonschema.Schema:
			for _, c := range f {
				list = append(list, c)
			}
		}
	}
	return list
}
