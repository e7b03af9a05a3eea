package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"recollect/internal/history"
	"recollect/internal/history/claudecode"
	"recollect/internal/history/puffin"
	"recollect/internal/secrets"
)

// sources makes the sources that the settings name.
func (e *Engine) sources() []history.Source {
	var out []history.Source
	for _, name := range e.settings().Sources {
		if s := e.source(name); s != nil {
			out = append(out, s)
		}
	}
	return out
}

// source makes the source of one assistant, nil if it has none.
func (e *Engine) source(name string) history.Source {
	switch name {
	case claudecode.Name:
		return claudecode.New(claudecode.Options{
			ConfigDir: e.options.Getenv("CLAUDE_CONFIG_DIR"),
			IndexDir:  e.dirs.Index(claudecode.Name),
		})
	case puffin.Name:
		return puffin.New(puffin.Options{IndexDir: e.dirs.Index(puffin.Name)})
	}
	return nil
}

// openHistory opens what every source has of the project. The caller closes
// it.
func (e *Engine) openHistory(ctx context.Context) (*joined, error) {
	r, err := e.redactor()
	if err != nil {
		return nil, err
	}
	scope := history.Scope{Project: e.project, Transcripts: e.options.Transcripts}
	return openJoined(ctx, e.sources(), scope, r, e.loadRenamed())
}

// Looked gives the folders in which the project's history is looked for.
func (e *Engine) Looked(ctx context.Context) ([]history.Looked, error) {
	h, err := e.openHistory(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	var out []history.Looked
	for _, r := range h.Reports() {
		out = append(out, r.Looked...)
	}
	return out, nil
}

// joined is the history of several sources as one. Branch names are redacted
// here, once, so that a token in a branch name goes no further: not into a
// list, a file name or a memory.
type joined struct {
	parts    []history.History
	refs     []history.Ref // of all branches, oldest first, safe names
	from     map[turnKey]given
	sessions func() []history.Session // listed when they are first asked for
}

var _ history.History = (*joined)(nil)

func key(r history.Ref) string { return r.Source + "/" + r.ID }

// turnKey is key for maps of many turns.
type turnKey struct{ source, id string }

func keyOf(r history.Ref) turnKey { return turnKey{r.Source, r.ID} }

// given is where a turn came from, under which name.
type given struct {
	part   int
	branch string // as the source gave it
}

func openJoined(ctx context.Context, sources []history.Source, scope history.Scope, red *secrets.Redactor, list []renamed) (*joined, error) {
	j := &joined{}
	for _, s := range sources {
		h, err := s.Open(ctx, scope)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", s.Name(), err), j.Close())
		}
		j.parts = append(j.parts, h)
	}
	safe := safeNames(red)
	all := make([][]history.Ref, len(j.parts))
	n := 0
	for i, h := range j.parts {
		all[i] = h.Refs("*")
		n += len(all[i])
	}
	j.refs, j.from = make([]history.Ref, 0, n), make(map[turnKey]given, n)
	for i := range j.parts {
		for _, r := range all[i] {
			j.from[keyOf(r)] = given{i, r.Branch}
			r.Branch = continues(list, safe(r.Branch), r.Time)
			j.refs = append(j.refs, r)
		}
	}
	if len(j.parts) > 1 {
		slices.SortStableFunc(j.refs, func(a, b history.Ref) int { return a.Time.Compare(b.Time) })
	}
	j.sessions = sync.OnceValue(func() []history.Session { return listSessions(j.parts, red, list) })
	return j, nil
}

func listSessions(parts []history.History, red *secrets.Redactor, list []renamed) (out []history.Session) {
	safe := safeNames(red)
	for _, h := range parts {
		for _, s := range h.Sessions() {
			s.Branches = slices.Clone(s.Branches)
			for b := range s.Branches {
				s.Branches[b] = continues(list, safe(s.Branches[b]), s.Started)
			}
			if len(list) > 0 {
				slices.Sort(s.Branches)
				s.Branches = slices.Compact(s.Branches)
			}
			s.Title, _ = red.Redact(s.Title)
			out = append(out, s)
		}
	}
	if len(parts) > 1 {
		slices.SortStableFunc(out, func(a, b history.Session) int { return a.Started.Compare(b.Started) })
	}
	return out
}

// safeNames redacts branch names, each only once.
func safeNames(red *secrets.Redactor) func(string) string {
	known := map[string]string{}
	return func(name string) string {
		safe, ok := known[name]
		if !ok {
			safe = red.RedactName(name)
			known[name] = safe
		}
		return safe
	}
}

// Revision implements history.History.
func (j *joined) Revision() string {
	var all []string
	for _, h := range j.parts {
		all = append(all, h.Revision())
	}
	return strings.Join(all, " ")
}

// Sessions implements history.History.
func (j *joined) Sessions() []history.Session { return j.sessions() }

// Traces implements history.History.
func (j *joined) Traces(s history.Session) history.Traces {
	for _, h := range j.parts {
		if h.Report().Source == s.Source {
			return h.Traces(s)
		}
	}
	return history.Traces{}
}

// Refs implements history.History.
func (j *joined) Refs(branch string) []history.Ref {
	if branch == "*" {
		return j.refs
	}
	var out []history.Ref
	for _, r := range j.refs {
		if r.Branch == branch {
			out = append(out, r)
		}
	}
	return out
}

// Turns implements history.History: runs of one source are read together.
func (j *joined) Turns(ctx context.Context, refs []history.Ref) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		for start := 0; start < len(refs); {
			from, known := j.from[keyOf(refs[start])]
			end := start + 1
			for end < len(refs) {
				if f, ok := j.from[keyOf(refs[end])]; f.part != from.part || ok != known {
					break
				}
				end++
			}
			if !j.run(ctx, refs[start:end], from.part, known, yield) {
				return
			}
			start = end
		}
	}
}

func (j *joined) run(ctx context.Context, refs []history.Ref, part int, known bool, yield func(history.Turn, error) bool) bool {
	if !known {
		for _, r := range refs {
			if !yield(history.Turn{Ref: r}, history.ErrGone) {
				return false
			}
		}
		return true
	}
	raw := slices.Clone(refs)
	for i := range raw {
		raw[i].Branch = j.from[keyOf(raw[i])].branch
	}
	i := 0
	for t, err := range j.parts[part].Turns(ctx, raw) {
		if i < len(refs) {
			t.Branch = refs[i].Branch
		}
		i++
		if !yield(t, err) {
			return false
		}
	}
	return true
}

// Report implements history.History.
func (j *joined) Report() history.Report {
	var sum history.Report
	for _, r := range j.Reports() {
		sum.Files += r.Files
		sum.Bytes += r.Bytes
		sum.BytesRead += r.BytesRead
		sum.Records += r.Records
		sum.OwnCalls += r.OwnCalls
		sum.Abandoned += r.Abandoned
		sum.Damage = append(sum.Damage, r.Damage...)
		sum.Strangers = append(sum.Strangers, r.Strangers...)
	}
	return sum
}

// Reports gives each source's own report.
func (j *joined) Reports() []history.Report {
	var out []history.Report
	for _, h := range j.parts {
		out = append(out, h.Report())
	}
	return out
}

// Close implements history.History.
func (j *joined) Close() error {
	var errs []error
	for _, h := range j.parts {
		errs = append(errs, h.Close())
	}
	return errors.Join(errs...)
}
