// Package lookup finds what somebody means by a name: the whole of it, a beginning
// that nothing else has, or what is nearest to one that is not known.
package lookup

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// listed is how many names an error tells of, and shown how many characters of one.
const (
	listed = 10
	shown  = 200
)

// Error says that a name stands for nothing, or for more than one thing.
type Error struct {
	Want    string
	Near    []string // that it may be meant for, the likeliest first
	Several []string // that begin with it, in order; empty: nothing does
	unknown error
}

// Error implements error.
func (e *Error) Error() string {
	if n := len(e.Several); n > 0 {
		text := fmt.Sprintf("%s may be any of %d", quote(e.Want), n)
		var names []string
		for _, name := range e.Several[:min(n, listed)] {
			names = append(names, quote(name))
		}
		text += ": " + strings.Join(names, ", ")
		if n > listed {
			text += " and others"
		}
		return text
	}
	return fmt.Sprintf("%v: %s%s", e.unknown, quote(e.Want), ask(e.Near, quote))
}

// Unwrap gives the error that the caller of Find has for what is not known.
func (e *Error) Unwrap() error {
	if len(e.Several) > 0 {
		return nil
	}
	return e.unknown
}

// Ambiguous holds for an error about a name that stands for more than one thing.
func Ambiguous(err error) bool {
	var e *Error
	return errors.As(err, &e) && len(e.Several) > 0
}

// Thing is what a name may stand for. Also are other names of it, as its last part:
// they count less than its own.
type Thing struct {
	Name string
	Also []string
}

// Find gives the one of all names that want names: the whole of it, or a beginning
// that no other has. Its error is an *Error, and wraps unknown if want begins none.
func Find(want string, all []string, unknown error) (string, error) {
	things := make([]Thing, len(all))
	for i, name := range all {
		things[i].Name = name
	}
	return Among(want, things, unknown)
}

// Among is Find of things that have other names besides.
func Among(want string, things []Thing, unknown error) (string, error) {
	is := func(name string) bool { return name == want }
	begins := func(name string) bool { return want != "" && strings.HasPrefix(name, want) }
	for _, named := range []func(Thing) bool{
		func(t Thing) bool { return is(t.Name) },
		func(t Thing) bool { return slices.ContainsFunc(t.Also, is) },
		func(t Thing) bool { return begins(t.Name) },
		func(t Thing) bool { return slices.ContainsFunc(t.Also, begins) },
	} {
		var hits []string
		for _, t := range things {
			if named(t) {
				hits = append(hits, t.Name)
			}
		}
		slices.Sort(hits)
		hits = slices.Compact(hits)
		switch len(hits) {
		case 0:
			continue
		case 1:
			return hits[0], nil
		}
		return "", &Error{Want: want, Several: hits, unknown: unknown}
	}
	return "", &Error{Want: want, Near: near(want, things), unknown: unknown}
}

// near gives things by their own names, each once.
func near(want string, things []Thing) []string {
	own := map[string]string{}
	var names []string
	for _, t := range things {
		for _, name := range append([]string{t.Name}, t.Also...) {
			if own[name] == "" {
				own[name] = t.Name
				names = append(names, name)
			}
		}
	}
	var out []string
	for _, name := range Near(want, names) {
		if !slices.Contains(out, own[name]) {
			out = append(out, own[name])
		}
	}
	return out
}

// quote is a name from outside in a message.
func quote(name string) string {
	if r := []rune(name); len(r) > shown {
		name = string(r[:shown]) + "…"
	}
	return strconv.Quote(name)
}
