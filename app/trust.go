package app

import (
	"context"

	"recollect/internal/engine"
)

// given is what everybody looks at again after a yes, or after one was taken
// back: what the project asks for may be any of it.
var given = []string{"trust", "settings", "memory", "plugins"}

// Trust tells what a project asks for beyond what may count by itself.
func (b *Bridge) Trust(root string) (engine.Trust, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.Trust, error) { return e.Trust(ctx) })
}

// GiveTrust says the person's yes to what the page has shown, which digest names: to
// the claims of the kinds, or to all if there are none; an error with the code
// "changed" if the project asks for something else by now.
func (b *Bridge) GiveTrust(root, digest string, kinds []string) (engine.Trust, error) {
	return change(b, root, given, func(ctx context.Context, e *engine.Engine) (engine.Trust, error) {
		return e.GiveTrust(ctx, digest, kinds...)
	})
}

// RevokeTrust takes every yes to what the project asks for back.
func (b *Bridge) RevokeTrust(root string) (engine.Trust, error) {
	return change(b, root, given, func(ctx context.Context, e *engine.Engine) (engine.Trust, error) {
		return e.RevokeTrust(ctx)
	})
}
