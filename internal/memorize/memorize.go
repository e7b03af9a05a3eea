// Package memorize is the write path: it brings what was said on one branch
// into the branch's memory.
//
// The order is fixed: the turns that are new are found, the gate says whether
// they are worth extracting, extractors find items in redacted text, the host
// redacts and checks what they found, the schema normalises it, and a pure merge
// brings it into the memory, which is saved only if nobody changed it meanwhile;
// else the merge is done again on what they wrote.
package memorize

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"recollect/internal/history"
	"recollect/internal/memory"
)

// Outcome is how a memorize ended when it did not fail.
type Outcome string

// The outcomes. Failed stands in reports of several branches; Run itself
// returns an error for it.
const (
	Memorized Outcome = "memorized" // items were added or changed
	Proposed  Outcome = "proposed"  // what would change waits for review
	Unchanged Outcome = "unchanged" // no new turn, or nothing that is not known
	Empty     Outcome = "empty"     // the extractors found nothing
	Skipped   Outcome = "skipped"   // the gate said no, see Reason
	Failed    Outcome = "failed"
)

// Reasons of Skipped, of Unchanged ReasonNone and ReasonWaits, and of Empty
// ReasonRejected.
const (
	ReasonEmpty   = "empty"   // no turn was answered
	ReasonTrivial = "trivial" // every turn is small talk or next to nothing
	ReasonNone    = "no history"
	ReasonWaits   = "waits" // for a model or for money, as the stand-in has read it before
	// ReasonRejected says that something was found and nothing of it let in.
	ReasonRejected = "rejected"
)

// Limits on what one extractor may bring into a memory in one run.
const (
	MaxItems     = 200
	MaxItemRunes = 600
)

// maxTries bounds how often a merge is done again because somebody saved
// meanwhile; the first maxEvolves of them may ask an extractor to evolve, which
// may cost money.
const (
	maxTries   = 20
	maxEvolves = 2
)

// Redactor takes secrets out of text.
type Redactor interface {
	// Redact returns the text without them and how many there were.
	Redact(text string) (string, int)
	// OnlySecret says that what is left in after is nothing without what was
	// taken out of before.
	OnlySecret(before, after string) bool
}

// Parts are what Run works with.
type Parts struct {
	Extractors []Extractor
	// StandIn, if not nil, reads what one of them can't read now for want of a
	// model or of money. Those turns stay new for the one that it stood in for.
	StandIn  Extractor
	Schema   Schema
	Store    Store
	Seen     SeenStore
	Redactor Redactor
	// Inboxes keep what waits for a person: suggestions, and with Review what they
	// would see of a change, which else goes into memory at once.
	Inboxes Inboxes
	Review  bool
	// Shown, if not nil, gives what of a memory extractors may be shown. While
	// something is held back from them, none is asked to evolve the memory.
	Shown func(memory.Memory) memory.Memory
}

// shown gives what of a memory extractors may be shown, and whether that is all.
func (p Parts) shown(m memory.Memory) (memory.Memory, bool) {
	if p.Shown == nil {
		return m, true
	}
	out := p.Shown(m)
	return out, len(out.Items) == len(m.Items)
}

// Input is one run on one branch.
type Input struct {
	Project string // name, for people
	Branch  string
	History history.History
	Now     time.Time
	// Again treats every turn as new.
	Again bool
	// DryRun finds and merges but writes nothing.
	DryRun bool
	// Unwanted are ids of items that a person saw in a dry run and does not want: what
	// would be added under them is not kept anywhere.
	Unwanted []string
	// Explain asks the extractors for reasons; see Extract.
	Explain bool
	// Progress, if not nil, is called as the run goes on.
	Progress func(Progress)
}

// Progress says where a run is.
type Progress struct {
	Step  string // "read", "extract", "merge", "save"
	Plug  string // id of the plug-in at work, if any
	Done  int    // turns
	Total int
}

// Report is what a run did.
type Report struct {
	Branch   string          `json:"branch"`
	Outcome  Outcome         `json:"outcome"`
	Reason   string          `json:"reason,omitempty"`
	NewTurns int             `json:"new_turns"`
	Items    int             `json:"items"`             // active ones, afterwards
	Found    int             `json:"found"`             // what extractors found and the checks let pass, also to be suggested
	Changes  []memory.Change `json:"changes,omitempty"` // with review also what waits
	Waiting  int             `json:"waiting,omitempty"` // proposals that wait, of a run with review
	// Suggestions is how many wait, those of other runs included.
	Suggestions int               `json:"suggestions,omitempty"`
	Conflicts   []memory.Conflict `json:"conflicts,omitempty"`
	Rejected    []Rejection       `json:"rejected,omitempty"`
	Redacted    int               `json:"redacted"` // secrets taken out
	Warnings    []string          `json:"warnings,omitempty"`
	Duration    time.Duration     `json:"duration_ns"`
}

// Rejection is an item that an extractor found and that did not go in.
type Rejection struct {
	Extractor string `json:"extractor"`
	Section   string `json:"section,omitempty"`
	Content   string `json:"content,omitempty"`
	Reason    string `json:"reason"`
}

// WhyRejected gives the reasons of the rejections, the most frequent first, and how
// often each was given.
func (r Report) WhyRejected() (reasons []string, times []int) {
	count := map[string]int{}
	for _, x := range r.Rejected {
		count[x.Reason]++
	}
	reasons = slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], strings.Compare(a, b))
	})
	for _, why := range reasons {
		times = append(times, count[why])
	}
	return reasons, times
}

// Run memorizes one branch. The caller holds the project's lock. An error
// leaves the memory and what counts as seen as they were.
func Run(ctx context.Context, p Parts, in Input) (Report, error) {
	start := time.Now()
	r := run{Parts: p, Input: in, report: Report{Branch: in.Branch}}
	err := r.do(ctx)
	r.report.Duration = time.Since(start)
	return r.report, err
}

type run struct {
	Parts
	Input
	report  Report
	refused []Refused // what the report's rejections are about
	view    *view
	seen    *Seen
	layout  memory.Layout
	// current is the memory as it was when the run began, with review what waits
	// laid over it.
	current memory.Memory
	merged  memory.Memory // as it became
	inbox   inbox
}

func (r *run) do(ctx context.Context) error {
	all := r.History.Refs(r.Branch)
	seen, err := r.Seen.Load(r.Branch)
	if err != nil {
		return err
	}
	r.seen = seen
	r.view = newView(r.History, r.Redactor)
	fresh := r.fresh(all)
	r.report.NewTurns = longest(fresh)
	if r.report.NewTurns == 0 {
		r.report.Outcome = Unchanged
		if len(all) == 0 {
			r.report.Reason = ReasonNone
		}
		return errors.Join(r.countItems(), r.suggest(ctx, nil))
	}
	r.progress("read", "", 0, r.report.NewTurns)
	if reason, err := gate(ctx, r.view, all, fresh); err != nil || reason != "" {
		r.report.Outcome, r.report.Reason = Skipped, reason
		return errors.Join(err, r.countItems())
	}
	if err = r.readInboxForReview(); err != nil {
		return err
	}
	if r.current, _, err = r.Store.Load(r.Branch); err != nil {
		return err
	}
	r.current = r.inbox.was.Settle(r.current, r.Now).Over(r.current)
	found, read, err := r.extractAll(ctx, all, fresh)
	if err != nil {
		return err
	}
	if r.report.Found = len(found); len(found) == 0 && nothingRead(read) {
		r.report.Outcome, r.report.Reason = Unchanged, ReasonWaits
		return errors.Join(r.countItems(), r.suggest(ctx, nil))
	}
	sure, unsure := parted(found)
	if err := r.mergeAndSave(ctx, sure); err != nil {
		return err
	}
	if r.report.Outcome == Empty && r.report.Found == 0 && len(r.report.Rejected) > 0 {
		r.report.Reason = ReasonRejected
	}
	if err := r.suggest(ctx, unsure); err != nil {
		return err
	}
	if r.DryRun {
		return nil
	}
	for id, refs := range read {
		r.seen.Add(id, refs)
	}
	return r.Seen.Save(r.Branch, r.seen)
}

// nothingRead says that no extractor looked at any turn.
func nothingRead(read map[string][]history.Ref) bool {
	for _, refs := range read {
		if len(refs) > 0 {
			return false
		}
	}
	return true
}

// fresh gives, for each extractor, the turns that it has not seen as they are.
func (r *run) fresh(all []history.Ref) map[string][]history.Ref {
	fresh := map[string][]history.Ref{}
	for _, x := range r.Extractors {
		refs := all
		if !r.Again {
			refs = r.seen.New(x.ID(), all)
		}
		fresh[x.ID()] = refs
	}
	return fresh
}

func longest(fresh map[string][]history.Ref) int {
	n := 0
	for _, refs := range fresh {
		n = max(n, len(refs))
	}
	return n
}

// countItems is for a run that ends before it extracts.
func (r *run) countItems() error {
	if err := r.readInbox(); err != nil {
		return err
	}
	m, _, err := r.Store.Load(r.Branch)
	if err != nil {
		return err
	}
	r.merged, r.report.Items = m, len(m.Active())
	waiting, suggestions := r.inbox.was.Settle(m, r.Now).Count()
	if r.report.Suggestions = suggestions; r.Review {
		r.report.Waiting = waiting
	}
	return nil
}

func (r *run) progress(step, plug string, done, total int) {
	if r.Progress != nil {
		r.Progress(Progress{Step: step, Plug: plug, Done: done, Total: total})
	}
}

// mergeAndSave merges until nobody saved meanwhile.
func (r *run) mergeAndSave(ctx context.Context, found []memory.Found) error {
	for try := range maxTries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.readInboxForReview(); err != nil {
			return err
		}
		m, rev, err := r.Store.Load(r.Branch)
		if err != nil {
			return err
		}
		r.progress("merge", "", 0, 0)
		var next memory.Memory
		if r.Review {
			next, err = r.propose(ctx, m, found, try < maxEvolves)
		} else {
			next, r.report.Changes, r.report.Conflicts, err = r.bring(ctx, m, found, try < maxEvolves)
			r.report.Outcome = outcome(found, r.report.Changes)
		}
		if err != nil {
			return err
		}
		r.merged = next
		r.report.Items = len(next.Active())
		if r.DryRun {
			return nil
		}
		if r.report.Outcome == Memorized || r.inbox.quiet {
			next.Layout = r.layout
			r.progress("save", "", 0, 0)
			if _, err = r.Store.Save(ctx, next, rev); errors.Is(err, memory.ErrChanged) {
				continue
			}
		}
		if err != nil {
			return err
		}
		if !r.Review {
			return nil
		}
		if err = r.saveInbox(); !errors.Is(err, memory.ErrChanged) {
			return err
		}
	}
	return fmt.Errorf("branch %q: %w", r.Branch, memory.ErrChanged)
}

func outcome(found []memory.Found, changes []memory.Change) Outcome {
	switch {
	case len(changes) > 0:
		return Memorized
	case len(found) == 0:
		return Empty
	}
	return Unchanged
}
