package claudecli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"recollect/internal/llm"
	"recollect/internal/llm/claudecli"
	"recollect/internal/llm/llmtest"
)

// recorded is what the real program printed for replies of the scripted server,
// and what has to be made of it. TestRealRecord writes the files anew.
var recorded = []struct {
	name   string
	reply  llmtest.Reply
	schema bool
	login  bool // a subscription, not a key

	text string // of the completion
	stop llm.Stop
	kind llm.Kind // else
	said string   // a part of the error
}{
	{name: "text", reply: llmtest.Reply{Text: "Grams, 世界 🙂"}, text: "Grams, 世界 🙂", stop: llm.StopEnd},
	{name: "schema", reply: llmtest.Reply{Text: `{"facts":["grams"]}`}, schema: true, text: `{"facts":["grams"]}`, stop: llm.StopEnd},
	{name: "schema-not-kept", reply: llmtest.Reply{Text: `Sure! {"facts":`}, schema: true, text: `Sure! {"facts":`, stop: llm.StopEnd},
	{name: "schema-not-fitting", reply: llmtest.Reply{Text: `{"facts":7}`}, schema: true, text: `{"facts":7}`, stop: llm.StopEnd},
	{name: "length", reply: llmtest.Reply{Text: "Grams and", Stop: llmtest.Length}, text: "Grams and", stop: llm.StopLength},
	{name: "empty", stop: llm.StopEnd},
	{name: "refusal", reply: llmtest.Reply{Stop: llmtest.Refusal}, kind: llm.Refused},
	{name: "cut-off", reply: llmtest.Reply{Text: "Grams are the unit.", Cut: true}, kind: llm.Unavailable, said: "lost"},
	{name: "rate-limit", reply: llmtest.Reply{Status: 429}, kind: llm.RateLimited},
	{name: "subscription-limit", login: true, kind: llm.RateLimited, said: time.Unix(1795973600, 0).Local().Format("until 2006-01-02 15:04 MST"), reply: llmtest.Reply{Status: 429, Header: map[string]string{
		"anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-reset": "1795973600",
		"anthropic-ratelimit-unified-representative-claim": "five_hour",
	}}},
	{name: "overloaded", reply: llmtest.Reply{Status: 529}, kind: llm.Overloaded},
	{name: "unauthorized", reply: llmtest.Reply{Status: 401}, kind: llm.Auth},
	{name: "no-credit", reply: llmtest.Reply{Status: 400, Message: "Your credit balance is too low to access the API."}, kind: llm.OverBudget},
	{name: "prompt-too-long", reply: llmtest.Reply{Status: 400, Message: "prompt is too long: 250000 tokens > 200000 maximum"}, kind: llm.BadRequest, said: "too long"},
	{name: "no-such-model", reply: llmtest.Reply{Status: 404, Message: "model: test-model"}, kind: llm.BadRequest, said: "model"},
}

func TestRecorded(t *testing.T) {
	t.Parallel()
	for _, tt := range recorded {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			file, err := filepath.Abs(filepath.Join("testdata", tt.name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			env, _ := fakeEnv(t, "replay", "FAKE_FILE="+file, "FAKE_EXIT=1")
			got, err := ask(t.Context(), env)
			if tt.kind == "" {
				if err != nil || got.Text != tt.text || got.Stop != tt.stop || got.InputTokens == 0 || got.OutputTokens == 0 {
					t.Errorf("got %+v, %v; want %q, %q", got, err, tt.text, tt.stop)
				}
				return
			}
			var e *llm.Error
			if !errors.As(err, &e) || e.Kind != tt.kind || !strings.Contains(err.Error(), tt.said) || e.Hint() == "" {
				t.Errorf("got %v; want %s with %q", err, tt.kind, tt.said)
			}
			if tt.kind == llm.Refused && got.Cost == 0 {
				t.Error("the cost of a refusal is lost")
			}
		})
	}
}

// What older versions and broken ones print.
func TestPrinted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, out string
		exit      int
		kind      llm.Kind
		until     int64
	}{
		{"old limit", "Claude AI usage limit reached|1795687200\n", 1, llm.RateLimited, 1795687200},
		{"old limit in a result", `{"type":"result","is_error":true,"result":"Claude AI usage limit reached|1795687200"}`, 1, llm.RateLimited, 1795687200},
		{"old login", "Invalid API key · Please run /login\n", 1, llm.Auth, 0},
		{"old version", "error: unknown option '--safe-mode'\n", 1, llm.BadRequest, 0},
		{"nothing", "", 0, llm.Unavailable, 0},
		{"nothing and a failure", "", 1, llm.Unavailable, 0},
		{"script without program", "", 127, llm.NotInstalled, 0},
		{"odd types", `{"type":"result","is_error":"yes","result":7}` + "\n", 1, llm.Unavailable, 0},
		{"not JSON", "{\"type\":\"resu\n\x00\x1b[31m", 0, llm.Unavailable, 0},
		{"spent", `{"type":"result","subtype":"error_max_budget_usd","is_error":true,"total_cost_usd":0.1,"errors":["Reached maximum budget ($0.00001)"]}`, 1, llm.OverBudget, 0},
		{"turns", `{"type":"result","subtype":"error_max_turns","is_error":true}`, 1, llm.Malformed, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "out")
			write(t, file, tt.out)
			env, _ := fakeEnv(t, "replay", "FAKE_FILE="+file, fmt.Sprint("FAKE_EXIT=", tt.exit))
			_, err := ask(t.Context(), env)
			var e *llm.Error
			if !errors.As(err, &e) || e.Kind != tt.kind || e.Hint() == "" || strings.ContainsAny(err.Error(), "\x00\x1b\n") {
				t.Fatalf("got %v; want %s", err, tt.kind)
			}
			if tt.until == 0 != e.Until.IsZero() || tt.until != 0 && e.Until.Unix() != tt.until {
				t.Errorf("until %s", e.Until)
			}
		})
	}
}

// A program of before the streamed events answers all the same.
func TestResultOnly(t *testing.T) {
	t.Parallel()
	for text, out := range map[string]string{
		"Grams.":       answer,
		`{"facts":[]}`: `{"type":"result","is_error":false,"result":"done","structured_output":{"facts":[]}}`,
		"":             `{"type":"result","is_error":false,"result":""}`,
	} {
		file := filepath.Join(t.TempDir(), "out")
		write(t, file, "warning: something\n"+out)
		env, _ := fakeEnv(t, "replay", "FAKE_FILE="+file)
		if got, err := ask(t.Context(), env); err != nil || got.Text != text {
			t.Errorf("%s: got %q, %v", out, got.Text, err)
		}
	}
}

var (
	scrubbed = regexp.MustCompile(`"(uuid|session_id|refused_user_message_uuid|id|request_id)":"[^"]*"`)
	durable  = regexp.MustCompile(`"((?:duration|ttft|ttft_stream|time_to)[a-z_]*)":[0-9.]+`)
)

// TestRealRecord writes testdata anew if RECOLLECT_TEST_RECORD is set.
func TestRealRecord(t *testing.T) {
	if os.Getenv("RECOLLECT_TEST_RECORD") == "" {
		t.Skip("RECOLLECT_TEST_RECORD is not set")
	}
	program := realProgram(t)
	for _, tt := range recorded {
		server := llmtest.NewServer(t, tt.reply)
		env, _ := realEnv(t, server.URL, llmtest.Key)
		if tt.login {
			env = append(env, "ANTHROPIC_API_KEY=", "CLAUDE_CODE_OAUTH_TOKEN="+llmtest.Key)
		}
		out := filepath.Join(t.TempDir(), "out")
		script := filepath.Join(t.TempDir(), "claude")
		write(t, script, "#!/bin/sh\n"+program+" \"$@\" | tee "+out+"\n")
		if err := os.Chmod(script, 0o700); err != nil {
			t.Fatal(err)
		}
		c, err := claudecli.New(claudecli.Options{Marker: marker, Program: script, Env: env, Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		p := llm.Prompt{System: "You list facts.", Text: "Weights are grams.", Model: "haiku"}
		if tt.schema {
			p.Schema = json.RawMessage(llmtest.Schema)
		}
		_, _ = c.Complete(t.Context(), p)
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join("testdata", tt.name+".jsonl"), scrub(b))
	}
}

// scrub leaves out what differs each time or tells of the machine.
func scrub(b []byte) string {
	var kept strings.Builder
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		line := lines.Text()
		if strings.Contains(line, `"subtype":"init"`) || strings.Contains(line, `"subtype":"status"`) || !json.Valid([]byte(line)) {
			continue
		}
		line = scrubbed.ReplaceAllString(line, `"$1":"0"`)
		line = durable.ReplaceAllString(line, `"$1":0`)
		line = regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(line, "127.0.0.1")
		kept.WriteString(line + "\n")
	}
	return kept.String()
}
