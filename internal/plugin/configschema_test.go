package plugin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	oracle "github.com/santhosh-tekuri/jsonschema/v6"

	"recollect/hostapi"
)

func TestSchemasThatAreRefused(t *testing.T) {
	chain := `{"$defs":{"a0":{}` // each refers to the one before twice
	for i := range 40 {
		chain += fmt.Sprintf(`,"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]}`, i+1, i, i)
	}
	for schema, want := range map[string]string{
		`{"$ref":"#"}`:                         "not one of its",
		`{"$ref":"#/properties/a"}`:            "not one of its",
		`{"$ref":"#x"}`:                        "not one of its",
		`{"$ref":"http://example.org/x"}`:      "not one of its",
		`{"$ref":"#/$defs/none"}`:              "not one of its",
		`{"$defs":{"a":{"$ref":"#/$defs/a"}}}`: "itself",
		`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"not":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}`: "itself",
		`{"$defs":{"a":{"properties":{"x":{"$ref":"#/$defs/a"}}}},"$ref":"#/$defs/a"}`:             "itself",
		`{"$dynamicRef":"#a"}`:                                         "dynamic",
		`{"properties":{"a":{"$id":"urn:x"}}}`:                         "$id",
		`{"properties":{"a":null}}`:                                    "null",
		`{"type":"nonsense"}`:                                          "no type",
		`{"type":["string","text"]}`:                                   "no type",
		`{"type":5}`:                                                   "type",
		`{"multipleOf":0}`:                                             "above 0",
		`{"pattern":"("}`:                                              "pars",
		`{"pattern":"(?=x)"}`:                                          "pars",
		`{"pattern":"` + strings.Repeat("a", 257) + `"}`:               "longer than",
		`{"patternProperties":{"((a{100}){100}){100}":{}}}`:            "repe",
		chain + `},"$ref":"#/$defs/a40"}`:                              "more than 5000",
		strings.Repeat(`{"not":`, 70) + `{}` + strings.Repeat(`}`, 70): "deeper",
		strings.Repeat(`{"not":`, 10_000):                              "deeper",
		`{"allOf":[` + strings.Repeat(`{"pattern":"a"},`, 64) + `{"pattern":"a"}]}`: "64 regular",
		`true`: "object", `[]`: "object", `"x"`: "object", ``: "object", `{`: "JSON", `{} {}`: "JSON",
	} {
		began := time.Now()
		_, err := compileSchema([]byte(schema))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
			t.Errorf("%.80s: error = %v, want %q", schema, err, want)
		}
		if d := time.Since(began); d > 2*time.Second {
			t.Errorf("%.80s took %v", schema, d)
		}
	}
}

// TestSchemasLikeTheOracle compares what fits with another implementation.
func TestSchemasLikeTheOracle(t *testing.T) {
	schemas := []string{
		`{}`, `{"type":"object"}`, `{"type":["object","null"]}`, `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://example.org/x","type":"object"}`,
		`{"properties":{"a":{"type":"integer","minimum":1,"maximum":10}}}`, `{"properties":{"a":{"type":"number","exclusiveMinimum":1,"multipleOf":0.5}}}`,
		`{"properties":{"a":{"type":"string","minLength":2,"maxLength":3,"pattern":"^[a-c]+$"}}}`, `{"properties":{"a":{"enum":["x",1,null,[1,2],{"y":1}]}}}`,
		`{"properties":{"a":{"const":1}}}`, `{"required":["a"],"additionalProperties":false,"properties":{"a":true}}`,
		`{"patternProperties":{"^a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`, `{"propertyNames":{"maxLength":1}}`,
		`{"minProperties":1,"maxProperties":1}`, `{"dependentRequired":{"a":["b"]}}`, `{"dependentSchemas":{"a":{"required":["b"]}}}`,
		`{"properties":{"a":{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":2,"uniqueItems":true}}}`,
		`{"properties":{"a":{"prefixItems":[{"type":"string"}],"items":false}}}`, `{"properties":{"a":{"contains":{"const":1},"minContains":1,"maxContains":1}}}`,
		`{"properties":{"a":{"anyOf":[{"type":"string"},{"minimum":5}]}}}`, `{"properties":{"a":{"oneOf":[{"type":"integer"},{"minimum":1}]}}}`,
		`{"properties":{"a":{"not":{"type":"string"}}}}`, `{"properties":{"a":{"allOf":[{"type":"integer"},{"minimum":5}]}}}`,
		`{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`,
		`{"$defs":{"n":{"type":"integer"}},"properties":{"a":{"$ref":"#/$defs/n"},"b":{"$ref":"#/$defs/n"}}}`,
		`{"properties":{"a":true},"unevaluatedProperties":false}`, `{"properties":{"a":{"prefixItems":[true],"unevaluatedItems":false}}}`,
	}
	values := []string{`null`, `true`, `1`, `1.5`, `5`, `11`, `"x"`, `"ab"`, `"abcd"`, `""`, `[]`, `[1]`, `[1,1]`, `[1,2]`, `["x"]`, `["x",1]`, `[1,2,3]`, `{}`, `{"y":1}`}
	docs := []string{`{}`}
	for _, v := range values {
		docs = append(docs, `{"a":`+v+`}`, `{"a":`+v+`,"b":1}`, `{"b":`+v+`}`, `{"ab":`+v+`,"c":2}`)
	}
	for _, schema := range schemas {
		ours, err := compileSchema([]byte(schema))
		must(t, err)
		parsed, err := oracle.UnmarshalJSON(strings.NewReader(schema))
		must(t, err)
		c := oracle.NewCompiler()
		must(t, c.AddResource("x.json", parsed))
		theirs, err := c.Compile("x.json")
		must(t, err)
		for _, doc := range docs {
			var v any
			must(t, json.Unmarshal([]byte(doc), &v))
			w, err := oracle.UnmarshalJSON(bytes.NewReader([]byte(doc)))
			must(t, err)
			if a, b := ours.Validate(v), theirs.Validate(w); (a == nil) != (b == nil) {
				t.Errorf("%s with %s: %v, the oracle says %v", schema, doc, a, b)
			}
		}
	}
}

func TestConfigErrorsAreShort(t *testing.T) {
	m := hostapi.Manifest{ID: "org.example.x", Config: json.RawMessage(`{"properties":{"a":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}`)}
	_, err := ResolveConfig(m, []byte(`{"a":"`+strings.Repeat("x", 100_000)+`"}`))
	if err == nil || len(err.Error()) > 700 || strings.Contains(err.Error(), "\n") {
		t.Errorf("error = %v", err)
	}
}
