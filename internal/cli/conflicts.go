package cli

import (
	"fmt"
	"io"
	"time"

	"recollect/internal/engine"
	"recollect/internal/memory"
)

type conflictsCmd struct {
	List    conflictsListCmd    `cmd:"" help:"List the conflicts that wait for a decision."`
	Show    conflictsShowCmd    `cmd:"" help:"Show both sides of a conflict."`
	Resolve conflictsResolveCmd `cmd:"" help:"Decide a conflict."`
}

// conflictAnswer is a conflict in the words that other commands have for the same
// things; its file has names that others gave.
type conflictAnswer struct {
	ID       string          `json:"id"`
	Status   memory.Status   `json:"status"`
	Branch   string          `json:"branch"`
	Section  string          `json:"section"`
	Created  time.Time       `json:"created"`
	Why      string          `json:"why,omitempty"`
	Items    []sideAnswer    `json:"items"` // what is remembered, what was said later
	Decision memory.Decision `json:"decision,omitempty"`
	Note     string          `json:"note,omitempty"`
	Decided  time.Time       `json:"decided,omitzero"`
	Undo     string          `json:"undo,omitempty"` // names what the decision did to the memory
}

// decidedAnswer is a conflict after the decision, with what followed it.
type decidedAnswer struct {
	conflictAnswer
	engine.Following
}

type sideAnswer struct {
	ID         string         `json:"id,omitempty"` // none as long as it is not remembered
	Content    string         `json:"content"`
	Confidence float64        `json:"confidence"`
	Time       time.Time      `json:"time,omitzero"`
	Origin     *memory.Origin `json:"origin,omitempty"`
}

func answerOf(r memory.ConflictRecord) conflictAnswer {
	c := conflictAnswer{
		ID: r.ID, Status: r.Status, Branch: r.Branch, Section: r.Category, Created: r.CreatedAt, Why: r.Why,
		Decision: r.Resolution.Decision, Note: r.Resolution.ReasoningNotes,
	}
	if at := r.Resolution.ResolvedAt; at != nil {
		c.Decided = *at
	}
	for _, s := range r.Items {
		c.Items = append(c.Items, sideAnswer{s.ItemID, s.Content, s.Confidence, s.ExtractedAt, s.Origin})
	}
	return c
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
	answers := []conflictAnswer{}
	for _, r := range all {
		answers = append(answers, answerOf(r))
	}
	return a.print(answers, func(w io.Writer) {
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
	fmt.Fprintf(w, "%s  %s  %s, %s\n", r.ID, r.Status, branchLabel(r.Branch), r.Category)
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
	return a.print(answerOf(r), func(w io.Writer) {
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
	answer := decidedAnswer{answerOf(r.ConflictRecord), e.Followed()}
	answer.Undo = r.Undo
	return a.print(answer, func(w io.Writer) {
		fmt.Fprintf(w, "%s: %s\n", r.ID, r.Status)
		if memory.NamesConflict(r.Undo) {
			a.note("%s %s.", a.onBranch(e, "undo "+r.Undo, r.Branch), takesBack)
		} else {
			a.noteUndo(e, r.Branch)
		}
	})
}
