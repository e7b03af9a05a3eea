// Package budget keeps calls to models within limits of calls, tokens and money:
// for a run, for a day, and for each plug-in on a day.
//
// What a call may take at most is set aside in the ledger before it goes out,
// under the ledger's lock; what it took replaces that afterwards. So nothing gets
// past a limit: not a plug-in, not a retry (the retries are outside, and each try
// is a call), not two processes at once. If the ledger can't be written there is
// no call.
//
// Calls are counted exactly. Tokens of a prompt are estimated before the call,
// to the high side; a bill that is still higher than what was set aside counts
// in full and leaves less for the next call.
package budget

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"recollect/internal/llm"
	"recollect/internal/llm/ledger"
	"recollect/internal/printable"
	"recollect/internal/tokens"
)

// NoLimit in a field of a limit takes that limit away.
const NoLimit = math.MaxInt64

// Limits are what may be used up. The zero value allows nothing.
type Limits struct {
	Run    ledger.Amount
	Day    ledger.Amount // of this person on this machine, over all projects
	Plugin ledger.Amount // of each plug-in, a day
}

// Options of a Budget.
type Options struct {
	Ledger  *ledger.Ledger
	Limits  Limits
	Prices  *ledger.Prices // nil: those that ship with the program
	Project string         // for the ledger
	Run     string         // id of the run, for the ledger
}

// Budget is what one run may use up, whoever in it asks. It is safe for
// concurrent use.
type Budget struct {
	o Options

	mu  sync.Mutex
	run ledger.Amount // used or set aside
}

// New starts the budget of a run.
func New(o Options) *Budget {
	if o.Prices == nil {
		o.Prices = ledger.DefaultPrices()
	}
	return &Budget{o: o}
}

// Asker is who asks which model.
type Asker struct {
	Plugin string // id
	Model  string // which one the client asks if the prompt names none
	// Price is what the model costs where the list doesn't say, such as nothing
	// for one on this machine; nil: the list's.
	Price *ledger.Price
	// Overhead is what the client adds to every prompt, in tokens.
	Overhead int64
}

// Client makes a client that asks the inner one as long as the budget lasts.
// When it doesn't, the error is an *llm.Error of kind OverBudget around a
// *SpentError.
func (b *Budget) Client(inner llm.Client, a Asker) llm.Client {
	return &client{b: b, inner: inner, asker: a}
}

// Left is what is left to a plug-in: the least of its own, the day's and the
// run's limits. Nothing in it is negative.
func (b *Budget) Left(ctx context.Context, plugin string) (ledger.Amount, error) {
	s, err := b.o.Ledger.Standing(ctx, plugin)
	if err != nil {
		return ledger.Amount{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	left := ledger.Amount{Calls: NoLimit, Tokens: NoLimit, Money: NoLimit}
	for _, p := range b.purses(s) {
		left.Calls = min(left.Calls, max(p.limit.Calls-p.used.Calls, 0))
		left.Tokens = min(left.Tokens, max(p.limit.Tokens-p.used.Tokens, 0))
		left.Money = min(left.Money, max(p.limit.Money-p.used.Money, 0))
	}
	return left, nil
}

// purse is one limit and what is gone of it.
type purse struct {
	scope       Scope
	limit, used ledger.Amount
	renews      time.Time
}

func (b *Budget) purses(s ledger.Standing) []purse {
	return []purse{
		{Run, b.o.Limits.Run, b.run, time.Time{}},
		{Plugin, b.o.Limits.Plugin, s.Plugin, s.Ends},
		{Day, b.o.Limits.Day, s.Total, s.Ends},
	}
}

// client asks within a budget.
type client struct {
	b     *Budget
	inner llm.Client
	asker Asker
}

// Name is the inner client's.
func (c *client) Name() string { return c.inner.Name() }

// Complete sets aside, asks and settles.
func (c *client) Complete(ctx context.Context, p llm.Prompt) (llm.Completion, error) {
	est, r, err := c.reserve(ctx, p)
	if err != nil {
		return llm.Completion{}, err
	}
	began := time.Now()
	bill := c.failedBill(est, llm.Completion{}, &llm.Error{Kind: llm.Malformed})
	defer func() { // also if the inner client panics
		bill.Took = time.Since(began)
		c.b.settle(est, bill)
		_ = r.Settle(bill) // if it fails the reservation goes on counting
	}()
	reply, err := c.inner.Complete(ctx, p)
	if err != nil {
		bill = c.failedBill(est, reply, err)
	} else {
		bill = c.bill(est, reply)
	}
	return reply, err
}

// reserve sets aside for a call, with the quick estimate if it fits and with
// the exact one if it doesn't.
func (c *client) reserve(ctx context.Context, p llm.Prompt) (estimate, *ledger.Reservation, error) {
	if e := llm.ContextError(ctx, c.Name()); e != nil {
		return estimate{}, nil, e
	}
	est := c.estimate(p, quickTokens)
	r, err := c.b.reserve(ctx, c.call(p), est)
	var spent *SpentError
	if errors.As(err, &spent) && spent.What != Calls && !est.exact {
		est = c.estimate(p, tokens.Count)
		r, err = c.b.reserve(ctx, c.call(p), est)
	}
	switch {
	case err == nil:
		return est, r, nil
	case errors.As(err, &spent):
		return est, nil, &llm.Error{Kind: llm.OverBudget, Client: c.Name(), Detail: spent.Error(), Fix: spent.Fix(), Err: spent}
	case ctx.Err() != nil:
		return est, nil, llm.ContextError(ctx, c.Name())
	}
	return est, nil, &llm.Error{Kind: llm.OverBudget, Client: c.Name(), Err: err,
		Detail: "the ledger of calls can't be written, so none is made: " + llm.Clean(err.Error()),
		Fix:    "see to it that the data folder can be written to"}
}

func (b *Budget) reserve(ctx context.Context, call ledger.Call, est estimate) (*ledger.Reservation, error) {
	need, counted := est.amount(), false
	r, err := b.o.Ledger.Reserve(ctx, call, est.Estimate, func(s ledger.Standing) error {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, p := range b.purses(s) {
			if err := p.refuse(need, s.Day); err != nil {
				return err
			}
		}
		b.run, counted = b.run.Plus(need), true
		return nil
	})
	if err != nil && counted {
		b.addToRun(ledger.Amount{Calls: -need.Calls, Tokens: -need.Tokens, Money: -need.Money})
	}
	return r, err
}

func (b *Budget) addToRun(a ledger.Amount) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.run = b.run.Plus(a)
}

// settle corrects the run by what the call took.
func (b *Budget) settle(est estimate, bill ledger.Bill) {
	took := ledger.Amount{Calls: 1, Tokens: bill.InputTokens + bill.OutputTokens, Money: bill.Money}
	if bill.NotCalled {
		took = ledger.Amount{}
	}
	need := est.amount()
	b.addToRun(ledger.Amount{Calls: took.Calls - need.Calls, Tokens: took.Tokens - need.Tokens, Money: took.Money - need.Money})
}

func (c *client) call(p llm.Prompt) ledger.Call {
	return ledger.Call{Run: c.b.o.Run, Project: c.b.o.Project, Plugin: c.asker.Plugin,
		Client: c.Name(), Model: c.model(p), Purpose: p.Purpose}
}

func (c *client) model(p llm.Prompt) string { return cmp.Or(p.Model, c.asker.Model) }

// refuse says why a need does not fit, or nil.
func (p purse) refuse(need ledger.Amount, day string) error {
	for _, q := range []struct {
		what              What
		limit, used, need int64
	}{
		{Calls, p.limit.Calls, p.used.Calls, need.Calls},
		{Tokens, p.limit.Tokens, p.used.Tokens, need.Tokens},
		{Money, p.limit.Money, p.used.Money, need.Money},
	} {
		if q.limit != NoLimit && q.need > q.limit-max(q.used, 0) {
			return &SpentError{Scope: p.scope, What: q.what, Limit: q.limit, Used: max(q.used, 0), Need: q.need, Day: day, Renews: p.renews}
		}
	}
	return nil
}

// Scope is what a limit is for.
type Scope string

// The scopes.
const (
	Run    Scope = "run"
	Day    Scope = "day"
	Plugin Scope = "plug-in"
)

// What is limited.
type What string

// What can be limited.
const (
	Calls  What = "calls"
	Tokens What = "tokens"
	Money  What = "money"
)

// SpentError says which limit has no room for a call. Money is in millionths of
// a US dollar.
type SpentError struct {
	Scope  Scope
	What   What
	Limit  int64
	Used   int64 // also what is set aside for calls under way
	Need   int64 // of the call that was refused, at most
	Day    string
	Renews time.Time // when a day's limit starts anew; zero for a run's
}

// Error is one sentence.
func (e *SpentError) Error() string {
	of := map[Scope]string{Run: "this run's", Day: "today's", Plugin: "the plug-in's daily"}[e.Scope]
	if e.What == Calls {
		return fmt.Sprintf("%s %d calls are used up", of, e.Limit)
	}
	return fmt.Sprintf("%s budget of %s has no room for this call: %s used, the call may take %s",
		of, e.say(e.Limit), e.say(e.Used), e.say(e.Need))
}

func (e *SpentError) say(n int64) string {
	if e.What == Money {
		return ledger.Dollars(n)
	}
	return fmt.Sprintf("%d tokens", n)
}

// Fix says what a person can do.
func (e *SpentError) Fix() string {
	if e.Renews.IsZero() {
		return "raise the budget of a run, or run it again for the rest"
	}
	return "raise the budget, or wait until " + printable.Time(e.Renews)
}
