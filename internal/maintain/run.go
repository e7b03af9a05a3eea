package maintain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Outcome is how a run, or a part of one, ended.
type Outcome string

// The outcomes, from the best to the worst.
const (
	Done    Outcome = "done"
	Nothing Outcome = "nothing" // there was nothing to do
	PutOff  Outcome = "put_off" // it has to wait: another process is at it
	Partly  Outcome = "partly"  // some branches failed
	Failed  Outcome = "failed"
)

// ErrPutOff says that something has to wait.
var ErrPutOff = errors.New("put off")

// Report is what a run did.
type Report struct {
	Kind     Kind      `json:"kind"`
	DryRun   bool      `json:"dry_run,omitempty"`
	Started  time.Time `json:"started"`
	Ended    time.Time `json:"ended"`
	Outcome  Outcome   `json:"outcome"`
	Parts    []Part    `json:"parts"`
	LogAside string    `json:"log_aside,omitempty"` // where a broken log was kept
}

// Part is one part of a run.
type Part struct {
	Kind      Kind     `json:"kind"`
	Name      string   `json:"name"` // "memorize", "tidy", "pack", "rebuild", "check"
	Outcome   Outcome  `json:"outcome"`
	Words     string   `json:"words"`
	Branches  int      `json:"branches"`            // that were changed, or would be
	Changes   int      `json:"changes"`             // of items, or things that were mended
	Conflicts int      `json:"conflicts,omitempty"` // new ones
	Changed   []string `json:"changed,omitempty"`   // branches in whose memory something was merged, or would be
	Deferred  []string `json:"deferred,omitempty"`  // branches for the next run
	Notes     []string `json:"notes,omitempty"`     // what waits or is left, and why
	Errors    []string `json:"errors,omitempty"`    // of single branches
	Err       error    `json:"-"`                   // of the part as a whole
}

// Options of a run.
type Options struct {
	Kind   Kind
	DryRun bool
	Now    func() time.Time // nil: time.Now
	// Shared, if not nil, takes out of a text what is nobody else's business: the
	// log may be committed.
	Shared func(string) string
	// Progress, if not nil, is told which part begins.
	Progress func(part string, number, parts int)
}

// parts are what the kinds consist of.
var parts = map[Kind][]struct {
	name string
	do   func(*run, *Part) error
}{
	Startup: {{"memorize", (*run).memorizeUnknown}},
	Nightly: {{"tidy", (*run).tidy}},
	Weekly:  {{"memorize", (*run).memorizeNew}, {"pack", (*run).pack}},
	Monthly: {{"rebuild", (*run).rebuild}, {"check", (*run).check}},
}

// Run does a kind of maintenance. What goes wrong with one part or branch stands
// in the report, and the others go on; an error means that the run was cancelled
// or the log can't be used. A kind is noted as done if none of its parts failed
// or was put off.
func Run(ctx context.Context, w Work, f LogFile, o Options) (Report, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	kinds := []Kind{o.Kind}
	if o.Kind == Full {
		kinds = Kinds[:len(Kinds)-1]
	}
	r := &run{Context: ctx, Work: w, Options: o}
	r.report = Report{Kind: o.Kind, DryRun: o.DryRun, Started: o.Now(), Parts: []Part{}}
	var err error
	if r.log, _, err = f.Load(); err != nil {
		return r.report, err
	}
	total := 0
	for _, k := range kinds {
		if parts[k] == nil {
			return r.report, fmt.Errorf("%q is no kind of maintenance", k)
		}
		total += len(parts[k])
	}
	for _, k := range kinds {
		if err := r.do(k, total); err != nil {
			return r.finish(), err
		}
		if o.DryRun {
			continue
		}
		aside, err := f.Change(func(l *Log) { r.note(l, k) })
		r.report.LogAside = cmp.Or(r.report.LogAside, aside)
		if err != nil {
			return r.finish(), err
		}
	}
	return r.finish(), nil
}

type run struct {
	context.Context
	Work
	Options
	log      Log
	report   Report
	branches []Branch // nil: not asked for yet
}

// do does the parts of one kind.
func (r *run) do(k Kind, total int) error {
	for _, p := range parts[k] {
		if r.Progress != nil {
			r.Progress(p.name, len(r.report.Parts)+1, total)
		}
		part := Part{Kind: k, Name: p.name, Outcome: Done}
		part.Err = p.do(r, &part)
		if r.Err() != nil {
			return r.Err()
		}
		part.conclude()
		r.report.Parts = append(r.report.Parts, part)
	}
	return nil
}

// conclude says how a part ended.
func (p *Part) conclude() {
	switch {
	case errors.Is(p.Err, ErrPutOff):
		p.Outcome, p.Words = PutOff, p.Err.Error()
	case p.Err != nil:
		p.Outcome, p.Words = Failed, p.Err.Error()
	case len(p.Errors) > 0:
		p.Outcome = Partly
		p.Words += fmt.Sprintf("; %s failed: %s", number(len(p.Errors), "branch", "branches"), p.Errors[0])
	case p.Changes == 0 && p.Conflicts == 0 && p.Branches == 0:
		p.Outcome = Nothing
	}
	if n := len(p.Deferred); n > 0 {
		p.Words += fmt.Sprintf("; %s left for the next run", number(n, "branch is", "branches are"))
	}
	if len(p.Notes) > 0 {
		p.Words += "; " + strings.Join(p.Notes, "; ")
	}
	p.Words = bounded(p.Words)
}

// note writes down what came of a kind.
func (r *run) note(l *Log, k Kind) {
	now := r.Now().UTC().Truncate(time.Millisecond)
	result := Result{Kind: k, At: now, Outcome: Nothing}
	var words []string
	for _, p := range r.report.Parts {
		if p.Kind != k {
			continue
		}
		result.Outcome = worse(result.Outcome, p.Outcome)
		words = append(words, p.Words)
		result.Deferred = append(result.Deferred, p.Deferred...)
		if p.Name == "memorize" && p.Branches > 0 {
			l.Thread = now
		}
	}
	result.Words = strings.Join(words, ". ")
	if result.Outcome != Failed && result.Outcome != PutOff {
		l.set(k, now)
	}
	// The same again tells nothing new: nights in which nothing happened would push
	// out those in which something did.
	if r.Shared != nil {
		result.Words = r.Shared(result.Words)
	}
	l.replace(result)
}

var ranks = []Outcome{Nothing, Done, PutOff, Partly, Failed}

func worse(a, b Outcome) Outcome {
	if slices.Index(ranks, b) > slices.Index(ranks, a) {
		return b
	}
	return a
}

func (r *run) finish() Report {
	r.report.Ended = r.Now()
	r.report.Outcome = Nothing
	for _, p := range r.report.Parts {
		r.report.Outcome = worse(r.report.Outcome, p.Outcome)
	}
	return r.report
}

func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
