package engine

import (
	"slices"
	"testing"

	"recollect/internal/config"
	"recollect/internal/llm/ledger"
)

func TestPricesOf(t *testing.T) {
	t.Parallel()
	for provider, tt := range map[string]struct {
		want    []ModelPrice
		without string
	}{
		config.Anthropic: {[]ModelPrice{{"claude-haiku-4-5", ledger.Price{Input: 1, Output: 5}}, {"claude-sonnet-4-0", ledger.Price{Input: 3, Output: 15}}}, "haiku"},
		config.ClaudeCLI: {[]ModelPrice{{"haiku", ledger.Price{Input: 1, Output: 5}}, {"claude-haiku-4-5", ledger.Price{Input: 1, Output: 5}}}, "claude-3-opus"},
		config.OpenAI:    {[]ModelPrice{{"gpt-4.1-mini", ledger.Price{Input: 0.4, Output: 1.6}}}, "gpt-5-pro"},
	} {
		p := PricesOf(provider, "")
		if p.Date == "" || p.Default == "" || p.Price == nil {
			t.Errorf("%s: no date, no default or no price of it: %+v", provider, p)
		}
		seen := map[string]bool{}
		for _, m := range p.Models {
			if seen[m.Name] || m.Name == tt.without {
				t.Errorf("%s offers %s", provider, m.Name)
			}
			seen[m.Name] = true
			if known := PricesOf(provider, m.Name).Price; known == nil || *known != m.Price {
				t.Errorf("%s: %s is offered for %+v and costs %+v", provider, m.Name, m.Price, known)
			}
		}
		for _, m := range tt.want {
			if !slices.Contains(p.Models, m) {
				t.Errorf("%s does not offer %+v: %+v", provider, m, p.Models)
			}
		}
		if !seen[p.Default] {
			t.Errorf("%s does not offer its default, %s", provider, p.Default)
		}
		if p := PricesOf(provider, "one-of-tomorrow"); p.Price != nil {
			t.Errorf("%s: a price for a model that nobody knows: %+v", provider, p.Price)
		}
	}
	if p := PricesOf(config.NoProvider, "claude-haiku-4-5"); len(p.Models) > 0 || p.Price != nil || p.Default != "" {
		t.Errorf("without a provider: %+v", p)
	}
}
