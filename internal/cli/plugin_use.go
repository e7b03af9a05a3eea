package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"recollect/internal/engine"
	"recollect/internal/printable"
)

type pluginUseCmd struct {
	ID   string `arg:"" help:"The plug-in's id, its last part, or the beginning of either."`
	Role string `arg:"" enum:"extractor,schema,policy" help:"extractor, schema or policy."`
	Not  bool   `help:"Take it out instead."`
}

// Run implements the command.
func (c *pluginUseCmd) Run(a *app) error {
	e, err := a.openFor(&c.ID, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	v, err := e.UsePlugin(a, c.ID, c.Role, !c.Not)
	if err != nil {
		return err
	}
	return a.print(v, func(w io.Writer) {
		if len(v.UsedAs) == 0 {
			fmt.Fprintf(w, "%s is not used in this project.\n", v.ID)
			return
		}
		fmt.Fprintf(w, "%s is used in this project as %s.\n", v.ID, strings.Join(v.UsedAs, ", "))
	})
}

type pluginLogCmd struct {
	ID string `arg:"" help:"The plug-in's id, its last part, or the beginning of either."`
}

// Run implements the command.
func (c *pluginLogCmd) Run(a *app) error {
	e, err := a.openFor(&c.ID, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	lines, err := e.PluginLog(c.ID)
	if err != nil {
		return err
	}
	return a.print(lines, func(w io.Writer) {
		for _, l := range lines {
			fmt.Fprintf(w, "%s  %-6s  %s\n", printable.Second(l.Time), plain(l.Level), plain(l.Text))
		}
		if len(lines) == 0 {
			fmt.Fprintf(w, "%s has logged nothing.\n", c.ID)
		}
	})
}

type pluginTryCmd struct {
	historyFlags
	ID     string  `arg:"" help:"The extractor: a plug-in's id, its last part, or the beginning of either."`
	Branch *string `short:"b" placeholder:"NAME" help:"The branch (default: the current git branch)."`
}

// Run implements the command.
func (c *pluginTryCmd) Run(a *app) error {
	e, err := a.openOn(&c.Branch, c.historyFlags)
	if err != nil {
		return err
	}
	defer e.Close()
	if c.ID, err = e.FindPlugin(c.ID); err != nil {
		return err
	}
	tried, err := e.Try(a, c.Branch, c.ID, nil)
	if err != nil {
		return err
	}
	for _, w := range tried.Warnings {
		a.note("warning: %s", plain(w))
	}
	return a.print(tried, func(w io.Writer) { writeTried(w, tried) })
}

func writeTried(w io.Writer, tried engine.Tried) {
	goes := 0
	var rows [][]string
	for _, it := range tried.Items {
		what := "new"
		switch {
		case it.Rejected != "":
			what = "no: " + it.Rejected
		case it.Known != "":
			what = "known as " + it.Known
		}
		if it.Rejected == "" {
			goes++
		}
		rows = append(rows, []string{fmt.Sprintf("%.2f", it.Confidence), it.Section, it.Content, what})
	}
	if len(rows) > 0 {
		table(w, []string{"SURE", "SECTION", "ITEM", "WOULD GO IN"}, rows)
	}
	fmt.Fprintf(w, "%s found %s on %s that would go in, and %d that would not. Nothing was written.\n",
		plain(tried.Extractor), count(goes, "item"), branchSubject(tried.Branch), len(tried.Items)-goes)
	fmt.Fprintf(w, "It took %v and %.1f MiB", tried.Took.Round(time.Millisecond), float64(tried.Memory)/(1<<20))
	if tried.ModelCalls > 0 {
		fmt.Fprintf(w, ", %s and %s", count(tried.ModelCalls, "model call"), count(int(tried.Tokens), "token"))
	}
	fmt.Fprintln(w, ".")
	if tried.Unread > 0 {
		fmt.Fprintf(w, "It could not look at %s.\n", count(tried.Unread, "turn"))
	}
}
