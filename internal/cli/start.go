package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/alecthomas/kong"

	"recollect/internal/engine"
)

// startCmd is the program without a command: what is here, and what to do next. It
// opens no plug-in.
type startCmd struct{}

// startPage is what the start page says.
type startPage struct {
	Version string        `json:"version"`
	Project string        `json:"root"`   // of the project
	Branch  string        `json:"branch"` // whose memory belongs to what is checked out
	Items   int           `json:"items"`  // that are remembered of it
	Status  engine.Status `json:"status"` // of the project
	Next    []nextStep    `json:"next"`

	branches []engine.Branch
	wide     bool // the folder is no project
}

// nextStep is something to do, and why.
type nextStep struct {
	Command string `json:"command"`
	Why     string `json:"why"`
}

// Run implements the command.
func (c *startCmd) Run(a *app) error {
	o := a.options(historyFlags{})
	o.Tolerant = true
	e, err := engine.Open(o)
	if err != nil {
		return err
	}
	defer e.Close()
	p := startPage{Version: programVersion(), Project: e.Root(), wide: e.TooWide()}
	if p.branches, err = e.Branches(a); err != nil {
		return err
	}
	if p.Status, err = e.Status(a); err != nil {
		return err
	}
	p.Status.Version, p.Status.Service = p.Version, a.serviceLine()
	p.Branch = p.Status.Head.Branch
	for _, b := range p.branches {
		if b.Name == p.Branch {
			p.Items = b.Items
		}
	}
	p.Next = p.next()
	return a.print(p, p.write)
}

// all counts the items and turns of all branches.
func (p *startPage) all() (items, turns int) {
	for _, b := range p.branches {
		items += b.Items
		turns += b.Turns
	}
	return items, turns
}

// next lists what to do, most useful first.
func (p *startPage) next() []nextStep {
	items, turns := p.all()
	s := p.Status
	next := []nextStep{}
	if p.wide {
		return append(next, nextStep{"recollect projects", "find the projects that your assistants were used in"})
	}
	add := func(when bool, command, why string) {
		if when {
			next = append(next, nextStep{command, why})
		}
	}
	add(s.Problem != nil || s.Damage > 0, "recollect doctor", "something went wrong, or can't be read")
	add(s.NewTurns > 0, "recollect memorize --all", "bring "+count(s.NewTurns, "new turn")+" into memory")
	add(s.Review+s.Suggestions > 0, "recollect review", "decide about what waits")
	add(s.Conflicts > 0, "recollect conflicts", "decide what holds")
	add(s.Unseen+s.Asked > 0, "recollect trust", "look at what came with the project")
	add(s.Plugins > 0, "recollect plugin list", "a plug-in waits for you")
	add(len(s.Absent) > 0, "recollect plugin list", "a plug-in that the settings name is not installed")
	for _, b := range s.StaleBlocks[:min(len(s.StaleBlocks), 1)] {
		add(true, "recollect inject", b.Name+" shows "+b.Words)
	}
	add(items > 0, "recollect show", "read what is remembered")
	add(items > 0, "recollect inject --dry-run", "see what CLAUDE.md would be given")
	add(turns == 0 && items == 0, "recollect projects", "find the projects that your assistants were used in")
	add(turns == 0, `recollect add conventions "…"`, "remember something in your own words")
	return next
}

func (p *startPage) write(w io.Writer) {
	s := p.Status
	items, turns := p.all()
	fmt.Fprintf(w, "Recollect %s, memory for AI coding assistants\n\n", p.Version)
	row := func(name, words string) { fmt.Fprintf(w, "  %-9s %s\n", name, words) }
	if p.wide {
		row("Project", "none: "+plain(p.Project)+" holds more than one project can")
	} else {
		row("Project", plain(homely(p.Project)))
	}
	branch := plain(s.Head.String())
	switch s.Head.State {
	case engine.HeadBranch:
		branch = plain(p.Branch)
	case engine.HeadNone:
		branch = "none, " + branch
	}
	row("Branch", branch+"; "+count(p.Items, "item")+" remembered")
	if items > p.Items {
		row("In all", fmt.Sprintf("%s, %s", number(len(p.branches), "branch", "branches"), count(items, "item")))
	}
	if turns == 0 {
		row("History", "none of this folder was found")
	} else {
		row("History", fmt.Sprintf("%s, %d of them new", count(turns, "turn"), s.NewTurns))
	}
	row("Waiting", p.waiting())
	if s.Problem != nil {
		row("Problem", plain(s.Problem.Message))
	}
	fmt.Fprintln(w, "\nNext")
	wide := 0
	for _, n := range p.Next {
		wide = max(wide, len(n.Command))
	}
	for _, n := range p.Next {
		fmt.Fprintf(w, "  %-*s  %s\n", wide, n.Command, plain(n.Why))
	}
	fmt.Fprintln(w, "\nrecollect help lists the commands; recollect help COMMAND tells about one.")
}

// waiting says what needs the person.
func (p *startPage) waiting() string {
	s := p.Status
	words := ""
	for _, l := range []struct {
		n         int
		one, many string
	}{
		{s.Review, "proposal", "proposals"}, {s.Suggestions, "suggestion", "suggestions"}, {s.Conflicts, "conflict", "conflicts"},
		{s.Plugins, "plug-in", "plug-ins"}, {len(s.Absent), "plug-in that is not installed", "plug-ins that are not installed"}, {s.Unseen, "item that came with the repository", "items that came with the repository"},
		{s.Asked, "setting of the project", "settings of the project"},
	} {
		if l.n == 0 {
			continue
		}
		if words != "" {
			words += ", "
		}
		words += number(l.n, l.one, l.many)
	}
	if words == "" {
		return "nothing"
	}
	return words
}

// homely writes a path below the person's home folder with ~ where shells do.
func homely(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || runtime.GOOS == "windows" {
		return path
	}
	if rel, err := filepath.Rel(home, path); err == nil && rel != "." && filepath.IsLocal(rel) {
		return filepath.Join("~", rel)
	}
	return path
}

type versionCmd struct{}

type versionAnswer struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	System  string `json:"system"`
}

// Run implements the command.
func (c *versionCmd) Run(a *app) error {
	v := versionAnswer{programVersion(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	return a.print(v, func(w io.Writer) { fmt.Fprintln(w, "recollect "+programVersion()) })
}

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command, for example config set."`
}

// Run implements the command.
func (c *helpCmd) Run(a *app, k *kong.Kong) error {
	_, err := k.Parse(append(c.Command[:len(c.Command):len(c.Command)], "--help"))
	if err == nil {
		return errors.New("help printed nothing")
	}
	a.command = misused(err)
	return unparsed(err, k.Model.Node)
}
