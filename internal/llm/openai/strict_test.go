package openai

import "testing"

func TestStrict(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, schema string
		want         bool
	}{
		{"all required", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`, true},
		{"one is not", `{"type":"object","properties":{"a":{"type":"string"},"b":{}},"required":["a"],"additionalProperties":false}`, false},
		{"others allowed", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, false},
		{"within a list", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"b":{}}}}},"required":["a"],"additionalProperties":false}`, false},
		{"property named not", `{"type":"object","properties":{"not":{"type":"string"}},"required":["not"],"additionalProperties":false}`, true},
		{"length of a string", `{"type":"object","properties":{"a":{"type":"string","maxLength":3}},"required":["a"],"additionalProperties":false}`, false},
		{"definitions", `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"required":["a"],"additionalProperties":false,"$defs":{"a":{"type":"object"}}}`, false},
		{"no schema", `[`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := strict([]byte(tt.schema)); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}
