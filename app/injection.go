package app

import (
	"context"

	"recollect/internal/engine"
)

// PreviewInjection shows the very block that Inject would write now.
func (b *Bridge) PreviewInjection(root, branch string) (engine.InjectionView, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.InjectionView, error) {
		return e.Preview(ctx, &branch)
	})
}

// Inject writes the block into targets, or takes it out; none: those of the
// settings.
func (b *Bridge) Inject(root, branch string, targets []string, remove bool) (engine.InjectionView, error) {
	return change(b, root, []string{"memory"}, func(ctx context.Context, e *engine.Engine) (engine.InjectionView, error) {
		return e.InjectView(ctx, engine.InjectOptions{Branch: &branch, Targets: targets, Remove: remove})
	})
}
