package ledger

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"recollect/internal/safefile"
)

// Query chooses what a summary is about. The zero value is everything.
type Query struct {
	From, To string // days, both included, as "2026-11-28"; "": no limit
	Project  string // "": all
}

func (q Query) matches(e event) bool {
	return (q.From == "" || e.Day >= q.From) && (q.To == "" || e.Day <= q.To) &&
		(q.Project == "" || e.Project == short(q.Project))
}

// Usage is a summary. The rows of ByDay are in the order of days, the others
// have the dearest first.
type Usage struct {
	Total     Row   `json:"total"`
	ByDay     []Row `json:"by_day"`
	ByProject []Row `json:"by_project"`
	ByPlugin  []Row `json:"by_plugin"`
	ByModel   []Row `json:"by_model"`          // without the date of a model's version
	Damaged   int   `json:"damaged,omitempty"` // lines that could not be read
}

// Row sums up calls that have something in common.
type Row struct {
	Name         string `json:"name"` // of the day, project, plug-in or model; "" if the calls had none
	Calls        int64  `json:"calls"`
	Failed       int64  `json:"failed,omitempty"`   // of Calls: those without an answer
	Open         int64  `json:"open,omitempty"`     // of Calls: under way, or their process died
	Unpriced     int64  `json:"unpriced,omitempty"` // of Calls: the price is not known and not in Money
	InputTokens  int64  `json:"input_tokens"`
	OutputTokens int64  `json:"output_tokens"`
	Money        int64  `json:"money"` // millionths of a US dollar
}

func (r *Row) add(e event) {
	r.Calls++
	r.InputTokens += e.Input
	r.OutputTokens += e.Output
	switch {
	case e.Kind != kindSettle:
		r.Open++
		r.Money += e.Money
	case !e.MoneyKnown:
		r.Unpriced++
	default:
		r.Money += e.Money
	}
	if e.Kind == kindSettle && e.Outcome != "ok" {
		r.Failed++
	}
}

// Usage reads the whole record, month by month, and sums it up. A call that is
// under way counts as what was set aside for it.
func (l *Ledger) Usage(ctx context.Context, q Query) (Usage, error) {
	s := summary{query: q, open: map[string]event{}}
	for i := range s.groups {
		s.groups[i] = map[string]*Row{}
	}
	if _, err := os.Stat(l.dir); errors.Is(err, fs.ErrNotExist) {
		return s.usage(), nil
	}
	err := l.locked(ctx, func() error { // so that no file is put away meanwhile
		files, err := safefile.Match(l.dir, "*.jsonl", maxFiles) // "current" comes after all years
		if err != nil {
			return err
		}
		for _, name := range files {
			if err := cmp.Or(ctx.Err(), s.read(name)); err != nil {
				return err
			}
		}
		return nil
	})
	return s.usage(), err
}

// maxFiles bounds the files of a record; one is begun each month.
const maxFiles = 10_000

// The ways to group.
const (
	byDay = iota
	byProject
	byPlugin
	byModel
	ways
)

type summary struct {
	query   Query
	open    map[string]event // by id
	total   Row
	groups  [ways]map[string]*Row
	damaged int
}

func (s *summary) read(name string) error {
	f, _, err := safefile.Open(name, safefile.NoLimit)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = eachLine(f, func(line []byte) {
		e, ok := parse(line)
		switch {
		case !ok:
			s.damaged++
		case e.Kind == kindReserve:
			s.open[e.ID] = e
		case e.Kind == kindSettle:
			delete(s.open, e.ID)
			delete(s.open, e.ID+kindLost)
			s.add(e)
		case e.Kind == kindLost:
			delete(s.open, e.ID)
			s.open[e.ID+kindLost] = e
		}
	})
	return err
}

func (s *summary) add(e event) {
	if e.NotCalled || !s.query.matches(e) {
		return
	}
	s.total.add(e)
	for way, name := range [ways]string{e.Day, e.Project, e.Plugin, plainModel(e.Model)} {
		row := s.groups[way][name]
		if row == nil {
			row = &Row{Name: name}
			s.groups[way][name] = row
		}
		row.add(e)
	}
}

func (s *summary) usage() Usage {
	for _, e := range s.open {
		s.add(e)
	}
	u := Usage{Total: s.total, Damaged: s.damaged}
	for way, rows := range map[int]*[]Row{byDay: &u.ByDay, byProject: &u.ByProject, byPlugin: &u.ByPlugin, byModel: &u.ByModel} {
		*rows = []Row{}
		for _, name := range slices.Sorted(maps.Keys(s.groups[way])) {
			*rows = append(*rows, *s.groups[way][name])
		}
		if way != byDay {
			slices.SortStableFunc(*rows, func(a, b Row) int {
				return cmp.Or(cmp.Compare(b.Money, a.Money), cmp.Compare(b.InputTokens+b.OutputTokens, a.InputTokens+a.OutputTokens))
			})
		}
	}
	return u
}
