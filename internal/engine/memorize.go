package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"recollect/hostapi"
	"recollect/internal/config"
	"recollect/internal/filelock"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/plugin"
)

// MemorizeOptions say what to memorize.
type MemorizeOptions struct {
	Branch *string // nil: the current git branch
	All    bool    // every branch with history
	// Branches, if not empty, are several branches by name, instead of Branch.
	Branches []string
	Again    bool // read every turn again, not only the new ones
	// Extractors are plug-ins to use instead of those of the settings: ids, or
	// the last part of an id where that is unique.
	Extractors []string
	DryRun     bool
	// Background says that nobody waits for it: between two branches the project's
	// lock is given up for those who do.
	Background bool
	// LetIn, if not nil, is called then, to do in this process what people wait for.
	LetIn func()
	// patience is how long it waits for the lock, if that is longer than usual.
	patience time.Duration
	// Unwanted are, by branch, the ids of what a preview said would be added and a
	// person does not want.
	Unwanted map[string][]string
	// Progress, if not nil, is told where the run is. It is called from one
	// goroutine at a time.
	Progress func(Progress)
}

// Progress says where a memorize of several branches is.
type Progress struct {
	Branch   string
	Number   int // of this branch, from 1
	Branches int
	memorize.Progress
}

// BranchReport is what a memorize did on one branch.
type BranchReport struct {
	memorize.Report
	Problem *Problem `json:"problem,omitempty"` // of Failed
	// Absent are plug-ins that the run did without.
	Absent []Absent `json:"absent,omitempty"`
	Following
}

// Memorize brings new turns into memory. An error means that no branch was
// begun, or that the call was cancelled; what went wrong on one branch stands in
// its report, and the others go on.
func (e *Engine) Memorize(ctx context.Context, o MemorizeOptions) (reports []BranchReport, err error) {
	if o.Progress != nil {
		told, stop := e.withCompiling(o.Progress)
		defer stop()
		o.Progress = told
	}
	if !o.DryRun && !e.hasMemoryFolder() {
		any, err := e.anyToMemorize(ctx, o)
		if err != nil {
			return nil, err
		}
		o.DryRun = !any // there is nothing to write
	}
	var lock *filelock.Lock
	if !o.DryRun {
		defer func() { e.noteMemorize(reports, err); e.followReports(ctx, reports) }()
		if len(o.Branches) == 0 {
			name, err := e.branchName(o.Branch)
			if err == nil {
				if _, err := e.followRename(ctx, name); err != nil {
					return nil, err
				}
			} else if !o.All {
				return nil, err // before a folder is made
			}
		}
		if err := e.settle(ctx); err != nil {
			return nil, err
		}
		if lock, err = e.lockForMemorize(ctx, o); err != nil {
			return nil, err
		}
		defer func() { lock.Release() }()
		if err := e.noteWorktrees(); err != nil {
			return nil, err
		}
		if err := e.lookAround(ctx); err != nil {
			return nil, err
		}
	}
	h, err := e.openHistory(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	branches, err := e.chosen(h, o)
	if err != nil {
		return nil, err
	}
	m := e.openModel(runID(e.options.Now()))
	defer m.close()
	parts, err := e.parts(o.Extractors, m, scratch(o.DryRun))
	if err != nil {
		return nil, err
	}
	without := e.absentFrom(o.Extractors)
	for i, b := range branches {
		if i > 0 && o.Background && lock != nil {
			if lock, err = e.letIn(ctx, lock, o.LetIn); err != nil {
				return reports, err
			}
		}
		in := memorize.Input{
			Project: e.project.Name(), Branch: b, History: h, Now: e.options.Now(),
			Again: o.Again, DryRun: o.DryRun, Unwanted: o.Unwanted[b],
		}
		if o.Progress != nil {
			in.Progress = func(p memorize.Progress) {
				o.Progress(Progress{Branch: b, Number: i + 1, Branches: len(branches), Progress: p})
			}
		}
		r, err := memorize.Run(ctx, parts, in)
		if ctx.Err() != nil {
			return reports, ctx.Err()
		}
		report := BranchReport{Report: r, Absent: without}
		if err == nil && !o.DryRun {
			err = e.keepConflicts(r.Branch, r.Conflicts)
		}
		if err != nil {
			report.Outcome = memorize.Failed
			p := Explain(aboutBranch(b, err))
			report.Problem = &p
		}
		reports = append(reports, report)
	}
	if !o.DryRun {
		e.noteCounts(h)
		e.keepRead(ctx, h, reports)
	}
	return reports, nil
}

// followReports does what must follow, once the lock is given back.
func (e *Engine) followReports(ctx context.Context, reports []BranchReport) {
	f, branch := e.followNow(ctx), e.Head().Branch
	for i := range reports {
		if reports[i].Branch == branch {
			reports[i].Following = f
		}
	}
}

// absentFrom lists what a run with these extractors does without; none stand for
// those of the settings.
func (e *Engine) absentFrom(extractors []string) []Absent {
	if len(extractors) > 0 {
		return e.absent(hostapi.RoleSchema)
	}
	return e.absent(hostapi.RoleExtractor, hostapi.RoleSchema)
}

// chosen lists the branches of a run.
func (e *Engine) chosen(h *joined, o MemorizeOptions) ([]string, error) {
	if len(o.Branches) > 0 && !o.All {
		return e.branchNames(o.Branches)
	}
	if !o.All {
		name, err := e.branchName(o.Branch)
		return []string{name}, err
	}
	if o.Branch != nil || len(o.Branches) > 0 {
		return nil, errors.New("one branch and all branches were asked for at once")
	}
	var names []string
	for _, r := range h.Refs("*") {
		names = append(names, r.Branch)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func (e *Engine) branchNames(asked []string) ([]string, error) {
	var names []string
	for _, a := range asked {
		name, err := e.branchName(&a)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// parts wires what a memorize works with; extractors are instead of those of
// the settings, m is the model that they may ask, or nil, and scratch takes what
// plug-ins store, if it is not nil.
func (e *Engine) parts(extractors []string, m *model, scratch *plugin.Scratch) (memorize.Parts, error) {
	red, err := e.redactor()
	if err != nil {
		return memorize.Parts{}, err
	}
	p := memorize.Parts{Store: e.memories(), Seen: e.seen(), Redactor: red, Inboxes: e.inboxes(), Review: e.settings().Review.Enabled}
	p.Shown = func(m memory.Memory) memory.Memory {
		m, _ = e.shownOf(m)
		return m
	}
	if p.Schema, err = e.schema(scratch); err != nil {
		return memorize.Parts{}, err
	}
	ids, err := e.findPlugins(extractors)
	if err != nil {
		return memorize.Parts{}, err
	}
	if len(ids) == 0 {
		if ids = e.extractors(); !slices.ContainsFunc(ids, e.installed) {
			return memorize.Parts{}, &absentError{e.absent(hostapi.RoleExtractor)}
		}
	}
	for _, id := range ids {
		x, err := e.extractor(id, m, scratch)
		if err != nil {
			return memorize.Parts{}, err
		}
		p.Extractors = append(p.Extractors, x)
	}
	// One that is disabled stands in for nobody; that is no reason to fail.
	if x, err := e.extractor(config.Offline, nil, scratch); err == nil {
		p.StandIn = x
	}
	return p, nil
}
