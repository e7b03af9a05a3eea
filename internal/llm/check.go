package llm

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// CheckPrompt refuses what no vendor needs to see: a prompt without text, beyond
// the limit, not in UTF-8, or with a schema that is no JSON object. The error,
// if any, is a BadRequest of the client.
func CheckPrompt(client string, p Prompt) error {
	why := ""
	var schema map[string]json.RawMessage
	switch {
	case strings.TrimSpace(p.Text) == "":
		why = "the prompt is empty"
	case p.Bytes() > MaxPromptBytes:
		why = fmt.Sprintf("the prompt has %d bytes, the limit is %d", p.Bytes(), MaxPromptBytes)
	case !utf8.ValidString(p.Text) || !utf8.ValidString(p.System) || !utf8.ValidString(p.Model):
		why = "the prompt is not valid UTF-8"
	case len(p.Schema) > 0 && json.Unmarshal(p.Schema, &schema) != nil:
		why = "the schema of the reply is not a JSON object"
	default:
		return nil
	}
	return &Error{Kind: BadRequest, Client: client, Detail: why}
}

// NoKey is the error of a client that needs a key and has none.
func NoKey(client string) *Error {
	return &Error{Kind: Auth, Client: client, Detail: "no key is stored", Fix: "store one with `recollect auth set`"}
}

// Tokens is a vendor's count in the range that sums can hold: nobody is billed
// less than nothing, or for more than two billion tokens at once.
func Tokens(n int64) int {
	return int(min(max(n, 0), math.MaxInt32))
}
