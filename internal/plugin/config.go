package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"recollect/hostapi"
)

// noLoader refuses references to other documents: a manifest stands alone.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("it refers to another document, %q", clip(url, 200))
}

func compileSchema(raw json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf(`"config" is not JSON: %w`, err)
	}
	if _, ok := doc.(map[string]any); !ok {
		return nil, errors.New(`"config" must be a JSON Schema object`)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(noLoader{})
	const at = "config.json"
	if err := c.AddResource(at, doc); err != nil {
		return nil, fmt.Errorf(`"config" is not a JSON Schema: %w`, err)
	}
	s, err := c.Compile(at)
	if err != nil {
		return nil, fmt.Errorf(`"config" is not a JSON Schema: %w`, err)
	}
	return s, nil
}

// ResolveConfig gives the configuration that a plug-in sees: config, an object
// or empty, with the defaults of the manifest's schema for the keys that it
// leaves out. An error says what in it does not fit the schema.
func ResolveConfig(m hostapi.Manifest, config json.RawMessage) (json.RawMessage, error) {
	values := map[string]json.RawMessage{}
	if len(config) > 0 {
		if err := json.Unmarshal(config, &values); err != nil || values == nil {
			return nil, fmt.Errorf("the configuration of %s is not a JSON object", m.ID)
		}
	}
	if len(m.Config) == 0 {
		if len(values) > 0 {
			return nil, fmt.Errorf("%s has no configuration", m.ID)
		}
		return json.RawMessage("{}"), nil
	}
	var form struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(m.Config, &form); err != nil {
		return nil, fmt.Errorf(`"config" of %s is not a JSON Schema: %w`, m.ID, err)
	}
	for key, raw := range form.Properties {
		var property struct {
			Default json.RawMessage `json:"default"`
		}
		if _, there := values[key]; !there && json.Unmarshal(raw, &property) == nil && property.Default != nil {
			values[key] = property.Default
		}
	}
	data, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	return data, checkConfig(m, data)
}

func checkConfig(m hostapi.Manifest, data json.RawMessage) error {
	schema, err := compileSchema(m.Config)
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	if err := schema.Validate(doc); err != nil {
		return fmt.Errorf("the configuration of %s does not fit its schema: %w", m.ID, err)
	}
	return nil
}
