package engine

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"recollect/internal/llm"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/plugin"
)

// Tried is what an extractor found in a trial of which nothing was kept.
type Tried struct {
	Branch    string          `json:"branch"`
	Extractor string          `json:"extractor"`
	Items     []TriedItem     `json:"items"`  // first those that would go in, each kind surest first
	Unread    int             `json:"unread"` // turns that it could not look at
	Warnings  []string        `json:"warnings,omitempty"`
	Log       []plugin.Logged `json:"log,omitempty"`
	// Took is the time of the extractor's calls, in itself and in what it asked the
	// host for, without loading it; Memory the most that one call had.
	Took       time.Duration `json:"took_ns"`
	Memory     int64         `json:"memory_bytes"`
	ModelCalls int           `json:"model_calls"`
	Tokens     int64         `json:"tokens"` // that the model read and wrote, as far as it says
}

// TriedItem is a find of a trial.
type TriedItem struct {
	Section    string        `json:"section"`
	Content    string        `json:"content"`
	Confidence float64       `json:"confidence"`
	Rationale  string        `json:"rationale,omitempty"`
	Origin     memory.Origin `json:"origin"`
	// Known is the id of the item of today's memory that says the same; Rejected
	// says why the find would not go in.
	Known    string `json:"known,omitempty"`
	Rejected string `json:"rejected,omitempty"`
}

// Try runs one extractor, an id or the last part of one, over every turn of a
// branch as if nothing were remembered, and writes nothing, not even what the
// plug-in would store. A model that it asks costs what it costs, within the
// budget. progress, if not nil, is called from one goroutine at a time.
func (e *Engine) Try(ctx context.Context, branch *string, extractor string, progress func(Progress)) (Tried, error) {
	name, err := e.branchName(branch)
	if err != nil {
		return Tried{}, err
	}
	if progress != nil {
		told, stop := e.withCompiling(progress)
		defer stop()
		progress = told
	}
	t := trial{tried: Tried{Branch: name, Extractor: extractor, Items: []TriedItem{}}}
	m := e.openModel(runID(e.options.Now()))
	defer m.close()
	if m != nil {
		m.client = tally{m.client, &t.tokens}
	}
	parts, err := e.trialParts(&t, m)
	if err != nil {
		return Tried{}, err
	}
	h, err := e.openHistory(ctx)
	if err != nil {
		return Tried{}, err
	}
	defer h.Close()
	in := memorize.Input{Project: e.project.Name(), Branch: name, History: h, Now: e.options.Now()}
	if progress != nil {
		in.Progress = func(p memorize.Progress) { progress(Progress{Branch: name, Number: 1, Branches: 1, Progress: p}) }
	}
	found, err := memorize.Try(ctx, parts, in)
	if err != nil {
		return Tried{}, err
	}
	t.tried.Tokens = t.tokens.Load()
	t.tried.Unread, t.tried.Warnings = found.Unread, found.Warnings
	if found.Turns == 0 {
		t.tried.Warnings = append(t.tried.Warnings, "the history has no turn of "+branchInWords(name))
	}
	t.tried.Log = plugin.Readable(t.log, e.redacted)
	today, _, err := e.memories().Load(name)
	if err != nil {
		return Tried{}, err
	}
	t.compare(today, found)
	return t.tried, nil
}

// trial is a Try under way.
type trial struct {
	tried  Tried
	log    []plugin.Logged
	tokens atomic.Int64
}

// trialParts wires the extractor of a trial, with a scratch for what it stores.
func (e *Engine) trialParts(t *trial, m *model) (memorize.Parts, error) {
	ids, err := e.findPlugins([]string{t.tried.Extractor})
	if err != nil {
		return memorize.Parts{}, err
	}
	t.tried.Extractor = ids[0]
	red, err := e.redactor()
	if err != nil {
		return memorize.Parts{}, err
	}
	s := scratch(true)
	x, err := e.extractor(ids[0], m, s)
	if err != nil {
		return memorize.Parts{}, err
	}
	x.Setting.Watch = t.watch
	p := memorize.Parts{Extractors: []memorize.Extractor{x}, Redactor: red}
	p.Schema, err = e.schema(s)
	return p, err
}

// watch adds up what the extractor's calls took and logged.
func (t *trial) watch(_ string, o plugin.Outcome, _ error) {
	t.log = plugin.Newest(append(t.log, o.Logged(time.Now().UTC().Round(0))...))
	t.tried.Took += o.Usage.Guest + o.Usage.Host
	t.tried.Memory = max(t.tried.Memory, o.Usage.Memory)
	t.tried.ModelCalls += o.Usage.ModelCalls
}

// compare sets the finds beside today's memory.
func (t *trial) compare(today memory.Memory, found memorize.Trial) {
	known := memory.Look(today, found.Found)
	var left []TriedItem
	for i, f := range found.Found {
		it := triedItem(f, known[i].Why)
		it.Known = known[i].ID
		if f.Suggestion && it.Rejected == "" && it.Known == "" {
			it.Rejected = onlySuggested
		}
		if it.Rejected != "" {
			left = append(left, it)
			continue
		}
		t.tried.Items = append(t.tried.Items, it)
	}
	for _, f := range found.Refused {
		f.Origin.Extractor = t.tried.Extractor
		left = append(left, triedItem(f.Found, f.Reason))
	}
	for _, items := range [][]TriedItem{t.tried.Items, left} {
		slices.SortStableFunc(items, func(a, b TriedItem) int { return cmp.Compare(b.Confidence, a.Confidence) })
	}
	t.tried.Items = append(t.tried.Items, left...)
}

const onlySuggested = "it is not sure of this: it would wait as a suggestion"

func triedItem(f memory.Found, rejected string) TriedItem {
	return TriedItem{Section: f.Section, Content: f.Content, Confidence: f.Confidence, Rationale: f.Rationale, Origin: f.Origin, Rejected: rejected}
}

// tally counts the tokens of a client.
type tally struct {
	llm.Client
	tokens *atomic.Int64
}

// Complete implements llm.Client.
func (t tally) Complete(ctx context.Context, p llm.Prompt) (llm.Completion, error) {
	c, err := t.Client.Complete(ctx, p)
	t.tokens.Add(int64(c.InputTokens + c.OutputTokens))
	return c, err
}
