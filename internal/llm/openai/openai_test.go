package openai_test

import (
	"encoding/json"
	"errors"
	"flag"
	"strings"
	"testing"

	"recollect/internal/llm"
	"recollect/internal/llm/llmtest"
	"recollect/internal/llm/openai"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func newClient(t *testing.T, url, key string) llm.Client {
	t.Helper()
	c, err := openai.New(openai.Options{BaseURL: url, Key: key, Model: "some-model"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConformance(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, llmtest.Setup{New: newClient})
}

const (
	facts  = `{"type":"object","properties":{"facts":{"type":"array","items":{"type":"string"}}},"required":["facts"],"additionalProperties":false}`
	loose  = `{"type":"object","properties":{"facts":{"type":"array","items":{"type":"string"}},"why":{"type":"string"}},"required":["facts"],"additionalProperties":false}`
	reply  = `{"facts":["grams"]}`
	refuse = 400
)

func prompt(schema string) llm.Prompt {
	return llm.Prompt{Purpose: "extract", System: "You list facts.", Text: "Weights are <grams> & no more. 🙂", Schema: json.RawMessage(schema), MaxTokens: 321}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		prompt llm.Prompt
		key    string
		script []llmtest.Reply
	}{
		{"text", prompt(""), llmtest.Key, []llmtest.Reply{{Text: "Grams."}}},
		{"bare-without-key", llm.Prompt{Text: "Hello.", Model: "llama3.2"}, "", []llmtest.Reply{{Text: "Hi."}}},
		{"schema", prompt(facts), llmtest.Key, []llmtest.Reply{{Text: reply}}},
		{"schema-not-strict", prompt(loose), llmtest.Key, []llmtest.Reply{{Text: reply}}},
		{"knows-little", prompt(facts), llmtest.Key, []llmtest.Reply{
			{Status: refuse, Message: "Unrecognized request argument supplied: stream_options"},
			{Status: refuse, Message: "response_format of type json_schema is not supported"},
			{Status: 422, Message: strings.Repeat("body ", 100) + "response_format: extra fields not permitted"},
			{Text: reply},
		}},
		{"wants-the-newer-limit", prompt(""), llmtest.Key, []llmtest.Reply{
			{Status: refuse, Message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}, {Text: "Grams."},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.NewServer(t, tt.script...)
			if _, err := newClient(t, server.URL, tt.key).Complete(t.Context(), tt.prompt); err != nil {
				t.Fatal(err)
			}
			server.Golden(t, tt.name, *update)
			for _, r := range server.Requests() {
				if tt.key != "" && !r.SeenKey(tt.key) {
					t.Error("the key was not shown")
				}
			}
		})
	}
}

// Servers that refuse everything are asked a few times at most, and never
// without a limit on the reply.
func TestRefusesEverything(t *testing.T) {
	t.Parallel()
	server := llmtest.NewServer(t, llmtest.Reply{Status: refuse, Message: "max_tokens max_completion_tokens stream_options response_format json_schema json_object"})
	_, err := newClient(t, server.URL, "").Complete(t.Context(), prompt(facts))
	if llm.KindOf(err) != llm.BadRequest {
		t.Errorf("got %v", err)
	}
	if n := len(server.Requests()); n > 6 {
		t.Errorf("%d requests", n)
	}
	for _, r := range server.Requests() {
		if !strings.Contains(string(r.Body), `":321`) {
			t.Errorf("no limit: %s", r.Body)
		}
	}
}

// What a server can't do is remembered once it has answered without.
func TestLacksRemembered(t *testing.T) {
	t.Parallel()
	server := llmtest.NewServerFunc(t, func(r llmtest.Request) llmtest.Reply {
		if strings.Contains(string(r.Body), "json_schema") {
			return llmtest.Reply{Status: refuse, Message: "response_format: json_schema is unknown"}
		}
		return llmtest.Reply{Text: reply}
	})
	c := newClient(t, server.URL, "")
	for range 3 {
		if got, err := c.Complete(t.Context(), prompt(facts)); err != nil || got.Text != reply {
			t.Fatalf("got %q, %v", got.Text, err)
		}
	}
	if n := len(server.Requests()); n != 4 {
		t.Errorf("%d requests, want 4", n)
	}
}

func TestMisses(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]openai.Options{
		"key":   {},
		"model": {BaseURL: "http://localhost:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := openai.New(o)
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Complete(t.Context(), prompt(""))
			var e *llm.Error
			if !errors.As(err, &e) || !strings.Contains(e.Detail, name) || e.Retriable() {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Signs of life between events, as some gateways send them, are no events.
func TestSignsOfLife(t *testing.T) {
	t.Parallel()
	server := llmtest.NewServer(t, llmtest.Reply{Raw: ": PROCESSING\n\n" +
		`data: {"model":"m","choices":[{"index":0,"delta":{"content":"Gra"}}]}` + "\n\n: PROCESSING\n\n" +
		`data: {"model":"m","choices":[{"index":0,"delta":{"content":"ms"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}` +
		"\n\n: bye\n\ndata: [DONE]\n\n"})
	got, err := newClient(t, server.URL, "").Complete(t.Context(), prompt(""))
	if err != nil || got.Text != "Grams" || got.InputTokens != 3 || got.OutputTokens != 2 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestEnvironmentIsNotRead(t *testing.T) {
	for name, value := range map[string]string{
		"OPENAI_API_KEY": "from-the-environment", "OPENAI_ORG_ID": "from-the-environment",
		"OPENAI_PROJECT_ID": "from-the-environment", "OPENAI_BASE_URL": "http://127.0.0.1:1",
	} {
		t.Setenv(name, value)
	}
	server := llmtest.NewServer(t, llmtest.Reply{Text: "Grams."})
	if _, err := newClient(t, server.URL, "").Complete(t.Context(), prompt("")); err != nil {
		t.Fatal(err)
	}
	for _, r := range server.Requests() {
		for k, v := range r.Header {
			if strings.Contains(strings.Join(v, " "), "environment") {
				t.Errorf("%s is of the environment", k)
			}
		}
	}
}

func BenchmarkComplete(b *testing.B) {
	server := llmtest.NewServer(b, llmtest.Reply{Text: reply})
	c, err := openai.New(openai.Options{BaseURL: server.URL, Key: llmtest.Key, Model: "some-model"})
	if err != nil {
		b.Fatal(err)
	}
	p := prompt(facts)
	p.Text = strings.Repeat("Weights are grams everywhere. ", 2000)
	for b.Loop() {
		if _, err := c.Complete(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
}
