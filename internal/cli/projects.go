package cli

import (
	"fmt"
	"io"
	"strings"

	"recollect/internal/engine"
)

type projectsCmd struct {
	Add string `placeholder:"DIR" help:"Add the project of this folder to the list, whether or not it has history."`
}

// Run implements the command.
func (c *projectsCmd) Run(a *app) error {
	o := a.options(historyFlags{})
	if c.Add != "" {
		o.Dir = c.Add
		added, err := engine.AddProject(a, o)
		if err != nil {
			return err
		}
		return a.print(added, func(w io.Writer) { fmt.Fprintf(w, "%s is in the list.\n", plain(added.Root)) })
	}
	projects, err := engine.Projects(a, o)
	if err != nil {
		return err
	}
	if err := c.noteAssistants(a, o); err != nil {
		return err
	}
	engine.CountProjects(a, o, projects)
	return a.print(projects, func(w io.Writer) {
		if len(projects) == 0 {
			fmt.Fprintln(w, "No project was found. recollect projects --add DIR adds one.")
			return
		}
		var rows [][]string
		for _, p := range projects {
			turns, items, waiting := countsOf(p)
			rows = append(rows, []string{p.Name, turns, items, waiting, fmt.Sprint(p.Sessions), when(p.LastActive), strings.Join(p.Assistants, ", "), p.Root})
		}
		table(w, []string{"PROJECT", "NEW TURNS", "ITEMS", "WAITING", "SESSIONS", "LAST ACTIVE", "ASSISTANTS", "FOLDER"}, rows)
	})
}

// noteAssistants tells of histories that can't be read, or only in part.
func (c *projectsCmd) noteAssistants(a *app, o engine.Options) error {
	if a.json {
		return nil
	}
	assistants, err := engine.Assistants(a, o)
	for _, x := range assistants {
		if x.Problem != nil {
			a.note("warning: %s: %s", x.Name, plain(x.Problem.Message))
		}
	}
	return err
}

// countsOf gives a project's new turns, its items, and how much waits for a person:
// proposals, conflicts, and settings that ask for a yes.
func countsOf(p engine.KnownProject) (turns, items, waiting string) {
	const unknown = "–"
	switch c := p.Counts; {
	case !p.Exists:
		return unknown, "folder is gone", unknown
	case c != nil:
		return fmt.Sprint(c.NewTurns), fmt.Sprint(c.Items), fmt.Sprint(c.Review + c.Conflicts + c.Asked)
	}
	return unknown, unknown, unknown
}
