// Package openai asks models through the chat completions of OpenAI, and of the
// many servers that speak the same: Ollama, LM Studio, vLLM, llama.cpp and
// others.
package openai

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/openai/openai-go"
	"github.com/openai/openai-go/option"

	"recollect/internal/llm"
	"recollect/internal/llm/httpapi"
)

// Defaults of Options.
const (
	DefaultURL     = "https://api.openai.com/v1"
	DefaultModel   = "gpt-4.1-mini"
	DefaultTimeout = 5 * time.Minute
)

const name = "openai"

// Options of a client. The zero value talks to the vendor, but has no key.
type Options struct {
	Key        string        // may be empty for servers that want none
	Model      string        // of prompts that name none; "": DefaultModel at the vendor, an error elsewhere
	BaseURL    string        // "": DefaultURL; a bare host gets /v1
	AllowPlain bool          // plain HTTP to another machine
	Timeout    time.Duration // of one call; 0: DefaultTimeout
}

// Client is an llm.Client.
type Client struct {
	endpoint *httpapi.Endpoint
	chat     sdk.ChatCompletionService
	model    string
	timeout  time.Duration
	keyed    bool

	// lacks are the parts of a request without which the server has answered.
	lacks atomic.Uint32
}

var _ llm.Client = (*Client)(nil)

// New makes a client. Nothing but the options counts, whatever variables the
// environment has. Any error is an *llm.Error.
func New(o Options) (*Client, error) {
	if o.BaseURL == "" {
		o.BaseURL = DefaultURL
	}
	base := strings.TrimRight(strings.TrimSpace(o.BaseURL), "/")
	if u, err := url.Parse(base); err == nil && u.Path == "" {
		base += "/v1"
	}
	endpoint, err := httpapi.New(httpapi.Options{Client: name, BaseURL: base, Key: o.Key, AllowPlain: o.AllowPlain})
	if err != nil {
		return nil, err
	}
	vendor := base == DefaultURL
	c := &Client{endpoint: endpoint, model: o.Model, timeout: o.Timeout, keyed: o.Key != "" || !vendor}
	if c.model == "" && vendor {
		c.model = DefaultModel
	}
	if c.timeout <= 0 {
		c.timeout = DefaultTimeout
	}
	if !vendor {
		// The older name: servers of others do not know the newer one and would
		// let a reply go on without end.
		c.lacks.Store(uint32(newTokenLimit))
	}
	options := []option.RequestOption{option.WithBaseURL(endpoint.URL() + "/"), option.WithMaxRetries(0)}
	if o.Key != "" {
		options = append(options, option.WithAPIKey(o.Key))
	}
	// The service, not the library's client: that one reads the environment.
	// Clipped, as each call appends to the same options.
	c.chat = sdk.NewChatCompletionService(slices.Clip(options)...)
	return c, nil
}

// Name is "openai".
func (c *Client) Name() string { return name }

// Complete asks once. A part of the request that the server does not know, and
// therefore turns down unanswered and unbilled, is left out and sent again.
func (c *Client) Complete(ctx context.Context, p llm.Prompt) (llm.Completion, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	if err := llm.CheckPrompt(name, p); err != nil {
		return llm.Completion{}, err
	}
	if !c.keyed {
		return llm.Completion{}, llm.NoKey(name)
	}
	if p.Model == "" && c.model == "" {
		return llm.Completion{}, &llm.Error{Kind: llm.BadRequest, Client: name, Detail: "no model is named",
			Fix: "set the name of one that the server at " + c.endpoint.URL() + " has"}
	}
	lacks := part(c.lacks.Load())
	for {
		x := c.endpoint.Exchange()
		completion, err := c.ask(ctx, x, p, lacks)
		if err == nil {
			c.lacks.Store(uint32(lacks))
			return completion, nil
		}
		_, refusal := x.Refused()
		if err.Kind != llm.BadRequest || lacks.learn(refusal, p) == lacks {
			return completion, err
		}
		lacks = lacks.learn(refusal, p)
	}
}

func (c *Client) ask(ctx context.Context, x *httpapi.Exchange, p llm.Prompt, lacks part) (llm.Completion, *llm.Error) {
	stream := c.chat.NewStreaming(ctx, c.params(p, lacks), option.WithHTTPClient(x))
	defer stream.Close()
	r := reply{exchange: x}
	for stream.Next() {
		if err := r.take(stream.Current()); err != nil {
			return r.completion, err
		}
	}
	if err := stream.Err(); err != nil {
		// The library has no type for an error in the stream, only these words.
		if _, body, ok := strings.Cut(err.Error(), "received error while streaming: "); ok {
			return r.completion, x.InStream(httpapi.ParseFailure(fmt.Appendf(nil, `{"error":%s}`, body)))
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
	refused    bool
	finish     string
}

func (r *reply) take(chunk sdk.ChatCompletionChunk) *llm.Error {
	if chunk.Model != "" {
		r.completion.Model = llm.Clean(chunk.Model)
	}
	r.completion.InputTokens = max(r.completion.InputTokens, llm.Tokens(chunk.Usage.PromptTokens))
	r.completion.OutputTokens = max(r.completion.OutputTokens, llm.Tokens(chunk.Usage.CompletionTokens))
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue
		}
		r.text.WriteString(choice.Delta.Content)
		r.refused = r.refused || choice.Delta.Refusal != ""
		if choice.FinishReason != "" {
			r.finish = choice.FinishReason
		}
	}
	if r.text.Len() > llm.MaxReplyBytes {
		return r.exchange.Problem(llm.Malformed, "the reply is longer than any may be")
	}
	return nil
}

func (r *reply) end(ctx context.Context) (llm.Completion, *llm.Error) {
	c := r.completion
	switch {
	case r.finish == "":
		if ended := llm.ContextError(ctx, name); ended != nil {
			return c, ended
		}
		return c, r.exchange.Problem(llm.Unavailable, "the connection broke before the reply was complete")
	case r.refused, r.finish == "content_filter":
		return c, r.exchange.Problem(llm.Refused, "")
	case r.finish == "length":
		c.Stop = llm.StopLength
	default:
		c.Stop = llm.StopEnd
	}
	c.Text = strings.ToValidUTF8(r.text.String(), "\uFFFD")
	return c, nil
}
