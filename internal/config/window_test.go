package config_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"recollect/internal/config"
)

// The window's own list of settings, with which its tests see to it that each has
// a text, is the program's.
func TestWindowKnowsTheSettings(t *testing.T) {
	t.Parallel()
	type setting struct {
		config.Key
		Value any `json:"value"` // the default
	}
	var want []setting
	for _, k := range config.Describe() {
		value, err := config.Default().Get(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, setting{k, value})
	}
	text, err := json.MarshalIndent(want, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "frontend", "src", "bridge", "fake", "builtin.json")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(decoded(t, raw), decoded(t, text)) {
		t.Errorf("%s is not the program's list, which is:\n%s", path, text)
	}
}

func decoded(t *testing.T, raw []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
