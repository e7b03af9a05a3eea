package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"recollect/internal/engine"
	"recollect/internal/inject"
)

type injectCmd struct {
	Branch *string  `short:"b" placeholder:"NAME" help:"The branch (default: what git has checked out)."`
	Target []string `short:"t" placeholder:"FILE" sep:"none" help:"The file to write, from the work tree's top folder (default: the setting inject.targets)."`
	Remove bool     `help:"Take the block out again."`
	DryRun bool     `short:"n" help:"Print a diff and write nothing."`
	Yes    bool     `short:"y" help:"Also write the block of a branch that is not checked out."`
}

// Run implements the command.
func (c *injectCmd) Run(a *app) error {
	e, err := a.openOn(&c.Branch, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	if err := c.askOther(a, e); err != nil {
		return err
	}
	if err := a.askUnseen(e, c.Branch, c.Remove || c.DryRun); err != nil {
		return err
	}
	done, err := e.Inject(a, engine.InjectOptions{Branch: c.Branch, Targets: c.Target, Remove: c.Remove, DryRun: c.DryRun, Other: c.Yes})
	if err != nil {
		return err
	}
	a.noteRenamed(e, c.Branch)
	a.noteDamage(done.Damage)
	a.noteHeld(done.Held)
	a.noteAbsent(done.Absent)
	if c.DryRun {
		a.note("The block of %s.", ofBranch(done.Branch, done.Head))
		a.noteLeft(done.Block.Left)
	}
	if err := a.print(done, func(w io.Writer) { c.write(w, done) }); err != nil {
		return err
	}
	return a.injectExit(done)
}

func (c *injectCmd) write(w io.Writer, done engine.Injection) {
	if done.Disabled {
		fmt.Fprintln(w, "Injection is turned off by the setting inject.enabled.")
	}
	for _, t := range done.Targets {
		if t.Diff != "" {
			writeDiff(w, t.Diff)
			continue
		}
		switch t.Outcome {
		case inject.Written:
			fmt.Fprintf(w, "%s: wrote %s of %s, %d of %d tokens\n", t.Path, count(len(done.Block.Shown), "item"), ofBranch(done.Branch, done.Head), done.Block.Tokens, done.Budget)
		case inject.Unchanged:
			fmt.Fprintf(w, "%s: unchanged, it has %s of %s\n", t.Path, count(len(done.Block.Shown), "item"), ofBranch(done.Branch, done.Head))
		case inject.TakenOut:
			fmt.Fprintf(w, "%s: took the block out%s\n", t.Path, c.nothing(done, "; "))
		case inject.Nothing:
			fmt.Fprintf(w, "%s: nothing to write%s\n", t.Path, c.nothing(done, ": "))
		case inject.Skipped:
			fmt.Fprintf(w, "%s: skipped, %s\n", t.Path, t.Reason)
		}
	}
}

// nothing says why a block has nothing to say.
func (c *injectCmd) nothing(done engine.Injection, before string) string {
	branch := ofBranch(done.Branch, done.Head)
	switch why := leftWords(done.Block.Left); {
	case c.Remove || len(done.Block.Shown) > 0:
		return ""
	case done.Remembered == 0:
		return before + "nothing is remembered of " + branch + "; recollect branches lists what is of others"
	case why == "":
		return fmt.Sprintf("%s%s remembered of %s, and none is shown", before, number(done.Remembered, "item is", "items are"), branch)
	default:
		return fmt.Sprintf("%s%s remembered of %s; none is shown: %s", before, number(done.Remembered, "item is", "items are"), branch, why)
	}
}

// askOther has a person on a terminal say yes to the block of a branch that is not
// checked out.
func (c *injectCmd) askOther(a *app, e *engine.Engine) error {
	in, ok := a.in.(*os.File)
	if c.Yes || c.Remove || c.DryRun || a.json || !ok || !terminal(in) {
		return nil
	}
	name, err := e.BranchName(c.Branch)
	if err != nil {
		return err
	}
	head := e.Head()
	if head.Has(name) {
		return nil
	}
	fmt.Fprintf(a.err, "This is the memory of %s, but %s. Write it all the same? [y/N] ", branchSubject(name), plain(head.String()))
	c.Yes, err = saysYes(bufio.NewReader(io.LimitReader(in, maxAnswer)))
	return err
}

// ofBranch names the branch of a block, and says whether it is checked out.
func ofBranch(branch string, h engine.Head) string {
	name := branchSubject(branch)
	switch {
	case h.State == engine.HeadNone:
		return name
	case h.State == engine.HeadDetached && h.Branch == branch:
		return name + " (no branch is checked out)"
	case h.Has(branch):
		return name + " (checked out)"
	}
	return name + " (not checked out: " + plain(h.String()) + ")"
}

// leftFor says for what items are left out of a block.
var leftFor = []struct {
	reason inject.Reason
	words  string
}{
	{inject.OverBudget, "for want of room"},
	{inject.Contradicted, "contradicted by newer or surer ones"},
	{inject.NotSelected, "not chosen by the policy"},
	{inject.Repeated, "chosen more than once"},
	{inject.UnknownID, "chosen and not there"},
	{inject.Superseded, "replaced since"},
	{inject.Removed, "taken out by a person"},
	{inject.Blank, "with nothing to read"},
	{inject.Unseen, "held back until you looked at them"},
}

// noteLeft says in one line how many items are not in the block, and why.
// What came with the repository has a note of its own.
func (a *app) noteLeft(left []inject.Left) {
	seen := slices.DeleteFunc(slices.Clone(left), func(l inject.Left) bool { return l.Reason == inject.Unseen })
	if why := leftWords(seen); why != "" {
		a.note("Left out: %s. With --json each has its reason.", why)
	}
}

func leftWords(left []inject.Left) string {
	by := map[inject.Reason]int{}
	for _, l := range left {
		by[l.Reason]++
	}
	var parts []string
	for _, f := range leftFor {
		if n := by[f.reason]; n > 0 {
			parts = append(parts, count(n, "item")+" "+f.words)
		}
	}
	return strings.Join(parts, ", ")
}

// injectExit explains what went wrong with targets. If some were written, the
// run is partly done.
func (a *app) injectExit(done engine.Injection) error {
	code, bad := engine.ExitDone, 0
	for _, t := range done.Targets {
		if t.Err != nil {
			bad++
			code = a.fail(t.Err)
		}
	}
	switch {
	case bad == 0:
		return nil
	case bad < len(done.Targets):
		return exitCode(engine.ExitPartly)
	}
	return exitCode(code)
}
