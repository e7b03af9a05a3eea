// Package maintain keeps a project's memory up: what is due, doing it, and a log
// of what was done.
//
// What must be done is in Run. Where things are, and how they are memorized,
// merged, packed and mended, is the business of the Work that the caller brings.
package maintain

import (
	"context"
	"time"
)

// Kind is a kind of maintenance.
type Kind string

// The kinds. Full is all others, one after the other.
const (
	Startup Kind = "startup" // memorizes branches that have history and no memory
	Nightly Kind = "nightly" // merges what is said twice, looks for contradictions
	Weekly  Kind = "weekly"  // memorizes what is new, packs what is old
	Monthly Kind = "monthly" // makes indexes anew, checks everything stored
	Full    Kind = "full"
)

// Kinds are all of them, in the order in which those that are due at once run.
var Kinds = []Kind{Startup, Nightly, Weekly, Monthly, Full}

// Limits of one run.
const (
	// MaxBranches is how many branches a run memorizes; the others wait for the
	// next one. Branches with nothing worth extracting hardly cost and don't count.
	MaxBranches = 20
	// maxLooks bounds how many branches a run looks at in order to find those.
	maxLooks = 200
	// Recent is how far back a nightly run looks at least.
	Recent = 24 * time.Hour
	// OldItems is how long an item has not been part of a memory before it is
	// packed.
	OldItems = 90 * 24 * time.Hour
	// OldVersions is how old a version is when it is packed, but for the newest
	// KeepVersions.
	OldVersions  = 30 * 24 * time.Hour
	KeepVersions = 10
)

// Branch is a line of work that has history or memory.
type Branch struct {
	Name     string
	Memory   bool
	Suggests bool // something is suggested for it, with a memory or without
	NewTurns int
	OldGap   time.Time // when the oldest of the new turns was said
}

// Memorized is what came of one branch.
type Memorized struct {
	Branch  string
	Skipped bool // there was nothing worth extracting, or nothing at all
	Changes int
	// Waits says why turns of it stay new though nothing failed: a model's budget
	// is spent, say.
	Waits  string
	Failed error
}

// Tidied is what came of a memory in a nightly run.
type Tidied struct {
	Merged    int // items that another one says too
	Conflicts int // new ones
	// Waits says why duplicates were left.
	Waits string
}

// Packed is what went into the archive.
type Packed struct {
	Items, Versions int
}

// Checked is what a check of everything found.
type Checked struct {
	Files    int // memories
	Findings int
	Fixed    int
}

// Work does the parts. What it is told to do dry it only counts. An error that
// wraps ErrPutOff says that a part has to wait.
type Work interface {
	// Branches lists all that have history or memory.
	Branches(ctx context.Context) ([]Branch, error)
	// Memorize brings what is new on branches into memory.
	Memorize(ctx context.Context, branches []string, dry bool) ([]Memorized, error)
	// Tidy drops suggestions that are over, merges what a memory says twice and notes contradictions, among what
	// changed at since or later.
	Tidy(ctx context.Context, branch string, since time.Time, dry bool) (Tidied, error)
	// Pack archives what became old before the given times.
	Pack(ctx context.Context, branch string, items, versions time.Time, dry bool) (Packed, error)
	// Rebuild deletes what can be made again and makes it again. It returns how
	// many of such things there were.
	Rebuild(ctx context.Context, dry bool) (int, error)
	// Check looks at everything stored and mends what can be mended without loss.
	Check(ctx context.Context, dry bool) (Checked, error)
}
