package engine

import (
	"context"

	"recollect/hostapi"
	"recollect/internal/inject"
	"recollect/internal/memory"
	"recollect/internal/plugin"
)

// InjectOptions say what to inject and where.
type InjectOptions struct {
	Branch *string // nil: what git has checked out when the block is written
	// Other is the person's yes to the block of a branch that is not checked out.
	Other bool
	// Targets are paths, relative ones from the work tree's top folder; none:
	// those of the settings.
	Targets []string
	Remove  bool
	DryRun  bool
}

// Injection is what an Inject did.
type Injection struct {
	inject.Report
	Head Head `json:"head"`
	// CheckedOut says that the branch is what is checked out, so that its memory
	// belongs here.
	CheckedOut bool `json:"checked_out"`
	// Disabled says that the settings turn injection off, so that nothing was
	// done. Removing works all the same.
	Disabled bool `json:"disabled,omitempty"`
	// Remembered is how many items the branch's memory has; 0 when removing.
	Remembered int `json:"remembered"`
	// Held is how many of them came with the repository and were left out, since
	// nobody here looked at them.
	Held int `json:"held,omitempty"`
	// Absent are plug-ins that the settings name and that others stood in for.
	Absent []Absent `json:"absent,omitempty"`
	// Damage is what of the memory's files could not be read.
	Damage []memory.Damage `json:"damage,omitempty"`
}

// Inject writes the right part of a branch's memory into the targets, or takes
// it out. What goes wrong with one target stands in its result. A branch that is not
// checked out is refused with an OtherBranchError unless Other is set.
func (e *Engine) Inject(ctx context.Context, o InjectOptions) (Injection, error) {
	done, _, err := e.inject(ctx, o, false)
	return done, err
}

// inject is Inject, also with what it worked on. A preview is a dry run with
// whole texts, and shows what would be where the settings turn injection off.
func (e *Engine) inject(ctx context.Context, o InjectOptions, preview bool) (done Injection, in inject.Input, err error) {
	if !o.DryRun {
		if err := e.mayWrite(); err != nil {
			return Injection{}, inject.Input{}, err
		}
		defer func() { e.noteInject(done, err) }()
	}
	name, err := e.blockOf(o)
	if err != nil {
		return Injection{}, inject.Input{}, err
	}
	in = inject.Input{Remove: o.Remove, DryRun: o.DryRun, Texts: preview, Budget: e.settings().Inject.Budget, Now: e.options.Now()}
	in.Memory.Branch = name
	if err := e.aim(&in, o.Targets); err != nil {
		return Injection{}, in, err
	}
	disabled := !o.Remove && !e.settings().Inject.Enabled
	if disabled && !preview {
		done = Injection{Report: inject.Report{Branch: name, Budget: in.Budget, Targets: []inject.Result{}}, Disabled: true}
		return done.at(e.Head()), in, nil
	}
	var key blockKey
	if !o.Remove {
		if key, err = e.blockKeyNow(name); err != nil {
			return Injection{}, in, err
		}
		if err = e.fill(ctx, &in); err != nil {
			return Injection{}, in, err
		}
		done.Held, done.Remembered = len(in.Held), len(in.Memory.Active())+len(in.Held)
		done.Absent = e.absent(hostapi.RoleSchema, hostapi.RolePolicy)
		done.Damage = in.Memory.Damage
	}
	release, err := e.lockIfInitialised(ctx, o.DryRun)
	if err != nil {
		return Injection{}, in, err
	}
	defer release()
	// Choosing the items may have taken a while.
	switch now, err := e.blockOf(o); {
	case err != nil:
		return Injection{}, in, err
	case now != name:
		return Injection{}, in, errCheckedOut
	}
	report, err := inject.Run(ctx, in)
	if err == nil && !o.DryRun {
		e.noteInjected(in, key, report)
		err = e.noteWaysOut(o.Targets, report)
	}
	return Injection{Report: report, Disabled: disabled, Held: done.Held, Remembered: done.Remembered, Absent: done.Absent, Damage: done.Damage}.at(e.Head()), in, err
}

func (i Injection) at(h Head) Injection {
	i.Head, i.CheckedOut = h, h.Has(i.Branch)
	return i
}

// blockOf gives the branch whose block is meant, by what is checked out now. To write
// that of another branch needs a yes.
func (e *Engine) blockOf(o InjectOptions) (string, error) {
	name, err := e.branchName(o.Branch)
	if o.Remove && o.Branch == nil {
		return name, nil // any will do: a file has one block
	}
	if err != nil || o.Other || o.Remove || o.DryRun {
		return name, err
	}
	if head := e.Head(); !head.Has(name) {
		return name, &OtherBranchError{Branch: name, Head: head, Targets: o.Targets}
	}
	return name, nil
}

// lockIfInitialised keeps two of our processes from writing the same target at
// once. A project without a memory folder is left without one: nothing to say
// means that nothing is written.
func (e *Engine) lockIfInitialised(ctx context.Context, dryRun bool) (release func(), err error) {
	if dryRun || !e.hasMemoryFolder() {
		return func() {}, nil
	}
	lock, err := e.lock(ctx, "writing what assistants read")
	if err != nil {
		return nil, err
	}
	return func() { _ = lock.Release() }, nil
}

// fill adds what the selection of items needs to an input that names the
// branch. What is held back is kept apart: the policy, which may be anybody's, does
// not get to see it.
func (e *Engine) fill(ctx context.Context, in *inject.Input) error {
	all, _, err := e.memories().Load(in.Memory.Branch)
	if err != nil {
		return err
	}
	if in.DryRun {
		in.Memory, _ = e.shownOf(all)
	} else {
		k, err := e.lookAt(all)
		if err != nil {
			return err
		}
		in.Memory, _ = e.letThrough(all, k)
	}
	in.Held = missing(in.Memory.Items, all.Items)
	// A file of conflicts that can't be read is doctor's to tell; what the items say
	// themselves is looked at all the same.
	in.Conflicts, _ = e.conflictsFile().List()
	return e.equip(ctx, in)
}

// missing gives the items that are in all and not in some of them, which stand in
// the same order.
func missing(some, all []memory.Item) []memory.Item {
	var out []memory.Item
	for _, it := range all {
		if len(some) > 0 && some[0].ID == it.ID {
			some = some[1:]
		} else {
			out = append(out, it)
		}
	}
	return out
}

// equip adds the layout and the policy.
func (e *Engine) equip(ctx context.Context, in *inject.Input) error {
	store := scratch(in.DryRun)
	schema, err := e.schema(store)
	if err != nil {
		return err
	}
	if in.Layout, err = schema.Layout(ctx); err != nil {
		return err
	}
	policy := e.policyID()
	p, err := e.plugin(policy, hostapi.RolePolicy)
	if err != nil {
		return err
	}
	set := e.setting(policy, store)
	m := in.Memory
	set.Memory = func(string) (memory.Memory, error) { return m, nil }
	in.Policy = plugin.Policy{Plugin: p, Setting: set}
	return nil
}
