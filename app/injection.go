package app

import (
	"context"

	"recollect/internal/engine"
)

// asked is the branch that the page names; none: what git has checked out then.
func asked(branch string) *string {
	if branch == "" {
		return nil
	}
	return &branch
}

// PreviewInjection shows the very block that Inject would write now. Without a
// branch it is that of what is checked out.
func (b *Bridge) PreviewInjection(root, branch string) (engine.InjectionView, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.InjectionView, error) {
		return e.Preview(ctx, asked(branch))
	})
}

// Inject writes the block into targets, or takes it out; none: those of the
// settings. The block of a branch that is not checked out needs a yes, other.
func (b *Bridge) Inject(root, branch string, targets []string, remove, other bool) (engine.InjectionView, error) {
	return change(b, root, []string{"memory"}, func(ctx context.Context, e *engine.Engine) (engine.InjectionView, error) {
		return e.InjectView(ctx, engine.InjectOptions{Branch: asked(branch), Targets: targets, Remove: remove, Other: other})
	})
}
