package app

import (
	"context"

	"recollect/internal/engine"
)

// Review lists what waits for the person, of all branches.
func (b *Bridge) Review(root string) ([]engine.Proposal, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) ([]engine.Proposal, error) { return e.Review(ctx) })
}

// Decide does what the person decided, all at once.
func (b *Bridge) Decide(root string, decisions []engine.Decision) (engine.Reviewed, error) {
	return change(b, root, []string{"review", "memory", "conflicts"}, func(ctx context.Context, e *engine.Engine) (engine.Reviewed, error) {
		return e.Decide(ctx, decisions)
	})
}

// UndoReview takes the last decisions back.
func (b *Bridge) UndoReview(root, undo string) (engine.Reviewed, error) {
	return change(b, root, []string{"review", "memory"}, func(ctx context.Context, e *engine.Engine) (engine.Reviewed, error) {
		return e.UndoReview(ctx, undo)
	})
}
