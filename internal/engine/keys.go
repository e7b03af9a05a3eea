package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"recollect/internal/config"
	"recollect/internal/keyring"
	"recollect/internal/llm"
	"recollect/internal/llm/budget"
	"recollect/internal/llm/ledger"
	"recollect/internal/llm/retry"
)

// KeyStatus is where a provider's key is, without the key.
type KeyStatus = keyring.Status

// errNoProvider says that no provider of models is named.
var errNoProvider = errors.New("no provider of models is named")

// dialogTime is what a person gets for a dialog of the keyring.
const dialogTime = 60 * time.Second

// errNoKey says that a provider has no use for a key.
var errNoKey = errors.New("needs no key: the claude program has its own login")

// KeyProvider gives the provider whose key is meant: asked, or the settings'.
func (e *Engine) KeyProvider(asked string) (string, error) {
	if asked == "" {
		asked = e.settings().Model.Provider
	}
	switch asked {
	case config.NoProvider:
		return "", errNoProvider
	case config.ClaudeCLI:
		return "", fmt.Errorf("%s %w", asked, errNoKey)
	}
	_, err := config.Parse("model.provider", asked)
	return asked, err
}

// SetKey stores a provider's key in the keyring or, only if asked for, in a
// file. address is what the key is for; "": what the person's own settings name, else
// the vendor's own. It is sent nowhere else.
func (e *Engine) SetKey(ctx context.Context, provider, address, key string, file bool) (KeyStatus, error) {
	provider, err := e.KeyProvider(provider)
	if err != nil {
		return KeyStatus{}, err
	}
	origin, err := e.KeyOrigin(provider, address)
	if err != nil {
		return KeyStatus{}, err
	}
	place := keyring.Keyring
	if file {
		place = keyring.File
	}
	ring := e.keys(dialogTime)
	if err := ring.Set(ctx, provider, keyring.NewKey(key).For(origin), place); err != nil {
		return KeyStatus{}, err
	}
	retry.Forget(e.vendorsFile(), provider) // with another key it may be another account
	return ring.Status(ctx, provider, origin)
}

// KeyOrigin is what a key of a provider is for that a person enters for an address;
// "" as in SetKey.
func (e *Engine) KeyOrigin(provider, address string) (string, error) {
	if address == "" {
		return cmp.Or(e.namedOrigin(provider), keyring.VendorOrigins[provider]), nil
	}
	origin, err := keyring.Origin(address)
	if err != nil {
		return "", &config.ValueError{Key: "the address of a key", Value: fmt.Sprintf("%q", address), Want: "one like https://models.example.com"}
	}
	return origin, nil
}

// KeyStatus says where the key of a provider is for the address that is asked.
func (e *Engine) KeyStatus(ctx context.Context, provider string) (KeyStatus, error) {
	provider, err := e.KeyProvider(provider)
	if err != nil {
		return KeyStatus{}, err
	}
	address := ""
	if s := e.settings().Model; s.Provider == provider {
		address = s.BaseURL
	}
	origin, err := originOf(provider, address)
	if err != nil {
		return KeyStatus{}, err
	}
	return e.keys(0).Status(ctx, provider, origin)
}

// DeleteKey takes a provider's key out of the keyring and the file.
func (e *Engine) DeleteKey(ctx context.Context, provider string) ([]keyring.Place, error) {
	provider, err := e.KeyProvider(provider)
	if err != nil {
		return nil, err
	}
	return e.keys(dialogTime).Delete(ctx, provider)
}

// ModelTest is the answer to one short question.
type ModelTest struct {
	Provider     string        `json:"provider"`
	Model        string        `json:"model"`
	InputTokens  int           `json:"input_tokens"`
	OutputTokens int           `json:"output_tokens"`
	Took         time.Duration `json:"took_ns"`
}

// TestModel asks the configured model one short question, within the budget.
func (e *Engine) TestModel(ctx context.Context) (ModelTest, error) {
	m := e.openModel("test")
	if m == nil {
		return ModelTest{}, errNoProvider
	}
	defer m.close()
	began := time.Now()
	once := m.again
	once.Tries = 1
	client := retry.Client(m.budget.Client(m.client, m.asker("")), once)
	c, err := client.Complete(ctx, llm.Prompt{Purpose: "test", Text: "Answer with the one word: ready", MaxTokens: 16})
	if err != nil {
		return ModelTest{}, err
	}
	return ModelTest{m.client.Name(), c.Model, c.InputTokens, c.OutputTokens, time.Since(began)}, nil
}

// Usage is what models took.
type Usage struct {
	ledger.Usage
	LeftToday *string `json:"left_today,omitempty"` // in words; nil without a model
}

// Usage sums up what models took from one day to another ("" for no limit), in
// this project or in all.
func (e *Engine) Usage(ctx context.Context, from, to string, here bool) (Usage, error) {
	for _, day := range []string{from, to} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return Usage{}, &config.ValueError{Key: "the day", Value: day, Want: "a date such as 2026-11-28"}
		}
	}
	l := e.ledger()
	defer l.Close()
	q := ledger.Query{From: from, To: to}
	if here {
		q.Project = e.project.Name()
	}
	u, err := l.Usage(ctx, q)
	if err != nil || e.settings().Model.Provider == config.NoProvider {
		return Usage{Usage: u}, err
	}
	left, err := budget.New(budget.Options{Ledger: l, Limits: limits(e.settings().Budget)}).Left(ctx, "")
	if err != nil {
		return Usage{Usage: u}, err
	}
	words := inWords(left)
	return Usage{u, &words}, nil
}

func inWords(a ledger.Amount) string {
	words := func(n int64, what string) string {
		if n == budget.NoLimit {
			return "any number of " + what
		}
		return fmt.Sprintf("%d %s", n, what)
	}
	money := "any amount"
	if a.Money != budget.NoLimit {
		money = ledger.Dollars(a.Money)
	}
	return words(a.Calls, "calls") + ", " + words(a.Tokens, "tokens") + ", " + money
}
