package anthropic_test

import (
	"encoding/json"
	"errors"
	"flag"
	"strings"
	"testing"

	"recollect/internal/llm"
	"recollect/internal/llm/anthropic"
	"recollect/internal/llm/llmtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func newClient(t *testing.T, url, key string) llm.Client {
	t.Helper()
	c, err := anthropic.New(anthropic.Options{BaseURL: url, Key: key})
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
	facts = `{"type":"object","properties":{"facts":{"type":"array","maxItems":9,"items":{"type":"string","maxLength":200}}},"required":["facts"]}`
	reply = `{"facts":["grams"]}`
)

func prompt(schema string) llm.Prompt {
	return llm.Prompt{Purpose: "extract", System: "You list facts.", Text: "Weights are <grams> & no more. 🙂", Schema: json.RawMessage(schema), MaxTokens: 321}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		prompt llm.Prompt
		script []llmtest.Reply
	}{
		{"text", prompt(""), []llmtest.Reply{{Text: "Grams."}}},
		{"bare", llm.Prompt{Text: "Hello."}, []llmtest.Reply{{Text: "Hi."}}},
		{"schema", prompt(facts), []llmtest.Reply{{Text: reply}}},
		{"schema-unknown", prompt(facts), []llmtest.Reply{
			{Status: 400, Message: "output_config: Extra inputs are not permitted"}, {Text: reply},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.NewServer(t, tt.script...)
			if _, err := newClient(t, server.URL+"/v1/", llmtest.Key).Complete(t.Context(), tt.prompt); err != nil {
				t.Fatal(err)
			}
			server.Golden(t, tt.name, *update)
			for _, r := range server.Requests() {
				if !r.SeenKey(llmtest.Key) {
					t.Error("the key was not shown")
				}
			}
		})
	}
}

// A server that knows no schemas is told so only once.
func TestSchemaRemembered(t *testing.T) {
	t.Parallel()
	server := llmtest.NewServer(t, llmtest.Reply{Status: 400, Message: "output_config.format: not supported by this model"}, llmtest.Reply{Text: reply})
	c := newClient(t, server.URL, llmtest.Key)
	for range 3 {
		if got, err := c.Complete(t.Context(), prompt(facts)); err != nil || got.Text != reply {
			t.Fatalf("got %q, %v", got.Text, err)
		}
	}
	if n := len(server.Requests()); n != 4 {
		t.Errorf("%d requests, want 4", n)
	}
}

func TestEnvironmentIsNotRead(t *testing.T) {
	for name, value := range map[string]string{
		"ANTHROPIC_API_KEY": "from-the-environment", "ANTHROPIC_AUTH_TOKEN": "from-the-environment",
		"ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "ANTHROPIC_CUSTOM_HEADERS": "X-From: the-environment",
	} {
		t.Setenv(name, value)
	}
	server := llmtest.NewServer(t, llmtest.Reply{Text: "Grams."})
	if _, err := newClient(t, server.URL, llmtest.Key).Complete(t.Context(), prompt("")); err != nil {
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

func TestNoKey(t *testing.T) {
	t.Parallel()
	c, err := anthropic.New(anthropic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Complete(t.Context(), prompt(""))
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.Auth || !strings.Contains(e.Hint(), "auth set") {
		t.Errorf("got %v", err)
	}
}

// What our side adds to a call: all but the time of the server, which answers at
// once on this machine.
func BenchmarkComplete(b *testing.B) {
	server := llmtest.NewServer(b, llmtest.Reply{Text: reply})
	c, err := anthropic.New(anthropic.Options{BaseURL: server.URL, Key: llmtest.Key})
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
