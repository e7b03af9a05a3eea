package puffin

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"

	"recollect/internal/history"
	"recollect/internal/safefile"
)

// view is what the files of a scope held when it was opened.
type view struct {
	source   *Source
	revision string
	sessions []history.Session
	turns    []turn // oldest first
	byID     map[string]int
	report   history.Report
}

type turn struct {
	entry
	file *file
}

func (t turn) ref() history.Ref {
	return history.Ref{
		ID: t.id, Session: t.session, Source: Name, Branch: history.BranchName(t.branch),
		Time: t.at, Digest: t.digest,
	}
}

// newView merges the files. A prompt that is in several is taken once: where it
// has an answer, of the file that was updated last.
func newView(s *Source, files []*file, report history.Report) *view {
	v := &view{source: s, byID: map[string]int{}, report: report}
	parts := []string{}
	for _, f := range files {
		parts = append(parts, f.path, strconv.FormatUint(f.hash, 16))
	}
	for _, d := range report.Damage {
		parts = append(parts, fmt.Sprint(d))
	}
	v.revision = digest(parts...)

	newest := slices.Clone(files)
	slices.SortStableFunc(newest, func(a, b *file) int { return b.updated.Compare(a.updated) })
	for _, f := range newest {
		retried := f.retried()
		for i, e := range f.entries {
			at, known := v.byID[e.id]
			switch {
			case e.empty || known && (v.turns[at].answered || !e.answered):
			case retried[i]:
				if !known {
					v.report.Abandoned++
				}
			case known:
				v.turns[at] = turn{e, f}
			default:
				v.byID[e.id] = len(v.turns)
				v.turns = append(v.turns, turn{e, f})
			}
		}
	}
	slices.SortStableFunc(v.turns, func(a, b turn) int { return a.order.Compare(b.order) })
	for i, t := range v.turns {
		v.byID[t.id] = i
	}
	v.listSessions()
	return v
}

// retried marks the attempts that were abandoned: prompts without an answer
// that were asked again at the same place in the same words.
func (f *file) retried() map[int]bool {
	type place struct {
		branch, parent string
		asked          uint64
	}
	out := map[int]bool{}
	later := map[place]bool{}
	for i := len(f.entries) - 1; i >= 0; i-- {
		e := f.entries[i]
		if e.empty {
			continue
		}
		p := place{e.branch, e.parent, e.asked}
		if later[p] && !e.answered {
			out[i] = true
		}
		later[p] = true
	}
	return out
}

func (v *view) listSessions() {
	at := map[string]int{}
	for _, t := range v.turns {
		i, ok := at[t.session]
		if !ok {
			i = len(v.sessions)
			at[t.session] = i
			v.sessions = append(v.sessions, history.Session{
				ID: t.session, Source: Name, Title: cmp.Or(t.title, t.session), Started: t.at, LastActive: t.until,
			})
		}
		s := &v.sessions[i]
		s.Turns++
		if t.until.After(s.LastActive) {
			s.LastActive = t.until
		}
		s.Branches = add(s.Branches, history.BranchName(t.branch))
		s.Files = add(s.Files, t.file.path)
		s.Dirs = add(s.Dirs, t.file.dir())
	}
	slices.SortStableFunc(v.sessions, func(a, b history.Session) int {
		return cmp.Or(a.Started.Compare(b.Started), cmpString(a.ID, b.ID))
	})
}

func add(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// Revision implements history.History.
func (v *view) Revision() string { return v.revision }

// Sessions implements history.History.
func (v *view) Sessions() []history.Session {
	out := slices.Clone(v.sessions)
	for i := range out {
		out[i].Branches = slices.Clone(out[i].Branches)
		out[i].Dirs = slices.Clone(out[i].Dirs)
		out[i].Files = slices.Clone(out[i].Files)
	}
	return out
}

// Traces implements history.History: the files tell nothing of tools.
func (v *view) Traces(history.Session) history.Traces { return history.Traces{} }

// Refs implements history.History.
func (v *view) Refs(branch string) []history.Ref {
	var out []history.Ref
	for _, t := range v.turns {
		if ref := t.ref(); branch == "*" || branch == ref.Branch {
			out = append(out, ref)
		}
	}
	return out
}

// Report implements history.History.
func (v *view) Report() history.Report {
	r := v.report
	r.Damage = slices.Clone(r.Damage)
	return r
}

// Close implements history.History.
func (v *view) Close() error { return nil }

// Turns implements history.History. Each turn is read from its file, where it
// may stand elsewhere by now.
func (v *view) Turns(ctx context.Context, refs []history.Ref) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		r := &reader{view: v, moved: map[string]map[string]entry{}}
		defer r.close()
		for _, ref := range refs {
			if err := ctx.Err(); err != nil {
				yield(history.Turn{}, err)
				return
			}
			messages, err := r.read(ctx, ref)
			if !yield(history.Turn{Ref: ref, Messages: messages}, err) {
				return
			}
		}
	}
}

// reader reads turns and keeps the file of the last one open.
type reader struct {
	view  *view
	path  string
	open  *os.File
	moved map[string]map[string]entry // new index of a file that was rewritten
}

func (r *reader) close() {
	if r.open != nil {
		r.open.Close()
		r.open = nil
	}
}

func (r *reader) read(ctx context.Context, ref history.Ref) ([]history.Message, error) {
	i, ok := r.view.byID[ref.ID]
	if !ok {
		return nil, fmt.Errorf("turn %s: %w", ref.ID, history.ErrGone)
	}
	t := r.view.turns[i]
	index, moved := r.moved[t.file.path]
	if !moved {
		if messages, ok := r.at(t.file.path, t.entry); ok {
			return messages, nil
		}
		r.close()
		f, _, err := r.view.source.load(ctx, t.file.path)
		index = map[string]entry{}
		if err == nil {
			for _, e := range f.entries {
				index[e.id] = e
			}
		}
		r.moved[t.file.path] = index
	}
	if e, ok := index[t.id]; ok && e.digest == t.digest {
		if messages, ok := r.at(t.file.path, e); ok {
			return messages, nil
		}
	}
	return nil, fmt.Errorf("turn %s: %w", ref.ID, history.ErrGone)
}

// at reads the turn that stands where e says, if it is still that one.
func (r *reader) at(path string, e entry) ([]history.Message, bool) {
	if r.open == nil || r.path != path {
		r.close()
		f, _, err := safefile.Open(path, history.MaxFile)
		if err != nil {
			return nil, false
		}
		r.open, r.path = f, path
	}
	data := make([]byte, e.size)
	if _, err := io.ReadFull(io.NewSectionReader(r.open, e.off, e.size), data); err != nil {
		return nil, false
	}
	p, ok := decodePrompt(data)
	if !ok {
		return nil, false
	}
	messages := p.messages(p.name(e.branch), e.at, e.latest)
	return messages, digestOf(messages) == e.digest
}
