package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"recollect/internal/history"
	"recollect/internal/memorize"
)

// Branch is one line of work that has history or memory.
type Branch struct {
	Name       string    `json:"name"`
	Sessions   int       `json:"sessions"`
	Turns      int       `json:"turns"`
	NewTurns   int       `json:"new_turns"` // not memorized yet
	Items      int       `json:"items"`
	LastActive time.Time `json:"last_active,omitzero"`
}

// Branches lists them, the one worked on last first.
func (e *Engine) Branches(ctx context.Context) ([]Branch, error) {
	h, err := e.openHistory(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	byName := map[string]*Branch{}
	get := func(name string) *Branch {
		if byName[name] == nil {
			byName[name] = &Branch{Name: name}
		}
		return byName[name]
	}
	countTurns(h, get)
	for name, b := range byName {
		if b.NewTurns, err = e.newTurns(name, h.Refs(name)); err != nil {
			return nil, err
		}
	}
	stored, err := e.memories().Branches()
	if err != nil {
		return nil, err
	}
	for _, name := range stored {
		m, _, err := e.memories().Load(name)
		if err != nil {
			return nil, err
		}
		get(name).Items = len(m.Active())
	}
	out := []Branch{}
	for _, b := range byName {
		out = append(out, *b)
	}
	slices.SortFunc(out, func(a, b Branch) int {
		return cmp.Or(b.LastActive.Compare(a.LastActive), cmp.Compare(a.Name, b.Name))
	})
	return out, nil
}

func countTurns(h history.History, get func(string) *Branch) {
	type visit struct{ branch, source, session string }
	visited := map[visit]bool{}
	for _, r := range h.Refs("*") {
		b := get(r.Branch)
		b.Turns++
		if r.Time.After(b.LastActive) {
			b.LastActive = r.Time
		}
		if v := (visit{r.Branch, r.Source, r.Session}); !visited[v] {
			visited[v] = true
			b.Sessions++
		}
	}
}

// newTurns counts the turns that some enabled extractor has not seen.
func (e *Engine) newTurns(branch string, refs []history.Ref) (int, error) {
	seen, err := e.seen().Load(branch)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, id := range e.settings().Extractors {
		n = max(n, len(seen.New(id, refs)))
	}
	return n, nil
}

// branchName gives the name of the line of work that a person asked for: the
// current git branch if they named none.
func (e *Engine) branchName(asked *string) (string, error) {
	if asked == nil {
		dir := e.options.Dir
		if dir == "" {
			dir = "."
		}
		name, err := history.GitBranch(dir)
		if err != nil {
			return "", err
		}
		asked = &name
	}
	r, err := e.redactor()
	if err != nil {
		return "", err
	}
	return r.RedactName(history.BranchName(*asked)), nil
}

var _ memorize.SeenStore = seenStore{}
