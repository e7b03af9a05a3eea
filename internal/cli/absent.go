package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"recollect/internal/engine"
)

// noteAbsent says which plug-ins it was done without, and the cure.
func (a *app) noteAbsent(absent []engine.Absent) {
	for _, x := range absent {
		a.note("warning: %s", plain(x.Sentence()))
		a.note("hint: %s", plain(x.Cure()))
	}
}

// mayRemove has a person say yes to the removal of a plug-in that settings name. One
// that can't be removed anyway is for the removal to refuse.
func (a *app) mayRemove(e *engine.Engine, c *pluginRemoveCmd, uses []engine.PluginUse) error {
	info, err := e.Plugin(c.ID)
	if c.Yes || len(uses) == 0 || err != nil || info.BuiltIn {
		return nil
	}
	in, ok := a.in.(*os.File)
	if !ok || !terminal(in) || a.json {
		var files []string
		for _, u := range uses {
			files = append(files, u.File)
		}
		return &refusedError{
			fmt.Errorf("plug-in %s is in use: %s", plain(c.ID), plain(strings.Join(files, ", "))),
			"to remove it all the same: recollect plugin remove " + plain(c.ID) + " --yes",
		}
	}
	writeUses(a.err, uses)
	fmt.Fprintf(a.err, "Remove %s all the same? [y/N] ", plain(c.ID))
	yes, err := saysYes(bufio.NewReader(io.LimitReader(in, maxAnswer)))
	if err == nil && !yes {
		err = &refusedError{errors.New("nothing was removed"), "recollect plugin disable keeps a plug-in from being called, in all projects"}
	}
	return err
}

// writeUses lists the settings that name a plug-in.
func writeUses(w io.Writer, uses []engine.PluginUse) {
	for _, u := range uses {
		whose := "your settings"
		if u.Root != "" {
			whose = "the settings of " + u.Root
		}
		fmt.Fprintf(w, "Named in %s as %s: %s\n", plain(whose), strings.Join(u.Roles, ", "), plain(u.File))
	}
}
