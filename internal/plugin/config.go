package plugin

import (
	"encoding/json"
	"fmt"
	"strings"

	"recollect/hostapi"
	"recollect/internal/printable"
)

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
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	if err := guard(func() error { return schema.Validate(doc) }); err != nil {
		return fmt.Errorf("the configuration of %s does not fit its schema: %s", m.ID, printable.Line(strings.ReplaceAll(err.Error(), "\n", "; "), 500))
	}
	return nil
}
