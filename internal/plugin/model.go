package plugin

import (
	"context"

	"recollect/hostapi"
	"recollect/internal/llm"
)

// Model lets plug-ins ask a model: client answers llm.complete, and left, in
// calls and tokens, llm.budget, with whether the model is on this machine. It
// replaces those fields of the setting.
func (s Setting) Model(client llm.Client, local bool, left func(context.Context) (calls, tokens int, err error)) Setting {
	s.Complete = func(ctx context.Context, p hostapi.CompleteParams) (hostapi.CompleteResult, error) {
		c, err := client.Complete(ctx, llm.Prompt{
			Purpose: p.Purpose, System: p.System, Text: p.Prompt, Schema: p.Schema, MaxTokens: p.MaxTokens,
		})
		if err != nil {
			return hostapi.CompleteResult{}, wireModelError(err)
		}
		return hostapi.CompleteResult{Text: c.Text}, nil
	}
	s.Budget = func(ctx context.Context) (hostapi.BudgetResult, error) {
		calls, tokens, err := left(ctx)
		if err != nil {
			return hostapi.BudgetResult{}, wireModelError(err)
		}
		return hostapi.BudgetResult{Calls: calls, Tokens: tokens, Local: local}, nil
	}
	return s
}

// wireModelError is a client's error as a plug-in reads it: whether to go on,
// to try later or to give up. The sentence is the client's, which holds neither
// key nor prompt.
func wireModelError(err error) *hostapi.Error {
	e := refusal(hostapi.CodeUnavailable, "%v", err)
	switch llm.KindOf(err) {
	case llm.OverBudget:
		e.Code = hostapi.CodeBudget
	case llm.Cancelled:
		e.Code = hostapi.CodeCancelled
	case llm.Refused, llm.BadRequest:
		e.Code = hostapi.CodeInvalid
	case llm.RateLimited, llm.Overloaded, llm.Unavailable, llm.Timeout, llm.Malformed:
		e.Retry = true
	}
	return e
}
