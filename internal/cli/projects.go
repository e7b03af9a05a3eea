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
	return a.print(projects, func(w io.Writer) {
		if len(projects) == 0 {
			fmt.Fprintln(w, "No project was found. recollect projects --add DIR adds one.")
			return
		}
		var rows [][]string
		for _, p := range projects {
			rows = append(rows, []string{p.Name, fmt.Sprint(p.Sessions), when(p.LastActive), remembers(p), strings.Join(p.Assistants, ", "), p.Root})
		}
		table(w, []string{"PROJECT", "SESSIONS", "LAST ACTIVE", "MEMORY", "ASSISTANTS", "FOLDER"}, rows)
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

func remembers(p engine.KnownProject) string {
	switch {
	case !p.Exists:
		return "folder is gone"
	case p.Memory:
		return "yes"
	}
	return "–"
}
