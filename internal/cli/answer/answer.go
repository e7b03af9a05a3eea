// Package answer writes what a command answers as JSON of one shape, whatever the
// types of the program are: names in small letters with underscores, lists that are
// there even if they are empty, times in RFC 3339 with their zone, durations in whole
// milliseconds (NAME_ms) and money in US dollars (usd). What else is not there is
// left out.
package answer

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Unit is how a number is written.
type Unit int

// The units.
const (
	Plain        Unit = iota
	Milliseconds      // of a time.Duration
	Dollars           // of an int64 that is called money: millionths of a US dollar
)

const money = "money"

var (
	durationType  = reflect.TypeFor[time.Duration]()
	timeType      = reflect.TypeFor[time.Time]()
	marshalerType = reflect.TypeFor[json.Marshaler]()
	textType      = reflect.TypeFor[encoding.TextMarshaler]()
)

// Write writes a value as indented JSON with a line ending.
func Write(w io.Writer, v any) error {
	e := encoder{fields: map[reflect.Type][]Field{}}
	e.leaf = json.NewEncoder(&e.out)
	e.leaf.SetEscapeHTML(false)
	if err := e.value(reflect.ValueOf(v), Plain); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, e.out.Bytes(), "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err := w.Write(out.Bytes())
	return err
}

// Field is a field of a struct as it is written.
type Field struct {
	Name      string
	Unit      Unit
	Type      reflect.Type
	MayBeLeft bool // there are values for which it is left out
	index     []int
	empty     bool // left out where it is empty, as encoding/json has it
}

// Fields gives the fields of a struct in their order, those of embedded ones among
// them.
func Fields(t reflect.Type) []Field {
	var out []Field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			for _, inner := range Fields(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				out = append(out, inner)
			}
			continue
		}
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		field := Field{Name: small(name), Type: f.Type, index: []int{i}, empty: strings.Contains(options, "omitempty")}
		list := f.Type.Kind() == reflect.Slice && !Opaque(f.Type)
		field.MayBeLeft = !list && strings.Contains(options, "omit") || f.Type == timeType || f.Type.Kind() == reflect.Pointer
		switch {
		case f.Type == durationType:
			field.Unit, field.Name = Milliseconds, strings.TrimSuffix(field.Name, "_ns")+"_ms"
		case name == money && f.Type.Kind() == reflect.Int64:
			field.Unit, field.Name = Dollars, "usd"
		}
		out = slices.DeleteFunc(out, func(before Field) bool { return before.Name == field.Name }) // an embedded one
		out = append(out, field)
	}
	return out
}

// small writes "itemId" as "item_id".
func small(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// left says that a field is left out.
func (f Field) left(v reflect.Value) bool {
	switch {
	case !f.MayBeLeft:
		return false
	case v.Type() == timeType:
		return v.Interface().(time.Time).IsZero()
	case v.Kind() == reflect.Map || v.Kind() == reflect.Slice:
		return v.IsNil() || f.empty && v.Len() == 0
	}
	return v.IsZero()
}

type encoder struct {
	out    bytes.Buffer
	leaf   *json.Encoder // into out
	fields map[reflect.Type][]Field
}

func (e *encoder) value(v reflect.Value, unit Unit) error {
	if !v.IsValid() || (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil() {
		e.out.WriteString("null")
		return nil
	}
	t := v.Type()
	switch {
	case unit == Milliseconds:
		e.out.WriteString(strconv.FormatInt(time.Duration(v.Int()).Round(time.Millisecond).Milliseconds(), 10))
		return nil
	case unit == Dollars:
		e.out.WriteString(strconv.FormatFloat(math.Round(float64(v.Int()))/1e6, 'f', -1, 64))
		return nil
	case Opaque(t):
		return e.plain(v.Interface())
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
		return e.value(v.Elem(), Plain)
	case reflect.Struct:
		return e.object(v)
	case reflect.Map:
		return e.byKey(v)
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return e.plain(v.Interface())
		}
		return e.list(v)
	}
	return e.plain(v.Interface())
}

// Opaque holds for types that say themselves how they are written.
func Opaque(t reflect.Type) bool { return t.Implements(marshalerType) || t.Implements(textType) }

func (e *encoder) object(v reflect.Value) error {
	t := v.Type()
	fields, known := e.fields[t]
	if !known {
		fields = Fields(t)
		e.fields[t] = fields
	}
	e.out.WriteByte('{')
	first := true
	for _, f := range fields {
		inner := v.FieldByIndex(f.index)
		if f.left(inner) {
			continue
		}
		if err := e.member(&first, f.Name); err != nil {
			return err
		}
		if err := e.value(inner, f.Unit); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	e.out.WriteByte('}')
	return nil
}

func (e *encoder) byKey(v reflect.Value) error {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	e.out.WriteByte('{')
	first := true
	for _, k := range keys {
		if err := e.member(&first, k.String()); err != nil {
			return err
		}
		if err := e.value(v.MapIndex(k), Plain); err != nil {
			return err
		}
	}
	e.out.WriteByte('}')
	return nil
}

func (e *encoder) member(first *bool, name string) error {
	if !*first {
		e.out.WriteByte(',')
	}
	*first = false
	if err := e.plain(name); err != nil {
		return err
	}
	e.out.WriteByte(':')
	return nil
}

func (e *encoder) list(v reflect.Value) error {
	e.out.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			e.out.WriteByte(',')
		}
		if err := e.value(v.Index(i), Plain); err != nil {
			return err
		}
	}
	e.out.WriteByte(']')
	return nil
}

// plain writes what encoding/json writes.
func (e *encoder) plain(v any) error {
	if err := e.leaf.Encode(v); err != nil {
		return err
	}
	e.out.Truncate(e.out.Len() - 1) // the line ending
	return nil
}
