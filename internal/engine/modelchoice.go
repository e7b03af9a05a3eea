package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"recollect/internal/config"
)

// ModelChoice is what somebody chooses.
type ModelChoice struct {
	Way     string // the name of a ModelWay
	Model   string // "": the one that is asked by default, of a server on this machine its first
	Address string // of a server on this machine; "": the one that answers
}

// errNoWay says that there is no way of that name.
var errNoWay = errors.New("no such way")

// errNoLocal says that no server of models on this machine is known.
var errNoLocal = errors.New("no server with a model answers on this machine")

// ChooseModel sets, in the person's own settings, which model finds what is worth
// remembering: its provider, and the extractor that asks it. Other extractors of the
// person's stay. Offline goes back to the one that needs none. No request is made to
// a model; one on this machine is looked for if its address or name is not given.
func (e *Engine) ChooseModel(ctx context.Context, c ModelChoice) error {
	m, err := e.modelOf(ctx, c)
	if err != nil {
		return err
	}
	own, err := config.Load(e.dirs.File())
	if err != nil {
		return err
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
			return err
		}
		if s.value == "" {
			raw = nil
		}
		if _, err := e.SetSetting(ctx, s.name, raw, config.User); err != nil {
			return err
		}
	}
	return nil
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
