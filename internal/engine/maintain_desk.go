package engine

import (
	"context"

	"recollect/internal/maintain"
)

// JobMaintain is the kind of a job that keeps a memory up.
const JobMaintain JobKind = "maintain"

// Maintain begins maintenance; its job has the report. Jobs of the other kinds go
// before it.
func (d *Desk) Maintain(dir string, kind maintain.Kind, dryRun bool) (Job, error) {
	return d.start(dir, JobMaintain, true, func(ctx context.Context, e *Engine, update func(func(*Job))) error {
		report, err := e.Maintain(ctx, MaintainOptions{Kind: kind, DryRun: dryRun, LetIn: func() { d.letIn(update) }, Progress: func(part string, p Progress) {
			if p.Branch == "" { // a part begins, whose number is none of a branch
				p.Number, p.Branches = 0, 0
			}
			update(func(j *Job) {
				j.Step, j.Branch, j.Number, j.Branches = part, p.Branch, p.Number, p.Branches
				j.Plugin, j.Done, j.Total = p.Plug, p.Done, p.Total
			})
		}})
		update(func(j *Job) { j.Maintained = &report })
		if !dryRun && report.Outcome != maintain.Nothing {
			d.Tell(e.Root(), "memory", "review", "conflicts")
		}
		return err
	})
}
