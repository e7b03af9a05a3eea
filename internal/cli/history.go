package cli

import (
	"fmt"
	"io"

	"recollect/internal/engine"
	"recollect/internal/history"
)

type historyCmd struct {
	Sessions sessionsCmd `cmd:"" help:"List the sessions."`
	Turns    turnsCmd    `cmd:"" help:"List the turns, or print what was said in them."`
}

type sessionsCmd struct {
	historyFlags
	Branch *string `short:"b" placeholder:"NAME" help:"Only sessions with turns on this branch."`
}

// Run implements the command.
func (c *sessionsCmd) Run(a *app) error {
	e, err := a.openOn(&c.Branch, c.historyFlags)
	if err != nil {
		return err
	}
	defer e.Close()
	sessions, err := e.Sessions(a, c.Branch)
	if err != nil {
		return err
	}
	var looked []history.Looked
	if len(sessions) == 0 {
		if looked, err = e.Looked(a); err != nil {
			return err
		}
	}
	return a.print(sessions, func(w io.Writer) {
		if len(sessions) == 0 {
			fmt.Fprintln(w, "No session was found for this project.")
			for _, l := range looked {
				fmt.Fprintf(w, "Looked in %s.\n", plain(l.String()))
			}
			return
		}
		var rows [][]string
		for _, s := range sessions {
			rows = append(rows, []string{s.ID, s.Source, fmt.Sprint(s.Turns), when(s.LastActive),
				branchLabels(s.Branches), s.Title})
		}
		table(w, []string{"SESSION", "SOURCE", "TURNS", "LAST ACTIVE", "BRANCHES", "TITLE"}, rows)
	})
}

type turnsCmd struct {
	historyFlags
	Branch  *string `short:"b" placeholder:"NAME" help:"Only turns of this branch."`
	Session string  `short:"s" placeholder:"ID" help:"Only turns of this session (its id or the beginning of it)."`
	Full    bool    `help:"Print what was said, with secrets taken out."`
}

// Run implements the command.
func (c *turnsCmd) Run(a *app) error {
	e, err := a.openOn(&c.Branch, c.historyFlags)
	if err != nil {
		return err
	}
	defer e.Close()
	if a.json {
		turns := []engine.Turn{}
		if err := e.Turns(a, c.Branch, c.Session, func(t engine.Turn) error {
			turns = append(turns, t)
			return nil
		}); err != nil {
			return err
		}
		return a.encode(a.out, turns)
	}
	n := 0
	err = e.Turns(a, c.Branch, c.Session, func(t engine.Turn) error {
		n++
		return c.write(a.out, t)
	})
	if err == nil && n == 0 {
		fmt.Fprintln(a.out, "No turn was found.")
	}
	return err
}

func (c *turnsCmd) write(w io.Writer, t engine.Turn) error {
	if !c.Full {
		first := ""
		if len(t.Messages) > 0 {
			first = t.Messages[0].Text
		}
		_, err := fmt.Fprintf(w, "%s  %s  %s  %s\n", when(t.Time), t.ID, short(branchLabel(t.Branch), 30), short(plain(first), 80))
		return err
	}
	fmt.Fprintf(w, "=== %s  %s  %s  %s\n", when(t.Time), t.ID, branchLabel(t.Branch), t.Session)
	for _, m := range t.Messages {
		fmt.Fprintf(w, "--- %s  %s\n%s\n", m.Role, m.ID, lines(m.Text))
	}
	_, err := fmt.Fprintln(w)
	return err
}

type extractCmd struct {
	Transcript string   `required:"" placeholder:"FILE" help:"The transcript."`
	Extractor  []string `short:"x" placeholder:"ID" help:"Use this extractor instead of those of the settings (its id, its last part, or the beginning of either)."`
	Explain    bool     `help:"Say of each sentence why it is kept, and which were narrowly refused and why."`
}

// Run implements the command.
func (c *extractCmd) Run(a *app) error {
	e, err := a.open(historyFlags{Transcripts: []string{c.Transcript}})
	if err != nil {
		return err
	}
	defer e.Close()
	found, err := e.Extract(a, c.Extractor, c.Explain)
	if err != nil {
		return err
	}
	a.noteAbsent(found.Absent)
	return a.print(found, func(w io.Writer) {
		if len(found.Items) == 0 {
			fmt.Fprintln(w, "Nothing worth remembering was found.")
		}
		writeExtracted(w, "In memory:", found.Items, engine.ToMemory)
		writeExtracted(w, "Only suggested:", found.Items, engine.ToSuggestion)
		for i, f := range found.Refused {
			if i == 0 {
				fmt.Fprintln(w, "Narrowly refused:")
			}
			fmt.Fprintf(w, "      %s\n      why: %s\n", plain(f.Text), plain(f.Why))
		}
	})
}

func writeExtracted(w io.Writer, heading string, items []engine.ExtractedItem, state string) {
	for _, it := range items {
		if it.State != state {
			continue
		}
		if heading != "" {
			fmt.Fprintln(w, heading)
			heading = ""
		}
		fmt.Fprintf(w, "%.2f  %-24s %s\n", it.Confidence, it.Section, plain(it.Text))
		if it.Why != "" {
			fmt.Fprintf(w, "      why: %s\n", plain(it.Why))
		}
	}
}
