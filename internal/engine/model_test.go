package engine

import (
	"testing"

	"recollect/internal/config"
	"recollect/internal/llm/anthropic"
	"recollect/internal/llm/claudecli"
	"recollect/internal/llm/ledger"
	"recollect/internal/llm/openai"
)

// Money is what ends first with every model that is asked by default: calls and
// tokens are a net below it.
func TestMoneyIsSpentBeforeCalls(t *testing.T) {
	t.Parallel()
	const in, out = 4500, 500 // tokens of an average session, see docs/performance.md
	b := config.DefaultBudget()
	for client, model := range map[string]string{
		config.Anthropic: anthropic.DefaultModel, config.ClaudeCLI: claudecli.DefaultModel, config.OpenAI: openai.DefaultModel,
	} {
		price, known := ledger.DefaultPrices().Of(client, model)
		if !known {
			t.Fatalf("%s has no price", model)
		}
		for name, s := range map[string]config.Spend{"run": b.Run, "day": b.Day} {
			sessions := s.Dollars * 1e6 / (in*price.Input + out*price.Output)
			if sessions > float64(s.Calls) || sessions*(in+out) > float64(s.Tokens) {
				t.Errorf("with %s, $%v of a %s are %.0f sessions, but its limits are %d calls and %d tokens", model, s.Dollars, name, sessions, s.Calls, s.Tokens)
			}
		}
	}
}
