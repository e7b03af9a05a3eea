package memorize

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"recollect/internal/memory"
)

// bring brings what was found into a memory: for each extractor in turn by its
// own evolve if it has one and its proposal loses nothing, else by the pure
// merge.
func (r *run) bring(ctx context.Context, m memory.Memory, found []memory.Found, evolve bool) (memory.Memory, []memory.Change, []memory.Conflict, error) {
	var changes []memory.Change
	var conflicts []memory.Conflict
	rest := found
	if _, all := r.shown(m); evolve && all && len(m.Active()) > 0 {
		rest = nil
		for _, x := range r.Extractors {
			mine, others := byExtractor(found, x.ID())
			found = others
			next, did, ok, err := r.evolve(ctx, x, m, mine)
			if err != nil {
				return m, nil, nil, err
			}
			if !ok {
				rest = append(rest, mine...)
				continue
			}
			m, changes, conflicts = next, append(changes, did.Changes...), append(conflicts, did.Conflicts...)
		}
		rest = append(rest, found...)
	}
	merged, did, more := memory.Merge(m, rest, r.Now)
	merged, changes = r.wanted(merged, append(changes, did...))
	return merged, changes, append(conflicts, more...), nil
}

// wanted takes back what was added though it is unwanted, and lets stand what that
// replaced.
func (r *run) wanted(m memory.Memory, changes []memory.Change) (memory.Memory, []memory.Change) {
	var gone []string
	for _, c := range changes {
		if c.Action == memory.Added && slices.Contains(r.Unwanted, c.ID) {
			gone = append(gone, c.ID)
		}
	}
	if len(gone) == 0 {
		return m, changes
	}
	m.Items = slices.DeleteFunc(slices.Clone(m.Items), func(it memory.Item) bool { return slices.Contains(gone, it.ID) })
	for i := range m.Items {
		if it := &m.Items[i]; it.SupersededBy != "" && slices.Contains(gone, it.SupersededBy) {
			it.State, it.SupersededBy, it.Why = memory.Active, "", ""
		}
	}
	return m, slices.DeleteFunc(changes, func(c memory.Change) bool { return slices.Contains(gone, c.ID) || slices.Contains(gone, c.By) })
}

func byExtractor(found []memory.Found, id string) (mine, others []memory.Found) {
	for _, f := range found {
		if f.Origin.Extractor == id {
			mine = append(mine, f)
		} else {
			others = append(others, f)
		}
	}
	return mine, others
}

// evolve asks one extractor. It says false if the pure merge has to do the
// work; why, if that is not as it should be, is a warning.
func (r *run) evolve(ctx context.Context, x Extractor, m memory.Memory, found []memory.Found) (memory.Memory, memory.Evolved, bool, error) {
	ev, can := x.(Evolver)
	if !can || len(found) == 0 {
		return m, memory.Evolved{}, false, nil
	}
	p, err := ev.Evolve(ctx, Evolution{
		Project: r.Project, Branch: r.Branch, Sections: r.layout.Sections, Now: r.Now,
		History: r.view, All: r.History.Refs(r.Branch), Memory: m, Found: found,
	})
	switch {
	case ctx.Err() != nil:
		return m, memory.Evolved{}, false, ctx.Err()
	case errors.Is(err, ErrUnsupported):
		return m, memory.Evolved{}, false, nil
	case err != nil:
		r.warn("%v; its items were merged without it", err)
		return m, memory.Evolved{}, false, nil
	}
	r.clean(&p)
	for _, w := range p.Warnings {
		r.warn("%s: %s", x.ID(), w)
	}
	next, done, err := memory.Evolve(m, found, p, r.Now)
	if err != nil {
		r.warn("%s: %v; its items were merged without it", x.ID(), err)
		return m, memory.Evolved{}, false, nil
	}
	for _, it := range done.Refused {
		r.report.Rejected = append(r.report.Rejected,
			Rejection{Extractor: x.ID(), Section: it.Section, Content: it.Content, Reason: "nothing that was found says so"})
	}
	return next, done, true, nil
}

// clean takes secrets and items of unknown sections out of a proposal.
func (r *run) clean(p *memory.Proposal) {
	for i, it := range p.Items {
		if clean, n := r.Redactor.Redact(it.Content); n > 0 {
			p.Items[i].Content = clean
			r.report.Redacted += n
		}
		if !slices.ContainsFunc(r.layout.Sections, func(s memory.Section) bool { return s.ID == it.Section }) {
			p.Items[i].Section = ""
		}
	}
}

func (r *run) warn(format string, args ...any) {
	w := fmt.Sprintf(format, args...)
	if !slices.Contains(r.report.Warnings, w) {
		r.report.Warnings = append(r.report.Warnings, w)
	}
}
