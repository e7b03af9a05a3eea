package openai

import (
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/openai/openai-go"

	"recollect/internal/llm"
)

// part is a set of parts of a request that not every server knows.
type part uint32

const (
	schemaFormat  part = 1 << iota // response_format with a schema
	jsonFormat                     // response_format without one
	usageOption                    // stream_options
	newTokenLimit                  // max_completion_tokens; without it max_tokens is sent
	oldTokenLimit                  // max_tokens; a server that lacks both is not asked: nothing would bound the bill
)

// learn adds what a refusal says is not known, if the prompt had it: one part at
// a time and none twice, so that there is an end to asking.
func (lacks part) learn(refusal []byte, p llm.Prompt) part {
	detail := strings.ToLower(string(refusal))
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(detail, w) })
	}
	has := func(x part) bool { return lacks&x == 0 }
	switch {
	case has(newTokenLimit) && has(oldTokenLimit) && says("max_completion_tokens"):
		return lacks | newTokenLimit
	case !has(newTokenLimit) && has(oldTokenLimit) && says("max_completion_tokens"):
		return lacks&^newTokenLimit | oldTokenLimit // it wants the newer one instead
	case has(usageOption) && says("stream_options", "include_usage"):
		return lacks | usageOption
	case len(p.Schema) == 0:
	case has(schemaFormat) && says("response_format", "json_schema", "schema", "structured output", "grammar"):
		return lacks | schemaFormat
	case has(jsonFormat) && says("response_format", "json_object", "json mode"):
		return lacks | jsonFormat
	}
	return lacks
}

// params are the request without what the server lacks.
func (c *Client) params(p llm.Prompt, lacks part) sdk.ChatCompletionNewParams {
	params := sdk.ChatCompletionNewParams{Model: p.Model}
	if params.Model == "" {
		params.Model = c.model
	}
	has := func(x part) bool { return lacks&x == 0 }
	system := p.System
	if len(p.Schema) > 0 {
		switch {
		case has(schemaFormat):
			params.ResponseFormat.OfJSONSchema = &sdk.ResponseFormatJSONSchemaParam{
				JSONSchema: sdk.ResponseFormatJSONSchemaJSONSchemaParam{
					Name: "reply", Schema: p.Schema, Strict: sdk.Bool(strict(p.Schema)),
				},
			}
		case has(jsonFormat):
			params.ResponseFormat.OfJSONObject = &sdk.ResponseFormatJSONObjectParam{}
		}
		if !has(schemaFormat) {
			system = p.SystemWithSchema()
		}
	}
	if system != "" {
		params.Messages = append(params.Messages, sdk.SystemMessage(system))
	}
	params.Messages = append(params.Messages, sdk.UserMessage(p.Text))
	switch {
	case has(newTokenLimit):
		params.MaxCompletionTokens = sdk.Int(int64(p.ReplyTokens()))
	case has(oldTokenLimit):
		params.MaxTokens = sdk.Int(int64(p.ReplyTokens()))
	}
	if has(usageOption) {
		params.StreamOptions.IncludeUsage = sdk.Bool(true)
	}
	return params
}

// strict tells if the vendor can hold a reply to all of the schema: it then asks
// that each object lists all its properties as required, and allows no others.
// Any other schema is followed as far as the model cares.
func strict(schema json.RawMessage) bool {
	var node any
	return json.Unmarshal(schema, &node) == nil && strictNode(node, 0)
}

// unsupported are words of a schema that the strict mode refuses.
var unsupported = []string{"allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties", "minLength", "maxLength", "uniqueItems"}

func strictNode(node any, depth int) bool {
	if depth > 32 {
		return false
	}
	switch n := node.(type) {
	case []any:
		for _, x := range n {
			if !strictNode(x, depth+1) {
				return false
			}
		}
	case map[string]any:
		for _, word := range unsupported {
			if _, ok := n[word]; ok {
				return false
			}
		}
		properties, isObject := n["properties"].(map[string]any)
		if isObject || n["type"] == "object" {
			required, _ := n["required"].([]any)
			if n["additionalProperties"] != false || len(required) != len(properties) {
				return false
			}
		}
		for _, key := range []string{"items", "anyOf"} {
			if !strictNode(n[key], depth+1) {
				return false
			}
		}
		for _, group := range []map[string]any{properties, object(n["$defs"])} {
			for _, x := range group {
				if !strictNode(x, depth+1) {
					return false
				}
			}
		}
	}
	return true
}

func object(node any) map[string]any {
	m, _ := node.(map[string]any)
	return m
}
