package memorize

import (
	"context"

	"recollect/internal/history"
)

// Rehearse has one extractor read these turns of a branch, as Run would in a call
// for them alone, and keeps nothing of it: neither finds nor what counts as seen.
// Extractors and StandIn of p are not used.
func Rehearse(ctx context.Context, p Parts, in Input, x Extractor, refs []history.Ref) (Extracted, error) {
	layout, err := p.Schema.Layout(ctx)
	if err != nil {
		return Extracted{}, err
	}
	m, _, err := p.Store.Load(in.Branch)
	if err != nil {
		return Extracted{}, err
	}
	known, _ := p.shown(m)
	return x.Extract(ctx, Extraction{
		Project: in.Project, Branch: in.Branch, Sections: layout.Sections, Now: in.Now,
		MaxItems: MaxItems, MaxRunes: MaxItemRunes,
		History: newView(in.History, p.Redactor), New: refs, All: refs, Memory: known,
	})
}
