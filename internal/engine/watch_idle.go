package engine

import (
	"context"
	"slices"
	"time"

	"recollect/internal/config"
	"recollect/internal/history"
)

// Watching says what becomes of new history that is noticed.
func (e *Engine) Watching() config.Watch { return e.settings().Watch }

// Fresh is what a project has that was not memorized.
type Fresh struct {
	Turns int
	// Idle are the branches with such turns in whose sessions nothing was said for
	// a while; of the others, the first one will be so after Next.
	Idle []string
	Next time.Duration
}

// Fresh counts what was not memorized, and notes it for Status. idle is how long
// nothing must have been said in the sessions of a branch.
func (e *Engine) Fresh(ctx context.Context, idle time.Duration) (Fresh, error) {
	h, err := e.openHistory(ctx)
	if err != nil {
		return Fresh{}, err
	}
	defer h.Close()
	files := map[turnKey][]string{}
	for _, s := range h.Sessions() {
		files[turnKey{s.Source, s.ID}] = s.Files
	}
	byBranch := map[string][]history.Ref{}
	for _, r := range h.refs {
		byBranch[r.Branch] = append(byBranch[r.Branch], r)
	}
	now := e.options.Now()
	var out Fresh
	for name, refs := range byBranch {
		fresh, err := e.freshRefs(name, refs)
		if err != nil {
			return Fresh{}, err
		}
		if len(fresh) == 0 {
			continue
		}
		out.Turns += len(fresh)
		last := time.Time{}
		looked := map[turnKey]bool{}
		for _, r := range fresh {
			if k := (turnKey{r.Source, r.Session}); !looked[k] {
				looked[k] = true
				if at := newestOf(files[k]); at.After(last) {
					last = at
				}
			}
		}
		if left := idle - now.Sub(last); left <= 0 {
			out.Idle = append(out.Idle, name)
		} else if out.Next == 0 || left < out.Next {
			out.Next = min(left, idle) // a file from the future is one of now
		}
	}
	slices.Sort(out.Idle)
	if c := e.loadCounts(); len(e.options.Transcripts) == 0 && (c.NewTurns != out.Turns || c.Counted.IsZero()) {
		c.NewTurns, c.Counted = out.Turns, now
		e.saveCounts(c)
	}
	return out, nil
}

// freshRefs gives the turns that the extractor which has seen least has not seen.
func (e *Engine) freshRefs(branch string, refs []history.Ref) ([]history.Ref, error) {
	seen, err := e.seen().Load(branch)
	if err != nil {
		return nil, err
	}
	var most []history.Ref
	for _, id := range e.extractors() {
		if fresh := seen.New(id, refs); len(fresh) > len(most) {
			most = fresh
		}
	}
	return most, nil
}
