package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"

	"recollect/internal/memory"
	"recollect/internal/secrets"
)

// Decide follows decisions, those of a branch in one save of its memory. The
// memory is saved first, then what conflicts, then what waits on: after a crash
// in between, what was decided is found in the memory. An error means that
// nothing was decided, or that writing failed and the decisions of some branches
// were followed.
func (e *Engine) Decide(ctx context.Context, decisions []Decision) (r Reviewed, err error) {
	defer func() { r.Following = e.follow(ctx) }()
	if len(decisions) > maxDecisions {
		return Reviewed{}, fmt.Errorf("more than %d decisions at once", maxDecisions)
	}
	if !e.hasState() { // then nothing waits, and no folder is made
		return Reviewed{Left: []Proposal{}, Stale: ids(decisions)}, nil
	}
	red, err := e.redactor()
	if err != nil {
		return Reviewed{}, err
	}
	lock, err := e.lockReview(ctx)
	if err != nil {
		return Reviewed{}, err
	}
	defer lock.Release()
	held, err := e.heldOrAside()
	if err != nil {
		return Reviewed{}, err
	}
	out := Reviewed{Stale: []string{}}
	by := map[string]int{} // inbox by proposal
	for i := range held {
		waiting, err := e.proposed(held[i : i+1])
		if err != nil {
			return Reviewed{}, err
		}
		for _, p := range waiting {
			by[p.ID] = i
		}
	}
	verdicts := map[int][]memory.Verdict{}
	for _, d := range decisions {
		i, ok := by[d.ID]
		if !ok {
			out.Stale = append(out.Stale, d.ID)
			continue
		}
		if d.Content != "" && memory.Clean(d.Content) == "" {
			return Reviewed{}, &memory.EditError{Code: memory.NoContent, Why: "what is accepted needs words"}
		}
		if d.Content, err = withoutSecret(red, d.Content); err != nil {
			return Reviewed{}, err
		}
		verdicts[i] = append(verdicts[i], d)
	}
	if err := e.followAll(ctx, held, verdicts, &out); err != nil {
		return Reviewed{}, err
	}
	if held, err = e.heldInboxes(); err != nil {
		return Reviewed{}, err
	}
	out.Left, err = e.proposed(held)
	return out, err
}

// withoutSecret takes secrets out of what a person wrote.
func withoutSecret(red *secrets.Redactor, text string) (string, error) {
	text = memory.Clean(text)
	if utf8.RuneCountInString(text) > memory.MaxContentRunes {
		return text, nil // it is refused
	}
	clean, n := red.Redact(text)
	if n > 0 && red.OnlySecret(text, clean) {
		return "", &memory.EditError{Code: onlySecret, Why: "that is nothing but a secret"}
	}
	return clean, nil
}

func ids(decisions []Decision) []string {
	out := []string{}
	for _, d := range decisions {
		out = append(out, d.ID)
	}
	return out
}

// followAll tries the decisions of all branches before it writes those of the
// first.
func (e *Engine) followAll(ctx context.Context, held []memory.Held, verdicts map[int][]memory.Verdict, out *Reviewed) error {
	writes := 0
	for i, vs := range verdicts {
		m, _, err := e.memories().Load(held[i].Branch)
		if err != nil {
			return err
		}
		r, err := held[i].Review(m, vs, e.options.Now().UTC())
		if err != nil {
			return aboutBranch(held[i].Branch, err)
		}
		if changes(r) {
			writes++
		}
	}
	token := reviewToken(writes)
	for i := range held {
		if verdicts[i] == nil {
			continue
		}
		r, err := e.carryOut(ctx, held[i], verdicts[i], token)
		if err != nil {
			return err
		}
		out.Stale = append(out.Stale, r.Stale...)
		if r.Decided > 0 {
			out.Undo = token
		}
	}
	return nil
}

func changes(r memory.Review) bool { return r.Decided > 0 || len(r.Conflicts) > 0 }

// reviewToken names decisions about a number of branches, which an undo must
// find all.
func reviewToken(branches int) string { return fmt.Sprintf("%d-%s", branches, rand.Text()) }

// reviewedBranches is how many branches a token of decisions is about, 0 if it is
// none.
func reviewedBranches(token string) int {
	n := 0
	if _, err := fmt.Sscanf(token, "%d-", &n); err != nil {
		return 0
	}
	return n
}

// decideTries bounds how often decisions are followed anew because somebody
// saved the memory meanwhile.
const decideTries = 20

// carryOut writes what comes of the decisions about one branch. A memorize may
// write meanwhile: then it is done anew with what it left.
func (e *Engine) carryOut(ctx context.Context, h memory.Held, verdicts []memory.Verdict, token string) (memory.Review, error) {
	inMemory := map[string]bool{} // decisions that are there already
	for range decideTries {
		m, rev, err := e.memories().Load(h.Branch)
		if err != nil {
			return memory.Review{}, err
		}
		r, err := h.Review(m, verdicts, e.options.Now().UTC())
		if err != nil {
			return r, aboutBranch(h.Branch, err)
		}
		write := changes(r)
		r.Stale = slices.DeleteFunc(r.Stale, func(id string) bool { return inMemory[id] })
		r.Decided = len(verdicts) - len(r.Stale)
		if !write {
			return r, nil
		}
		undo := ""
		if !reflect.DeepEqual(r.Memory.Items, m.Items) {
			rev, err = e.memories().Save(ctx, r.Memory, rev)
			if errors.Is(err, memory.ErrChanged) {
				continue
			}
			if err != nil {
				return r, err
			}
			if undo, err = e.memories().LastChange(h.Branch); err != nil {
				return r, err
			}
			for _, v := range verdicts {
				inMemory[v.ID] = inMemory[v.ID] || !slices.Contains(r.Stale, v.ID)
			}
		}
		if _, err := e.conflictsFile().Add(h.Branch, r.Memory, r.Conflicts, e.options.Now()); err != nil {
			return r, err
		}
		err = e.inboxes().Save(h.Reviewed(r.Inbox, token, undo, rev), h.Revision)
		if !errors.Is(err, memory.ErrChanged) {
			return r, err
		}
		if h.Inbox, h.Revision, err = e.inboxes().Load(h.Branch); err != nil {
			return r, err
		}
	}
	return memory.Review{}, aboutBranch(h.Branch, memory.ErrChanged)
}

// UndoReview takes the decisions back that gave the token. Several are taken back
// newest first, the last fifty of a branch. It fails with
// memory.ErrStale if a memory or what waits is not as they left it. Conflicts
// that came of them stay.
func (e *Engine) UndoReview(ctx context.Context, token string) (r Reviewed, err error) {
	defer func() { r.Following = e.follow(ctx) }()
	lock, err := e.lockReview(ctx)
	if err != nil {
		return Reviewed{}, err
	}
	defer lock.Release()
	all, err := e.heldOrAside()
	if err != nil {
		return Reviewed{}, err
	}
	held, err := e.undoable(all, token)
	if err != nil {
		return Reviewed{}, err
	}
	for _, h := range held {
		if err := e.undoOne(ctx, h); err != nil {
			return Reviewed{}, err
		}
	}
	if all, err = e.heldInboxes(); err != nil {
		return Reviewed{}, err
	}
	left, err := e.proposed(all)
	return Reviewed{Left: left, Stale: []string{}}, err
}

// undoable gives the inboxes that are as the decisions left them, with their
// memories.
func (e *Engine) undoable(all []memory.Held, token string) ([]memory.Held, error) {
	stale := fmt.Errorf("what waits for review is not as those decisions left it: %w", memory.ErrStale)
	var out []memory.Held
	for _, h := range all {
		if len(h.Done) == 0 || last(h).Token != token {
			continue
		}
		_, rev, err := e.memories().Load(h.Branch)
		if err != nil {
			return nil, err
		}
		if rev != last(h).Memory {
			return nil, stale
		}
		out = append(out, h)
	}
	if n := reviewedBranches(token); n != len(out) || n == 0 {
		return nil, stale
	}
	return out, nil
}

// last is what takes the last decisions back.
func last(h memory.Held) memory.Decided { return h.Done[len(h.Done)-1] }

// undoOne lets everything wait again before it takes the memory back: after a
// crash in between, what the memory has is not asked again.
func (e *Engine) undoOne(ctx context.Context, h memory.Held) error {
	if err := e.inboxes().Save(h.Undone(), h.Revision); err != nil || last(h).Undo == "" {
		return err
	}
	_, err := e.memories().Undo(ctx, h.Branch, last(h).Undo)
	if err == nil {
		return nil
	}
	_, rev, again := e.inboxes().Load(h.Branch)
	if again == nil {
		again = e.inboxes().Save(h.Inbox, rev)
	}
	return errors.Join(err, again)
}
