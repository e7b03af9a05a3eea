package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"recollect/internal/lookup"
	"recollect/internal/printable"
)

// Settings are the settings in force.
type Settings struct {
	Extractors  []string // plug-in ids, in order
	Schema      string   // plug-in id
	Policy      string   // plug-in id
	Sources     []string // assistants
	Inject      Inject
	Review      Review
	UI          UI
	Watch       Watch
	Archive     Archive
	Model       Model
	Budget      Budget
	Maintenance Maintenance
	Safe        Safe
	Plugins     map[string]json.RawMessage // by plug-in id: its own configuration, an object
}

// Inject are the settings of injections.
type Inject struct {
	Enabled bool     // false: inject writes nothing
	Auto    bool     // write after each change of the memory, and after a checkout
	Targets []string // file names in the project's root
	Budget  int      // tokens for the whole block
	Unseen  string   // one of Unseens
}

// What may become of memory that came with a repository and that nobody here
// looked at, the most careful last.
const (
	ShowUnseen = "show"
	AskUnseen  = "ask" // on a terminal; elsewhere it is held
	HoldUnseen = "hold"
)

// Unseens are the values of Inject.Unseen.
var Unseens = []string{ShowUnseen, AskUnseen, HoldUnseen}

// Bounds of Inject.Budget, in tokens. The upper one is about what Claude Code
// loads of a memory file of its own (25 KB).
const (
	MinBudget = 50
	MaxBudget = 8000
)

// Ids of the plug-ins that ship with the product.
const (
	Offline    = "dev.recollect.offline"
	ModelNotes = "dev.recollect.model-notes"
	Notes      = "dev.recollect.notes"
	Ranked     = "dev.recollect.ranked"
)

// KnownSources are the assistants that have a source.
var KnownSources = []string{"claude-code", "puffin"}

// Default gives the built-in settings. 1,000 tokens are about the 4,000
// characters that Puffin's memory plug-in injected.
func Default() Settings {
	return Settings{
		Extractors:  []string{Offline},
		Schema:      Notes,
		Policy:      Ranked,
		Sources:     slices.Clone(KnownSources),
		Inject:      Inject{Enabled: true, Targets: []string{"CLAUDE.md"}, Budget: 1000, Unseen: HoldUnseen},
		UI:          UI{Theme: Themes[0], Notify: true},
		Watch:       Watch{Idle: 10},
		Archive:     Archive{Enabled: true, Redact: true, Limit: 512},
		Model:       Model{Provider: NoProvider},
		Budget:      DefaultBudget(),
		Maintenance: DefaultMaintenance(),
		Safe:        Safe{Folders: []string{}},
		Plugins:     map[string]json.RawMessage{},
	}
}

// clone gives settings that can be changed without changing s. Lists and
// configurations are replaced whole, never changed in place.
func (s Settings) clone() Settings {
	s.Plugins = maps.Clone(s.Plugins)
	return s
}

// ErrUnknownKey says that there is no such setting.
var ErrUnknownKey = errors.New("no such setting")

// unknownKey is the error for a name that is none of a setting.
func unknownKey(name string) error {
	return fmt.Errorf("%s: %w%s", printable.Quote(name, 100), ErrUnknownKey, lookup.Ask(name, Keys(), strconv.Quote))
}

// choices are what a setting may be one of; none for most.
func choices(name string) []string {
	for _, k := range keys {
		if k.Name == name {
			return k.Choices
		}
	}
	return nil
}

// ValueError says that a setting can't have this value.
type ValueError struct {
	Key   string
	Value string
	Want  string
}

// Error implements error.
func (e *ValueError) Error() string {
	return fmt.Sprintf("%s can't be %s: want %s", e.Key, e.Value, e.Want)
}

// pluginsPrefix begins the keys of plug-ins' own configurations.
const pluginsPrefix = "plugins."

// Parse reads a value as a person types it: JSON, or a bare word for a text, or
// words between commas for a list.
func Parse(name, text string) (json.RawMessage, error) {
	for _, candidate := range []json.RawMessage{json.RawMessage(text), quoted(text), words(text)} {
		if json.Valid(candidate) && new(layer).set(name, candidate) == nil {
			return candidate, nil
		}
	}
	err := new(layer).set(name, quoted(text))
	var bad *ValueError
	if errors.As(err, &bad) {
		bad.Value = printable.Quote(text, 200)
		bad.Want += lookup.Ask(text, choices(name), strconv.Quote)
	}
	return nil, err
}

func quoted(text string) json.RawMessage {
	b, _ := json.Marshal(text)
	return b
}

func words(text string) json.RawMessage {
	var out []string
	for w := range strings.SplitSeq(text, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	b, _ := json.Marshal(out)
	return b
}

func idList(ids []string) bool {
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(s string) bool { return !validID(s) }) && distinct(ids)
}

// validID is the form of a plug-in id: reverse DNS.
func validID(id string) bool {
	if len(id) > 128 || !strings.Contains(id, ".") {
		return false
	}
	for part := range strings.SplitSeq(id, ".") {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			return false
		}
	}
	return true
}

// targetList takes plain names and paths below the root.
func targetList(names []string) bool {
	return len(names) > 0 && distinct(names) && !slices.ContainsFunc(names, func(s string) bool { return !ValidTarget(s) })
}

func subset(names, of []string) bool {
	return distinct(names) && !slices.ContainsFunc(names, func(s string) bool { return !slices.Contains(of, s) })
}

func distinct(names []string) bool {
	sorted := slices.Sorted(slices.Values(names))
	return len(slices.Compact(sorted)) == len(names)
}
