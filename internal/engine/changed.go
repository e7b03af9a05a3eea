package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"recollect/internal/inject"
	"recollect/internal/memory"
)

// What must follow a change of a memory, whoever made it: it is kept what was made
// here, no prepared block keeps a sentence that is gone, the block is prepared anew,
// what assistants read is written or known to be older, and those who watch are told.
//
// The store tells of every change, so that none goes unnoticed; a call that makes
// changes ends with follow, outside of the project's lock.

// pendingChanges are the memories that were changed and not followed yet.
type pendingChanges struct {
	mu       sync.Mutex
	branches map[string]bool
	last     Following
}

func (c *pendingChanges) add(branch string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.branches == nil {
		c.branches = map[string]bool{}
	}
	c.branches[branch] = true
}

// take gives the branches, in order, and forgets them.
func (c *pendingChanges) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := slices.Sorted(maps.Keys(c.branches))
	c.branches = nil
	return all
}

// Following is what followed a change of a memory.
type Following struct {
	// WrittenBlocks are the files that were written because of the setting inject.auto.
	WrittenBlocks []string `json:"written_blocks,omitempty"`
	// StaleBlocks are the files in which assistants read something older now.
	StaleBlocks []StaleBlock `json:"stale_blocks,omitempty"`
}

// Followed is what followed the last change that was made with this engine.
func (e *Engine) Followed() Following {
	e.changes.mu.Lock()
	defer e.changes.mu.Unlock()
	return e.changes.last
}

// written is told of each change that is made here, under the store's lock.
func (e *Engine) written(before, after memory.Memory) {
	e.keepMade(before, after)
	branch := cmp.Or(after.Branch, before.Branch)
	e.dropPrepared(branch, goneFrom(before, after))
	e.changes.add(branch)
}

// goneFrom names what a memory said and says no more.
func goneFrom(before, after memory.Memory) map[string]bool {
	gone := map[string]bool{}
	for _, it := range before.Active() {
		gone[contentDigest(it)] = true
	}
	for _, it := range after.Active() {
		delete(gone, contentDigest(it))
	}
	return gone
}

// contentDigest names what an item says, wherever it stands.
func contentDigest(it memory.Item) string { return itemDigest("", it.Content) }

// follow does what must follow the changes that were made since it was called last.
// What can't be done is no reason to say that a change was not made: a block that is
// not prepared is prepared when it is asked for.
func (e *Engine) follow(ctx context.Context) Following {
	return e.followUp(ctx, e.options.later == nil)
}

// followNow is follow for what runs in the background, where nobody waits.
func (e *Engine) followNow(ctx context.Context) Following { return e.followUp(ctx, true) }

func (e *Engine) followUp(ctx context.Context, now bool) Following {
	branches := e.changes.take()
	if len(branches) == 0 || ctx.Err() != nil {
		return Following{}
	}
	var f Following
	if now {
		f.WrittenBlocks = e.prepareBlocks(ctx, branches)
		branches = nil
	}
	if e.options.later != nil {
		e.options.later(e.project.Root, branches)
	}
	f.StaleBlocks = e.StaleBlocks()
	e.changes.mu.Lock()
	e.changes.last = f
	e.changes.mu.Unlock()
	return f
}

// maxPreparedAtOnce are the items of a memory beyond which nobody is kept waiting for
// its block.
const maxPreparedAtOnce = 3000

// prepareBlocks renders the blocks of branches whose memories were changed. Where the
// settings want that, it writes the one that is checked out, and says into which files.
func (e *Engine) prepareBlocks(ctx context.Context, branches []string) []string {
	for _, b := range branches {
		if m, rev, err := e.memories().Load(b); err == nil && rev != "" && len(m.Items) <= maxPreparedAtOnce {
			_, _ = e.prepare(ctx, b)
		}
	}
	if !slices.Contains(branches, e.Head().Branch) {
		return nil
	}
	return e.writeBlock(ctx)
}

// writeBlock writes the block of what is checked out where the setting inject.auto is
// on, and says into which files. While no branch is checked out nothing is written:
// most often a rebase is under way, and what it began with comes back. What goes wrong
// is noted as of any injection.
func (e *Engine) writeBlock(ctx context.Context) (written []string) {
	head := e.Head()
	if !e.settings().Inject.Auto || !e.hasMemoryFolder() || head.State != HeadBranch && head.State != HeadNone {
		return nil
	}
	done, err := e.Inject(ctx, InjectOptions{})
	if err != nil {
		return nil
	}
	for _, t := range done.Targets {
		if t.Outcome == inject.Written || t.Outcome == inject.TakenOut {
			written = append(written, t.Name)
		}
	}
	return written
}
