package config

import (
	"net/netip"
	"net/url"
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
// raises that. Calls and tokens are a net below it, for models that cost next to
// nothing and plug-ins that ask too often: a session is reckoned at 5,000 tokens,
// so all three meet where that costs a tenth of a cent, less than it does with any
// model that is asked by default.
func DefaultBudget() Budget {
	return Budget{
		Run:    Spend{Calls: 500, Tokens: 2_500_000, Dollars: 0.5},
		Day:    Spend{Calls: 1000, Tokens: 5_000_000, Dollars: 1},
		Plugin: Spend{Calls: NoLimit, Tokens: NoLimit, Dollars: NoLimit},
	}
}

func modelKeys() []key {
	keys := []key{
		choice("model.provider", "Who answers when a plug-in asks a model; none: nobody, and nothing leaves this machine.", Providers,
			func(s *Settings) *string { return &s.Model.Provider }).by(only(NoProvider).ofPerson()).
			asks("Plug-ins could ask {new} instead of {old} as a model: what was said in this project would be sent there, at your cost."),
		text("model.name", "The model that is asked; empty: the provider's default.", "the name of a model, or an empty text for the default",
			func(s *Settings) *string { return &s.Model.Name }, validModel).by(rule{personal: true}).
			asks("The model that is asked would be {new} instead of {old}."),
		text("model.base_url", "The address of a compatible service, such as one on this machine; empty: the provider's own.",
			"an https address, or an http one of this machine; an empty text for the vendor's",
			func(s *Settings) *string { return &s.Model.BaseURL }, validBase).by(rule{personal: true}).
			asks("Questions to a model, with what was said in this project, would go to {new} instead of {old}."),
	}
	for _, p := range []struct {
		name, whose string
		spend       func(*Settings) *Spend
	}{
		{"budget.run", "one run", func(s *Settings) *Spend { return &s.Budget.Run }},
		{"budget.day", "a day, over all projects", func(s *Settings) *Spend { return &s.Budget.Day }},
		{"budget.plugin_day", "each plug-in a day", func(s *Settings) *Spend { return &s.Budget.Plugin }},
	} {
		keys = append(keys,
			most(p.name+"_calls", "The most calls to a model for "+p.whose+"; -1: no limit.", "a number of calls, or -1 for no limit",
				func(s *Settings) *int64 { return &p.spend(s).Calls }).by(lower().ofPerson()).
				asks("Models could be called {new} times instead of {old} for "+p.whose+"."),
			most(p.name+"_tokens", "The most tokens that a model may read and write for "+p.whose+"; -1: no limit.", "a number of tokens, or -1 for no limit",
				func(s *Settings) *int64 { return &p.spend(s).Tokens }).by(lower().ofPerson()).
				asks("Models could read and write {new} tokens instead of {old} for "+p.whose+"."),
			dollars(p.name+"_dollars", "The most US dollars, at list price, for "+p.whose+"; -1: no limit.",
				func(s *Settings) *float64 { return &p.spend(s).Dollars }).by(lower().ofPerson()).
				asks("Models could cost {new} US dollars instead of {old} for "+p.whose+"."))
	}
	return keys
}

// noLimit is the least value of a limit.
func noLimit() *float64 {
	least := float64(NoLimit)
	return &least
}

func most(name, doc, want string, field func(*Settings) *int64) key {
	return at(Key{Name: name, Kind: Int, Min: noLimit(), Doc: doc}, want, field, func(v int64) bool { return v >= NoLimit })
}

// maxDollars is what is no limit in earnest any more.
const maxDollars = 1e6

func dollars(name, doc string, field func(*Settings) *float64) key {
	high := float64(maxDollars)
	return at(Key{Name: name, Kind: Number, Min: noLimit(), Max: &high, Doc: doc}, "an amount of US dollars, or -1 for no limit", field,
		func(v float64) bool { return (v >= 0 || v == NoLimit) && v <= maxDollars })
}

// modelLetters are those of the names of models, beside letters and digits. The
// name becomes an argument of a program, which on some systems is a script.
const modelLetters = "._-/:@+[]"

func validModel(name string) bool {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(modelLetters, r)
	}
	return len(name) <= 200 && !strings.HasPrefix(name, "-") && !strings.ContainsFunc(name, odd)
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
	addr, err := netip.ParseAddr(host)
	local := host == "localhost" || err == nil && addr.IsLoopback()
	return u.Scheme == "https" || u.Scheme == "http" && local
}
