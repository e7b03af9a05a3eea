package memorize

import (
	"context"

	"recollect/internal/history"
	"recollect/internal/memory"
)

// Refused is a find that did not pass the checks or the schema.
type Refused struct {
	memory.Found
	Reason string
}

// Trial is what came of a Try.
type Trial struct {
	Found    []memory.Found // as the checks and the schema left them
	Refused  []Refused
	Turns    int // of the branch
	Unread   int // turns that some extractor could not look at
	Warnings []string
}

// Try has the extractors read every turn of a branch, as if nothing were
// remembered, and gives what would be merged and what would not. Nobody stands
// in for an extractor that can't work now. Store and Seen are not used.
func Try(ctx context.Context, p Parts, in Input) (Trial, error) {
	p.StandIn = nil
	r := run{Parts: p, Input: in, view: newView(in.History, p.Redactor)}
	all := in.History.Refs(in.Branch)
	fresh := map[string][]history.Ref{}
	for _, x := range p.Extractors {
		fresh[x.ID()] = all
	}
	r.progress("read", "", 0, len(all))
	found, read, err := r.extractAll(ctx, all, fresh)
	if err != nil {
		return Trial{}, err
	}
	t := Trial{Found: found, Refused: r.refused, Turns: len(all), Warnings: r.report.Warnings}
	for _, x := range p.Extractors {
		t.Unread = max(t.Unread, len(all)-len(read[x.ID()]))
	}
	return t, nil
}
