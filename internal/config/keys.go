package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Kind is what a setting's value is.
type Kind string

// The kinds.
const (
	Bool   Kind = "bool"
	Int    Kind = "int"
	Number Kind = "number"
	Text   Kind = "text"
	Choice Kind = "choice" // a text, one of Choices
	List   Kind = "list"   // of texts; if there are Choices, each is one of them
)

// Key describes one setting.
type Key struct {
	Name    string   `json:"key"`
	Kind    Kind     `json:"kind"`
	Choices []string `json:"choices,omitempty"`
	Min     *float64 `json:"min,omitempty"` // of Int and Number
	Max     *float64 `json:"max,omitempty"`
	Doc     string   `json:"doc"`     // one sentence
	Project string   `json:"project"` // which values count by themselves if a project sets them
}

// Describe describes the settings, in the order of Keys.
func Describe() []Key {
	out := make([]Key, len(keys))
	for i, k := range keys {
		out[i] = k.Key
		out[i].Choices = slices.Clone(k.Choices)
	}
	return out
}

// key is one setting: how its JSON value is checked and taken over, and how it
// reads.
type key struct {
	Key
	want  string
	apply func(*Settings, json.RawMessage) bool
	read  func(Settings) any

	rule     rule
	sentence string // of what a yes to a project's value would do; see asks
}

// at is a key whose value is kept as it is, if ok agrees.
func at[T any](d Key, want string, field func(*Settings) *T, ok func(T) bool) key {
	take := func(s *Settings, raw json.RawMessage) bool {
		var v T
		if !decode(raw, &v) || !ok(v) {
			return false
		}
		*field(s) = v
		return true
	}
	return key{Key: d, want: want, apply: take, read: func(s Settings) any { return *field(&s) }}.by(rule{})
}

func flag(name, doc string, field func(*Settings) *bool) key {
	return at(Key{Name: name, Kind: Bool, Doc: doc}, "true or false", field, func(bool) bool { return true })
}

func choice(name, doc string, choices []string, field func(*Settings) *string) key {
	return at(Key{Name: name, Kind: Choice, Choices: choices, Doc: doc}, "one of "+strings.Join(choices, ", "), field,
		func(v string) bool { return slices.Contains(choices, v) })
}

func text(name, doc, want string, field func(*Settings) *string, ok func(string) bool) key {
	return at(Key{Name: name, Kind: Text, Doc: doc}, want, field, ok)
}

func list(name, doc, want string, choices []string, field func(*Settings) *[]string, ok func([]string) bool) key {
	return at(Key{Name: name, Kind: List, Choices: choices, Doc: doc}, want, field, ok)
}

// whole is a whole number of something from least to most.
func whole(name, doc, unit string, least, most int, field func(*Settings) *int) key {
	low, high := float64(least), float64(most)
	return at(Key{Name: name, Kind: Int, Min: &low, Max: &high, Doc: doc}, fmt.Sprintf("a number of %s from %d to %d", unit, least, most), field,
		func(v int) bool { return least <= v && v <= most })
}

// decode is strict as to the type and refuses null.
func decode(raw json.RawMessage, into any) bool {
	return string(raw) != "null" && json.Unmarshal(raw, into) == nil
}

var keys = slices.Concat([]key{
	list("extractors", "The plug-ins that find what is worth remembering, in order.", "a list of plug-in ids, at least one", nil,
		func(s *Settings) *[]string { return &s.Extractors }, idList).by(among(Offline).ofPerson()).
		asks("What is worth remembering would be found by {new} instead of {old}."),
	text("schema", "The plug-in that says which sections a memory has and what may go in.", "a plug-in id",
		func(s *Settings) *string { return &s.Schema }, validID).by(among(Notes).ofPerson()).
		asks("The plug-in {new} instead of {old} would say which sections a memory has and what may go in."),
	text("policy", "The plug-in that says what of a memory is shown to assistants, and in which order.", "a plug-in id",
		func(s *Settings) *string { return &s.Policy }, validID).by(among(Ranked).ofPerson()).
		asks("The plug-in {new} instead of {old} would say what of a memory is shown to assistants."),
	list("sources", "The assistants whose history is read.", "a list out of "+strings.Join(KnownSources, ", "), KnownSources,
		func(s *Settings) *[]string { return &s.Sources }, func(v []string) bool { return subset(v, KnownSources) }).by(rule{personal: true}).
		asks("The history of this project would be read from {new} instead of {old}."),
	flag("inject.enabled", "Whether anything is written into the files that assistants read.",
		func(s *Settings) *bool { return &s.Inject.Enabled }).by(only(false)).
		asks("Memory would be written into the files that assistants read, which you turned off."),
	flag("inject.auto", "Whether they are written after each change of the memory too, and, while the service runs or the window is open, when another branch is checked out.",
		func(s *Settings) *bool { return &s.Inject.Auto }).by(only(false)).
		asks("Memory would be written into the files that assistants read after each change of it, and when another branch is checked out."),
	list("inject.targets", "The files that the block is written into, from the project's top folder.",
		"a list of file names in the project's root, at least one", nil,
		func(s *Settings) *[]string { return &s.Inject.Targets }, targetList).by(among()).
		asks("Memory would be written into {new} instead of {old}."),
	whole("inject.budget", "The tokens that the block may take, markers and headings included.", "tokens", MinBudget, MaxBudget,
		func(s *Settings) *int { return &s.Inject.Budget }).by(lower()).
		asks("What is written into the files that assistants read could take {new} tokens instead of {old}."),
	choice("inject.unseen", "What becomes of memory that came with the repository and that you did not look at: it is shown to assistants, you are asked first, or it is held back.",
		Unseens, func(s *Settings) *string { return &s.Inject.Unseen }).by(stricter(Unseens)),
}, faceKeys(), keepingKeys(), modelKeys(), maintenanceKeys(), safeKeys())

// Keys lists the names of the settings; plug-ins' own configurations are
// "plugins.ID" besides.
func Keys() []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Name
	}
	return names
}

// Get reads one setting by name, as a value that encodes to its JSON.
func (s Settings) Get(name string) (any, error) {
	for _, k := range keys {
		if k.Name == name {
			return k.read(s), nil
		}
	}
	if id, ok := strings.CutPrefix(name, pluginsPrefix); ok && validID(id) {
		if v, ok := s.Plugins[id]; ok {
			return v, nil
		}
		return json.RawMessage("{}"), nil
	}
	return nil, unknownKey(name)
}
