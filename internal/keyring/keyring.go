// Package keyring keeps the API key of a model's vendor.
//
// A key lies in the system's keyring: the Secret Service on Linux, the keychain
// on macOS, the credential manager on Windows. Where there is none it lies in an
// environment variable or, only if a person asks for that, in a file that only
// that person can read. [Ring.Get] looks in this order, and the first key wins:
//
//  1. RECOLLECT_API_KEY, which is meant for this program: no keyring is asked
//  2. the keyring
//  3. the file
//  4. the vendor's variable, ANTHROPIC_API_KEY or OPENAI_API_KEY, which may be
//     meant for other programs
//
// A key belongs to the origin (scheme, host and port) that it was entered for, which
// is stored beside it, and Get gives it for no other. What a variable holds is for
// the vendor's own, and for the one of [Options.Named].
//
// A keyring that doesn't answer is no reason to wait: every call returns within
// two seconds, unless [Options.Prompt] gives a person time for a dialog. Nothing
// is connected to before the first call.
//
// A key is never part of an error, and a [Key] doesn't print.
package keyring

import (
	"cmp"
	"context"
	"errors"
	"os"
	"time"
)

// EnvKey names the variable that goes before every other place of a key.
const EnvKey = "RECOLLECT_API_KEY"

// vendorEnv are the variables that the vendors' own programs read.
var vendorEnv = map[string]string{
	"anthropic": "ANTHROPIC_API_KEY",
	"openai":    "OPENAI_API_KEY",
}

// Place is a kind of place that a key can be in.
type Place string

// The places.
const (
	Keyring     Place = "keyring"
	File        Place = "file"
	Environment Place = "environment"
)

// Options of a Ring. The zero value uses the keyring and the environment.
type Options struct {
	// Service is what the entries of the keyring are filed under; empty means
	// "recollect".
	Service string
	// Dir is the folder of the files with keys; empty: there is no such file.
	Dir string
	// Prompt is how long a person may take for a dialog of the keyring. 0 shows
	// none: a locked keyring is an error at once.
	Prompt time.Duration
	// Named gives the origin that the person's own settings name for a provider, to
	// which the keys of variables may go too; "" or nil: none.
	Named func(provider string) string
	// Getenv reads a variable; nil means os.Getenv.
	Getenv func(string) string
}

// What the keyring gets for showing that it is there, which may mean to start it,
// and for doing what it is asked. Both together stay below two seconds.
const (
	probeWait = 1200 * time.Millisecond
	askWait   = 700 * time.Millisecond
)

// Ring finds and keeps keys. It is safe for concurrent use.
type Ring struct {
	service string
	dir     string
	getenv  func(string) string
	named   func(string) string
	system  *system
}

// New makes a Ring. It touches nothing.
func New(o Options) *Ring {
	r := &Ring{service: cmp.Or(o.Service, "recollect"), dir: o.Dir, getenv: o.Getenv, named: o.Named}
	if r.getenv == nil {
		r.getenv = os.Getenv
	}
	if r.named == nil {
		r.named = func(string) string { return "" }
	}
	r.system = newSystem(o.Prompt)
	return r
}

// Found is a key and where it was.
type Found struct {
	Key   Key
	Place Place
	Name  string // of the variable or file; "" for the keyring
	// Passed is why the keyring or the file, which go before the place where the
	// key was, could not be looked into. It is worth a warning: another key than
	// the person expects may be in use.
	Passed error
}

// Get finds a provider's key ("anthropic", "openai", …) for an origin. The errors
// are *Error; ErrNotFound if no place has one, ErrElsewhere if there are some for
// other origins only, and what is wrong with the keyring or the file if they could
// not be asked.
func (r *Ring) Get(ctx context.Context, provider, origin string) (Found, error) {
	if err := checkProvider(provider); err != nil {
		return Found{}, err
	}
	var passed error
	var elsewhere *Error
	for _, p := range r.places(provider) {
		key, err := p.get(ctx)
		switch {
		case err == nil && r.fits(p, provider, key, origin):
			return Found{Key: key, Place: p.place, Name: p.name, Passed: passed}, nil
		case err == nil:
			elsewhere = cmp.Or(elsewhere, notFor(provider, key.origin, origin))
		case errors.Is(err, ErrNotFound):
		case ctx.Err() != nil:
			return Found{}, err
		default:
			passed = cmp.Or(passed, err)
		}
	}
	switch {
	case elsewhere != nil && passed != nil: // which may have the right one
		elsewhere.Detail += "; besides, " + passed.Error()
		fallthrough
	case elsewhere != nil:
		return Found{}, elsewhere
	case passed != nil:
		return Found{}, passed
	}
	return Found{}, &Error{Kind: ErrNotFound, Provider: provider,
		Fix: "store one with `recollect auth set " + provider + "`, or set " + r.variables(provider)}
}

// fits says whether a key of a place may be sent to an origin.
func (r *Ring) fits(p source, provider string, key Key, origin string) bool {
	return origin == key.origin || p.place == Environment && origin != "" && origin == r.named(provider)
}

func notFor(provider, is, asked string) *Error {
	return &Error{Kind: ErrElsewhere, Provider: provider, Detail: "it is for " + is + ", not for " + asked,
		Fix: "store one for that address, if it is to have one, with `recollect auth set " + provider + " --for " + asked + "`; any word will do where none is wanted"}
}

// Set stores a key in the keyring or, only if place says so, in a file of mode
// 0600. Spaces around it are taken off. The other of the two places keeps what
// it has; Get prefers the keyring.
func (r *Ring) Set(ctx context.Context, provider string, key Key, place Place) error {
	if err := checkProvider(provider); err != nil {
		return err
	}
	key.origin = cmp.Or(key.origin, VendorOrigins[provider])
	key, err := clean(key)
	if err != nil {
		return err
	}
	switch place {
	case Keyring:
		return r.explain(r.system.set(ctx, r.service, provider, key), provider)
	case File:
		return r.setFile(provider, key)
	}
	return &Error{Kind: ErrInvalid, Provider: provider, Detail: "a key can be stored in the keyring or in a file only"}
}

// Delete takes a provider's key out of the keyring and out of its file, and
// tells where there was one. Variables are not ours to change. If one of the
// places can't be reached the other is done all the same, beside the error;
// ErrNotFound if neither has a key.
func (r *Ring) Delete(ctx context.Context, provider string) ([]Place, error) {
	if err := checkProvider(provider); err != nil {
		return nil, err
	}
	var done []Place
	var failed error
	note := func(place Place, err error) {
		switch {
		case err == nil:
			done = append(done, place)
		case !errors.Is(err, ErrNotFound):
			failed = cmp.Or(failed, err)
		}
	}
	note(File, r.deleteFile(provider))
	note(Keyring, r.explain(r.system.delete(ctx, r.service, provider), provider))
	if failed == nil && len(done) == 0 {
		failed = &Error{Kind: ErrNotFound, Provider: provider}
	}
	return done, failed
}

// Status tells where a provider's key for an origin is, without the key.
type Status struct {
	Provider string  `json:"provider"`
	For      string  `json:"for"`   // the origin
	Place    Place   `json:"place"` // in use; "": no key for it anywhere
	Name     string  `json:"name,omitempty"`
	Looked   []State `json:"looked"` // all places in the order in which the first key wins
}

// State is one place as it was found.
type State struct {
	Place   Place  `json:"place"`
	Name    string `json:"name,omitempty"` // of the variable or file
	HasKey  bool   `json:"has_key"`
	For     string `json:"for,omitempty"`     // the origin that the key is for
	Problem string `json:"problem,omitempty"` // why it can't be looked into
	Fix     string `json:"fix,omitempty"`     // and what to do about it
	Notice  string `json:"notice,omitempty"`  // what to know about a key in this place
}

// Status looks into every place. It fails for what is no provider's name only.
func (r *Ring) Status(ctx context.Context, provider, origin string) (Status, error) {
	s := Status{Provider: provider, For: origin}
	if err := checkProvider(provider); err != nil {
		return s, err
	}
	for _, p := range r.places(provider) {
		state := State{Place: p.place, Name: p.name}
		key, err := p.get(ctx)
		var e *Error
		switch {
		case err == nil:
			state.HasKey, state.For = true, key.origin
			fits := r.fits(p, provider, key, origin)
			if fits {
				state.For = origin
			}
			if p.place == File {
				state.Notice = FileNotice
			}
			if s.Place == "" && fits {
				s.Place, s.Name = p.place, p.name
			}
		case errors.Is(err, ErrNotFound):
		case errors.As(err, &e):
			state.Problem, state.Fix = e.Error(), e.Fix
		default:
			state.Problem = err.Error()
		}
		s.Looked = append(s.Looked, state)
	}
	return s, nil
}

// source is one place to look for one provider's key.
type source struct {
	place Place
	name  string
	get   func(context.Context) (Key, error)
}

func (r *Ring) places(provider string) []source {
	list := []source{
		r.variable(provider, EnvKey),
		{Keyring, "", func(ctx context.Context) (Key, error) {
			key, err := r.system.get(ctx, r.service, provider)
			return key, r.explain(err, provider)
		}},
	}
	if r.dir != "" {
		list = append(list, source{File, r.file(provider), func(context.Context) (Key, error) { return r.getFile(provider) }})
	}
	if name := vendorEnv[provider]; name != "" {
		list = append(list, r.variable(provider, name))
	}
	return list
}

func (r *Ring) variable(provider, name string) source {
	return source{Environment, name, func(context.Context) (Key, error) {
		value := r.getenv(name)
		if value == "" {
			return Key{}, &Error{Kind: ErrNotFound, Provider: provider}
		}
		key, err := clean(Key{value, VendorOrigins[provider]})
		if err != nil {
			return Key{}, &Error{Kind: ErrInvalid, Provider: provider, Detail: name + " holds no key", Fix: "set it anew, or unset it"}
		}
		return key, nil
	}}
}

// variables names the variables that can hold a provider's key.
func (r *Ring) variables(provider string) string {
	if name := vendorEnv[provider]; name != "" {
		return EnvKey + " or " + name
	}
	return EnvKey
}
