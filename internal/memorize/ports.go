package memorize

import (
	"context"
	"errors"
	"iter"
	"time"

	"recollect/internal/history"
	"recollect/internal/memory"
)

// History is the view that extractors read: one project's history with every
// secret redacted. See history.History for the contracts.
type History interface {
	Sessions() []history.Session
	Traces(s history.Session) history.Traces
	Refs(branch string) []history.Ref
	Turns(ctx context.Context, refs []history.Ref) iter.Seq2[history.Turn, error]
}

// Extraction is one call of an extractor.
type Extraction struct {
	Project  string // name, for people
	Branch   string
	Sections []memory.Section
	Now      time.Time
	MaxItems int
	MaxRunes int // of an item's content
	History  History
	New      []history.Ref // turns not memorized before, oldest first
	All      []history.Ref // turns of the branch, the new ones included
	Memory   memory.Memory // what is remembered already
	Explain  bool          // a person asks why: Extracted.Refused is heard
}

// Extractor finds items worth remembering in turns.
type Extractor interface {
	// ID names the extractor in origins: a plug-in id.
	ID() string
	// Extract returns what it found. Nothing found is an empty result, not an
	// error; that it can't work now wraps ErrUnavailable.
	Extract(ctx context.Context, x Extraction) (Extracted, error)
}

// Extracted is what an extractor answers.
type Extracted struct {
	// Found is not yet checked: contents, sections and evidence. The origins need
	// only Records.
	Found []memory.Found
	// Unread are ids of new turns that it could not look at this time: they stay
	// new.
	Unread []string
	// Halted says why it stopped before it was done, and wraps ErrUnavailable: what
	// is unread waits for a model or for money. nil: it was not stopped.
	Halted error
	// Warnings are for the person, in words.
	Warnings []string
	// Rejected is what it found and did not take, with why not.
	Rejected []Refused
	// Refused is what came near to being found, with why not.
	Refused []Refused
}

// Schema says which sections there are and what may go in.
type Schema interface {
	ID() string
	// Layout is the document's title and its sections in order.
	Layout(ctx context.Context) (memory.Layout, error)
	// Check normalises items and rejects what may not go in; each item of found
	// is in one of the two results, in order.
	Check(ctx context.Context, sections []memory.Section, found []memory.Found) ([]memory.Found, []Reject, error)
}

// Reject says why an item may not go in.
type Reject struct {
	Item   memory.Found
	Reason string
}

// Store keeps memories.
type Store interface {
	// Load reads the memory of a branch with the revision it has on disk. A
	// branch without a memory gives an empty one and no error.
	Load(branch string) (memory.Memory, memory.Revision, error)
	// Save writes it if the files are still at rev, else fails with an error that
	// wraps memory.ErrChanged and writes nothing. The previous version is kept.
	Save(ctx context.Context, m memory.Memory, rev memory.Revision) (memory.Revision, error)
}

// Inboxes keep what waits for review; see memory.Inboxes for the contracts.
type Inboxes interface {
	Load(branch string) (memory.Inbox, memory.Revision, error)
	Save(b memory.Inbox, rev memory.Revision) error
	// SetAside moves an inbox that can't be read out of the way.
	SetAside(e *memory.InboxError) (string, error)
}

// Evolver is an Extractor that can bring what it found into a memory itself.
type Evolver interface {
	Extractor
	// Evolve proposes what the memory shall be with what was found. An error that
	// wraps ErrUnsupported says that it can't: the host merges instead.
	Evolve(ctx context.Context, x Evolution) (memory.Proposal, error)
}

// Errors of extractors that are no faults of theirs.
var (
	// ErrUnsupported says that an extractor does not play a part.
	ErrUnsupported = errors.New("it does not support this")
	// ErrUnavailable says that an extractor can't work now: no model is
	// configured or reachable, or the budget is spent.
	ErrUnavailable = errors.New("it can't work now")
)

// Evolution is one call of an Evolver.
type Evolution struct {
	Project  string
	Branch   string
	Sections []memory.Section
	Now      time.Time
	History  History
	All      []history.Ref
	Memory   memory.Memory
	Found    []memory.Found // checked and normalised
}
