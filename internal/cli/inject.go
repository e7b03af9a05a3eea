package cli

import (
	"fmt"
	"io"
	"strings"

	"recollect/internal/engine"
	"recollect/internal/inject"
)

type injectCmd struct {
	Branch *string  `short:"b" placeholder:"NAME" help:"The branch (default: the current git branch)."`
	Target []string `short:"t" placeholder:"FILE" sep:"none" help:"The file to write, from the work tree's top folder (default: the setting inject.targets)."`
	Remove bool     `help:"Take the block out again."`
	DryRun bool     `short:"n" help:"Print a diff and write nothing."`
}

// Run implements the command.
func (c *injectCmd) Run(a *app) error {
	e, err := a.openOn(&c.Branch, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	if err := a.askUnseen(e, c.Branch, c.Remove || c.DryRun); err != nil {
		return err
	}
	done, err := e.Inject(a, engine.InjectOptions{Branch: c.Branch, Targets: c.Target, Remove: c.Remove, DryRun: c.DryRun})
	if err != nil {
		return err
	}
	a.noteHeld(done.Held)
	if c.DryRun {
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
			io.WriteString(w, t.Diff)
			continue
		}
		switch t.Outcome {
		case inject.Written:
			fmt.Fprintf(w, "%s: wrote %s of %s, %d of %d tokens\n", t.Path, count(len(done.Block.Shown), "item"), plain(done.Branch), done.Block.Tokens, done.Budget)
		case inject.Unchanged:
			fmt.Fprintf(w, "%s: unchanged\n", t.Path)
		case inject.TakenOut:
			fmt.Fprintf(w, "%s: took the block out\n", t.Path)
		case inject.Nothing:
			fmt.Fprintf(w, "%s: nothing to write\n", t.Path)
		case inject.Skipped:
			fmt.Fprintf(w, "%s: skipped, %s\n", t.Path, t.Reason)
		}
	}
}

// leftFor says for what items are left out of a block. What came with the
// repository has a note of its own.
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
}

// noteLeft says in one line how many items are not in the block, and why.
func (a *app) noteLeft(left []inject.Left) {
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
	if len(parts) > 0 {
		a.note("Left out: %s. With --json each has its reason.", strings.Join(parts, ", "))
	}
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
