package app

import (
	"context"

	"recollect/internal/engine"
	"recollect/internal/memory"
)

// Conflicts lists those that wait for a decision, or all that ever were.
func (b *Bridge) Conflicts(root string, all bool) ([]memory.ConflictRecord, error) {
	return ask(b, root, func(_ context.Context, e *engine.Engine) ([]memory.ConflictRecord, error) {
		return e.Conflicts(all)
	})
}

// ResolveConflict does what the person decided.
func (b *Bridge) ResolveConflict(root, id string, d memory.Decision, note string) (engine.Resolved, error) {
	return change(b, root, []string{"conflicts", "memory"}, func(ctx context.Context, e *engine.Engine) (engine.Resolved, error) {
		return e.Resolve(ctx, id, d, note)
	})
}
