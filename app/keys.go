package app

import (
	"context"

	"recollect/internal/engine"
)

// KeyStatus says where the key of a provider is. The key itself never reaches
// the page.
func (b *Bridge) KeyStatus(provider string) (engine.KeyStatus, error) {
	return ask(b, "", func(ctx context.Context, e *engine.Engine) (engine.KeyStatus, error) {
		return e.KeyStatus(ctx, provider)
	})
}

// SetKey stores a key in the keyring of the system, for the address that the
// person's own settings name, else the vendor's own.
func (b *Bridge) SetKey(provider, key string) (engine.KeyStatus, error) {
	return change(b, "", []string{"settings"}, func(ctx context.Context, e *engine.Engine) (engine.KeyStatus, error) {
		return e.SetKey(ctx, provider, "", key, false)
	})
}

// DeleteKey takes a key out of wherever we put it.
func (b *Bridge) DeleteKey(provider string) (engine.KeyStatus, error) {
	return change(b, "", []string{"settings"}, func(ctx context.Context, e *engine.Engine) (engine.KeyStatus, error) {
		if _, err := e.DeleteKey(ctx, provider); err != nil {
			return engine.KeyStatus{}, err
		}
		return e.KeyStatus(ctx, provider)
	})
}

// TestModel asks the configured model one short question.
func (b *Bridge) TestModel(root string) (engine.ModelTest, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.ModelTest, error) { return e.TestModel(ctx) })
}
