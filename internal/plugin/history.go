package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strconv"

	"recollect/hostapi"
	"recollect/internal/history"
	"recollect/internal/printable"
)

// Scopes of history:read.
const (
	scopeBranch  = "branch"
	scopeProject = "project"
)

// Bounds of a page of turns, in bytes of JSON.
const (
	maxPage  = 64 << 10
	pageHead = 256 // what surrounds the turns of a page
	// maxTurn is what one turn may take before it is cut: a page has room for it.
	maxTurn = maxPage - pageHead
)

// branch gives the branch that a request is about and whether the plug-in may
// see it: "" stands for the branch of the call.
func (s *session) branch(name string) (string, *hostapi.Error) {
	if s.setting.History == nil {
		return "", refusal(hostapi.CodeUnavailable, "there is no history in this call")
	}
	if name == "" || name == s.setting.Branch {
		return s.setting.Branch, nil
	}
	if s.manifest.Capabilities[hostapi.CapHistoryRead].Scope != scopeProject {
		return "", refusal(hostapi.CodeDenied, "the plug-in may read the history of this branch only")
	}
	return name, nil
}

// refs lists the turns of a branch that the plug-in may see.
func (s *session) refs(branch string) []history.Ref {
	if branch == s.setting.Branch {
		return s.setting.All
	}
	return s.setting.History.Refs(branch)
}

func (s *session) historyBranches(json.RawMessage) (any, *hostapi.Error) {
	if _, refused := s.branch(""); refused != nil {
		return nil, refused
	}
	refs := s.setting.All
	if s.manifest.Capabilities[hostapi.CapHistoryRead].Scope == scopeProject {
		refs = s.setting.History.Refs("*")
	}
	byName := map[string]*hostapi.Branch{}
	sessions := map[[2]string]bool{}
	for _, r := range refs {
		b := byName[r.Branch]
		if b == nil {
			b = &hostapi.Branch{Name: r.Branch}
			byName[r.Branch] = b
		}
		b.Turns++
		if key := [2]string{r.Branch, r.Session}; !sessions[key] {
			sessions[key] = true
			b.Sessions++
		}
		if r.Time.After(b.LastActive) {
			b.LastActive = r.Time
		}
	}
	result := hostapi.BranchesResult{Branches: []hostapi.Branch{}}
	for _, b := range byName {
		result.Branches = append(result.Branches, *b)
	}
	slices.SortFunc(result.Branches, func(a, b hostapi.Branch) int {
		if c := b.LastActive.Compare(a.LastActive); c != 0 {
			return c
		}
		return compare(a.Name, b.Name)
	})
	return result, nil
}

func compare(a, b string) int {
	if a < b {
		return -1
	}
	return 1
}

func (s *session) historySessions(p hostapi.SessionsParams) (any, *hostapi.Error) {
	branch, refused := s.branch(p.Branch)
	if refused != nil {
		return nil, refused
	}
	turns := map[[2]string]int{}
	for _, r := range s.refs(branch) {
		turns[[2]string{r.Source, r.Session}]++
	}
	result := hostapi.SessionsResult{Sessions: []hostapi.Session{}}
	for _, x := range s.setting.History.Sessions() {
		if n := turns[[2]string{x.Source, x.ID}]; n > 0 && (p.Session == "" || p.Session == x.ID) {
			var did history.Traces
			if p.Session != "" {
				did = s.setting.History.Traces(x)
			}
			result.Sessions = append(result.Sessions, wireSession(x, did, n))
		}
	}
	return result, nil
}

// historyTurns gives as many turns as fit a page. A turn that fills more than a
// page by itself is cut.
func (s *session) historyTurns(p hostapi.TurnsParams) (any, *hostapi.Error) {
	branch, refused := s.branch(p.Branch)
	if refused != nil {
		return nil, refused
	}
	from := 0
	if p.Cursor != "" {
		var err error
		if from, err = strconv.Atoi(p.Cursor); err != nil || from < 0 {
			return nil, refusal(hostapi.CodeInvalid, "the cursor is not one that the host gave")
		}
	}
	key := turnKey{branch, p.Session, p.New}
	if s.turns.key != key || s.turns.next != from || s.turns.pull == nil {
		s.turns.open(s, key, from)
	}
	return s.turns.page(s, p.Limit)
}

// turnKey is what one reading of turns is about.
type turnKey struct {
	branch, session string
	onlyNew         bool
}

// turnReader keeps the reading of turns open from page to page, so that a
// transcript is not opened again for each.
type turnReader struct {
	key   turnKey
	next  int // index of the turn that comes next: the cursor
	total int
	pull  func() (history.Turn, error, bool)
	stop  func()
	ahead []byte // a turn that was read and did not fit
	isNew map[[2]string]bool
}

func (r *turnReader) close() {
	if r.stop != nil {
		r.stop()
	}
	r.stop, r.pull, r.ahead = nil, nil, nil
}

// open begins a reading at the turn with index from of those that key names.
func (r *turnReader) open(s *session, key turnKey, from int) {
	r.close()
	if r.isNew == nil {
		r.isNew = make(map[[2]string]bool, len(s.setting.New))
		for _, ref := range s.setting.New {
			r.isNew[[2]string{ref.Source, ref.ID}] = true
		}
	}
	refs := s.refs(key.branch)
	if key.session != "" || key.onlyNew {
		refs = slices.DeleteFunc(slices.Clone(refs), func(ref history.Ref) bool {
			return key.session != "" && ref.Session != key.session ||
				key.onlyNew && !r.isNew[[2]string{ref.Source, ref.ID}]
		})
	}
	r.key, r.next, r.total = key, min(from, len(refs)), len(refs)
	r.pull, r.stop = iter.Pull2(s.setting.History.Turns(s.ctx, refs[r.next:]))
}

func (r *turnReader) page(s *session, limit int) (any, *hostapi.Error) {
	if limit <= 0 {
		limit = maxPage
	}
	result := struct {
		Turns []json.RawMessage `json:"turns"`
		Next  string            `json:"next,omitempty"`
	}{Turns: []json.RawMessage{}}
	size := pageHead
	for len(result.Turns) < limit {
		data, refused := r.turn(s)
		if refused != nil {
			r.close()
			return nil, refused
		}
		if data == nil {
			r.next = r.total
			return result, nil
		}
		if size += len(data) + 1; size > maxPage && len(result.Turns) > 0 {
			r.ahead = data
			break
		}
		result.Turns = append(result.Turns, data)
		r.next++
	}
	if r.next < r.total {
		result.Next = strconv.Itoa(r.next)
	}
	return result, nil
}

// turn gives the next turn encoded, or nil after the last. Turns that are gone
// are passed over.
func (r *turnReader) turn(s *session) ([]byte, *hostapi.Error) {
	if data := r.ahead; data != nil {
		r.ahead = nil
		return data, nil
	}
	for {
		t, err, ok := r.pull()
		switch {
		case !ok:
			return nil, nil
		case errors.Is(err, history.ErrGone):
			r.next++
			continue
		case err != nil:
			return nil, historyRefusal(err)
		}
		wire := wireTurn(t, r.isNew[[2]string{t.Source, t.ID}])
		cutTurn(&wire)
		data, err := encode(wire)
		if err != nil {
			return nil, refusal(hostapi.CodeFailed, "a turn can't be encoded")
		}
		return data, nil
	}
}

func historyRefusal(err error) *hostapi.Error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return refusal(hostapi.CodeCancelled, "the call was stopped")
	}
	return refusal(hostapi.CodeFailed, "the history can't be read: %v", err)
}

// historyTurn gives one turn in parts of at most a page.
func (s *session) historyTurn(p hostapi.TurnParams) (any, *hostapi.Error) {
	if _, refused := s.branch(""); refused != nil {
		return nil, refused
	}
	refs := s.setting.All
	if s.manifest.Capabilities[hostapi.CapHistoryRead].Scope == scopeProject {
		refs = s.setting.History.Refs("*")
	}
	i := slices.IndexFunc(refs, func(r history.Ref) bool { return r.ID == p.ID })
	if i < 0 {
		return nil, refusal(hostapi.CodeNotFound, "there is no turn %s", printable.Quote(p.ID, 80))
	}
	for t, err := range s.setting.History.Turns(s.ctx, refs[i:i+1]) {
		if errors.Is(err, history.ErrGone) {
			break
		}
		if err != nil {
			return nil, historyRefusal(err)
		}
		isNew := slices.ContainsFunc(s.setting.New, func(r history.Ref) bool { return r.ID == t.ID && r.Source == t.Source })
		part, next, err := turnPart(wireTurn(t, isNew), p.Cursor)
		if err != nil {
			return nil, refusal(hostapi.CodeInvalid, "%v", err)
		}
		return hostapi.TurnResult{Turn: part, Next: next}, nil
	}
	return nil, refusal(hostapi.CodeNotFound, "the turn %s is no longer there", printable.Quote(p.ID, 80))
}
