package ledger

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"strings"
	"sync"
)

//go:embed prices.json
var priceFile []byte

// Price is what a model's tokens cost, in US dollars per million, which is the
// same as millionths of a dollar per token.
type Price struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
}

// Cost is what tokens cost, in millionths of a US dollar, rounded up.
func (p Price) Cost(input, output int64) int64 {
	cost := math.Ceil(float64(input)*p.Input + float64(output)*p.Output - 1e-6)
	return int64(min(max(cost, 0), biggest))
}

// Prices are list prices by model.
type Prices struct {
	Date    string   // when they were written down, "2026-11-28"
	Sources []string // the vendors' pages
	models  map[string]Price
	offered map[string][]Model // by vendor, as they stand in the file
	dearest map[string]Price   // by vendor; "" for all of them
}

// Model is a model under its vendor's name for it.
type Model struct {
	Name    string
	Aliases []string // other names, some of which only the vendor's own program knows
	Price
}

// DefaultPrices are the ones that ship with the program.
var DefaultPrices = sync.OnceValue(func() *Prices {
	p, err := ParsePrices(priceFile)
	if err != nil {
		panic(err) // a test reads the file that is built in
	}
	return p
})

// ParsePrices reads a file of prices. It is strict: an unknown key, a missing
// date or a price out of range is an error.
func ParsePrices(text []byte) (*Prices, error) {
	var file struct {
		Date    string   `json:"date"`
		Note    string   `json:"note"`
		Sources []string `json:"sources"`
		Models  []struct {
			Vendor  string   `json:"vendor"`
			Model   string   `json:"model"`
			Aliases []string `json:"aliases"`
			Retired bool     `json:"retired"` // no measure for models that are not known
			// It answers no more, or to other requests than ours.
			Unlisted bool `json:"unlisted"`
			Price
		} `json:"models"`
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil {
		return nil, fmt.Errorf("prices: %w", err)
	}
	if !isDate(file.Date) || len(file.Models) == 0 {
		return nil, fmt.Errorf("prices: a date and at least one model are needed")
	}
	p := &Prices{Date: file.Date, Sources: file.Sources, models: map[string]Price{}, offered: map[string][]Model{}, dearest: map[string]Price{}}
	for _, m := range file.Models {
		if m.Model == "" || m.Vendor == "" || !(m.Input >= 0 && m.Input <= 1e4) || !(m.Output >= 0 && m.Output <= 1e4) {
			return nil, fmt.Errorf("prices: %q: want a vendor, a model and prices from 0 to 10000", m.Model)
		}
		for _, name := range append(m.Aliases, m.Model) {
			if _, twice := p.models[name]; twice {
				return nil, fmt.Errorf("prices: %q stands there twice", name)
			}
			p.models[name] = m.Price
		}
		if !m.Unlisted {
			p.offered[m.Vendor] = append(p.offered[m.Vendor], Model{m.Model, m.Aliases, m.Price})
		}
		if !m.Retired {
			for _, group := range []string{m.Vendor, ""} {
				d := p.dearest[group]
				p.dearest[group] = Price{max(d.Input, m.Input), max(d.Output, m.Output)}
			}
		}
	}
	return p, nil
}

// Offered are the models that a vendor's service can be asked for.
func (p *Prices) Offered(vendor string) []Model { return p.offered[vendor] }

// With gives prices in which those of own, such as a person's file, go before
// p's. The dearest stay p's.
func (p *Prices) With(own *Prices) *Prices {
	merged := *p
	merged.models = maps.Clone(p.models)
	maps.Copy(merged.models, own.models)
	return &merged
}

// version is what stands behind a model's name for one state of it.
var version = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:-\d{8}|-\d{4}-\d{2}-\d{2}|-latest|@\d{8}|\[1m\])$`)
})

// plainModel is a model's name without the date of its version.
func plainModel(name string) string { return version().ReplaceAllString(name, "") }

// Of is a model's price, as a client of that name asks for it. Where it is not
// known the price is the dearest of the model's vendor, if client or name tell
// which one that is, else the dearest of all.
func (p *Prices) Of(client, model string) (price Price, known bool) {
	name := strings.ToLower(model)
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	for _, n := range []string{model, name, plainModel(name)} {
		if price, ok := p.models[n]; ok {
			return price, true
		}
	}
	return p.dearest[vendorOf(client, name)], false
}

func vendorOf(client, name string) string {
	switch {
	case client == "claude-cli" || client == "anthropic" || strings.HasPrefix(name, "claude-"):
		return "anthropic"
	case strings.HasPrefix(name, "gpt-"):
		return "openai"
	}
	return ""
}
