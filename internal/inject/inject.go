// Package inject puts part of a memory where an assistant reads it.
//
//   - A policy selects and orders items.
//   - A block is what of them fits a budget in tokens, rendered as Markdown:
//     Pack and Render.
//   - A target is a context file, such as CLAUDE.md, in which the block has its
//     place between our markers: Splice and Remove.
//   - A refusal is a target that was left exactly as it is because writing it
//     could lose something of a person's.
//
// Everything but Run is pure. Run may run at the same time as editors and other
// processes: a file is replaced only if it still is what was read.
package inject

import (
	"context"
	"errors"
	"fmt"
	"time"

	"recollect/internal/memory"
)

// Target is a context file in the work tree. It need not exist, but its folder
// must. A file whose name differs in case only is taken for it. Symbolic links are
// followed within the work tree, and out of it where Input.Links says so.
type Target struct {
	Path string // absolute, or from the work tree's top
	Name string // as people know it; "" if they know it by its path
}

// Input is one injection. Layout and Policy are needed unless Remove is set; Top
// always is.
type Input struct {
	Memory memory.Memory
	Held   []memory.Item // items of it that are held back; the block only says so
	// Conflicts are those of the memory's branch, open or decided; others may be
	// among them.
	Conflicts []memory.ConflictRecord
	Layout    memory.Layout
	Policy    Policy
	Top       string // the work tree's top folder
	Targets   []Target
	Links     []Link // ways out of the work tree that a person confirmed
	Budget    int    // tokens for the whole block; 0: DefaultBudget
	Now       time.Time
	Prompt    string   // what the person asks now, if it is known
	Files     []string // what the person works on, if it is known
	Remove    bool     // take our block out of the targets
	DryRun    bool     // write nothing; the results hold diffs
	Texts     bool     // on a dry run: the results hold whole texts instead of diffs
}

// Outcome says what became of a target.
type Outcome string

// The outcomes. On a dry run they say what would become of it.
const (
	Written   Outcome = "written"   // the block was added or replaced
	Unchanged Outcome = "unchanged" // the block was there as it should be
	TakenOut  Outcome = "removed"   // the block was taken out: on request, or because there is nothing to say any more
	Nothing   Outcome = "nothing"   // nothing to say and no block there, so nothing was touched
	Refused   Outcome = "refused"   // left as it is for a person to mend; Err is a Refusal
	Skipped   Outcome = "skipped"   // the assistant gets the block from another file
	Failed    Outcome = "failed"    // the system gave an error
)

// Result is what became of one target.
type Result struct {
	Path    string  `json:"path"`           // as asked for
	Name    string  `json:"name,omitempty"` // the target's
	File    string  `json:"file,omitempty"` // where the bytes are, if that is elsewhere: behind links, or in another case
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"` // why it was skipped, refused or failed
	Lines   []int   `json:"lines,omitempty"`  // the lines to blame, from 1 on
	Created bool    `json:"created,omitempty"`
	Deleted bool    `json:"deleted,omitempty"` // the file was ours alone and is gone
	Diff    string  `json:"diff,omitempty"`    // unified; on a dry run only
	// Before and After are the file's text now and as it would be, of what is not
	// refused, skipped or failed; "" also where there is no file. Only with Texts.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	Err    error  `json:"-"`
}

// Report is what an injection did.
type Report struct {
	Branch  string   `json:"branch"`
	Budget  int      `json:"budget"`
	Block   Block    `json:"block,omitzero"` // none when removing
	Targets []Result `json:"targets"`        // in the order of the input
}

// Run selects, packs and writes the block into each target, or removes it. What
// goes wrong with one target is in its Result and does not keep the others from
// being written; the error is for what concerns all: the policy, the input, a
// cancelled ctx.
//
// Among targets of which one reads the other, by an import or a link, only the
// one that is read gets the block, so that no assistant reads it twice.
func Run(ctx context.Context, in Input) (Report, error) {
	r := Report{Branch: in.Memory.Branch, Budget: in.budget(), Targets: []Result{}}
	if !in.Remove {
		var err error
		if r.Block, err = choose(ctx, in, File); err != nil {
			return r, err
		}
	}
	places, err := locateAll(in)
	if err != nil {
		return r, err
	}
	if !in.Remove {
		leaveToImported(places)
	}
	for _, p := range places {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		block := r.Block.Text
		if p.instead != "" {
			block = ""
		}
		r.Targets = append(r.Targets, apply(ctx, p, block, in.mode()))
	}
	return r, ctx.Err()
}

// Prepare selects and packs a block. The text that a hook prints is
// Wrap(Hook, block.Text): it needs no plug-in to be read again, is at most
// MaxHookChars long, and is empty when there is nothing to say.
func Prepare(ctx context.Context, in Input, kind Kind) (Block, error) {
	return choose(ctx, in, kind)
}

// choose asks the policy, if there is anything to choose from, and packs.
func choose(ctx context.Context, in Input, kind Kind) (Block, error) {
	if in.Budget < 0 {
		return Block{}, fmt.Errorf("a budget of %d tokens", in.Budget)
	}
	ranking, err := ask(ctx, in, kind)
	if err != nil {
		return Block{}, err
	}
	b := Pack(in.Memory, in.Layout, ranking, memory.NewRivals(in.Memory, in.Conflicts), kind, in.budget())
	for _, it := range in.Held {
		b.Left = append(b.Left, Left{ID: it.ID, Reason: Unseen})
	}
	return b, nil
}

func ask(ctx context.Context, in Input, kind Kind) (Ranking, error) {
	s := Selection{
		Branch: in.Memory.Branch, Target: string(kind), Budget: in.budget(), Now: in.Now,
		Prompt: in.Prompt, Files: in.Files, Sections: in.Layout.Sections, Items: in.Memory.Active(),
	}
	if len(s.Items) == 0 {
		return Ranking{}, nil
	}
	if in.Policy == nil {
		return Ranking{}, errors.New("no policy to select items with")
	}
	ranking, err := in.Policy.Select(ctx, s)
	if err != nil {
		return Ranking{}, fmt.Errorf("policy %s: %w", in.Policy.ID(), err)
	}
	return ranking, nil
}

// mode is what an injection does with the files.
type mode int

const (
	forReal mode = iota
	asDiffs      // nothing is written; results hold diffs
	asTexts      // nothing is written; results hold texts
)

func (in Input) mode() mode {
	switch {
	case !in.DryRun:
		return forReal
	case in.Texts:
		return asTexts
	}
	return asDiffs
}

func (in Input) budget() int {
	if in.Budget == 0 {
		return DefaultBudget
	}
	return in.Budget
}
