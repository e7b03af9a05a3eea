package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"recollect/internal/history"
	"recollect/internal/memory"
)

// SourceOf is where an item came from, as it can be looked at.
type SourceOf struct {
	Item   memory.Item `json:"item"`
	Places []Place     `json:"places"` // one for each origin, oldest first
}

// Place is what was said where an origin points to.
type Place struct {
	Origin memory.Origin `json:"origin"`
	Title  string        `json:"title,omitempty"` // of the session
	Cited  []string      `json:"cited"`           // ids of the messages that the item came from
	// Turns are those with cited messages and a neighbour on each side, in the
	// order in which they were said. Long ones are cut, which they say.
	Turns   []Turn `json:"turns"`
	Missing string `json:"missing,omitempty"` // why nothing, or not all, can be shown
	// Archived says that turns come from what was kept of a session, since the
	// transcript does not have them any more.
	Archived bool `json:"archived,omitempty"`
}

// Bounds of what is shown of where an item came from.
const (
	maxShown      = 200_000 // bytes of text, over all places
	maxPlaces     = 40      // the youngest origins; a merge keeps fewer
	maxPlaceTurns = 12      // neighbours included
	maxCited      = 50      // messages of one origin that are looked for
	// Turns that are read in search of cited messages: of the origin's session,
	// the nearest in time first, and then of others, where a transcript was taken
	// up by another session.
	maxOwnLooked   = 3000
	maxOtherLooked = 200
)

// SourceOf looks up where an item came from: the very turns that its origins
// name, with secrets taken out. The item is named by its id or the beginning of
// it. An origin that nothing can be shown of says why.
func (e *Engine) SourceOf(ctx context.Context, branch, id string) (SourceOf, error) {
	name, err := e.branchName(&branch)
	if err != nil {
		return SourceOf{}, err
	}
	m, _, err := e.memories().Load(name)
	if err != nil {
		return SourceOf{}, err
	}
	it, err := m.Find(id)
	if err != nil {
		return SourceOf{}, aboutBranch(name, err)
	}
	it = e.whole(name, it)
	out := SourceOf{Item: it, Places: []Place{}}
	var look *looker
	for _, o := range it.Origins[max(len(it.Origins)-maxPlaces, 0):] {
		p := Place{Origin: o, Cited: []string{}, Turns: []Turn{}, Missing: e.unspoken(o)}
		if p.Missing == "" {
			if look == nil {
				if look, err = e.looker(ctx, it); err != nil {
					return SourceOf{}, err
				}
				defer look.history.Close()
			}
			if err := look.place(ctx, &p); err != nil {
				return SourceOf{}, err
			}
		}
		out.Places = append(out.Places, p)
	}
	return out, nil
}

// unspoken says why an origin has no messages that could be looked at; "" if it
// has some.
func (e *Engine) unspoken(o memory.Origin) string {
	switch {
	case o.Extractor == memory.Person:
		return "A person wrote this, or changed it."
	case o.Extractor == memory.Puffin:
		return "It was taken over from Puffin's memory, which does not tell where it was said."
	case o.Extractor == memory.Unknown:
		return "It stood in the file already; where it came from is not known."
	case o.Source == "" || len(o.Records) == 0:
		return "The extractor did not say where it found this."
	case len(e.options.Transcripts) == 0 && !slices.Contains(e.settings().Sources, o.Source):
		return fmt.Sprintf("The history of %s is not read: the setting sources leaves it out.", o.Source)
	}
	return ""
}

// looker finds the turns of one item's origins.
type looker struct {
	engine  *Engine
	history *joined
	excerpt excerpter
}

func (e *Engine) looker(ctx context.Context, it memory.Item) (*looker, error) {
	red, err := e.redactor()
	if err != nil {
		return nil, err
	}
	h, err := e.openHistory(ctx)
	if err != nil {
		return nil, err
	}
	share := maxShown / min(len(it.Origins), maxPlaces)
	return &looker{e, h, excerpter{red: red, share: share, words: tellingWords(it.Content)}}, nil
}

// place fills in what an origin's session has.
func (l *looker) place(ctx context.Context, p *Place) error {
	o := p.Origin
	p.Cited = append(p.Cited, o.Records[:min(len(o.Records), maxCited)]...)
	for _, s := range l.history.Sessions() {
		if s.ID == o.Session && s.Source == o.Source {
			p.Title = s.Title
		}
	}
	own := l.candidates(o, true)
	wanted := map[string]bool{}
	for _, id := range p.Cited {
		wanted[id] = true
	}
	all := len(wanted)
	hits, err := l.search(ctx, own, wanted)
	if err != nil {
		return err
	}
	if len(wanted) > 0 {
		got, err := l.search(ctx, l.candidates(o, false), wanted)
		if err != nil {
			return err
		}
		hits = append(hits, got...)
	}
	kept, err := l.kept(ctx, p, wanted)
	if err != nil {
		return err
	}
	switch {
	case len(hits) == 0 && p.Archived:
		p.Missing = missingOf(len(wanted), all)
	case len(hits) == 0 && len(own) == 0:
		p.Missing = "The transcript is not there any more."
	case len(hits) == 0:
		p.Missing = "The transcript no longer has this part: it was rewritten, or the attempt was taken back."
	default:
		p.Missing = missingOf(len(wanted), all)
	}
	if err := l.show(ctx, p, hits); err != nil {
		return err
	}
	l.showKept(p, kept)
	return nil
}

func missingOf(n, all int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of the %d messages are not there any more.", n, all)
}

// kept looks in the archive for what no transcript has.
func (l *looker) kept(ctx context.Context, p *Place, wanted map[string]bool) ([]history.Turn, error) {
	if len(wanted) == 0 || len(l.engine.options.Transcripts) > 0 {
		return nil, nil
	}
	turns, title, err := l.engine.archivedTurns(ctx, p.Origin, wanted)
	p.Archived = len(turns) > 0
	p.Title = cmp.Or(p.Title, title)
	return turns, err
}

// showKept adds turns of the archive to those that are shown.
func (l *looker) showKept(p *Place, turns []history.Turn) {
	cited := map[string]bool{}
	for _, id := range p.Cited {
		cited[id] = true
	}
	x := l.excerpt.begin()
	for _, t := range turns {
		if len(p.Turns) >= maxPlaceTurns || slices.ContainsFunc(p.Turns, func(s Turn) bool { return s.ID == t.ID }) {
			continue
		}
		p.Turns = append(p.Turns, x.turn(t, cited))
	}
	slices.SortStableFunc(p.Turns, func(a, b Turn) int { return a.Time.Compare(b.Time) })
}

// candidates gives the turns that may have an origin's records, the likeliest
// first: those of its session, or of other sessions of its source.
func (l *looker) candidates(o memory.Origin, own bool) []history.Ref {
	prompt := map[string]bool{}
	for _, id := range o.Records {
		prompt[id] = true
	}
	var out []history.Ref
	for _, r := range l.history.refs {
		if r.Source == o.Source && (r.Session == o.Session) == own {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b history.Ref) int {
		return cmp.Or(cmp.Compare(rank(prompt[a.ID]), rank(prompt[b.ID])), cmp.Compare(apart(a.Time, o.Time), apart(b.Time, o.Time)))
	})
	if own {
		return out[:min(len(out), maxOwnLooked)]
	}
	return out[:min(len(out), maxOtherLooked)]
}

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

func apart(a, b time.Time) time.Duration { return a.Sub(b).Abs() }

// search reads turns until it has every wanted message, and takes those that it
// found out of wanted.
func (l *looker) search(ctx context.Context, refs []history.Ref, wanted map[string]bool) ([]history.Turn, error) {
	var hits []history.Turn
	if len(wanted) == 0 {
		return nil, nil
	}
	for t, err := range l.history.Turns(ctx, refs) {
		if errors.Is(err, history.ErrGone) {
			continue
		}
		if err != nil {
			return nil, err
		}
		hit := false
		for _, m := range t.Messages {
			if wanted[m.ID] {
				delete(wanted, m.ID)
				hit = true
			}
		}
		if hit {
			hits = append(hits, t)
		}
		if len(wanted) == 0 {
			break
		}
	}
	return hits, nil
}

// spot names a turn among those of all sources.
type spot struct{ source, turn string }

func spotOf(r history.Ref) spot { return spot{r.Source, r.ID} }

// show adds the turns that were found, with their neighbours.
func (l *looker) show(ctx context.Context, p *Place, hits []history.Turn) error {
	if len(hits) == 0 {
		return nil
	}
	cited := map[string]bool{}
	for _, id := range p.Cited {
		cited[id] = true
	}
	x := l.excerpt.begin()
	shown := map[spot]bool{}
	text := map[spot]Turn{}
	slices.SortStableFunc(hits, func(a, b history.Turn) int { return a.Time.Compare(b.Time) })
	hits = hits[:min(len(hits), maxPlaceTurns)]
	for _, t := range hits {
		shown[spotOf(t.Ref)] = true
		text[spotOf(t.Ref)] = x.turn(t, cited)
	}
	var near []history.Ref
	for _, r := range l.neighbours(hits) {
		if len(shown) < maxPlaceTurns && !shown[spotOf(r)] {
			shown[spotOf(r)] = true
			near = append(near, r)
		}
	}
	for t, err := range l.history.Turns(ctx, near) {
		if errors.Is(err, history.ErrGone) {
			continue
		}
		if err != nil {
			return err
		}
		text[spotOf(t.Ref)] = x.turn(t, nil)
	}
	for _, r := range l.history.refs {
		if t, ok := text[spotOf(r)]; ok {
			p.Turns = append(p.Turns, t)
		}
	}
	return nil
}

// neighbours gives the turns before and after each in its session.
func (l *looker) neighbours(turns []history.Turn) []history.Ref {
	type session struct{ source, id string }
	refs := map[session][]history.Ref{}
	for _, t := range turns {
		refs[session{t.Source, t.Session}] = nil
	}
	for _, r := range l.history.refs {
		s := session{r.Source, r.Session}
		if _, ok := refs[s]; ok {
			refs[s] = append(refs[s], r)
		}
	}
	var out []history.Ref
	for _, t := range turns {
		all := refs[session{t.Source, t.Session}]
		i := slices.IndexFunc(all, func(r history.Ref) bool { return r.ID == t.ID })
		if i > 0 {
			out = append(out, all[i-1])
		}
		if i >= 0 && i+1 < len(all) {
			out = append(out, all[i+1])
		}
	}
	return out
}
