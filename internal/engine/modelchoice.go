package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"recollect/internal/config"
)

// ModelChoice is what somebody chooses.
type ModelChoice struct {
	Way     string // the name of a ModelWay
	Model   string // "": the one that is asked by default, of a server on this machine its first
	Address string // of a server on this machine; "": the one that answers
}

// ChosenModel is what a choice came to.
type ChosenModel struct {
	Way        string   `json:"way"`
	Provider   string   `json:"provider"`
	Model      string   `json:"model,omitempty"`   // "": the provider's default
	Address    string   `json:"address,omitempty"` // of a server on this machine, or of the person's own settings
	Extractors []string `json:"extractors"`
	// Missing is what is needed before it can work, a sentence. Aside are settings that
	// are others in this project, whose own say so.
	Missing string   `json:"missing,omitempty"`
	Aside   []string `json:"aside,omitempty"`
}

// errNoWay says that there is no way of that name.
var errNoWay = errors.New("no such way")

// errNoLocal says that no server of models on this machine is known.
var errNoLocal = errors.New("no server with a model answers on this machine")

// ChooseModel sets, in the person's own settings, which model finds what is worth
// remembering: its provider, and the extractor that asks it. Other extractors of the
// person's stay. Offline goes back to the one that needs none. No request is made to
// a model; one on this machine is looked for if its address or name is not given.
func (e *Engine) ChooseModel(ctx context.Context, c ModelChoice) (ChosenModel, error) {
	m, err := e.modelOf(ctx, c)
	if err != nil {
		return ChosenModel{}, err
	}
	for name, value := range map[string]string{"model.name": m.Name, "model.base_url": m.BaseURL} {
		if value == "" {
			continue
		}
		if _, err := config.Parse(name, value); err != nil {
			return ChosenModel{}, err
		}
	}
	own, err := config.Load(e.dirs.File())
	if err != nil {
		return ChosenModel{}, err
	}
	chosen := config.ModelNotes
	if m.Provider == config.NoProvider {
		chosen = config.Offline
	}
	extractors := []string{chosen}
	for _, id := range own.Extractors {
		if id != config.ModelNotes && id != config.Offline {
			extractors = append(extractors, id)
		}
	}
	// Nobody is asked while address and provider do not belong together.
	for _, s := range []struct {
		name  string
		value any
	}{
		{"model.provider", config.NoProvider}, {"model.base_url", m.BaseURL}, {"model.name", m.Name},
		{"model.provider", m.Provider}, {"extractors", extractors},
	} {
		raw, err := json.Marshal(s.value)
		if err != nil {
			return ChosenModel{}, err
		}
		if s.value == "" {
			raw = nil
		}
		if _, err := e.SetSetting(ctx, s.name, raw, config.User); err != nil {
			return ChosenModel{}, err
		}
	}
	return e.chosenModel(ctx, c.Way, m, extractors), nil
}

// chosenModel says what came of a choice.
func (e *Engine) chosenModel(ctx context.Context, way string, m config.Model, extractors []string) ChosenModel {
	out := ChosenModel{Way: way, Provider: m.Provider, Model: m.Name, Address: m.BaseURL, Extractors: extractors}
	switch way {
	case config.ClaudeCLI:
		out.Missing = e.claudeWay().Missing
	case config.Anthropic, config.OpenAI:
		out.Missing = e.keyWay(ctx, way).Missing
	}
	for _, s := range []struct {
		name string
		want any
	}{{"model.provider", m.Provider}, {"model.base_url", m.BaseURL}, {"model.name", m.Name}, {"extractors", extractors}} {
		if now, err := e.Setting(s.name); err == nil && !reflect.DeepEqual(now, s.want) {
			out.Aside = append(out.Aside, s.name)
		}
	}
	return out
}

// modelOf gives the settings that a choice comes to.
func (e *Engine) modelOf(ctx context.Context, c ModelChoice) (config.Model, error) {
	own, err := config.Load(e.dirs.File())
	if err != nil {
		return config.Model{}, err
	}
	m := config.Model{Provider: c.Way, Name: c.Model}
	switch c.Way {
	case Offline:
		return config.Model{Provider: config.NoProvider}, nil
	case config.ClaudeCLI, config.Anthropic, config.OpenAI:
		// What is set for the same provider stays: its address, and its model.
		if own.Model.Provider == c.Way && !onThisMachine(own.Model) {
			m.BaseURL, m.Name = own.Model.BaseURL, cmp.Or(c.Model, own.Model.Name)
		}
	case LocalModel:
		m.Provider, m.BaseURL = config.OpenAI, c.Address
		if m.BaseURL == "" || m.Name == "" {
			found := ModelWay{Address: c.Address}
			if c.Address != "" {
				found = found.lookAt(ctx, []string{c.Address})
			} else {
				found = e.localWay(ctx)
			}
			if !found.Ready {
				return m, errNoLocal
			}
			m.BaseURL, m.Name = cmp.Or(m.BaseURL, found.Address), cmp.Or(m.Name, found.Model)
		}
		if !onThisMachine(m) {
			return m, &config.ValueError{Key: "the address of a model on this machine", Value: fmt.Sprintf("%q", m.BaseURL), Want: "one such as http://127.0.0.1:11434/v1"}
		}
	default:
		return m, fmt.Errorf("%q: %w", c.Way, errNoWay)
	}
	return m, nil
}
