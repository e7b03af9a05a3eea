// Package llm asks language models.
//
//   - A [Prompt] is one question: what the model is told, and the shape that its
//     reply shall have.
//   - A [Completion] is the reply with what it took: tokens, and money where the
//     vendor tells.
//   - A [Client] is one way to a model. Each vendor has a package below this one;
//     a budget, a ledger and retries are clients around a client.
//   - An [Error] says what kind of failure it was, in a sentence, and with the
//     hint that mends it.
//
// A model is optional. Nothing outside the extraction of memory may need one.
package llm

import (
	"context"
	"encoding/json"
	"math"
	"strings"
)

// Client is one way to a model.
type Client interface {
	// Name is short and stable, for reports and the ledger: "claude-cli",
	// "anthropic", "openai".
	Name() string

	// Complete asks once and waits for the whole reply. It never asks again on
	// its own. It returns as soon as the context ends, and then nothing that it
	// started goes on. It may be called from several goroutines at once.
	//
	// Any error is an *Error. Beside an error the Completion tells what was used
	// up, as far as the vendor said it; its Text is then of no use.
	Complete(ctx context.Context, p Prompt) (Completion, error)
}

// Prompt is one question to a model. Its texts are valid UTF-8.
type Prompt struct {
	Purpose   string          // a few words for the ledger; never sent
	System    string          // what the model is told about its task; may be empty
	Text      string          // what it is asked, with the data; never empty
	Schema    json.RawMessage // JSON Schema of the reply, an object; empty: the reply is free text
	MaxTokens int             // of the reply; 0: DefaultMaxTokens
	Model     string          // the vendor's name for it; empty: the client's default
}

// Limits of what goes out and what comes back.
const (
	DefaultMaxTokens = 4096
	MaxPromptBytes   = 8 << 20 // System, Text and Schema together
	MaxReplyBytes    = 2 << 20 // Text of a Completion
)

// ReplyTokens is MaxTokens, or the default.
func (p Prompt) ReplyTokens() int {
	if p.MaxTokens <= 0 {
		return DefaultMaxTokens
	}
	return p.MaxTokens
}

// Bytes is the size of what is sent.
func (p Prompt) Bytes() int {
	return len(p.System) + len(p.Text) + len(p.Schema)
}

// SystemWithSchema is System followed by the schema in words, for models that
// can't be held to a schema in any other way.
func (p Prompt) SystemWithSchema() string {
	if len(p.Schema) == 0 {
		return p.System
	}
	return strings.TrimSpace(p.System +
		"\n\nReply with one JSON object and nothing else: no code fence, no words around it. It must fit this JSON Schema:\n" +
		string(p.Schema))
}

// Completion is the reply of a model.
type Completion struct {
	Text  string // valid UTF-8, at most MaxReplyBytes; JSON if the prompt had a schema and the vendor kept to it
	Model string // as the vendor names the one that answered
	Stop  Stop

	// Tokens as billed; those read from or written to the vendor's cache count
	// as input. 0: the vendor did not say.
	InputTokens  int
	OutputTokens int

	// Cost is in millionths of a US dollar and holds if CostKnown: only some
	// vendors tell. It is what the call would cost at list price where a
	// subscription pays.
	Cost      int64
	CostKnown bool
}

// Stop tells why a reply ended.
type Stop string

// The reasons to stop.
const (
	StopEnd    Stop = "end"    // the model was done
	StopLength Stop = "length" // the reply reached MaxTokens; its end is missing
)

// MicroDollars converts an amount of US dollars, rounding up: a budget must
// never be told less than what was spent. What is no amount counts as nothing.
func MicroDollars(dollars float64) int64 {
	micro := math.Ceil(dollars*1e6 - 1e-6) // 1e-6: what is whole in decimal may lie just above in binary
	if math.IsNaN(micro) || micro < 0 {
		return 0
	}
	return int64(min(micro, 1e15)) // a billion dollars: sums of it still fit
}
