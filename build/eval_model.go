package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
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
	left    money  // of the budget
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

// fit makes the weights of the offline extractor from the labels, and says how good they
// are on projects that are left out. The same labels give the same file.
func (t *tool) fit() error {
	if err := t.goRun(t.root, nil, "test", "-count=1", "-run", "^TestFit$", "./plugins/offline", "-args", "-fit"); err != nil {
		return err
	}
	return t.goRun(t.root, nil, "test", "-count=1", "-v", "-run", "^TestEvalLeftOut$", "./plugins/offline")
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
		golds: filepath.Join(dir, "gold"), found: filepath.Join(dir, "found"), left: money(o.budget * 1e6)}
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
	way, prices, err := e.reckon(sessions, provider, address)
	if err != nil {
		return err
	}
	cost := "nothing to pay, for it is on this machine"
	if way.Name != "local" {
		cost = dollars(way.Money) + " by the price list of " + prices
		if !way.Priced {
			cost = "at most " + cost + ", which does not have it"
		}
	}
	e.say("\n%d sessions with %s %s: about %d tokens in and %d out, %s.", len(sessions), provider, cmp.Or(name, way.Model), way.In, way.Out, cost)
	e.say("At most %s is spent, and no more than your own limits let.", dollars(e.left))
	if !o.yes {
		e.say("Nothing was asked. With -yes it is.")
	}
	return nil
}

// modelWay is what the program says of a way to a model.
type modelWay struct {
	Name, Model, Address string
	In                   int64 `json:"input_tokens"`
	Out                  int64 `json:"output_tokens"`
	Money                money `json:"usd"`
	Priced               bool
}

// reckon has the program say what the sessions would cost with the model of the
// settings, and by the price list of which day.
func (e *evaluation) reckon(sessions []goldSession, provider, address string) (modelWay, string, error) {
	args := []string{"model", "show"}
	for _, s := range sessions {
		args = append(args, "--transcripts", s.transcript)
	}
	var said struct {
		Prices string
		Ways   []modelWay
	}
	if err := e.answer(&said, args...); err != nil {
		return modelWay{}, "", err
	}
	for _, want := range []func(modelWay) bool{
		func(w modelWay) bool { return w.Name == "local" && address != "" && w.Address == address },
		func(w modelWay) bool { return w.Name == provider },
	} {
		if i := slices.IndexFunc(said.Ways, want); i >= 0 {
			return said.Ways[i], said.Prices, nil
		}
	}
	return modelWay{}, "", fmt.Errorf("recollect model does not know %s", provider)
}

// money is in millionths of a dollar, and read from dollars.
type money int64

// UnmarshalJSON implements json.Unmarshaler.
func (m *money) UnmarshalJSON(text []byte) error {
	var dollars float64
	err := json.Unmarshal(text, &dollars)
	*m = money(math.Round(dollars * 1e6))
	return err
}

func dollars(m money) string { return fmt.Sprintf("$%.4f", float64(m)/1e6) }
