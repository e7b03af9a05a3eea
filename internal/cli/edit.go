package cli

import (
	"fmt"
	"io"
	"strings"

	"recollect/internal/engine"
	"recollect/internal/memory"
)

// branchFlag is the branch that a command is about.
type branchFlag struct {
	Branch *string `short:"b" placeholder:"NAME" help:"The branch (default: the current git branch)."`
}

// edit makes edits and says what came of them.
func (f branchFlag) edit(a *app, edits ...memory.Edit) error {
	e, err := a.openOn(&f.Branch, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	return f.editWith(a, e, edits...)
}

func (f branchFlag) editWith(a *app, e *engine.Engine, edits ...memory.Edit) error {
	branch, err := e.BranchName(f.Branch)
	if err != nil {
		return err
	}
	old := e.RenamedFrom(branch)
	done, err := e.Edit(a, branch, edits...)
	if err != nil {
		return err
	}
	if len(edits) > 0 && edits[0].Do == memory.Add {
		a.noteTakenAlong(old, branch)
	}
	for _, w := range done.Warnings {
		a.note("warning: %s", w)
	}
	return a.print(done, func(w io.Writer) {
		if len(done.Changes) == 0 {
			fmt.Fprintln(w, "Nothing changed: it is so already.")
			return
		}
		for _, c := range done.Changes {
			fmt.Fprintf(w, "%s  %s  %s (%s)\n", c.ID, c.Section, plain(c.Content), plain(c.Why))
		}
		a.noteUndo(e, branch)
	})
}

type addCmd struct {
	branchFlag
	New     bool     `help:"The branch may be one that nothing is known of yet; its name is taken as it is."`
	Section string   `arg:"" help:"The section, by its id or its heading."`
	Text    []string `arg:"" help:"What is to be remembered, in one sentence."`
	Before  string   `placeholder:"ID" help:"Put it before this item (default: at the end of the section)."`
}

// Run implements the command.
func (c *addCmd) Run(a *app) error {
	add := memory.Edit{Do: memory.Add, Section: c.Section, Content: strings.Join(c.Text, " "), Before: c.Before}
	if !c.New {
		return c.edit(a, add)
	}
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	return c.editWith(a, e, add)
}

type editCmd struct {
	branchFlag
	ID   string   `arg:"" help:"The item's id, or its beginning, as show --ids lists it."`
	Text []string `arg:"" help:"Its new words."`
}

// Run implements the command.
func (c *editCmd) Run(a *app) error {
	return c.edit(a, memory.Edit{Do: memory.Reword, ID: c.ID, Content: strings.Join(c.Text, " ")})
}

type moveCmd struct {
	branchFlag
	ID      string `arg:"" help:"The item's id, or its beginning, as show --ids lists it."`
	Section string `arg:"" optional:"" help:"The section, by its id or its heading (default: the one that it is in)."`
	Before  string `placeholder:"ID" help:"Put it before this item (default: at the end of the section)."`
}

// Run implements the command.
func (c *moveCmd) Run(a *app) error {
	return c.edit(a, memory.Edit{Do: memory.Move, ID: c.ID, Section: c.Section, Before: c.Before})
}

type pinCmd struct {
	branchFlag
	Items []string `arg:"" help:"Ids of items, or their beginnings, as show --ids lists them."`
}

// Run implements the command.
func (c *pinCmd) Run(a *app) error { return c.edit(a, each(memory.Pin, c.Items)...) }

type unpinCmd struct {
	branchFlag
	Items []string `arg:"" help:"Ids of items, or their beginnings, as show --ids lists them."`
}

// Run implements the command.
func (c *unpinCmd) Run(a *app) error { return c.edit(a, each(memory.Unpin, c.Items)...) }

func each(do memory.Doing, ids []string) []memory.Edit {
	var out []memory.Edit
	for _, id := range ids {
		out = append(out, memory.Edit{Do: do, ID: id})
	}
	return out
}

func showSource(a *app, e *engine.Engine, branch *string, id string) error {
	name, err := e.BranchName(branch)
	if err != nil {
		return err
	}
	source, err := e.SourceOf(a, name, id)
	if err != nil {
		return err
	}
	return a.print(source, func(w io.Writer) {
		fmt.Fprintf(w, "%s  %s\n", source.Item.ID, plain(source.Item.Content))
		for _, p := range source.Places {
			writePlace(w, p)
		}
	})
}

// writePlace prints what was said at a place; what the item came from is marked.
func writePlace(w io.Writer, p engine.Place) {
	fmt.Fprintf(w, "\n=== %s  %s  %s  %s\n", when(p.Origin.Time), plain(p.Origin.Extractor), plain(p.Origin.Session), short(plain(p.Title), 60))
	if p.Archived {
		fmt.Fprintln(w, "The transcript does not have this any more; it was kept in the archive.")
	}
	if p.Missing != "" {
		fmt.Fprintln(w, p.Missing)
	}
	cited := map[string]bool{}
	for _, id := range p.Cited {
		cited[id] = true
	}
	for _, t := range p.Turns {
		for _, m := range t.Messages {
			mark := "   "
			if cited[m.ID] {
				mark = ">>>"
			}
			fmt.Fprintf(w, "%s %s  %s\n%s\n", mark, m.Role, m.ID, lines(m.Text))
		}
	}
}
