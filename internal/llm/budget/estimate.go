package budget

import (
	"errors"
	"net"
	"strings"

	"recollect/internal/llm"
	"recollect/internal/llm/ledger"
	"recollect/internal/tokens"
)

// estimate is what a call may take.
type estimate struct {
	ledger.Estimate
	price ledger.Price
	known bool // the price is the model's own
	exact bool // every token was counted
}

func (e estimate) amount() ledger.Amount {
	return ledger.Amount{Calls: 1, Tokens: e.InputTokens + e.OutputTokens, Money: e.Money}
}

func (c *client) estimate(p llm.Prompt, count func(string) int) estimate {
	text := p.SystemWithSchema() + "\n" + p.Text
	e := estimate{exact: len(text) <= sampled}
	e.InputTokens = int64(count(text)) + c.asker.Overhead + frame
	e.OutputTokens = int64(p.ReplyTokens())
	e.price, e.known = c.priceOf(c.model(p))
	e.InputMoney = e.price.Cost(e.InputTokens, 0)
	e.Money = e.price.Cost(e.InputTokens, e.OutputTokens)
	return e
}

func (c *client) priceOf(model string) (ledger.Price, bool) {
	if c.asker.Price != nil {
		return *c.asker.Price, true
	}
	return c.b.o.Prices.Of(c.Name(), model)
}

// frame is what a vendor puts around a prompt, in tokens.
const frame = 32

const (
	sample  = 256 // bytes of a sample
	samples = 16
	sampled = sample * samples // bytes; a longer text is sampled
)

// quickTokens is tokens.Count for texts of any length in the time that it takes
// for a short one: samples from all over the text tell how dense it is. They are
// cut anywhere, which adds to their count, and a seventh is added on top.
func quickTokens(text string) int {
	if len(text) <= sampled {
		return tokens.Count(text)
	}
	n := 0
	for i := range samples {
		start := i * (len(text) - sample) / (samples - 1)
		n += tokens.Count(strings.ToValidUTF8(text[start:start+sample], "?"))
	}
	return int(float64(n)/sampled*float64(len(text))*1.15) + 1
}

// bill is what an answer took. Where the vendor says nothing about tokens they
// are estimated.
func (c *client) bill(est estimate, reply llm.Completion) ledger.Bill {
	b := ledger.Bill{Model: reply.Model, InputTokens: int64(reply.InputTokens), OutputTokens: int64(reply.OutputTokens), Outcome: "ok"}
	if b.InputTokens <= 0 && b.OutputTokens <= 0 {
		b.InputTokens, b.OutputTokens = est.InputTokens, int64(quickTokens(reply.Text))
	}
	c.charge(&b, est, reply)
	return b
}

// failedBill is what a call without an answer took. Where the vendor doesn't
// say it, it depends on the failure: nothing was made of a prompt that never
// arrived or was turned away at the door; a service out of order has read the
// prompt at most; else all may have been made that was set aside.
func (c *client) failedBill(est estimate, reply llm.Completion, err error) ledger.Bill {
	kind := llm.KindOf(err)
	b := ledger.Bill{Model: reply.Model, InputTokens: int64(reply.InputTokens), OutputTokens: int64(reply.OutputTokens), Outcome: string(kind)}
	if b.InputTokens > 0 || b.OutputTokens > 0 || reply.CostKnown {
		c.charge(&b, est, reply)
		return b
	}
	if neverSent(err) {
		b.MoneyKnown = true
		return b
	}
	switch kind {
	case llm.NotInstalled:
		b.NotCalled, b.MoneyKnown = true, true
	case llm.RateLimited, llm.Overloaded, llm.Auth, llm.Withheld, llm.BadRequest, llm.OverBudget: // the vendor's own budget
		b.MoneyKnown = true
	case llm.Unavailable:
		b.InputTokens, b.Money, b.MoneyKnown = est.InputTokens, est.InputMoney, est.known
	default:
		b.InputTokens, b.OutputTokens, b.Money = est.InputTokens, est.OutputTokens, est.Money
		b.MoneyKnown = est.known
	}
	return b
}

// neverSent says whether no connection came about: a machine without a network
// must not use up its budget by trying.
func neverSent(err error) bool {
	var name *net.DNSError
	var op *net.OpError
	return errors.As(err, &name) || errors.As(err, &op) && op.Op == "dial"
}

// charge puts a price on a bill: the vendor's own figure, else the list's.
func (c *client) charge(b *ledger.Bill, est estimate, reply llm.Completion) {
	b.InputTokens, b.OutputTokens = bounded(b.InputTokens), bounded(b.OutputTokens)
	if reply.CostKnown && reply.Cost >= 0 {
		b.Money, b.MoneyKnown = bounded(reply.Cost), true
		return
	}
	price, known := est.price, est.known
	if reply.Model != "" {
		if p, ok := c.priceOf(reply.Model); ok || !known {
			price, known = p, ok
		}
	}
	b.Money, b.MoneyKnown = price.Cost(b.InputTokens, b.OutputTokens), known
}

// bounded keeps a vendor's figure within what the ledger takes.
func bounded(n int64) int64 { return min(max(n, 0), 1<<40) }
