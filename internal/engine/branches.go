package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"recollect/internal/history"
	"recollect/internal/memorize"
)

// Branch is one line of work that has history or memory.
type Branch struct {
	Name        string    `json:"name"`
	Current     bool      `json:"current"` // checked out now
	Sessions    int       `json:"sessions"`
	Turns       int       `json:"turns"`
	NewTurns    int       `json:"new_turns"` // not memorized yet
	Items       int       `json:"items"`
	Unseen      int       `json:"unseen,omitempty"` // of them, came with the repository and nobody here looked at them
	Waiting     int       `json:"waiting"`          // proposals that wait for review
	BlockTokens int       `json:"block_tokens"`     // of the block for hooks; -1: not prepared for the memory as it is
	LastActive  time.Time `json:"last_active,omitzero"`
	Problem     *Problem  `json:"problem,omitempty"` // why its memory can't be read; the counts of it are 0 then
}

// Branches lists them, the one worked on last first. No plug-in is opened.
func (e *Engine) Branches(ctx context.Context) ([]Branch, error) {
	h, err := e.openHistory(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	c := e.loadCounts()
	news, err := e.countMemories(&c)
	if err != nil {
		return nil, err
	}
	byName, err := e.countTurns(h)
	if err != nil {
		return nil, err
	}
	waiting, _, err := e.waits()
	if err != nil {
		return nil, err
	}
	get := func(name string) *Branch {
		if byName[name] == nil {
			byName[name] = &Branch{Name: name}
		}
		return byName[name]
	}
	for name, one := range c.Memories {
		b := get(name)
		b.Unseen = one.Unseen
		if b.Items = one.Items; one.Unreadable != nil {
			p := Explain(one.Unreadable)
			b.Problem = &p
		}
	}
	for name, n := range waiting {
		get(name).Waiting = n.proposals
	}
	turns := 0
	current, _ := e.branchName(nil) // a head that can't be read is nobody's
	out := []Branch{}
	for name, b := range byName {
		b.Current = name == current
		b.BlockTokens = e.blockTokens(name, c.Memories[name])
		turns += b.NewTurns
		out = append(out, *b)
	}
	if len(e.options.Transcripts) == 0 && (news || turns != c.NewTurns || c.Counted.IsZero()) {
		c.NewTurns, c.Counted = turns, e.options.Now()
		e.saveCounts(c)
	}
	slices.SortFunc(out, func(a, b Branch) int {
		return cmp.Or(b.LastActive.Compare(a.LastActive), cmp.Compare(a.Name, b.Name))
	})
	return out, nil
}

// waits counts what waits for review, by branch, and the inboxes that can't be
// read.
func (e *Engine) waits() (byName map[string]waits, damaged int, err error) {
	held, bad, err := e.inboxes().All()
	byName = map[string]waits{}
	for _, h := range held {
		if len(h.Waiting) == 0 {
			continue
		}
		// Where the memory can't be read nothing can be decided either.
		if n, err := e.waiting(h.Branch); err == nil && n != (waits{}) {
			byName[h.Branch] = n
		}
	}
	return byName, len(bad), err
}

// countTurns counts what the history has of each branch, and what of it is new.
func (e *Engine) countTurns(h history.History) (map[string]*Branch, error) {
	type visit struct{ source, session string }
	byName, refs := map[string]*Branch{}, map[string][]history.Ref{}
	visited := map[string]map[visit]bool{}
	for _, r := range h.Refs("*") {
		b := byName[r.Branch]
		if b == nil {
			b = &Branch{Name: r.Branch}
			byName[r.Branch], visited[r.Branch] = b, map[visit]bool{}
		}
		refs[r.Branch] = append(refs[r.Branch], r)
		if r.Time.After(b.LastActive) {
			b.LastActive = r.Time
		}
		visited[r.Branch][visit{r.Source, r.Session}] = true
	}
	for name, b := range byName {
		var err error
		if b.NewTurns, err = e.newTurns(name, refs[name]); err != nil {
			return nil, err
		}
		b.Turns, b.Sessions = len(refs[name]), len(visited[name])
	}
	return byName, nil
}

// newTurns counts the turns that some enabled extractor has not seen.
func (e *Engine) newTurns(branch string, refs []history.Ref) (int, error) {
	seen, err := e.seen().Load(branch)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, id := range e.extractors() {
		n = max(n, len(seen.New(id, refs)))
	}
	return n, nil
}

// noteCounts counts again after a memorize, with the history that it had.
func (e *Engine) noteCounts(h history.History) {
	if len(e.options.Transcripts) > 0 {
		return
	}
	c := e.loadCounts()
	byName, err := e.countTurns(h)
	if err != nil {
		return
	}
	c.NewTurns, c.Counted = 0, e.options.Now()
	for _, b := range byName {
		c.NewTurns += b.NewTurns
	}
	e.saveCounts(c)
}

// blockTokens gives the size of a branch's prepared block, -1 if it was not
// prepared for the memory and the settings as they are.
func (e *Engine) blockTokens(name string, m countsOfOne) int {
	if m.Revision == "" {
		return -1
	}
	p := e.loadPrepared(name)
	if !p.fits(blockKey{name, m.Revision, e.choice(), e.heldIf(m.Held)}) {
		return -1
	}
	return p.Tokens
}

// headError says why it can't be read what git has checked out, nil if it can.
func (e *Engine) headError() error {
	var bad *history.BranchError
	if _, err := history.GitBranch(cmp.Or(e.options.Dir, ".")); errors.As(err, &bad) {
		return bad
	}
	return nil
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
