package plugin

import (
	"context"
	"errors"
	"fmt"

	"recollect/hostapi"
	"recollect/internal/inject"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/printable"
)

var (
	_ memorize.Evolver = Extractor{}
	_ memorize.Schema  = Schema{}
	_ inject.Policy    = Policy{}
)

// Extractor is a plug-in in the role of a memorize.Extractor. What the call
// itself brings (branch, history, memory) replaces those fields of Setting.
type Extractor struct {
	Plugin  *Plugin
	Setting Setting
}

// ID implements memorize.Extractor.
func (e Extractor) ID() string { return e.Plugin.Manifest.ID }

// Extract implements memorize.Extractor. Its errors are *Error; one that says
// that a model or the budget was not to be had also wraps
// memorize.ErrUnavailable.
func (e Extractor) Extract(ctx context.Context, x memorize.Extraction) (memorize.Extracted, error) {
	set := e.Setting
	set.Branch, set.History, set.New, set.All = x.Branch, x.History, x.New, x.All
	set.Memory = func(string) (memory.Memory, error) { return x.Memory, nil }
	var refused refusedCalls
	set.Complete = refused.over(set.Complete)
	r, err := call[hostapi.ExtractResult](ctx, e.Plugin, "extract", extractRequest(x), extractShape(), set)
	if err != nil {
		return memorize.Extracted{}, unavailable(err)
	}
	out := memorize.Extracted{Found: found(e.ID(), r.Items), Unread: r.Unread, Warnings: sentences(r.Warnings), Rejected: refusals(r.Rejected)}
	if x.Explain {
		out.Refused = refusals(r.Refused)
	}
	if refused.last != nil && len(out.Unread) > 0 {
		out.Halted = unavailable(e.Plugin.fail("extract", KindFailed, refused.last.Message, refused.last))
	}
	return out, nil
}

// completing is Setting.Complete.
type completing = func(context.Context, hostapi.CompleteParams) (hostapi.CompleteResult, error)

// refusedCalls keeps the last time that a call of a plug-in was refused a model, as
// such or for want of money. A guest asks for one thing at a time.
type refusedCalls struct {
	last *hostapi.Error
}

// over is ask with a note of what it refuses.
func (r *refusedCalls) over(ask completing) completing {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, p hostapi.CompleteParams) (hostapi.CompleteResult, error) {
		reply, err := ask(ctx, p)
		var e *hostapi.Error
		if errors.As(err, &e) && (e.Code == hostapi.CodeUnavailable || e.Code == hostapi.CodeBudget) {
			r.last = e
		}
		return reply, err
	}
}

// unavailable tells a plug-in that answers that it could not ask a model from one
// that failed.
func unavailable(err error) error {
	var answer *hostapi.Error
	if IsKind(err, KindFailed) && errors.As(err, &answer) && (answer.Code == hostapi.CodeUnavailable || answer.Code == hostapi.CodeBudget) {
		return unavailableError{err}
	}
	return err
}

// unavailableError is memorize.ErrUnavailable in the plug-in's words alone.
type unavailableError struct{ error }

// Unwrap gives the plug-in's error and what it comes to.
func (e unavailableError) Unwrap() []error { return []error{e.error, memorize.ErrUnavailable} }

// Evolve implements memorize.Evolver. A plug-in without rc_evolve gives
// memorize.ErrUnsupported; other errors are *Error.
func (e Extractor) Evolve(ctx context.Context, x memorize.Evolution) (memory.Proposal, error) {
	set := e.Setting
	set.Branch, set.History, set.All = x.Branch, x.History, x.All
	set.Memory = func(string) (memory.Memory, error) { return x.Memory, nil }
	r, err := call[hostapi.EvolveResult](ctx, e.Plugin, "evolve", evolveRequest(x), evolveShape(x), set)
	if IsKind(err, KindUnsupported) {
		return memory.Proposal{}, fmt.Errorf("%w: %w", memorize.ErrUnsupported, err)
	}
	if err != nil {
		return memory.Proposal{}, err
	}
	return proposal(r), nil
}

// Schema is a plug-in in the role of a memorize.Schema. One whose manifest lists
// the sections is not loaded for them.
type Schema struct {
	Plugin  *Plugin
	Setting Setting
}

// ID implements memorize.Schema.
func (s Schema) ID() string { return s.Plugin.Manifest.ID }

// Layout implements memorize.Schema. Its errors are *Error.
func (s Schema) Layout(ctx context.Context) (memory.Layout, error) {
	if static := s.Plugin.Manifest.Schema; static != nil {
		return layout(*static), nil
	}
	config, err := ResolveConfig(s.Plugin.Manifest, s.Setting.Config)
	if err != nil {
		return memory.Layout{}, s.Plugin.fail("sections", KindInvalid, err.Error(), err)
	}
	r, err := call[hostapi.SectionsResult](ctx, s.Plugin, "sections", hostapi.SectionsRequest{Config: config}, replyShape(), s.Setting)
	if err != nil {
		return memory.Layout{}, err
	}
	if err := checkSections(r); err != nil {
		return memory.Layout{}, s.Plugin.fail("sections", KindInvalid, err.Error(), err)
	}
	return layout(r), nil
}

// Check implements memorize.Schema. A plug-in without rc_check keeps the items
// that name one of the sections.
func (s Schema) Check(ctx context.Context, sections []memory.Section, items []memory.Found) ([]memory.Found, []memorize.Reject, error) {
	known, rejects := bySection(sections, items)
	if len(known) == 0 {
		return known, rejects, nil
	}
	r, err := call[hostapi.CheckResult](ctx, s.Plugin, "check", checkRequest(sections, known), checkShape(len(known)), s.Setting)
	if IsKind(err, KindUnsupported) {
		return known, rejects, nil
	}
	if err != nil {
		return nil, nil, err
	}
	good, bad, err := checked(known, r)
	if err != nil {
		return nil, nil, s.Plugin.fail("check", KindInvalid, err.Error(), err)
	}
	good, lost := bySection(sections, good)
	return good, append(append(rejects, bad...), lost...), nil
}

func bySection(sections []memory.Section, items []memory.Found) (good []memory.Found, bad []memorize.Reject) {
	ids := map[string]bool{}
	for _, s := range sections {
		ids[s.ID] = true
	}
	for _, f := range items {
		if ids[f.Section] {
			good = append(good, f)
		} else {
			bad = append(bad, memorize.Reject{Item: f, Reason: "there is no section " + printable.Quote(f.Section, 80)})
		}
	}
	return good, bad
}

// Policy is a plug-in in the role of an inject.Policy.
type Policy struct {
	Plugin  *Plugin
	Setting Setting
}

// ID implements inject.Policy.
func (p Policy) ID() string { return p.Plugin.Manifest.ID }

// Select implements inject.Policy. Its errors are *Error.
func (p Policy) Select(ctx context.Context, sel inject.Selection) (inject.Ranking, error) {
	set := p.Setting
	set.Branch = sel.Branch
	r, err := call[hostapi.SelectResult](ctx, p.Plugin, "select", selectRequest(sel), selectShape(sel), set)
	if err != nil {
		return inject.Ranking{}, err
	}
	return ranking(r), nil
}

// modelRefusal is what a plug-in reads when a model did not answer.
func modelRefusal(err error) *hostapi.Error {
	var refused *hostapi.Error
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.Is(err, context.Canceled):
		return refusal(hostapi.CodeCancelled, "the call was stopped")
	}
	e := refusal(hostapi.CodeUnavailable, "the model did not answer: %v", err)
	e.Retry = true
	return e
}
