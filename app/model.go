package app

import (
	"context"

	"recollect/internal/engine"
)

// ModelWays tells which ways to a model there are, and what each would cost for a
// project's history, before any request. It takes at most some seconds.
func (b *Bridge) ModelWays(root string) (engine.ModelWays, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.ModelWays, error) { return e.ModelWays(ctx) })
}

// ModelPrices gives the models of a provider that the list of prices knows, and the
// price of one; "": of the provider's default.
func (b *Bridge) ModelPrices(provider, model string) (engine.ModelPrices, error) {
	return engine.PricesOf(provider, model), nil
}

// ChooseModel sets the way in the person's own settings, for all projects.
func (b *Bridge) ChooseModel(root, way, model, address string) (engine.ChosenModel, error) {
	return change(b, root, []string{"settings"}, func(ctx context.Context, e *engine.Engine) (engine.ChosenModel, error) {
		return e.ChooseModel(ctx, engine.ModelChoice{Way: way, Model: model, Address: address})
	})
}
