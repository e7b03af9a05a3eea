package cli

import (
	"fmt"
	"io"

	"recollect/internal/engine"
	"recollect/internal/printable"
)

type renameCmd struct {
	Old string `arg:"" help:"The branch whose memory it is."`
	New string `arg:"" help:"The branch that continues it, which has no memory."`
}

type renameAnswer struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Run implements the command.
func (c *renameCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	if err := e.Rename(a, c.Old, c.New); err != nil {
		return err
	}
	return a.print(renameAnswer{c.Old, c.New}, func(w io.Writer) {
		fmt.Fprintf(w, "What was remembered of %s is that of %s now, with what was said there until now.\n", plain(c.Old), plain(c.New))
		a.note("recollect rename %s %s takes it back.", printable.ShellWord(c.New), printable.ShellWord(c.Old))
	})
}

// noteRenamed says that git renamed the branch whose memory is looked for.
func (a *app) noteRenamed(e *engine.Engine, branch *string) {
	if old, name := renamedFrom(e, branch); old != "" {
		a.note("%s was renamed to %s; its memory comes along with the next change, or now: recollect rename %s %s", plain(old), plain(name), printable.ShellWord(old), printable.ShellWord(name))
	}
}

// noteTakenAlong says that a change took the memory of a renamed branch along; old is
// what renamedFrom gave before.
func (a *app) noteTakenAlong(old, name string) {
	if old != "" {
		a.note("%s was renamed to %s: its memory came along. recollect rename %s %s takes it back.", plain(old), plain(name), printable.ShellWord(name), printable.ShellWord(old))
	}
}

// renamedFrom gives the branch that git renamed and whose memory waits, with the name
// that it has now; "" if there is none.
func renamedFrom(e *engine.Engine, branch *string) (old, name string) {
	name, err := e.BranchName(branch)
	if err != nil {
		return "", ""
	}
	return e.RenamedFrom(name), name
}
