package engine

import (
	"context"
	"slices"

	"recollect/internal/inject"
	"recollect/internal/memory"
)

// InjectionView is an injection as people look at it.
type InjectionView struct {
	Branch string `json:"branch"`
	Head   Head   `json:"head"`
	// CheckedOut says that the branch is what is checked out.
	CheckedOut bool `json:"checked_out"`
	// Disabled says that the settings turn injection off. A preview shows all the
	// same what would be; an injection did nothing.
	Disabled bool `json:"disabled,omitempty"`
	Budget   int  `json:"budget"` // tokens
	// Held is how many items came with the repository and were left out, since
	// nobody here looked at them.
	Held int `json:"held,omitempty"`
	// Absent are plug-ins that the settings name and that others stood in for.
	Absent []Absent     `json:"absent,omitempty"`
	Block  inject.Block `json:"block"`
	// Items are the active items, and those that the block names otherwise; none
	// after removing.
	Items   []memory.Item   `json:"items"`
	Targets []inject.Result `json:"targets"` // in the order asked for
	// Standing are the ids of the items that a target says now, of a preview; a file
	// may say something else than would be written.
	Standing []string `json:"standing,omitempty"`
}

// Preview gives what Inject would write now, without writing anything: the
// results hold the texts of the targets as they are and as they would be.
func (e *Engine) Preview(ctx context.Context, branch *string) (InjectionView, error) {
	return e.injectView(ctx, InjectOptions{Branch: branch, DryRun: true}, true)
}

// InjectView is Inject with what people look at afterwards.
func (e *Engine) InjectView(ctx context.Context, o InjectOptions) (InjectionView, error) {
	return e.injectView(ctx, o, false)
}

func (e *Engine) injectView(ctx context.Context, o InjectOptions, preview bool) (InjectionView, error) {
	done, in, err := e.inject(ctx, o, preview)
	if err != nil {
		return InjectionView{}, err
	}
	v := InjectionView{
		Branch: done.Branch, Head: done.Head, CheckedOut: done.CheckedOut, Disabled: done.Disabled, Held: done.Held, Absent: done.Absent, Budget: done.Budget, Block: done.Block,
		Items: []memory.Item{}, Targets: done.Targets,
	}
	for _, it := range slices.Concat(in.Memory.Items, in.Held) {
		named := func(s inject.Left) bool { return s.ID == it.ID || s.By == it.ID }
		if it.State == memory.Active || slices.ContainsFunc(v.Block.Left, named) {
			v.Items = append(v.Items, it)
		}
	}
	for _, r := range v.Targets {
		for _, id := range inject.Standing(r.Before, v.Items) {
			if !slices.Contains(v.Standing, id) {
				v.Standing = append(v.Standing, id)
			}
		}
	}
	return v, nil
}
