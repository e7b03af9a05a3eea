package cli

import (
	"fmt"
	"io"

	"recollect/internal/llm/ledger"
)

type usageCmd struct {
	By   string `enum:"day,project,plugin,model" default:"day" help:"day, project, plugin or model."`
	From string `placeholder:"DATE" help:"From this day on, as 2026-11-28."`
	To   string `placeholder:"DATE" help:"Up to this day."`
	Here bool   `help:"Only of this project."`
}

// Run implements the command.
func (c *usageCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	u, err := e.Usage(a, c.From, c.To, c.Here)
	if err != nil {
		return err
	}
	return a.print(u, func(w io.Writer) {
		if u.Total.Calls == 0 {
			fmt.Fprintln(w, "No model was asked.")
			return
		}
		rows := map[string][]ledger.Row{"day": u.ByDay, "project": u.ByProject, "plugin": u.ByPlugin, "model": u.ByModel}[c.By]
		io.WriteString(w, ledger.Chart("by "+c.By, rows, ledger.ChartOptions{Width: columns(w)}))
		t := u.Total
		fmt.Fprintf(w, "in all: %s, %d tokens in, %d out, %s\n", count(int(t.Calls), "call"), t.InputTokens, t.OutputTokens, ledger.Dollars(t.Money))
		if left := u.LeftToday; left != nil {
			fmt.Fprintf(w, "a run may take now: %s\n", *left)
		}
		if u.Damaged > 0 {
			a.note("warning: %d lines of the record can't be read", u.Damaged)
		}
	})
}
