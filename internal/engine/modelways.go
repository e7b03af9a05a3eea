package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"

	"recollect/internal/config"
	"recollect/internal/llm"
	"recollect/internal/llm/claudecli"
	"recollect/internal/llm/httpapi"
	"recollect/internal/llm/ledger"
	"recollect/internal/llm/openai"
)

// The names of ways; the others are those of the providers.
const (
	LocalModel = "local" // a server on this machine that speaks as OpenAI's does
	Offline    = config.NoProvider
)

// localServers are where servers of models on this machine are looked for: Ollama
// and LM Studio by their defaults.
var localServers = []string{"http://127.0.0.1:11434/v1", "http://127.0.0.1:1234/v1"}

// ModelWays are the ways to have what is worth remembering found by a model, and
// the one without.
type ModelWays struct {
	Current string `json:"current"` // the name of the way that the settings name; "": another
	// Chosen says that somebody has set one, so that it is more than what is built in.
	Chosen bool       `json:"chosen"`
	Prices string     `json:"prices"` // the day of the list of prices
	Ways   []ModelWay `json:"ways"`
}

// ModelWay is one of them, with what it costs for this project's history.
type ModelWay struct {
	Name     string `json:"name"` // LocalModel, or the provider: "claude-cli", "anthropic", "openai", "none"
	Provider string `json:"provider"`
	Model    string `json:"model,omitempty"`   // that would be asked
	Address  string `json:"address,omitempty"` // of a model on this machine
	// Ready says that nothing is missing, as far as can be told without asking a
	// model; Found what was found, else Missing what is missing. Both are sentences.
	Ready   bool     `json:"ready"`
	Found   string   `json:"found,omitempty"`
	Missing string   `json:"missing,omitempty"`
	Models  []string `json:"models,omitempty"` // that a server on this machine has

	Reckoned
	// Money is in millionths of a US dollar, by the list of prices. Where a
	// subscription pays it is what the budget counts.
	Money        int64 `json:"money"`
	Priced       bool  `json:"priced"`       // false: the model is not on the list, and the dearest of its vendor counts
	Subscription bool  `json:"subscription"` // it is included in one
	// Days is how many days the daily budget spreads it over: 1, if it fits a day; 0
	// where nothing is asked, or the budget allows nothing.
	Days int `json:"days"`
}

// ModelWays tells which ways there are, which are ready, and what each would cost for
// this project's history, before any request to a model is made. It takes at most
// some seconds: of a long history a sample is read.
func (e *Engine) ModelWays(ctx context.Context) (ModelWays, error) {
	h, err := e.openHistory(ctx)
	if err != nil {
		return ModelWays{}, err
	}
	defer h.Close()
	local, remote, err := e.reckon(ctx, h)
	if err != nil {
		return ModelWays{}, err
	}
	w := ModelWays{Current: e.modelWay(), Chosen: e.ModelChosen(), Prices: ledger.DefaultPrices().Date}
	for _, way := range []ModelWay{e.claudeWay(), e.keyWay(ctx, config.Anthropic), e.keyWay(ctx, config.OpenAI), e.localWay(ctx), offlineWay()} {
		switch way.Name {
		case Offline:
			way.Sessions = remote.Sessions
		case LocalModel:
			way.Reckoned = local
		default:
			way.Reckoned = remote
		}
		e.price(&way)
		w.Ways = append(w.Ways, way)
	}
	return w, nil
}

// ModelChosen says whether somebody has said who finds what is worth remembering, so
// that the built-in answer is not all there is.
func (e *Engine) ModelChosen() bool {
	return e.SettingFrom("model.provider") != config.BuiltIn || e.SettingFrom("extractors") != config.BuiltIn
}

// ModelToChoose says that nothing was memorized in the project yet and nobody has
// chosen a way, so that a person may want to hear of them.
func (e *Engine) ModelToChoose() bool {
	return !e.ModelChosen() && e.record(e.project.Root).Memorize.At.IsZero()
}

// modelWay names the way that the settings in force go.
func (e *Engine) modelWay() string {
	s := e.settings()
	switch {
	case slices.Contains(s.Extractors, config.ModelNotes) && s.Model.Provider != config.NoProvider:
		if onThisMachine(s.Model) {
			return LocalModel
		}
		return s.Model.Provider
	case slices.Contains(s.Extractors, config.Offline):
		return Offline
	}
	return ""
}

func onThisMachine(m config.Model) bool {
	u, err := url.Parse(m.BaseURL)
	return err == nil && m.Provider == config.OpenAI && httpapi.Loopback(u.Hostname())
}

func offlineWay() ModelWay {
	return ModelWay{Name: Offline, Provider: config.NoProvider, Ready: true, Found: "It is always here, and nothing leaves this machine."}
}

func (e *Engine) claudeWay() ModelWay {
	w := ModelWay{Name: config.ClaudeCLI, Provider: config.ClaudeCLI, Model: e.nameFor(config.ClaudeCLI), Subscription: true}
	path, err := claudecli.Find(claudecli.Options{Env: e.claudeEnv()})
	if err != nil {
		w.Missing = "The claude program is not on this machine: install Claude Code and log in once."
		return w
	}
	w.Ready, w.Found = true, "The claude program is at "+path+"."
	return w
}

// claudeEnv is what of the environment says where the program is.
func (e *Engine) claudeEnv() []string {
	return []string{"HOME=" + e.options.Getenv("HOME")}
}

// nameFor is the model that a provider would be asked for: the settings' if they are
// about that provider, else its client's own choice.
func (e *Engine) nameFor(provider string) string {
	own := defaultModel(provider)
	if s := e.settings().Model; s.Provider == provider && !onThisMachine(s) {
		return cmp.Or(s.Name, own)
	}
	return own
}

func (e *Engine) keyWay(ctx context.Context, provider string) ModelWay {
	w := ModelWay{Name: provider, Provider: provider, Model: e.nameFor(provider)}
	address := ""
	if s := e.settings().Model; s.Provider == provider && !onThisMachine(s) {
		address = s.BaseURL
	}
	w.Missing = "There is no key yet: recollect auth set " + provider + "."
	origin, err := originOf(provider, address)
	if err != nil {
		return w
	}
	if s, err := e.keys(0).Status(ctx, provider, origin); err == nil && s.Place != "" {
		w.Ready, w.Missing, w.Found = true, "", fmt.Sprintf("There is a key for %s in the %s.", origin, s.Place)
	}
	return w
}

func (e *Engine) localWay(ctx context.Context) ModelWay {
	w := ModelWay{Name: LocalModel, Provider: config.OpenAI}
	servers := e.options.LocalServers
	if servers == nil {
		servers = localServers
	}
	if s := e.settings().Model; onThisMachine(s) {
		w.Address, w.Model = s.BaseURL, s.Name
		servers = append([]string{s.BaseURL}, servers...)
	}
	return w.lookAt(ctx, servers)
}

// lookAt is the way with the first server that answers with a model.
func (w ModelWay) lookAt(ctx context.Context, servers []string) ModelWay {
	for _, address := range servers {
		names, err := openai.Models(ctx, address)
		names = slices.DeleteFunc(names, func(n string) bool { return !canAnswer(n) })
		named := address == w.Address && w.Model != ""
		if named && err != nil && answered(err) {
			names = []string{w.Model} // it lists none, and may have it
		} else if err != nil || len(names) == 0 {
			continue
		}
		w.Models, w.Address = names, address
		if !named {
			w.Model = names[0]
		}
		w.Ready, w.Found = true, fmt.Sprintf("A server answers at %s.", address)
		return w
	}
	w.Missing = "No server with a model answers on this machine: start Ollama, LM Studio or another one, or name its address."
	return w
}

// answered says that an error came from a server.
func answered(err error) bool {
	kind := llm.KindOf(err)
	return kind != llm.Unavailable && kind != llm.Timeout && kind != llm.Cancelled
}

// canAnswer says whether the model of that name can be set and is none that only makes
// vectors, by its name.
func canAnswer(name string) bool {
	_, err := config.Parse("model.name", name)
	return err == nil && !strings.Contains(strings.ToLower(name), "embed")
}

// price puts a price on a way, and says how many days the budget spreads it over.
func (e *Engine) price(w *ModelWay) {
	var price ledger.Price
	w.Priced = true
	if w.Provider != config.NoProvider && w.Name != LocalModel {
		price, w.Priced = ledger.DefaultPrices().Of(w.Provider, w.Model)
	}
	w.Money = price.Cost(w.InputTokens, w.OutputTokens)
	if w.Requests == 0 {
		return
	}
	day := amount(e.settings().Budget.Day)
	for _, n := range [][2]int64{{int64(w.Requests), day.Calls}, {w.InputTokens + w.OutputTokens, day.Tokens}, {w.Money, day.Money}} {
		switch need, limit := n[0], n[1]; {
		case need == 0:
		case limit <= 0:
			w.Days = 0
			return
		default:
			w.Days = max(w.Days, int(min(math.Ceil(float64(need)/float64(limit)), 1e6)))
		}
	}
}
