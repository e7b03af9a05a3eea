package cli

import (
	"fmt"
	"io"
	"strings"

	"recollect/internal/engine"
	"recollect/internal/history"
	"recollect/internal/memory"
)

type initCmd struct {
	Yes bool `short:"y" help:"Also where the folder is your home folder, or one that holds it."`
}

// Run implements the command.
func (c *initCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	begin := e.Init
	if c.Yes {
		begin = e.InitWide
	}
	done, err := begin(a)
	if err != nil {
		return err
	}
	return a.print(done, func(w io.Writer) {
		if done.Created {
			fmt.Fprintf(w, "Made %s/.recollect. Now: recollect memorize --all\n", done.Root)
		} else {
			fmt.Fprintf(w, "%s/.recollect is there already.\n", done.Root)
		}
	})
}

type branchesCmd struct{ historyFlags }

// Run implements the command.
func (c *branchesCmd) Run(a *app) error {
	e, err := a.open(c.historyFlags)
	if err != nil {
		return err
	}
	defer e.Close()
	branches, err := e.Branches(a)
	if err != nil {
		return err
	}
	return a.print(branches, func(w io.Writer) {
		if len(branches) == 0 {
			fmt.Fprintln(w, "No branch has history or memory yet.")
			return
		}
		var rows [][]string
		for _, b := range branches {
			if b.Problem != nil {
				a.note("warning: %s", plain(b.Problem.Message))
			}
			rows = append(rows, []string{history.BranchLabel(b.Name), fmt.Sprint(b.Sessions), fmt.Sprint(b.Turns),
				fmt.Sprint(b.NewTurns), fmt.Sprint(b.Items), when(b.LastActive)})
		}
		table(w, []string{"BRANCH", "SESSIONS", "TURNS", "NEW", "ITEMS", "LAST ACTIVE"}, rows)
	})
}

type showCmd struct {
	historyFlags
	Branch   *string `short:"b" placeholder:"NAME" help:"The branch (default: the current git branch)."`
	Version  string  `placeholder:"ID" help:"An earlier version."`
	Versions bool    `help:"List the versions that are kept."`
	Archived bool    `help:"List the items that left the memory long ago and were packed, as they were before."`
	Block    bool    `help:"Print what an assistant is shown at the start of a session."`
	IDs      bool    `name:"ids" help:"Print each item with its id, confidence and origin."`
	Source   string  `placeholder:"ID" help:"Print what was said where this item came from (its id, or its beginning)."`
}

// Run implements the command.
func (c *showCmd) Run(a *app) error {
	e, err := a.openOn(&c.Branch, c.historyFlags)
	if err != nil {
		return err
	}
	defer e.Close()
	if c.Versions {
		return showVersions(a, e, c.Branch)
	}
	if c.Archived {
		return showArchived(a, e, c.Branch)
	}
	if c.Block {
		return showBlock(a, e, c.Branch)
	}
	if c.Source != "" {
		return showSource(a, e, c.Branch, c.Source)
	}
	shown, err := e.Show(c.Branch, c.Version)
	if err != nil {
		return err
	}
	a.noteDamage(shown.Damage)
	a.noteUnseen(shown.Unseen(), shown.From())
	if !shown.Exists {
		a.noteRenamed(e, c.Branch)
	}
	return a.print(shown, func(w io.Writer) {
		switch {
		case !shown.Exists:
			fmt.Fprintf(w, "Nothing is remembered of %s yet. recollect memorize reads its history.\n", branchSubject(shown.Branch))
		case c.IDs:
			for _, it := range shown.Items {
				writeItem(w, it)
			}
		default:
			writeMarkdown(w, shown)
		}
	})
}

func (a *app) noteDamage(damage []memory.Damage) {
	for _, d := range damage {
		a.note("warning: %s, line %d: %s", plain(d.File), d.Line, d.Why)
	}
}

func writeItem(w io.Writer, it engine.ShownItem) {
	mark := ""
	if it.Unseen {
		mark = "  (came with the repository" + ofAuthors(it.From) + ", not looked at)"
	}
	fmt.Fprintf(w, "%s  %s  %.2f  %s%s\n", it.ID, it.Section, it.Confidence, plain(it.Content), mark)
	for _, o := range it.Origins {
		fmt.Fprintf(w, "    %s %s %s %s\n", when(o.Time), o.Extractor, o.Session, strings.Join(o.Records, " "))
	}
}

type blockAnswer struct {
	Branch     string      `json:"branch"`
	Head       engine.Head `json:"head"`
	CheckedOut bool        `json:"checked_out"`
	Block      string      `json:"block"`
}

func showBlock(a *app, e *engine.Engine, branch *string) error {
	text, held, err := e.BlockHeld(a, branch)
	if err != nil {
		return err
	}
	a.noteHeld(held)
	name, err := e.BranchName(branch)
	if err != nil {
		return err
	}
	head := e.Head()
	return a.print(blockAnswer{name, head, head.Has(name), text}, func(w io.Writer) {
		if !head.Has(name) || terminal(w) { // a hook hears only what is not as it should be
			a.note("The block of %s.", ofBranch(name, head))
		}
		asItIs(w, text)
	})
}

func showArchived(a *app, e *engine.Engine, branch *string) error {
	items, err := e.Archived(branch)
	if err != nil {
		return err
	}
	return a.print(items, func(w io.Writer) {
		if len(items) == 0 {
			fmt.Fprintln(w, "Nothing was packed yet.")
		}
		for _, it := range items {
			writeItem(w, engine.ShownItem{Item: it})
		}
	})
}

func showVersions(a *app, e *engine.Engine, branch *string) error {
	versions, err := e.Versions(branch)
	if err != nil {
		return err
	}
	return a.print(versions, func(w io.Writer) {
		if len(versions) == 0 {
			fmt.Fprintln(w, "No earlier version is kept.")
			return
		}
		var rows [][]string
		for _, v := range versions {
			rows = append(rows, []string{v.ID, when(v.Saved), fmt.Sprint(v.Items), current(v.Current)})
		}
		table(w, []string{"VERSION", "SAVED", "ITEMS", ""}, rows)
	})
}

func current(is bool) string {
	if is {
		return "now"
	}
	return ""
}

type restoreCmd struct {
	Branch  *string `short:"b" placeholder:"NAME" help:"The branch (default: the current git branch)."`
	Version string  `arg:"" help:"The version's id, as show --versions lists it."`
}

type restoreAnswer struct {
	Branch  string `json:"branch"`
	Version string `json:"version"`
	engine.Following
}

// Run implements the command.
func (c *restoreCmd) Run(a *app) error {
	e, err := a.openOn(&c.Branch, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	branch, err := e.Restore(a, c.Branch, c.Version)
	if err != nil {
		return err
	}
	return a.print(restoreAnswer{branch, c.Version, e.Followed()}, func(w io.Writer) {
		fmt.Fprintf(w, "The memory of %s is version %s again; what it was until now is a version too.\n", branchSubject(branch), c.Version)
		a.noteUndo(e, branch)
	})
}

type forgetCmd struct {
	Branch *string  `short:"b" placeholder:"NAME" help:"The branch (default: the current git branch)."`
	All    bool     `help:"The whole memory of the branch."`
	Items  []string `arg:"" optional:"" help:"Ids of items, or their beginnings, as show --ids lists them."`
}

type forgetAnswer struct {
	Branch string        `json:"branch"`
	All    bool          `json:"all"`   // the whole memory of the branch
	Items  []memory.Item `json:"items"` // else these
	engine.Following
}

// Run implements the command.
func (c *forgetCmd) Run(a *app) error {
	if c.All == (len(c.Items) > 0) {
		return usagef("forget what? Name items by their ids, or say --all for the branch's whole memory")
	}
	e, err := a.openOn(&c.Branch, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	if c.All {
		branch, err := e.ForgetBranch(a, c.Branch)
		if err != nil {
			return err
		}
		return a.print(forgetAnswer{Branch: branch, All: true, Following: e.Followed()}, func(w io.Writer) {
			fmt.Fprintf(w, "The memory of %s is gone.\n", branchSubject(branch))
			a.noteUndo(e, branch)
		})
	}
	branch, items, err := e.Forget(a, c.Branch, c.Items)
	if err != nil {
		return err
	}
	return a.print(forgetAnswer{Branch: branch, Items: items, Following: e.Followed()}, func(w io.Writer) {
		for _, it := range items {
			fmt.Fprintf(w, "Forgot: %s\n", plain(it.Content))
		}
		a.noteUndo(e, branch)
	})
}

type importCmd struct {
	Puffin importPuffinCmd `cmd:"" help:"The memory of Puffin's memory plug-in (.puffin/memory)."`
}

type importPuffinCmd struct {
	Folder string `arg:"" optional:"" placeholder:"DIR" help:"The folder with the Markdown files, or one that has it (default: .puffin/memory of the project)."`
}

// importAnswer is what came into a branch; at the one that is checked out stands what
// followed.
type importAnswer struct {
	memory.Imported
	engine.Following
}

// Run implements the command.
func (c *importPuffinCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	done, err := e.ImportPuffin(a, c.Folder)
	if err != nil {
		return err
	}
	answers := make([]importAnswer, 0, len(done))
	checkedOut := e.Head().Branch
	for _, b := range done {
		answer := importAnswer{Imported: b}
		if b.Branch == checkedOut {
			answer.Following = e.Followed()
		}
		answers = append(answers, answer)
	}
	return a.print(answers, func(w io.Writer) {
		if len(done) == 0 {
			fmt.Fprintln(w, "There is nothing to import.")
		}
		for _, b := range done {
			if b.Problem != "" {
				fmt.Fprintf(w, "%s: left out, %s\n", plain(b.File), plain(b.Problem))
				continue
			}
			fmt.Fprintf(w, "%s: %s\n", branchLabel(b.Branch), count(len(b.Changes), "change"))
			if len(b.Changes) > 0 || b.Text > 0 {
				a.noteUndo(e, b.Branch)
			}
		}
	})
}
