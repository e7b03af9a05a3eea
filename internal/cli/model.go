package cli

import (
	"fmt"
	"io"
	"strings"

	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/llm/ledger"
)

type modelCmd struct {
	Show modelShowCmd `cmd:"" default:"withargs" help:"Show the ways to a model and the one without, and what each costs for this project's history. No model is asked."`
	Use  modelUseCmd  `cmd:"" help:"Choose one, for all your projects."`
}

type modelShowCmd struct{ historyFlags }

// Run implements the command.
func (c *modelShowCmd) Run(a *app) error {
	e, err := a.open(c.historyFlags)
	if err != nil {
		return err
	}
	defer e.Close()
	w, err := e.ModelWays(a)
	if err != nil {
		return err
	}
	return a.print(w, func(out io.Writer) {
		sessions := 0
		for _, way := range w.Ways {
			sessions = max(sessions, way.Sessions)
		}
		fmt.Fprintf(out, "Who finds what is worth remembering, and what that costs for %s here that no model has read:\n\n", count(sessions, "session"))
		for _, way := range w.Ways {
			writeWay(out, way, w)
		}
		fmt.Fprintln(out, "\nChoose with: recollect model use WAY. Nothing was sent: the costs are reckoned from your transcripts.")
	})
}

// wayWords say in a line what a way is.
var wayWords = map[string]string{
	config.ClaudeCLI:  "your Claude subscription, through the claude program",
	config.Anthropic:  "Anthropic, with an API key",
	config.OpenAI:     "OpenAI, with an API key",
	engine.LocalModel: "a model on this machine",
	engine.Offline:    "no model: the offline extractor, which finds less",
}

func writeWay(out io.Writer, way engine.ModelWay, all engine.ModelWays) {
	mark := " "
	if way.Name == all.Current {
		mark = "*"
	}
	model := ""
	if way.Model != "" {
		model = " (" + plain(way.Model) + ")"
	}
	fmt.Fprintf(out, "%s %-10s  %s%s\n", mark, way.Name, wayWords[way.Name], model)
	fmt.Fprintf(out, "              %s\n", costInWords(way, all.Prices))
	if state := way.Missing; state != "" {
		fmt.Fprintf(out, "              %s\n", plain(state))
	} else if way.Name != engine.Offline {
		fmt.Fprintf(out, "              %s\n", plain(way.Found))
	}
}

// costInWords is what a way costs, in a line.
func costInWords(way engine.ModelWay, prices string) string {
	if way.Name == engine.Offline {
		return "costs nothing, and nothing leaves this machine"
	}
	if way.Requests == 0 {
		return "nothing to ask: there is no history that it has not read"
	}
	about := ""
	if way.Sampled {
		about = "about "
	}
	words := []string{fmt.Sprintf("%s%s, %d tokens in, %d out", about, count(way.Requests, "request"), way.InputTokens, way.OutputTokens)}
	price := fmt.Sprintf("%s by the price list of %s", ledger.Dollars(way.Money), prices)
	if !way.Priced {
		price = "at most " + price + ", which does not have the model"
	}
	switch {
	case way.Name == engine.LocalModel:
		words = append(words, "$0, and nothing leaves this machine")
	case way.Subscription:
		words = append(words, "included in your subscription; the budget counts "+price)
	default:
		words = append(words, price)
	}
	switch {
	case way.Days == 0:
		words = append(words, "more than your budget allows: offline stands in")
	case way.Days > 1:
		words = append(words, fmt.Sprintf("%d days within your daily budget, offline stands in until then", way.Days))
	}
	return strings.Join(words, "; ")
}

type modelUseCmd struct {
	Way     string `arg:"" enum:"claude-cli,anthropic,openai,local,none" help:"claude-cli, anthropic, openai, local or none."`
	Model   string `placeholder:"NAME" help:"The model, by its vendor's name (default: the one that is asked by default; of a server on this machine its first)."`
	Address string `placeholder:"URL" help:"Of local: where the server is (default: where Ollama and LM Studio are)."`
}

// Run implements the command.
func (c *modelUseCmd) Run(a *app) error {
	if c.Address != "" && c.Way != engine.LocalModel {
		return usagef("--address is of the way local")
	}
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	used, err := e.ChooseModel(a, engine.ModelChoice{Way: c.Way, Model: c.Model, Address: c.Address})
	if err != nil {
		return err
	}
	return a.print(used, func(w io.Writer) {
		fmt.Fprintf(w, "From now on this finds what is worth remembering, in all your projects: %s.\n", wayWords[used.Way])
		if used.Missing != "" {
			fmt.Fprintf(w, "note: %s Until then the offline extractor stands in.\n", used.Missing)
		}
		for _, key := range used.Aside {
			fmt.Fprintf(w, "note: in this project %s stays as it is, for its own settings say so.\n", key)
		}
		if used.Way != engine.Offline {
			fmt.Fprintln(w, "recollect auth test asks it one short question.")
		}
	})
}
