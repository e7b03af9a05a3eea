package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"recollect/internal/engine"
	"recollect/internal/lookup"
	"recollect/internal/memory"
)

type reviewCmd struct {
	List   reviewListCmd   `cmd:"" default:"withargs" help:"List what waits for a decision."`
	Accept reviewAcceptCmd `cmd:"" help:"Take proposals into memory."`
	Refuse reviewRefuseCmd `cmd:"" help:"Refuse proposals: they are not proposed again."`
	Each   reviewEachCmd   `cmd:"" help:"Go through them one by one, by keys."`
	Undo   reviewUndoCmd   `cmd:"" help:"Take the last decisions back."`
}

type reviewListCmd struct {
	Branch *string `short:"b" placeholder:"NAME" help:"Only of this branch (default: of all)."`
}

// Run implements the command.
func (c *reviewListCmd) Run(a *app) error {
	e, err := a.openOn(&c.Branch, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	waiting, err := proposals(a, e, c.Branch)
	if err != nil {
		return err
	}
	return a.print(waiting, func(w io.Writer) {
		if len(waiting) == 0 {
			fmt.Fprintln(w, "Nothing waits for review.")
			return
		}
		decide, suggested := parted(waiting)
		if len(decide) > 0 {
			writeProposals(w, decide)
			fmt.Fprintln(w, "decide with: recollect review accept ID… or refuse ID…, or --all of them")
		}
		if len(suggested) > 0 {
			if len(decide) > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintln(w, "Suggestions, which need no decision:")
			writeProposals(w, suggested)
			fmt.Fprintln(w, "take or refuse them in the same way, or all of them with --suggestions; each is dropped after 30 days")
		}
	})
}

// parted parts what must be decided from what is only suggested.
func parted(waiting []engine.Proposal) (decide, suggested []engine.Proposal) {
	for _, p := range waiting {
		if p.Suggestion {
			suggested = append(suggested, p)
		} else {
			decide = append(decide, p)
		}
	}
	return decide, suggested
}

// proposals are those of one branch or of all (nil).
func proposals(a *app, e *engine.Engine, branch *string) ([]engine.Proposal, error) {
	all, err := e.Review(a)
	out := []engine.Proposal{}
	for _, p := range all {
		if branch == nil || p.Branch == *branch {
			out = append(out, p)
		}
	}
	return out, err
}

func writeProposals(w io.Writer, waiting []engine.Proposal) {
	branch := ""
	for i, p := range waiting {
		if i == 0 || p.Branch != branch {
			branch = p.Branch
			paint(w, heading, branchLabel(branch)+":")
			io.WriteString(w, "\n")
		}
		writeProposal(w, p)
	}
}

func writeProposal(w io.Writer, p engine.Proposal) {
	mark := map[string]string{memory.ProposeAdd: "+", memory.ProposeRemove: "-"}[p.Action]
	if mark == "" {
		mark = "~"
	}
	fmt.Fprintf(w, "  %s  ", p.ID)
	paint(w, ofSign(mark), mark+" "+plain(p.Content))
	fmt.Fprintf(w, "  (%s, confidence %.2f)\n", plain(p.Section), p.Confidence)
	for before := range strings.Lines(p.Before) {
		fmt.Fprintf(w, "                instead of: %s\n", plain(strings.TrimSuffix(before, "\n")))
	}
	if p.Action != memory.ProposeAdd && p.Why != "" {
		fmt.Fprintf(w, "                why: %s\n", plain(p.Why))
	}
}

// decision is what accept and refuse have in common.
type decision struct {
	Branch      *string  `short:"b" placeholder:"NAME" help:"Only of this branch (default: of all)."`
	All         bool     `help:"Everything that must be decided; no suggestion."`
	Suggestions bool     `help:"Everything that is only suggested."`
	IDs         []string `arg:"" optional:"" name:"id" help:"Ids of proposals and suggestions, or their beginnings."`
}

// chosen gives the proposals that are meant.
func (d *decision) chosen(a *app, e *engine.Engine) ([]engine.Proposal, error) {
	many := d.All || d.Suggestions
	if many == (len(d.IDs) > 0) {
		return nil, usagef("which ones? Name proposals by their ids, as recollect review lists them, or say --all or --suggestions")
	}
	waiting, err := proposals(a, e, d.Branch)
	if err != nil {
		return nil, err
	}
	var out []engine.Proposal
	if many {
		for _, p := range waiting {
			if p.Suggestion && d.Suggestions || !p.Suggestion && d.All {
				out = append(out, p)
			}
		}
		return out, nil
	}
	for _, id := range d.IDs {
		p, err := proposalOf(waiting, id)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// proposalOf gives the proposal that an id, or the beginning of one, names.
func proposalOf(waiting []engine.Proposal, id string) (engine.Proposal, error) {
	ids := make([]string, len(waiting))
	for i, p := range waiting {
		ids[i] = p.ID
	}
	whole, err := lookup.Find(id, ids, engine.ErrNoProposal)
	if err != nil {
		return engine.Proposal{}, err
	}
	return waiting[slices.Index(ids, whole)], nil
}

type reviewAcceptCmd struct {
	decision
	As      string `placeholder:"WORDS" help:"Take one proposal in these words; they are yours then, and no memorize changes them."`
	Section string `placeholder:"ID" help:"Take one proposal into this section."`
}

// Run implements the command.
func (c *reviewAcceptCmd) Run(a *app) error {
	if (c.As != "" || c.Section != "") && len(c.IDs) != 1 {
		return usagef("--as and --section are for one proposal")
	}
	return c.decide(a, engine.Decision{Accept: true, Content: c.As, Section: c.Section}, "accepted")
}

type reviewRefuseCmd struct{ decision }

// Run implements the command.
func (c *reviewRefuseCmd) Run(a *app) error { return c.decide(a, engine.Decision{}, "refused") }

// decide makes the same decision about all that is chosen.
func (d *decision) decide(a *app, like engine.Decision, done string) error {
	e, err := a.openOn(&d.Branch, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	chosen, err := d.chosen(a, e)
	if err != nil {
		return err
	}
	var decisions []engine.Decision
	for _, p := range chosen {
		like.ID = p.ID
		decisions = append(decisions, like)
	}
	r, err := e.Decide(a, decisions)
	if err != nil {
		return err
	}
	followed := slices.DeleteFunc(chosen, func(p engine.Proposal) bool { return slices.Contains(r.Stale, p.ID) })
	return a.print(r, func(w io.Writer) {
		fmt.Fprintf(w, "%s %s; %s left\n", done, amount(followed), waitingWords(r.Left))
		if len(r.Stale) > 0 {
			fmt.Fprintf(w, "%s changed meanwhile: see recollect review and recollect conflicts list\n", count(len(r.Stale), "proposal"))
		}
		a.noteReviewUndo(r.Undo)
	})
}

func waitingWords(left []engine.Proposal) string {
	if len(left) == 0 {
		return "nothing"
	}
	return amount(left)
}

// amount says how many there are of each kind.
func amount(all []engine.Proposal) string {
	decide, suggested := parted(all)
	switch {
	case len(suggested) == 0:
		return count(len(decide), "proposal")
	case len(decide) == 0:
		return count(len(suggested), "suggestion")
	}
	return count(len(decide), "proposal") + " and " + count(len(suggested), "suggestion")
}

type reviewUndoCmd struct {
	Token string `arg:"" help:"What accept or refuse has printed."`
}

// Run implements the command.
func (c *reviewUndoCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	r, err := e.UndoReview(a, c.Token)
	if err != nil {
		return err
	}
	return a.print(r, func(w io.Writer) { fmt.Fprintf(w, "undone; %s left\n", waitingWords(r.Left)) })
}
