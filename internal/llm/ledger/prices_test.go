package ledger

import "testing"

func TestPrices(t *testing.T) {
	t.Parallel()
	p := DefaultPrices()
	if p.Date == "" || len(p.Sources) < 2 {
		t.Errorf("no date or sources: %+v", p)
	}
	haiku, pro := Price{1, 5}, Price{20, 120}
	for _, tt := range []struct {
		client, model string
		want          Price
		known         bool
	}{
		{"anthropic", "claude-haiku-4-5", haiku, true},
		{"anthropic", "claude-haiku-4-5-20251001", haiku, true},
		{"openai", "anthropic/claude-haiku-4-5", haiku, true},
		{"claude-cli", "haiku", haiku, true},
		{"claude-cli", "claude-sonnet-4-5[1m]", Price{3, 15}, true},
		{"anthropic", "claude-3-5-haiku-latest", Price{0.8, 4}, true},
		{"openai", "gpt-4o-mini-2024-07-18", Price{0.15, 0.6}, true},
		{"claude-cli", "", Price{15, 75}, false},
		{"anthropic", "claude-tomorrow-9", Price{15, 75}, false},
		{"openai", "gpt-9", pro, false},
		{"openai", "qwen3:8b", pro, false},
		{"openai", "", pro, false},
	} {
		price, known := p.Of(tt.client, tt.model)
		if price != tt.want || known != tt.known {
			t.Errorf("%s %q: %v %t, want %v %t", tt.client, tt.model, price, known, tt.want, tt.known)
		}
	}
	own, err := ParsePrices([]byte(`{"date":"2026-12-01","models":[{"vendor":"local","model":"qwen3:8b","input":0,"output":0}]}`))
	if err != nil {
		t.Fatal(err)
	}
	merged := p.With(own)
	if price, known := merged.Of("openai", "qwen3:8b"); !known || price != (Price{}) {
		t.Errorf("own price: %v %t", price, known)
	}
	if _, known := p.Of("openai", "qwen3:8b"); known {
		t.Error("the default changed")
	}
}

func TestCost(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		price   Price
		in, out int64
		want    int64
	}{
		{Price{3, 15}, 1_000_000, 0, 3_000_000},
		{Price{0.25, 1.25}, 1, 1, 2}, // 1.5, up
		{Price{0.1, 0.4}, 10, 0, 1},  // no more for what is not whole in binary
		{Price{}, 1000, 1000, 0},
		{Price{1e4, 1e4}, biggest, biggest, biggest},
	} {
		if got := tt.price.Cost(tt.in, tt.out); got != tt.want {
			t.Errorf("%+v: %d", tt, got)
		}
	}
}

func TestPriceFilesRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, `[]`, `{"date":"2026-12-01","models":[]}`,
		`{"date":"today","models":[{"vendor":"v","model":"m","input":1,"output":1}]}`,
		`{"date":"2026-12-01","models":[{"vendor":"v","model":"m","input":-1,"output":1}]}`,
		`{"date":"2026-12-01","models":[{"vendor":"v","model":"m","input":1,"output":100000}]}`,
		`{"date":"2026-12-01","models":[{"vendor":"v","model":"m","input":1,"output":1},{"vendor":"v","model":"m","input":2,"output":1}]}`,
		`{"date":"2026-12-01","models":[{"vendor":"v","model":"m","inputt":1,"output":1}]}`,
	} {
		if _, err := ParsePrices([]byte(text)); err == nil {
			t.Errorf("taken: %s", text)
		}
	}
}
