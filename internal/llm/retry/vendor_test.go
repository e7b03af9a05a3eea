package retry_test

import (
	"context"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"recollect/internal/llm"
	"recollect/internal/llm/anthropic"
	"recollect/internal/llm/budget"
	"recollect/internal/llm/ledger"
	"recollect/internal/llm/llmtest"
	"recollect/internal/llm/retry"
)

// TestWithVendor puts everything around a vendor's client, as the engine does:
// retries around a budget around a client that talks to a server.
func TestWithVendor(t *testing.T) {
	t.Parallel()
	server := llmtest.NewServer(t,
		llmtest.Reply{Status: http.StatusTooManyRequests, Header: map[string]string{"Retry-After": "7"}},
		llmtest.Reply{Status: 529},
		llmtest.Reply{Text: "a reply that breaks off", InputTokens: 40, Cut: true},
		llmtest.Reply{Text: "hi", InputTokens: 1000, OutputTokens: 100},
		llmtest.Reply{Status: http.StatusUnauthorized},
	)
	dir := t.TempDir()
	record := ledger.Open(ledger.Options{Dir: filepath.Join(dir, "ledger")})
	defer record.Close()
	enough := ledger.Amount{Calls: 40, Tokens: 1_000_000, Money: 500_000}
	limits := budget.Limits{Run: enough, Day: enough, Plugin: enough}
	b := budget.New(budget.Options{Ledger: record, Limits: limits, Project: "/p", Run: "r"})
	now := time.Now()
	var slept []time.Duration
	ask := func(url string) (llm.Completion, error) {
		inner, err := anthropic.New(anthropic.Options{Key: llmtest.Key, BaseURL: url})
		if err != nil {
			t.Fatal(err)
		}
		c := retry.Client(b.Client(inner, budget.Asker{Plugin: "p", Model: "claude-haiku-4-5"}), retry.Options{
			State: filepath.Join(dir, "vendors.json"),
			Now:   func() time.Time { return now },
			Sleep: func(_ context.Context, d time.Duration) error {
				now = now.Add(d)
				slept = append(slept, d)
				return nil
			},
		})
		return c.Complete(t.Context(), llm.Prompt{Text: "what?", Purpose: "test"})
	}
	reply, err := ask(server.URL)
	if err != nil || reply.Text != "hi" || reply.InputTokens < 1040 {
		t.Fatalf("%+v, %v", reply, err)
	}
	if len(slept) != 3 || slept[0] < 6*time.Second || slept[0] > 9*time.Second {
		t.Errorf("slept %v", slept)
	}
	if _, err := ask(server.URL); llm.KindOf(err) != llm.Auth || len(slept) != 3 {
		t.Errorf("%v, slept %v", err, slept)
	}
	if _, err := ask("http://127.0.0.1:1"); llm.KindOf(err) != llm.Unavailable {
		t.Errorf("%v", err)
	}
	u, err := record.Usage(t.Context(), ledger.Query{})
	if err != nil {
		t.Fatal(err)
	}
	// Nothing listens at the last address: its calls took nothing.
	if u.Total.Calls != 9 || u.Total.Failed != 8 || u.Total.InputTokens != 1040 || u.Total.Unpriced != 0 {
		t.Errorf("%+v", u.Total)
	}
	t.Log("\n" + ledger.Chart("By model", u.ByModel, ledger.ChartOptions{}))
}
