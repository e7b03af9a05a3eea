package cli

import (
	"fmt"
	"io"

	"recollect/internal/memory"
)

type conflictsCmd struct {
	List    conflictsListCmd    `cmd:"" help:"List the conflicts that wait for a decision."`
	Show    conflictsShowCmd    `cmd:"" help:"Show both sides of a conflict."`
	Resolve conflictsResolveCmd `cmd:"" help:"Decide a conflict."`
}

type conflictsListCmd struct {
	All bool `help:"Also those that are decided."`
}

// Run implements the command.
func (c *conflictsListCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	all, err := e.Conflicts(c.All)
	if err != nil {
		return err
	}
	return a.print(all, func(w io.Writer) {
		if len(all) == 0 {
			fmt.Fprintln(w, "No conflict waits for a decision.")
			return
		}
		for _, r := range all {
			writeConflict(w, r)
		}
	})
}

func writeConflict(w io.Writer, r memory.ConflictRecord) {
	fmt.Fprintf(w, "%s  %s  %s, %s\n", r.ID, r.Status, plain(r.Branch), r.Category)
	fmt.Fprintf(w, "  remembered: %s\n", side(r.Items[0]))
	fmt.Fprintf(w, "  said later: %s\n", side(r.Items[1]))
}

func side(s memory.Side) string {
	return fmt.Sprintf("%s  (confidence %.2f, %s)", plain(s.Content), s.Confidence, when(s.ExtractedAt))
}

type conflictsShowCmd struct {
	ID string `arg:"" help:"The conflict's id, or its beginning."`
}

// Run implements the command.
func (c *conflictsShowCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	r, err := e.Conflict(c.ID)
	if err != nil {
		return err
	}
	return a.print(r, func(w io.Writer) {
		writeConflict(w, r)
		if r.Why != "" {
			fmt.Fprintf(w, "  why: %s\n", plain(r.Why))
		}
		for _, s := range r.Items {
			if o := s.Origin; o != nil {
				fmt.Fprintf(w, "  from: %s %s %v\n", o.Extractor, o.Session, o.Records)
			}
		}
	})
}

type conflictsResolveCmd struct {
	ID   string `arg:"" help:"The conflict's id, or its beginning."`
	Keep string `arg:"" enum:"older,newer,both,outdated" help:"older: what is remembered stays. newer: what was said later replaces it. both: both hold, see --note. outdated: what is remembered no longer holds, nothing replaces it."`
	Note string `help:"What tells the two apart (with both), or the reason."`
}

// Run implements the command.
func (c *conflictsResolveCmd) Run(a *app) error {
	if c.Keep == string(memory.KeepBoth) && c.Note == "" {
		return usagef("to keep both, say with --note what tells them apart")
	}
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	r, err := e.Resolve(a, c.ID, memory.Decision(c.Keep), c.Note)
	if err != nil {
		return err
	}
	return a.print(r, func(w io.Writer) {
		fmt.Fprintf(w, "%s: %s\n", r.ID, r.Status)
		if r.Undo != "" {
			a.noteUndo(e, r.Branch)
		}
	})
}
