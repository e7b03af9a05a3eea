package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"recollect/internal/config"
	"recollect/internal/history"
	"recollect/internal/keyring"
	"recollect/internal/llm"
	"recollect/internal/llm/anthropic"
	"recollect/internal/llm/budget"
	"recollect/internal/llm/claudecli"
	"recollect/internal/llm/httpapi"
	"recollect/internal/llm/ledger"
	"recollect/internal/llm/openai"
	"recollect/internal/llm/retry"
	"recollect/internal/plugin"
)

// model is what plug-ins may ask of a model in one run.
type model struct {
	client llm.Client // the vendor's, without budget and retries
	budget *budget.Budget
	ledger *ledger.Ledger
	name   string        // of the model that is asked
	local  bool          // it is on this machine
	price  *ledger.Price // nothing for such a one; nil: the list's
	again  retry.Options // with the file of what is known of the vendors
}

// ledger is the record of every call to a model, over all projects.
func (e *Engine) ledger() *ledger.Ledger {
	return ledger.Open(ledger.Options{Dir: filepath.Join(e.dirs.Data, "llm", "ledger"), Now: e.options.Now})
}

// keys is where API keys are.
func (e *Engine) keys(prompt time.Duration) *keyring.Ring {
	return keyring.New(keyring.Options{Dir: filepath.Join(e.dirs.Config, "keys"), Getenv: e.options.Getenv, Prompt: prompt, Named: e.namedOrigin})
}

// openModel makes the client that the settings name; nil if they name none. A
// key that can't be had is an error of the call that needs it, not of the run:
// without a model nothing changes.
func (e *Engine) openModel(run string) *model {
	if e.settings().Model.Provider == config.NoProvider {
		return nil
	}
	m := &model{ledger: e.ledger(), name: e.modelName()}
	m.again = retry.Options{State: e.vendorsFile(), Of: e.settings().Model.BaseURL + " " + m.name}
	if u, err := url.Parse(e.settings().Model.BaseURL); err == nil && httpapi.Loopback(u.Hostname()) {
		m.local, m.price = true, &ledger.Price{}
	}
	m.client = lazyClient{name: e.settings().Model.Provider, open: e.vendor}
	m.budget = budget.New(budget.Options{
		Ledger: m.ledger, Limits: limits(e.settings().Budget), Project: e.project.Name(), Run: run,
	})
	return m
}

// vendorsFile keeps what is known of the vendors over all projects.
func (e *Engine) vendorsFile() string { return filepath.Join(e.dirs.Data, "llm", "vendors.json") }

func (m *model) asker(plugin string) budget.Asker {
	return budget.Asker{Plugin: plugin, Model: m.name, Price: m.price}
}

// modelName is the model that is asked: the settings', else the client's own
// choice.
func (e *Engine) modelName() string {
	s := e.settings().Model
	return cmp.Or(s.Name, defaultModel(s.Provider))
}

// defaultModel is the one that a provider's client asks where none is named.
func defaultModel(provider string) string {
	switch provider {
	case config.ClaudeCLI:
		return claudecli.DefaultModel
	case config.Anthropic:
		return anthropic.DefaultModel
	case config.OpenAI:
		return openai.DefaultModel
	}
	return ""
}

// close gives up what was set aside and not used.
func (m *model) close() {
	if m != nil {
		_ = m.ledger.Close()
	}
}

// serve lets one plug-in ask the model, within the budget, each try being a
// call.
func (m *model) serve(set plugin.Setting, id string) plugin.Setting {
	if m == nil {
		return set
	}
	inside := m.budget.Client(m.client, m.asker(id))
	left := func(ctx context.Context) (calls, tokens int, err error) {
		a, err := m.budget.Left(ctx, id)
		return int(min(a.Calls, math.MaxInt32)), int(min(a.Tokens, math.MaxInt32)), err
	}
	return set.Model(retry.Client(inside, m.again), m.local, left)
}

// vendor makes the client of a provider, with its key.
func (e *Engine) vendor(ctx context.Context) (llm.Client, error) {
	s := e.settings().Model
	switch s.Provider {
	case config.ClaudeCLI:
		return claudecli.New(claudecli.Options{Marker: history.OwnMarker, Model: s.Name, MaxCost: maxCost(e.settings().Budget)})
	case config.Anthropic:
		key, err := e.key(ctx, s.Provider, s.BaseURL)
		if err != nil {
			return nil, err
		}
		return anthropic.New(anthropic.Options{Key: key, Model: s.Name, BaseURL: s.BaseURL})
	case config.OpenAI:
		key, err := e.key(ctx, s.Provider, s.BaseURL)
		if err != nil && (s.BaseURL == "" || errors.Is(err, keyring.ErrElsewhere) && !e.ownServer(s)) {
			return nil, err
		}
		return openai.New(openai.Options{Key: key, Model: s.Name, BaseURL: s.BaseURL})
	}
	return nil, fmt.Errorf("%q is no provider of models", s.Provider)
}

// maxCost is what one call of the claude program may cost, a limit that it keeps
// itself, in millionths of a dollar; 0: none.
func maxCost(b config.Budget) int64 {
	if money := min(amount(b.Run).Money, amount(b.Day).Money); money != budget.NoLimit {
		return max(money, 1)
	}
	return 0
}

// Nested says whether this process was started by something that a call of our
// own to a model has started.
func Nested() bool { return claudecli.Nested(os.LookupEnv) }

// key gives a provider's key for the address that is asked, "" for the vendor's own.
// That there is none is an error of the kind llm.Auth, that there is one for another
// address of the kind llm.Withheld, with what to do about it.
func (e *Engine) key(ctx context.Context, provider, address string) (string, error) {
	kind := llm.Auth
	origin, err := originOf(provider, address)
	if err == nil {
		var found keyring.Found
		if found, err = e.keys(0).Get(ctx, provider, origin); err == nil {
			return found.Key.Reveal(), nil
		}
	}
	if errors.Is(err, keyring.ErrElsewhere) {
		kind = llm.Withheld
	}
	return "", &llm.Error{Kind: kind, Client: provider, Detail: err.Error(), Fix: hintOf(err), Err: err}
}

// originOf is the origin of a provider's address; "" for the vendor's own.
func originOf(provider, address string) (string, error) {
	if address == "" {
		return keyring.VendorOrigins[provider], nil
	}
	return keyring.Origin(address)
}

// ownServer says whether the person's own settings name a server on this machine,
// which is asked without a key where there is none for it.
func (e *Engine) ownServer(m config.Model) bool {
	u, err := url.Parse(m.BaseURL)
	origin, _ := keyring.Origin(m.BaseURL)
	return err == nil && httpapi.Loopback(u.Hostname()) && origin == e.namedOrigin(m.Provider)
}

// namedOrigin is the origin of a provider that the person's own settings name,
// whatever a project's say; "": they name none.
func (e *Engine) namedOrigin(provider string) string {
	own, err := config.Load(e.dirs.File())
	if err != nil || own.Model.Provider != provider || own.Model.BaseURL == "" {
		return ""
	}
	origin, _ := keyring.Origin(own.Model.BaseURL)
	return origin
}

// lazyClient makes its client with the first call, so that a run in which no
// plug-in asks touches no keyring.
type lazyClient struct {
	name string
	open func(context.Context) (llm.Client, error)
}

// Name implements llm.Client.
func (c lazyClient) Name() string { return c.name }

// Complete implements llm.Client.
func (c lazyClient) Complete(ctx context.Context, p llm.Prompt) (llm.Completion, error) {
	inner, err := c.open(ctx)
	if err != nil {
		return llm.Completion{}, err
	}
	return inner.Complete(ctx, p)
}

func limits(b config.Budget) budget.Limits {
	return budget.Limits{Run: amount(b.Run), Day: amount(b.Day), Plugin: amount(b.Plugin)}
}

func amount(s config.Spend) ledger.Amount {
	a := ledger.Amount{Calls: limit(s.Calls), Tokens: limit(s.Tokens), Money: budget.NoLimit}
	if s.Dollars != config.NoLimit {
		a.Money = llm.MicroDollars(s.Dollars)
	}
	return a
}

func limit(n int64) int64 {
	if n == config.NoLimit {
		return budget.NoLimit
	}
	return n
}

// runID names a run in the ledger.
func runID(now time.Time) string { return now.UTC().Format("20060102T150405.000000000") }
