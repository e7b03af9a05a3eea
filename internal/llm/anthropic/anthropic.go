// Package anthropic asks models through Anthropic's Messages API.
package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"recollect/internal/llm"
	"recollect/internal/llm/httpapi"
)

// Defaults of Options.
const (
	DefaultURL     = "https://api.anthropic.com"
	DefaultModel   = "claude-haiku-4-5"
	DefaultTimeout = 5 * time.Minute
)

const name = "anthropic"

// Options of a client. The zero value talks to the vendor, but has no key.
type Options struct {
	Key        string
	Model      string        // of prompts that name none; "": DefaultModel
	BaseURL    string        // "": DefaultURL; with or without /v1 at its end
	AllowPlain bool          // plain HTTP to another machine
	Timeout    time.Duration // of one call; 0: DefaultTimeout
}

// Client is an llm.Client.
type Client struct {
	endpoint *httpapi.Endpoint
	messages sdk.MessageService
	model    string
	timeout  time.Duration
	keyed    bool

	// wordy is set once the server has turned down a schema and then taken it in
	// words: from then on schemas are put in words.
	wordy atomic.Bool
}

var _ llm.Client = (*Client)(nil)

// New makes a client. Nothing but the options counts, whatever variables the
// environment has. Any error is an *llm.Error.
func New(o Options) (*Client, error) {
	if o.BaseURL == "" {
		o.BaseURL = DefaultURL
	}
	base := strings.TrimSuffix(strings.TrimRight(strings.TrimSpace(o.BaseURL), "/"), "/v1")
	endpoint, err := httpapi.New(httpapi.Options{Client: name, BaseURL: base, Key: o.Key, AllowPlain: o.AllowPlain})
	if err != nil {
		return nil, err
	}
	c := &Client{endpoint: endpoint, model: o.Model, timeout: o.Timeout, keyed: o.Key != "" || base != DefaultURL}
	if c.model == "" {
		c.model = DefaultModel
	}
	if c.timeout <= 0 {
		c.timeout = DefaultTimeout
	}
	options := []option.RequestOption{option.WithBaseURL(endpoint.URL() + "/"), option.WithMaxRetries(0)}
	if o.Key != "" {
		options = append(options, option.WithAPIKey(o.Key))
	}
	// The service, not the library's client: that one reads the environment.
	c.messages = sdk.NewMessageService(options...)
	return c, nil
}

// Name is "anthropic".
func (c *Client) Name() string { return name }

// Complete asks once. A schema that the server turns down, unanswered and
// unbilled, is sent again in words.
func (c *Client) Complete(ctx context.Context, p llm.Prompt) (llm.Completion, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	if err := llm.CheckPrompt(name, p); err != nil {
		return llm.Completion{}, err
	}
	if !c.keyed {
		return llm.Completion{}, llm.NoKey(name)
	}
	words := c.wordy.Load()
	x := c.endpoint.Exchange()
	completion, err := c.ask(ctx, x, p, words)
	if _, refusal := x.Refused(); err != nil && !words && len(p.Schema) > 0 && err.Kind == llm.BadRequest && aboutSchema(refusal) {
		if completion, err = c.ask(ctx, c.endpoint.Exchange(), p, true); err == nil {
			c.wordy.Store(true)
		}
	}
	if err != nil {
		return completion, err
	}
	return completion, nil
}

// aboutSchema tells if a refusal names the part of the request that holds the
// schema.
func aboutSchema(refusal []byte) bool {
	detail := strings.ToLower(string(refusal))
	for _, word := range []string{"output_config", "output_format", "schema", "structured output"} {
		if strings.Contains(detail, word) {
			return true
		}
	}
	return false
}

// params are the request. Words: the schema is part of the system prompt.
func (c *Client) params(p llm.Prompt, words bool) sdk.MessageNewParams {
	params := sdk.MessageNewParams{
		Model:     p.Model,
		MaxTokens: int64(p.ReplyTokens()),
		Messages:  []sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock(p.Text))},
	}
	if params.Model == "" {
		params.Model = c.model
	}
	system := p.System
	if schema := supported(p.Schema); schema != nil && !words {
		params.OutputConfig.Format = sdk.JSONOutputFormatParam{Schema: schema}
	} else {
		system = p.SystemWithSchema()
	}
	if system != "" {
		params.System = []sdk.TextBlockParam{{Text: system}}
	}
	return params
}

// supported is the schema without what the service can't hold a reply to: the
// library puts that into descriptions. Nil: there is no schema, or none that the
// library understands.
func supported(schema json.RawMessage) map[string]any {
	var all map[string]any
	if len(schema) == 0 || json.Unmarshal(schema, &all) != nil {
		return nil
	}
	kept, _ := sdk.BetaJSONSchemaOutputFormat(all).Schema.(map[string]any)
	return kept
}

func (c *Client) ask(ctx context.Context, x *httpapi.Exchange, p llm.Prompt, words bool) (llm.Completion, *llm.Error) {
	stream := c.messages.NewStreaming(ctx, c.params(p, words), option.WithHTTPClient(x))
	defer stream.Close()
	r := reply{exchange: x}
	for stream.Next() {
		if err := r.take(stream.Current()); err != nil {
			return r.completion, err
		}
	}
	if err := stream.Err(); err != nil {
		var failure *sdk.Error
		if errors.As(err, &failure) {
			return r.completion, x.InStream(httpapi.ParseFailure([]byte(failure.RawJSON())))
		}
		return r.completion, x.Explain(ctx, err)
	}
	return r.end(ctx)
}

// reply is what came so far.
type reply struct {
	exchange   *httpapi.Exchange
	completion llm.Completion
	text       strings.Builder
	stop       sdk.StopReason
	complete   bool
}

func (r *reply) take(e sdk.MessageStreamEventUnion) *llm.Error {
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		r.completion.Model = llm.Clean(e.Message.Model)
		r.used(u.InputTokens, u.CacheCreationInputTokens, u.CacheReadInputTokens, u.OutputTokens)
	case "content_block_delta":
		if e.Delta.Type == "text_delta" {
			r.text.WriteString(e.Delta.Text)
		}
		if r.text.Len() > llm.MaxReplyBytes {
			return r.exchange.Problem(llm.Malformed, "the reply is longer than any may be")
		}
	case "message_delta":
		r.stop = e.Delta.StopReason
		u := e.Usage
		r.used(u.InputTokens, u.CacheCreationInputTokens, u.CacheReadInputTokens, u.OutputTokens)
	case "message_stop":
		r.complete = true
	}
	return nil
}

// used notes tokens. The counts of a later event are those of the whole call,
// but may be left out.
func (r *reply) used(input, written, read, output int64) {
	r.completion.InputTokens = max(r.completion.InputTokens, llm.Tokens(input+written+read))
	r.completion.OutputTokens = max(r.completion.OutputTokens, llm.Tokens(output))
}

func (r *reply) end(ctx context.Context) (llm.Completion, *llm.Error) {
	c := r.completion
	if ended := llm.ContextError(ctx, name); ended != nil && !r.complete {
		return c, ended
	}
	switch {
	case !r.complete && r.stop == "":
		return c, r.exchange.Problem(llm.Unavailable, "the connection broke before the reply was complete")
	case r.stop == sdk.StopReasonRefusal:
		return c, r.exchange.Problem(llm.Refused, "")
	case r.stop == sdk.StopReasonMaxTokens, r.stop == sdk.StopReasonModelContextWindowExceeded:
		c.Stop = llm.StopLength
	default:
		c.Stop = llm.StopEnd
	}
	c.Text = strings.ToValidUTF8(r.text.String(), "\uFFFD")
	return c, nil
}
