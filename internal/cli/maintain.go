package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"recollect/internal/engine"
	"recollect/internal/maintain"
	"recollect/internal/service"
)

type maintainCmd struct {
	Kind        string `arg:"" enum:"startup,nightly,weekly,monthly,full" help:"What to do: startup memorizes branches that have no memory yet, nightly merges what is said twice and looks for contradictions, weekly memorizes what is new and packs what is old, monthly makes indexes anew and checks everything; full does all of it."`
	AllProjects bool   `help:"In every project that has a memory."`
	DryRun      bool   `short:"n" help:"Say what would be done and write nothing."`
}

// maintained is what came of one project.
type maintained struct {
	Root string `json:"root"`
	maintain.Report
	Problem   *engine.Problem `json:"problem,omitempty"`
	LeftAside []string        `json:"left_aside,omitempty"` // of what the project's settings ask for, a word each
	engine.Following
}

// Run implements the command.
func (c *maintainCmd) Run(a *app) error {
	if !c.AllProjects {
		m, err := c.project(a, a.options(historyFlags{}), "")
		if err != nil {
			return err
		}
		if err := a.print(m, func(w io.Writer) { writeMaintained(w, m, c.DryRun) }); err != nil {
			return err
		}
		return maintainExit([]maintained{m})
	}
	projects, err := engine.Projects(a, a.options(historyFlags{}))
	if err != nil {
		return err
	}
	all := []maintained{}
	for _, p := range projects {
		if !p.Exists || !p.Memory {
			continue
		}
		o := a.options(historyFlags{})
		o.Dir = p.Root
		m, err := c.project(a, o, p.Root)
		if a.Err() != nil {
			return a.Err()
		}
		if err != nil {
			p := service.Explain(err)
			m.Outcome, m.Problem = maintain.Failed, &p
		}
		m.Root = p.Root
		all = append(all, m)
	}
	if err := a.print(all, func(w io.Writer) {
		for _, m := range all {
			writeMaintained(w, m, c.DryRun)
		}
		if len(all) == 0 {
			fmt.Fprintln(w, "No project has a memory yet.")
		}
	}); err != nil {
		return err
	}
	return maintainExit(all)
}

// project maintains one project; where is its folder if there are several.
func (c *maintainCmd) project(a *app, o engine.Options, where string) (maintained, error) {
	e, err := engine.Open(o)
	if err != nil {
		return maintained{}, err
	}
	defer e.Close()
	a.noteAside(e, where)
	bar := newProgress(a)
	r, err := e.Maintain(a, engine.MaintainOptions{Kind: maintain.Kind(c.Kind), DryRun: c.DryRun, Progress: func(_ string, p engine.Progress) {
		if p.Branch != "" {
			bar.show(p)
		}
	}})
	bar.clear()
	if !c.DryRun && c.Kind == string(maintain.Nightly) { // else it need not be the last change
		there := *a
		there.project = cmp.Or(where, a.project)
		there.noteUndoOfEach(e, merged(r))
	}
	f := e.Followed()
	a.noteFollowing(f, where)
	return maintained{Root: e.Root(), Report: r, LeftAside: e.LeftAside(), Following: f}, err
}

// merged names the branches in which something was merged.
func merged(r maintain.Report) (branches []string) {
	for _, p := range r.Parts {
		for _, branch := range p.Changed {
			if !slices.Contains(branches, branch) {
				branches = append(branches, branch)
			}
		}
	}
	return branches
}

// maintainExit tells runs that were put off, and those that failed in part or as
// a whole.
func maintainExit(all []maintained) error {
	ended := map[maintain.Outcome]int{}
	code := engine.ExitFailed
	for _, m := range all {
		ended[m.Outcome]++
		if m.Problem != nil {
			code = m.Problem.Exit
		}
	}
	switch {
	case ended[maintain.Failed] == 1 && len(all) == 1:
		return exitCode(code)
	case ended[maintain.Failed] == len(all) && len(all) > 0:
		return exitCode(engine.ExitFailed)
	case ended[maintain.Failed]+ended[maintain.Partly] > 0:
		return exitCode(engine.ExitPartly)
	case ended[maintain.PutOff] > 0:
		return exitCode(engine.ExitBusy)
	}
	return nil
}

func writeMaintained(w io.Writer, m maintained, dry bool) {
	fmt.Fprintln(w, plain(m.Root))
	if dry {
		fmt.Fprintln(w, "  what would be done; nothing was written:")
	}
	for _, p := range m.Parts {
		fmt.Fprintf(w, "  %s, %s: %s\n", p.Kind, p.Name, plain(p.Words))
		for _, d := range p.Deferred[:min(len(p.Deferred), 5)] {
			fmt.Fprintf(w, "    next time: %s\n", plain(d))
		}
		for i, e := range p.Errors {
			if i > 0 { // the first one is among the words
				fmt.Fprintf(w, "    failed: %s\n", plain(e))
			}
		}
		if p.Conflicts > 0 && !dry {
			fmt.Fprintln(w, "    decide with: recollect conflicts list")
		}
	}
	if m.Problem != nil {
		fmt.Fprintf(w, "  failed: %s\n", plain(m.Problem.Message))
	}
	if len(m.Parts) == 0 && m.Problem == nil {
		fmt.Fprintln(w, "  nothing is remembered yet")
	}
	if m.LogAside != "" {
		fmt.Fprintf(w, "  the maintenance log could not be read; it was kept as %s\n", plain(m.LogAside))
	}
}

// writeMaintenance says what is due and what the last runs came to.
func writeMaintenance(w io.Writer, m *engine.MaintenanceStatus) {
	if m == nil {
		return
	}
	var due []string
	for _, t := range m.Tasks {
		switch {
		case t.Next.IsZero():
		case t.Next.After(time.Now()):
			due = append(due, fmt.Sprintf("%s %s", t.Kind, when(t.Next)))
		default:
			due = append(due, fmt.Sprintf("%s now", t.Kind))
		}
	}
	switch {
	case m.Broken != "":
		fmt.Fprintln(w, "the maintenance log can't be read: recollect doctor")
	case !m.Enabled:
		fmt.Fprintln(w, "maintenance runs only by hand: recollect maintain full")
	case len(due) > 0:
		fmt.Fprintf(w, "maintenance is due: %s\n", strings.Join(due, ", "))
	}
	for _, r := range m.Results[:min(len(m.Results), 3)] {
		fmt.Fprintf(w, "  %s %s: %s\n", when(r.At), r.Kind, plain(r.Words))
	}
	if n := len(m.Deferred); n > 0 {
		fmt.Fprintf(w, "  left for the next run: %s\n", plain(strings.Join(m.Deferred[:min(n, 5)], ", ")))
	}
}
