package config

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// Model says which model plug-ins may ask. None is asked unless a provider is
// set.
type Model struct {
	Provider string // one of Providers
	Name     string // the vendor's name of the model; "": the client's default
	BaseURL  string // of a compatible endpoint; "": the vendor's
}

// The providers of models.
const (
	NoProvider = "none"
	ClaudeCLI  = "claude-cli" // the claude program: a person's subscription, no key
	Anthropic  = "anthropic"
	OpenAI     = "openai" // also Ollama, LM Studio, vLLM and others, by base URL
)

// Providers are the values of model.provider.
var Providers = []string{NoProvider, ClaudeCLI, Anthropic, OpenAI}

// NoLimit in a field of a Spend takes that limit away.
const NoLimit = -1

// Spend is what may be used up.
type Spend struct {
	Calls   int64
	Tokens  int64
	Dollars float64 // US dollars at list price
}

// Budget is the hard limit on what models may cost.
type Budget struct {
	Run    Spend // one run of one command
	Day    Spend // of this person on this machine, over all projects
	Plugin Spend // of each plug-in, a day
}

// DefaultBudget is small: a day costs no more than a dollar until a person
// raises that.
func DefaultBudget() Budget {
	return Budget{
		Run:    Spend{Calls: 40, Tokens: 1_000_000, Dollars: 0.5},
		Day:    Spend{Calls: 200, Tokens: 3_000_000, Dollars: 1},
		Plugin: Spend{Calls: NoLimit, Tokens: NoLimit, Dollars: NoLimit},
	}
}

func modelKeys() []key {
	keys := []key{
		{"model.provider", "one of " + strings.Join(Providers, ", "), func(s *Settings, v json.RawMessage) bool {
			return decode(v, &s.Model.Provider) && slices.Contains(Providers, s.Model.Provider)
		}, func(s Settings) any { return s.Model.Provider }},
		{"model.name", "the name of a model, or an empty text for the default", func(s *Settings, v json.RawMessage) bool {
			return decode(v, &s.Model.Name) && len(s.Model.Name) <= 200 && !strings.ContainsAny(s.Model.Name, "\n\r\x00") && !strings.HasPrefix(s.Model.Name, "-")
		}, func(s Settings) any { return s.Model.Name }},
		{"model.base_url", "an https address, or an http one of this machine; an empty text for the vendor's", func(s *Settings, v json.RawMessage) bool {
			return decode(v, &s.Model.BaseURL) && validBase(s.Model.BaseURL)
		}, func(s Settings) any { return s.Model.BaseURL }},
	}
	for _, p := range []struct {
		name  string
		spend func(*Settings) *Spend
	}{
		{"budget.run", func(s *Settings) *Spend { return &s.Budget.Run }},
		{"budget.day", func(s *Settings) *Spend { return &s.Budget.Day }},
		{"budget.plugin_day", func(s *Settings) *Spend { return &s.Budget.Plugin }},
	} {
		keys = append(keys,
			key{p.name + "_calls", "a number of calls, or -1 for no limit", func(s *Settings, v json.RawMessage) bool {
				n := &p.spend(s).Calls
				return decode(v, n) && *n >= NoLimit
			}, func(s Settings) any { return p.spend(&s).Calls }},
			key{p.name + "_tokens", "a number of tokens, or -1 for no limit", func(s *Settings, v json.RawMessage) bool {
				n := &p.spend(s).Tokens
				return decode(v, n) && *n >= NoLimit
			}, func(s Settings) any { return p.spend(&s).Tokens }},
			key{p.name + "_dollars", "an amount of US dollars, or -1 for no limit", func(s *Settings, v json.RawMessage) bool {
				n := &p.spend(s).Dollars
				return decode(v, n) && (*n >= 0 || *n == NoLimit) && *n < 1e6
			}, func(s Settings) any { return p.spend(&s).Dollars }})
	}
	return keys
}

// validBase takes addresses that a key may be sent to: encrypted ones, and this
// machine's.
func validBase(text string) bool {
	if text == "" {
		return true
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	host := u.Hostname()
	local := host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
	return u.Scheme == "https" || u.Scheme == "http" && local
}
