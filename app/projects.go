package app

import (
	"context"
	"slices"

	"recollect/internal/engine"
)

// Projects lists all projects, the one worked on last first, with their counts.
func (b *Bridge) Projects() ([]engine.KnownProject, error) {
	all, err := engine.Projects(b.ctx, b.options())
	engine.CountProjects(b.ctx, b.options(), all)
	return all, err
}

// AddProject asks for a folder and adds its project; null if none was chosen.
func (b *Bridge) AddProject() (*engine.KnownProject, error) {
	w := b.window()
	if w == nil {
		return nil, errNoWindow
	}
	dir, err := w.pickFolder("Choose a project's folder")
	if err != nil || dir == "" {
		return nil, err
	}
	o := b.options()
	o.Dir = dir
	p, err := engine.AddProject(b.ctx, o)
	if err != nil {
		return nil, err
	}
	b.desk.Tell("", "history")
	return &p, nil
}

// Branches lists those of a project, the one worked on last first.
func (b *Bridge) Branches(root string) ([]engine.Branch, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) ([]engine.Branch, error) { return e.Branches(ctx) })
}

// Stats gives a project's figures.
func (b *Bridge) Stats(root string) (engine.Stats, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.Stats, error) { return e.Stats(ctx) })
}

// FirstRun is what a person is shown who has not used the program yet.
type FirstRun struct {
	Needed     bool               `json:"needed"`
	Assistants []engine.Assistant `json:"assistants"`
}

// FirstRun tells what was found of the assistants. It is needed until it was
// ended once, and where no project has a memory yet.
func (b *Bridge) FirstRun() (FirstRun, error) {
	assistants, err := engine.Assistants(b.ctx, b.options())
	if err != nil {
		return FirstRun{}, err
	}
	f := FirstRun{Assistants: assistants}
	if b.remembered().FirstRun {
		return f, nil
	}
	projects, err := engine.Projects(b.ctx, b.options())
	if err != nil {
		return FirstRun{}, err
	}
	f.Needed = !slices.ContainsFunc(projects, func(p engine.KnownProject) bool { return p.Memory })
	return f, nil
}

// EndFirstRun remembers that the person has seen it.
func (b *Bridge) EndFirstRun() error {
	r := b.remembered()
	r.FirstRun = true
	return b.remember(r)
}
