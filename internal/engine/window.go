package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"recollect/internal/history"
)

// SessionTurns is a window on what was said in one session.
type SessionTurns struct {
	Session string `json:"session"`
	Title   string `json:"title"`
	Source  string `json:"source"`
	Total   int    `json:"total"`
	From    int    `json:"from"` // index of the first of Turns
	Turns   []Turn `json:"turns"`
	// Archived says that the transcript is gone.
	Archived bool `json:"archived,omitempty"`
}

// maxWindow is how many turns a window has at most.
const maxWindow = 100

// SessionTurns reads turns of a session, from the one with index from on, with
// secrets taken out: at most count, of which not all may come if they are long;
// those that are not there any more are left out.
func (e *Engine) SessionTurns(ctx context.Context, session string, from, count int) (SessionTurns, error) {
	red, err := e.redactor()
	if err != nil {
		return SessionTurns{}, err
	}
	h, err := e.openHistory(ctx)
	if err != nil {
		return SessionTurns{}, err
	}
	defer h.Close()
	out := SessionTurns{Session: session, Turns: []Turn{}}
	sessions := h.Sessions()
	i := slices.IndexFunc(sessions, func(s history.Session) bool { return s.ID == session })
	if i < 0 && len(e.options.Transcripts) == 0 {
		return e.archivedSession(ctx, session, from, count)
	}
	if i < 0 {
		return SessionTurns{}, fmt.Errorf("%q: %w", session, errNoSession)
	}
	out.Title, out.Source = sessions[i].Title, sessions[i].Source
	var refs []history.Ref
	for _, r := range h.refs {
		if r.Session == session && r.Source == out.Source {
			refs = append(refs, r)
		}
	}
	out.Total = len(refs)
	out.From = min(max(from, 0), len(refs))
	refs = refs[out.From:]
	refs = refs[:min(len(refs), min(max(count, 0), maxWindow))]
	x := (&excerpter{red: red, share: maxShown}).begin()
	for t, err := range h.Turns(ctx, refs) {
		if errors.Is(err, history.ErrGone) {
			continue
		}
		if err != nil {
			return SessionTurns{}, err
		}
		out.Turns = append(out.Turns, x.turn(t, nil))
		if x.left <= 0 {
			break
		}
	}
	return out, nil
}
