package engine

import (
	"cmp"

	"recollect/internal/config"
	"recollect/internal/llm/ledger"
)

// ModelPrices are the models of a provider that the list of prices knows, and the
// price of the one that somebody asks about.
type ModelPrices struct {
	Date    string       `json:"date"`              // of the list, "2026-11-28"
	Default string       `json:"default,omitempty"` // the model that is asked where none is named
	Models  []ModelPrice `json:"models"`
	// Price is nil where the list does not know the model that was asked about.
	Price *ledger.Price `json:"price,omitempty"`
}

// ModelPrice is a model with what it costs, in US dollars per million tokens.
type ModelPrice struct {
	Name string `json:"name"`
	ledger.Price
}

// PricesOf gives the models that can be asked of a provider, and the price of one of
// them or of any other; "": of the one that is asked where none is named. Nothing is
// fetched.
func PricesOf(provider, model string) ModelPrices {
	list := ledger.DefaultPrices()
	out := ModelPrices{Date: list.Date, Default: defaultModel(provider), Models: []ModelPrice{}}
	if out.Default == "" {
		return out
	}
	vendor := provider
	if provider == config.ClaudeCLI {
		vendor = config.Anthropic
		for _, m := range list.Offered(vendor) {
			for _, alias := range m.Aliases {
				out.Models = append(out.Models, ModelPrice{alias, m.Price})
			}
		}
	}
	for _, m := range list.Offered(vendor) {
		out.Models = append(out.Models, ModelPrice{m.Name, m.Price})
	}
	if price, known := list.Of(provider, cmp.Or(model, out.Default)); known {
		out.Price = &price
	}
	return out
}
