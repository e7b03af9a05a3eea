package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"recollect/internal/config"
	"recollect/internal/history"
	"recollect/internal/llm"
	"recollect/internal/memorize"
	"recollect/internal/plugin"
	"recollect/internal/tokens"
)

// Reckoned is what a model would be asked for a project's history: all that it has
// not read yet, of all branches. The figures are those that a budget counts, which
// are half as many tokens again as a GPT model's tokenizer gives.
type Reckoned struct {
	Sessions     int   `json:"sessions"`
	Requests     int   `json:"requests"`
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	// Sampled says that not every session was read for it, and the rest is taken to
	// be like those that were, by number of turns.
	Sampled bool `json:"sampled,omitempty"`
}

// How much of a history is read to reckon what a model would be asked: so many
// sessions, of each so many turns, in so much time.
const (
	reckonSessions = 64
	reckonTurns    = 400
	reckonTime     = 4 * time.Second
)

// What requests hold beside what was said. The model's notes are not known before,
// so these are averages: of the replies of a careful reader to the requests for 12
// sessions, a twelfth of what they were asked, some 120 tokens a note, of which 65
// are its words; see docs/performance.md.
const (
	replyShare  = 12   // of the tokens of a request: the reply
	noteReply   = 120  // tokens of a note in a reply
	noteKnown   = 65   // of one that a later request is shown as known
	mostKnown   = 1500 // tokens of all that it is shown: known_chars of the plug-in
	tidyAsked   = 1100 // of a request that brings notes into a memory, without the notes
	tidyReply   = 150
	mostTidied  = 7500 // tokens of notes in such a request
	requestsRun = 24   // that model-notes makes in a run before it brings notes in
)

// errTooSlow says that not even one session was read in time.
var errTooSlow = errors.New("what a model would cost can't be told: the history could not be read in time")

// piece is what one session brings to a branch that model-notes has not read.
type piece struct {
	branch, session string
	refs            []history.Ref
}

// reckon tells what a model would be asked, one of this machine and another: it has
// model-notes ask what it would, and answers that there is nothing to note. No
// request leaves the process, and nothing is written. Of a long history a sample is
// read, in an order that is always the same, for as long as there is time.
func (e *Engine) reckon(ctx context.Context, h *joined) (local, remote Reckoned, err error) {
	pieces, err := e.unreadByModel(h)
	if err != nil || len(pieces) == 0 {
		return local, remote, err
	}
	turns := 0
	for _, p := range pieces {
		turns += len(p.refs)
	}
	of := fmt.Sprint(h.Revision(), " ", turns, " ", string(e.settings().Plugins[config.ModelNotes]))
	if known, ok := e.options.reckonings.get(e.project.Root, of); ok {
		return known.local, known.remote, nil
	}
	if local, remote, err = e.reckonIn(ctx, h, pieces, reckonSessions, reckonTime); err == nil {
		e.options.reckonings.put(e.project.Root, reckoning{of, local, remote})
	}
	return local, remote, err
}

func (e *Engine) reckonIn(ctx context.Context, h *joined, pieces []piece, most int, limit time.Duration) (local, remote Reckoned, err error) {
	parts, err := e.parts([]string{config.ModelNotes}, nil, scratch(true))
	if err != nil {
		return local, remote, err
	}
	x, ok := parts.Extractors[0].(plugin.Extractor)
	if !ok {
		return local, remote, errors.New("model-notes is no plug-in")
	}
	if err := x.Plugin.Prepare(ctx); err != nil {
		return local, remote, err
	}
	// No call may take longer, however much there is to read.
	within, cancel := context.WithTimeout(ctx, 4*limit)
	defer cancel()
	r := rehearsal{Parts: parts, in: memorize.Input{Project: e.project.Name(), History: h, Now: e.options.Now()}, x: x}
	var here, there nobody
	end := time.Now().Add(limit)
	for n, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(pieces)) {
		if n == most || n > 0 && time.Now().After(end) {
			break
		}
		was, wasThere := here, there
		err := errors.Join(r.read(within, pieces[i], true, &here), r.read(within, pieces[i], false, &there))
		switch {
		case err == nil:
			continue
		case within.Err() == nil || ctx.Err() != nil:
			return local, remote, err
		case n == 0:
			return local, remote, errTooSlow
		}
		here, there = was, wasThere
	}
	b := e.branchesOf(pieces)
	return here.of(pieces, b), there.of(pieces, b), nil
}

// unreadByModel gives what model-notes has not read, a piece for each session on
// each branch.
func (e *Engine) unreadByModel(h *joined) ([]piece, error) {
	type place struct{ branch, source, session string }
	at := map[place]int{}
	seen := map[string]*memorize.Seen{}
	var out []piece
	for _, ref := range h.Refs("*") {
		s := seen[ref.Branch]
		if s == nil {
			var err error
			if s, err = e.seen().Load(ref.Branch); err != nil {
				return nil, err
			}
			seen[ref.Branch] = s
		}
		if len(s.New(config.ModelNotes, []history.Ref{ref})) == 0 {
			continue
		}
		k := place{ref.Branch, ref.Source, ref.Session}
		i, there := at[k]
		if !there {
			i = len(out)
			at[k], out = i, append(out, piece{branch: ref.Branch, session: ref.Source + "/" + ref.Session})
		}
		out[i].refs = append(out[i].refs, ref)
	}
	return out, nil
}

// branchSize is what there is to read of a branch.
type branchSize struct {
	turns      int
	remembered bool // it has a memory, into which new notes are brought
}

func (e *Engine) branchesOf(pieces []piece) map[string]branchSize {
	out := map[string]branchSize{}
	for _, p := range pieces {
		b, there := out[p.branch]
		if !there {
			m, _, err := e.memories().Load(p.branch)
			b.remembered = err == nil && len(m.Items) > 0
		}
		b.turns += len(p.refs)
		out[p.branch] = b
	}
	return out
}

// reckonings are the last ones of some projects, for a face that stays open: a person
// who tries one way after the other does not wait for each. nil has none.
type reckonings struct {
	mu sync.Mutex
	by map[string]reckoning // by the project's root
}

// reckoning is what was reckoned of a history in one state.
type reckoning struct {
	of            string
	local, remote Reckoned
}

// maxReckonings bounds them.
const maxReckonings = 64

func (r *reckonings) get(root, of string) (reckoning, bool) {
	if r == nil {
		return reckoning{}, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.by[root]
	return known, ok && known.of == of
}

func (r *reckonings) put(root string, known reckoning) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by == nil || len(r.by) >= maxReckonings {
		r.by = map[string]reckoning{}
	}
	r.by[root] = known
}

// rehearsal has model-notes read as it would, with nobody to answer.
type rehearsal struct {
	memorize.Parts
	in memorize.Input
	x  plugin.Extractor
}

// read adds up what a piece is asked: what one call leaves, the next one takes.
func (r *rehearsal) read(ctx context.Context, p piece, local bool, a *nobody) error {
	refs := p.refs[max(0, len(p.refs)-reckonTurns):]
	a.turns += len(refs)
	a.pieces++
	x := r.x
	x.Setting = x.Setting.Model(a, local, func(context.Context) (int, int, error) { return math.MaxInt32, math.MaxInt32, nil })
	in := r.in
	in.Branch = p.branch
	for {
		got, err := memorize.Rehearse(ctx, r.Parts, in, x, refs)
		if err != nil {
			return err
		}
		var left []history.Ref
		for _, ref := range refs {
			if slices.Contains(got.Unread, ref.ID) {
				left = append(left, ref)
			}
		}
		if len(left) == 0 || len(left) == len(refs) {
			return nil
		}
		refs = left
	}
}

// nobody is the model of a rehearsal: it adds up what it is asked, and notes nothing.
type nobody struct {
	pieces, turns, requests int // that were read, and what they came to
	tokens                  int64
}

// Name implements llm.Client.
func (*nobody) Name() string { return "nobody" }

// Complete implements llm.Client.
func (a *nobody) Complete(_ context.Context, p llm.Prompt) (llm.Completion, error) {
	a.requests++
	a.tokens += int64(tokens.Count(p.SystemWithSchema())) + int64(tokens.Count(p.Text))
	return llm.Completion{Text: `{"items":[]}`, Stop: llm.StopEnd}, nil
}

// of is what all pieces come to, if those that were not read are like the others.
func (a *nobody) of(pieces []piece, branches map[string]branchSize) Reckoned {
	sessions, turns := map[string]bool{}, 0
	for _, p := range pieces {
		sessions[p.session] = true
		turns += len(p.refs)
	}
	out := Reckoned{Sessions: len(sessions), Sampled: a.turns < turns}
	if a.turns == 0 {
		return out
	}
	more := float64(turns) / float64(a.turns)
	requests, in := float64(a.requests)*more, float64(a.tokens)*more
	notes := in / replyShare / noteReply
	asked, reply := requests, notes*noteReply
	for _, name := range slices.Sorted(maps.Keys(branches)) {
		b := branches[name]
		share := float64(b.turns) / float64(turns)
		in += shownAsKnown(asked*share, notes*share)
		if asked*share > 1.5 || b.remembered {
			runs := math.Ceil(asked * share / requestsRun)
			requests, reply = requests+runs, reply+runs*tidyReply
			in += runs * (tidyAsked + min(mostTidied, noteKnown*notes*share/runs))
		}
	}
	out.Requests, out.InputTokens, out.OutputTokens = int(math.Round(requests)), int64(math.Round(in)), int64(math.Round(reply))
	return out
}

// shownAsKnown is what the requests for a branch hold of notes that earlier ones
// brought, in tokens.
func shownAsKnown(requests, notes float64) float64 {
	n := 0.0
	for k := 1.0; k < requests; k++ {
		if n += min(mostKnown, noteKnown*notes/requests*k); noteKnown*notes/requests*k >= mostKnown {
			return n + (requests-k-1)*mostKnown
		}
	}
	return n
}
