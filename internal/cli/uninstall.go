package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"recollect/internal/engine"
	"recollect/internal/service"
)

type uninstallCmd struct {
	DryRun bool `short:"n" help:"List what would go and what stays, and remove nothing."`
	Blocks bool `help:"Also take our block out of the context files of known projects."`
	Data   bool `help:"Also remove your settings, plug-ins, the record of usage, and the API keys in the keyring."`
	Yes    bool `short:"y" help:"Ask nothing before --data removes what can't be made again."`
}

// Run implements the command.
func (c *uninstallCmd) Run(a *app) error {
	u := service.Uninstalling{Engine: engine.Options{Version: programVersion()}, Blocks: c.Blocks, Data: c.Data, DryRun: c.DryRun}
	if c.Data && !c.DryRun && !c.Yes {
		if err := a.confirm(); err != nil {
			return err
		}
	}
	all, err := service.Uninstall(a, u)
	if all == nil {
		return err
	}
	if printed := a.print(traces{all}, func(w io.Writer) { writeTraces(w, all, c.DryRun) }); printed != nil {
		return printed
	}
	return err
}

type traces struct {
	Traces []service.Trace `json:"traces"`
}

// confirm has a person type a word; a program says --yes.
func (a *app) confirm() error {
	in, ok := a.in.(*os.File)
	if !ok || !terminal(in) || a.json {
		return usagef("--data removes what can't be made again: add --yes if that is meant, or look first with --dry-run")
	}
	fmt.Fprint(a.err, "Settings, plug-ins, the record of usage and API keys can't be made again. Type delete to go on: ")
	word, err := bufio.NewReader(io.LimitReader(in, 100)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if strings.TrimSpace(word) != "delete" {
		return usagef("nothing was removed")
	}
	return nil
}

func writeTraces(w io.Writer, all []service.Trace, dry bool) {
	rows := [][]string{}
	for _, t := range all {
		state := t.Why
		switch {
		case t.Removed:
			state = "removed"
		case t.Remove && dry:
			state = "would be removed"
		case t.Remove && t.Why != "":
			state = "not removed: " + t.Why
		}
		rows = append(rows, []string{t.Kind, t.Where, state})
	}
	table(w, []string{"WHAT", "WHERE", ""}, rows)
}
