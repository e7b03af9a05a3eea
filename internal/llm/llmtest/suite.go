package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/internal/llm"
)

// Setup is what the suite must know of the client that it tries.
type Setup struct {
	// New makes a client that asks the server at url and shows it the key.
	New func(t *testing.T, url, key string) llm.Client

	// Program says that the client asks through a program, which hides details:
	// not each kind of error comes through, no time to come back either, and it
	// takes seconds to start.
	Program bool
}

// Key is what clients of the suite show as their key. It must never be seen
// anywhere else.
const Key = "sk-marker-4f1c9e7a2b8d-never-to-be-seen"

// Schema is a schema that a reply of the suite fits.
const Schema = `{"type":"object","properties":{"facts":{"type":"array","items":{"type":"string"}}},"required":["facts"],"additionalProperties":false}`

// Run tries a client with everything that a vendor may answer.
func Run(t *testing.T, s Setup) {
	t.Run("replies", func(t *testing.T) { runReplies(t, s) })
	t.Run("failures", func(t *testing.T) { runFailures(t, s) })
	t.Run("cancel", func(t *testing.T) { runCancel(t, s) })
	t.Run("unasked", func(t *testing.T) { runUnasked(t, s) })
	t.Run("together", func(t *testing.T) { runTogether(t, s) })
	t.Run("unreachable", func(t *testing.T) {
		server := NewServer(t)
		server.stop()
		c := s.New(t, server.URL, Key)
		_, err := c.Complete(t.Context(), prompt())
		wantError(t, c, err, llm.Unavailable)
	})
}

func prompt() llm.Prompt {
	return llm.Prompt{Purpose: "suite", System: "You list facts.", Text: "Weights are grams everywhere.", MaxTokens: 1000, Model: "test-model"}
}

func runReplies(t *testing.T, s Setup) {
	const odd = "Grüße, 世界 🙂\n\ttab \"quotes\" \\ back \u2028 line"
	for _, tt := range []struct {
		name   string
		reply  Reply
		schema string
		text   string
		stop   llm.Stop
	}{
		{name: "text", reply: Reply{Text: "Grams."}, text: "Grams.", stop: llm.StopEnd},
		{name: "odd characters", reply: Reply{Text: odd}, text: odd, stop: llm.StopEnd},
		{name: "empty", stop: llm.StopEnd},
		{name: "schema", reply: Reply{Text: `{"facts":["grams"]}`}, schema: Schema, text: `{"facts":["grams"]}`, stop: llm.StopEnd},
		{name: "schema not kept", reply: Reply{Text: "Sure! I think"}, schema: Schema, text: "Sure! I think", stop: llm.StopEnd},
		{name: "length", reply: Reply{Text: "Grams and", Stop: Length}, text: "Grams and", stop: llm.StopLength},
		{name: "slow", reply: Reply{Text: "Grams are slow.", Delay: 200 * time.Millisecond, Pause: 20 * time.Millisecond}, text: "Grams are slow.", stop: llm.StopEnd},
		{name: "long", reply: Reply{Text: strings.Repeat("grams ", 20_000)}, text: strings.Repeat("grams ", 20_000), stop: llm.StopEnd},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.reply.InputTokens, tt.reply.OutputTokens = 1234, 56
			server := NewServer(t, tt.reply)
			p := prompt()
			if tt.schema != "" {
				p.Schema = json.RawMessage(tt.schema)
			}
			got, err := s.New(t, server.URL, Key).Complete(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if got.Text != tt.text || got.Stop != tt.stop {
				t.Errorf("got %.200q, %q; want %.200q, %q", got.Text, got.Stop, tt.text, tt.stop)
			}
			if got.InputTokens != 1234 || got.OutputTokens != 56 {
				t.Errorf("used %d and %d tokens, want 1234 and 56", got.InputTokens, got.OutputTokens)
			}
			if got.Model == "" {
				t.Error("no model is named")
			}
			s.asked(t, server, p)
		})
	}
}

// asked checks that there was one request, and what it said. A program may have
// begun another one before it could be stopped.
func (s Setup) asked(t *testing.T, server *Server, p llm.Prompt) {
	t.Helper()
	requests := server.Requests()
	if len(requests) != 1 && (!s.Program || len(requests) != 2) {
		t.Fatalf("%d requests, want 1", len(requests))
	}
	if got := requests[0].Prompt(); !strings.Contains(got, p.Text) {
		t.Errorf("the prompt is %q", got)
	}
	if !strings.Contains(string(requests[0].Body), p.System) {
		t.Error("the system prompt was not sent")
	}
	if strings.Contains(string(requests[0].Body), p.Purpose) {
		t.Error("the purpose was sent")
	}
}

// failure is an answer, and the kind of error that has to come of it.
type failure struct {
	name  string
	reply Reply
	kind  llm.Kind
	vague []llm.Kind // what a client that asks through a program may also make of it
	until time.Duration
	used  bool // the tokens are known
}

var failures = []failure{
	{name: "429", reply: Reply{Status: 429}, kind: llm.RateLimited},
	{name: "429 with Retry-After", reply: Reply{Status: 429, Header: map[string]string{"Retry-After": "77"}}, kind: llm.RateLimited, until: 77 * time.Second},
	{name: "529", reply: Reply{Status: 529}, kind: llm.Overloaded},
	{name: "500", reply: Reply{Status: 500}, kind: llm.Unavailable},
	{name: "502 in HTML", reply: Reply{Status: 502, Raw: "<html><h1>Bad Gateway</h1></html>", ContentType: "text/html"}, kind: llm.Unavailable},
	{name: "401", reply: Reply{Status: 401, Message: "the key " + Key + " is wrong"}, kind: llm.Auth},
	{name: "403", reply: Reply{Status: 403, Message: "the key " + Key + " may not"}, kind: llm.Auth},
	{name: "400", reply: Reply{Status: 400, Message: "not with " + Key}, kind: llm.BadRequest},
	{name: "no credit", reply: Reply{Status: 400, Message: "Your credit balance is too low to access the API."}, kind: llm.OverBudget},
	{name: "refusal", reply: Reply{Stop: Refusal}, kind: llm.Refused, used: true},
	{name: "cut off", reply: Reply{Text: "Grams are the unit of all.", Cut: true}, kind: llm.Unavailable},
	{name: "error in the stream", reply: Reply{Text: "Grams are the unit of all.", Break: "overloaded_error"}, kind: llm.Overloaded, vague: []llm.Kind{llm.Malformed, llm.Unavailable}},
	{name: "HTML", reply: Reply{Raw: "<html>log in to this network</html>", ContentType: "text/html"}, kind: llm.Malformed, vague: []llm.Kind{llm.Unavailable}},
	{name: "not JSON", reply: Reply{Raw: "event: message_start\ndata: {\"type\":\n\n"}, kind: llm.Malformed, vague: []llm.Kind{llm.Unavailable}},
	{name: "nothing", reply: Reply{Raw: ": nothing\n\n"}, kind: llm.Unavailable, vague: []llm.Kind{llm.Malformed}},
	{name: "huge", reply: Reply{Huge: 64 << 20}, kind: llm.Malformed},
}

func runFailures(t *testing.T, s Setup) {
	for _, tt := range failures {
		t.Run(tt.name, func(t *testing.T) {
			server := NewServer(t, tt.reply)
			c := s.New(t, server.URL, Key)
			before := time.Now()
			got, err := c.Complete(t.Context(), prompt())
			kinds := []llm.Kind{tt.kind}
			if s.Program {
				kinds = append(kinds, tt.vague...)
			}
			e := wantError(t, c, err, kinds...)
			if n := len(server.Requests()); n != 1 && (!s.Program || n != 2) {
				t.Errorf("%d requests, want 1", n)
			}
			if e == nil {
				return
			}
			switch from, to := before.Add(tt.until), time.Now().Add(tt.until); {
			case tt.until == 0 && !e.Until.IsZero():
				t.Errorf("until %s, but nobody said so", e.Until)
			case tt.until != 0 && !s.Program && (e.Until.Before(from) || e.Until.After(to)):
				t.Errorf("until %s, want %s", e.Until, to)
			}
			if tt.used && (got.InputTokens == 0 || got.OutputTokens == 0) {
				t.Error("the tokens of a paid call are lost")
			}
		})
	}
}

// wantError checks an error of the client and its words.
func wantError(t *testing.T, c llm.Client, err error, kinds ...llm.Kind) *llm.Error {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v (%T), want an *llm.Error", err, err)
	}
	ok := false
	for _, k := range kinds {
		ok = ok || e.Kind == k
	}
	if !ok {
		t.Errorf("got %s (%v), want %s", e.Kind, err, kinds)
	}
	if e.Client != c.Name() {
		t.Errorf("the error is of %q, want %q", e.Client, c.Name())
	}
	if e.Kind != llm.Cancelled && e.Hint() == "" {
		t.Errorf("%v: nothing says how to mend it", err)
	}
	for x := err; x != nil; x = errors.Unwrap(x) {
		if said := fmt.Sprintf("%v %+v %#v %s", x, x, x, e.Hint()); strings.Contains(said, Key) {
			t.Errorf("the key is in the error: %s", said)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\r\x1b") || len(err.Error()) > 1000 {
		t.Errorf("the error is no line: %q", err.Error())
	}
	return e
}

func runCancel(t *testing.T, s Setup) {
	text := strings.Repeat("grams ", 50)
	for name, reply := range map[string]Reply{
		"before the reply": {Text: text, Delay: time.Minute},
		"within the reply": {Text: text, Pause: 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			server := NewServer(t, reply)
			c := s.New(t, server.URL, Key)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var began time.Time
			go func() {
				server.await(1)
				time.Sleep(100 * time.Millisecond)
				began = time.Now()
				cancel()
			}()
			_, err := c.Complete(ctx, prompt())
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %s to stop", took)
			}
			wantError(t, c, err, llm.Cancelled)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%v is not context.Canceled", err)
			}
			for range 100 {
				if server.Left() > 0 {
					return
				}
				time.Sleep(50 * time.Millisecond)
			}
			t.Error("the request goes on")
		})
	}
	t.Run("deadline", func(t *testing.T) {
		server := NewServer(t, Reply{Delay: time.Minute})
		c := s.New(t, server.URL, Key)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		_, err := c.Complete(ctx, prompt())
		if e := wantError(t, c, err, llm.Timeout); !errors.Is(err, context.DeadlineExceeded) || !e.Retriable() {
			t.Errorf("%v is no deadline, or can't be tried again", err)
		}
	})
	t.Run("ahead", func(t *testing.T) {
		server := NewServer(t)
		c := s.New(t, server.URL, Key)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := c.Complete(ctx, prompt())
		wantError(t, c, err, llm.Cancelled)
		if n := len(server.Requests()); n != 0 {
			t.Errorf("%d requests, want none", n)
		}
	})
}

func runUnasked(t *testing.T, s Setup) {
	for name, change := range map[string]func(*llm.Prompt){
		"no text":       func(p *llm.Prompt) { p.Text = " \n" },
		"broken schema": func(p *llm.Prompt) { p.Schema = json.RawMessage(`{"type":`) },
		"schema a list": func(p *llm.Prompt) { p.Schema = json.RawMessage(`[1]`) },
		"too long":      func(p *llm.Prompt) { p.Text = strings.Repeat("x", llm.MaxPromptBytes) },
		"not UTF-8":     func(p *llm.Prompt) { p.Text = "a\xffb" },
	} {
		t.Run(name, func(t *testing.T) {
			server := NewServer(t)
			c := s.New(t, server.URL, Key)
			p := prompt()
			change(&p)
			_, err := c.Complete(t.Context(), p)
			wantError(t, c, err, llm.BadRequest)
			if n := len(server.Requests()); n != 0 {
				t.Errorf("%d requests, want none", n)
			}
		})
	}
}

func runTogether(t *testing.T, s Setup) {
	n := 16
	if s.Program {
		n = 3
	}
	server := NewServerFunc(t, func(r Request) Reply {
		_, after, _ := strings.Cut(r.Prompt(), "number ")
		id, _, _ := strings.Cut(after, ".")
		return Reply{Text: "It was " + id, Pause: time.Millisecond}
	})
	c := s.New(t, server.URL, Key)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := prompt()
			p.Text = fmt.Sprintf("This is number %d.", i)
			got, err := c.Complete(t.Context(), p)
			if want := fmt.Sprintf("It was %d", i); err != nil || got.Text != want {
				t.Errorf("got %q, %v; want %q", got.Text, err, want)
			}
		})
	}
	wg.Wait()
	if got := len(server.Requests()); got != n {
		t.Errorf("%d requests, want %d", got, n)
	}
}

// SeenKey tells if a request shows the key where it belongs.
func (r Request) SeenKey(key string) bool {
	return r.Header.Get("X-Api-Key") == key || r.Header.Get("Authorization") == "Bearer "+key
}

var _ http.Handler = (*Server)(nil)
