package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// evalOptions are the flags of eval.
type evalOptions struct {
	model    bool
	yes      bool
	budget   float64 // dollars
	sessions int     // 0: all
	project  string  // "": all
}

func evalFlags(fs *flag.FlagSet, o *options) {
	fs.BoolVar(&o.eval.model, "model", false, "score model-notes with the model of your settings; without -yes it only says what that would cost")
	fs.BoolVar(&o.eval.yes, "yes", false, "ask the model, and pay for it")
	fs.Float64Var(&o.eval.budget, "budget", 0.25, "dollars that all requests together may cost, by the price list; your own limits hold beside it")
	fs.IntVar(&o.eval.sessions, "sessions", 0, "only so many sessions, of as many projects as possible (default: all)")
	fs.StringVar(&o.eval.project, "project", "", "only the sessions of this project")
}

// goldSession is a session of which is known what a reader would keep.
type goldSession struct {
	set, project, name string
	gold, transcript   string // files
}

// evaluation scores what the program finds with a model.
type evaluation struct {
	*tool
	program string
	project string // a scratch project, which the requests are booked under
	golds   string // folder of gold of the sessions that were asked about
	found   string // folder of predictions
	left    int64  // of the budget, millionths of a dollar
	spent   spending
}

// eval prints how good what is found is: offline, or with the model of the settings.
func (t *tool) eval(o evalOptions) error {
	if o.model {
		return t.evalModel(o)
	}
	if o.yes || o.sessions != 0 || o.project != "" {
		return errors.New("-yes, -sessions and -project go with -model")
	}
	return t.goRun(t.root, nil, "test", "-count=1", "-v", "-run", "^TestEval", "./plugins/offline")
}

// evalModel runs the program over labelled sessions with whatever model is
// configured, as a person would, and prints how good it is and what it cost.
func (t *tool) evalModel(o evalOptions) error {
	scorer := t.shared("bench", "extraction", "eval_extraction.py")
	if !exists(scorer) {
		return errors.New("the transcripts, their gold and the scorer are not at hand: no " + t.rel(scorer))
	}
	if o.budget <= 0 || o.sessions < 0 {
		return errors.New("-budget must be more than nothing, and -sessions not less")
	}
	if err := t.cli(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "recollect-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sessions, err := t.goldSessions(filepath.Join(dir, "words"))
	if err != nil {
		return err
	}
	if sessions = pick(sessions, o); len(sessions) == 0 {
		return fmt.Errorf("no labelled session of the project %q", o.project)
	}
	e := &evaluation{tool: t, program: t.program(), project: filepath.Join(dir, filepath.Base(dir)),
		golds: filepath.Join(dir, "gold"), found: filepath.Join(dir, "found"), left: int64(o.budget * 1e6)}
	for _, d := range []string{e.project, e.golds, e.found} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	if err := e.announce(sessions, o); err != nil || !o.yes {
		return err
	}
	asked, err := e.ask(sessions)
	if len(asked) == 0 {
		return cmp.Or(err, errors.New("no session was read"))
	}
	scores, scored := e.score(scorer)
	if scored == nil {
		e.table(asked, scores)
	}
	return errors.Join(err, scored)
}

func (t *tool) shared(parts ...string) string {
	return filepath.Join(append([]string{filepath.Dir(t.root), "shared"}, parts...)...)
}

// goldSessions lists what is labelled: the sessions of dev, and those of other
// projects, whose gold names its words by digest only, so that a test of the
// extractor writes it into the folder words with them.
func (t *tool) goldSessions(words string) ([]goldSession, error) {
	if err := os.MkdirAll(words, 0o755); err != nil {
		return nil, err
	}
	var said bytes.Buffer
	cmd := t.command(t.root, []string{"RECOLLECT_GOLD=" + words}, "go", "test", "-count=1", "-run", "^TestGoldHasItsWords$", "./plugins/offline")
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the gold of other projects: %w\n%s", err, lastLines(said.String(), 10))
	}
	var all []goldSession
	for _, set := range []struct{ name, golds, transcripts string }{
		{"dev", t.shared("bench", "extraction", "dev"), t.shared("corpus", "claude-code")},
		{"more", words, t.shared("bench", "extraction", "more")},
	} {
		files, err := filepath.Glob(filepath.Join(set.golds, "*.gold.json"))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			var g struct{ Transcript string }
			if err := readJSON(f, &g); err != nil {
				return nil, err
			}
			project, _, _ := strings.Cut(g.Transcript, "/")
			all = append(all, goldSession{set.name, project, strings.TrimSuffix(filepath.Base(f), ".gold.json"), f,
				filepath.Join(set.transcripts, filepath.FromSlash(g.Transcript))})
		}
	}
	return all, nil
}

// pick takes the sessions that are wanted, one of each project in turn.
func pick(all []goldSession, o evalOptions) []goldSession {
	rank, nth := map[string]int{}, map[string]int{}
	var some []goldSession
	for _, s := range all {
		if o.project == "" || s.project == o.project {
			rank[s.name] = nth[s.set+"/"+s.project]
			nth[s.set+"/"+s.project]++
			some = append(some, s)
		}
	}
	slices.SortStableFunc(some, func(a, b goldSession) int { return cmp.Compare(rank[a.name], rank[b.name]) })
	if o.sessions > 0 && len(some) > o.sessions {
		some = some[:o.sessions]
	}
	return some
}

func readJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// answer runs the program in the scratch project and reads the JSON that it prints.
func (e *evaluation) answer(v any, args ...string) error {
	var out, said bytes.Buffer
	cmd := e.command(e.project, nil, e.program, append(args, "--project", e.project, "--json")...)
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("recollect %s: %w\n%s", strings.Join(args, " "), err, lastLines(said.String(), 5))
	}
	if err := json.Unmarshal(out.Bytes(), v); err != nil {
		return fmt.Errorf("recollect %s: %w", strings.Join(args, " "), err)
	}
	return nil
}

// announce says what the requests will come to, before there is one.
func (e *evaluation) announce(sessions []goldSession, o evalOptions) error {
	var provider, name, address string
	for key, value := range map[string]*string{"provider": &provider, "name": &name, "base_url": &address} {
		if err := e.answer(value, "config", "get", "model."+key); err != nil {
			return err
		}
	}
	if provider == "none" || provider == "" {
		return errors.New("no model is configured; for example: recollect config set --user model.provider anthropic")
	}
	var in, out int64
	for _, s := range sessions {
		var turns []turnText
		if err := e.answer(&turns, "history", "turns", "--full", "--transcripts", s.transcript); err != nil {
			return err
		}
		a, b := estimate(turns)
		in, out = in+a, out+b
	}
	cost := "nothing to pay, for it is on this machine"
	if !onThisMachine(address) {
		price, which, err := e.price(name)
		if err != nil {
			return err
		}
		cost = dollars(price.cost(in, out)) + " by the price of " + which
	}
	e.say("\n%d sessions with %s %s: about %d tokens in and %d out, %s.", len(sessions), provider, cmp.Or(name, "(its default model)"), in, out, cost)
	e.say("At most %s is spent, and no more than your own limits let.", dollars(e.left))
	if !o.yes {
		e.say("Nothing was asked. With -yes it is.")
	}
	return nil
}

// onThisMachine says whether a model's address is of this machine: such a one is
// shown less, and costs nothing.
func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// turnText is what is read of a turn to tell how long a request will be.
type turnText struct {
	Messages []struct{ Role, Text string }
}

// What a request takes, measured over the sessions of ../shared: tokens of the prompt,
// bytes of a message for a token, runes that are shown of one message and of one
// request, and tokens of a reply.
const (
	promptTokens = 1_900
	tokenBytes   = 3
	shownRunes   = 4_000
	partRunes    = 60_000
	replyTokens  = 600
)

// estimate says about how many tokens a session will take. It is on the high side:
// what a request leaves out is counted too.
func estimate(turns []turnText) (in, out int64) {
	size, runes := 0, 0
	for _, t := range turns {
		for _, m := range t.Messages {
			r := []rune(m.Text)
			r = r[:min(len(r), shownRunes)]
			runes += len(r)
			size += len(string(r)) + 40
		}
	}
	if runes == 0 {
		return 0, 0
	}
	requests := int64((runes + partRunes - 1) / partRunes)
	return requests*promptTokens + int64(size/tokenBytes), requests * replyTokens
}

// tokenPrice is in dollars per million tokens.
type tokenPrice struct{ Input, Output float64 }

func (p tokenPrice) cost(in, out int64) int64 {
	return int64(float64(in)*p.Input + float64(out)*p.Output)
}

// price finds a model in the price list; the dearest stands for one that is not there.
func (e *evaluation) price(name string) (tokenPrice, string, error) {
	var list struct {
		Models []struct {
			Model   string
			Aliases []string
			Retired bool
			tokenPrice
		}
	}
	if err := readJSON(e.path("internal", "llm", "ledger", "prices.json"), &list); err != nil {
		return tokenPrice{}, "", err
	}
	var dearest tokenPrice
	for _, m := range list.Models {
		if name != "" && (m.Model == name || slices.Contains(m.Aliases, name)) {
			return m.tokenPrice, m.Model, nil
		}
		if !m.Retired {
			dearest = tokenPrice{max(dearest.Input, m.Input), max(dearest.Output, m.Output)}
		}
	}
	return dearest, "the dearest model of the list", nil
}

func dollars(millionths int64) string { return fmt.Sprintf("$%.4f", float64(millionths)/1e6) }
