package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"recollect/internal/engine"
	"recollect/internal/memorize"
	"recollect/internal/memory"
)

type memorizeCmd struct {
	historyFlags
	Branch    *string  `short:"b" xor:"which" placeholder:"NAME" help:"The branch (default: the current git branch)."`
	All       bool     `short:"a" xor:"which" help:"Every branch with history."`
	Extractor []string `short:"x" placeholder:"ID" help:"Use this extractor instead of those of the settings (its id, its last part, or the beginning of either); may be given several times."`
	Again     bool     `help:"Read every turn again, not only what is new."`
	DryRun    bool     `short:"n" help:"Say what would change and write nothing."`
}

// Run implements the command.
func (c *memorizeCmd) Run(a *app) error {
	e, err := a.openOn(&c.Branch, c.historyFlags)
	if err != nil {
		return err
	}
	defer e.Close()
	bar := newProgress(a)
	start := time.Now()
	first := len(c.Extractor) == 0 && e.ModelToChoose()
	old, name := renamedFrom(e, c.Branch)
	reports, err := e.Memorize(a, engine.MemorizeOptions{
		Branch: c.Branch, All: c.All, Again: c.Again, Extractors: c.Extractor, DryRun: c.DryRun, Progress: bar.show,
	})
	bar.clear()
	if err != nil {
		return err
	}
	if reports == nil {
		reports = []engine.BranchReport{}
	}
	if err := a.print(reports, func(w io.Writer) { writeReports(w, reports, c.DryRun, time.Since(start)) }); err != nil {
		return err
	}
	if len(reports) > 0 {
		a.noteAbsent(reports[0].Absent)
	}
	if c.DryRun {
		a.noteRenamed(e, c.Branch)
	} else {
		a.noteTakenAlong(old, name)
		a.noteMemorizeUndo(e, reports)
	}
	if first && len(reports) > 0 {
		a.note("This was found offline. A model finds more: recollect model shows which there are and what each costs.")
	}
	return memorizeExit(reports)
}

// noteMemorizeUndo says how what a run changed is taken back.
func (a *app) noteMemorizeUndo(e *engine.Engine, reports []engine.BranchReport) {
	var changed []string
	for _, r := range reports {
		if r.Outcome == memorize.Memorized && len(r.Changes) > 0 {
			changed = append(changed, r.Branch)
		}
	}
	if len(reports) == 1 && len(changed) == 1 {
		a.noteUndo(e, changed[0])
		return
	}
	a.noteUndoOfEach(e, changed)
}

// memorizeExit tells a run in which all, some or no branches failed.
func memorizeExit(reports []engine.BranchReport) error {
	failed, code := 0, engine.ExitFailed
	for _, r := range reports {
		if r.Problem != nil {
			failed++
			code = r.Problem.Exit
		}
	}
	switch {
	case failed == 0:
		return nil
	case failed < len(reports):
		return exitCode(engine.ExitPartly)
	case failed == 1:
		return exitCode(code)
	}
	return exitCode(engine.ExitFailed)
}

func writeReports(w io.Writer, reports []engine.BranchReport, dry bool, took time.Duration) {
	if len(reports) == 0 {
		fmt.Fprintln(w, "No history was found for this project.")
		fmt.Fprintln(w, "Recollect reads what Claude Code keeps in ~/.claude/projects; --transcripts PATH takes other files.")
		return
	}
	waiting := 0
	for _, r := range reports {
		paint(w, heading, branchLabel(r.Branch)+":")
		fmt.Fprintf(w, " %s\n", inWords(r, dry))
		for _, c := range r.Changes {
			io.WriteString(w, "  ")
			paint(w, ofSign(sign(c.Action)), sign(c.Action)+" "+plain(c.Content))
			io.WriteString(w, "\n")
		}
		for _, c := range r.Conflicts {
			fmt.Fprintf(w, "  ! kept %q, though this was said later: %q\n", plain(c.Existing), plain(c.Found.Content))
		}
		waiting += r.Waiting
		if len(r.Conflicts) > 0 && !dry {
			fmt.Fprintln(w, "  decide with: recollect conflicts list")
		}
		if len(r.Rejected) > 0 && r.Reason != memorize.ReasonRejected {
			fmt.Fprintf(w, "  %s\n", notLetIn(r))
		}
		for _, warning := range r.Warnings {
			io.WriteString(w, "  ")
			paint(w, warns, "note:")
			fmt.Fprintf(w, " %s\n", plain(warning))
		}
		if r.Problem != nil && r.Problem.Hint != "" {
			fmt.Fprintf(w, "  hint: %s\n", r.Problem.Hint)
		}
	}
	if waiting > 0 && !dry {
		fmt.Fprintf(w, "%s in review; decide with: recollect review\n", count(waiting, "proposal"))
	}
	if len(reports) > 1 {
		fmt.Fprintf(w, "%s in %s\n", fmt.Sprintf("%d branches", len(reports)), took.Round(10*time.Millisecond))
	}
}

// shownReasons is how many reasons of rejections are named.
const shownReasons = 3

// notLetIn says how much that was found did not go in, and why.
func notLetIn(r engine.BranchReport) string {
	reasons, times := r.WhyRejected()
	words := number(len(r.Rejected), "finding was", "findings were") + " not let in"
	for i, why := range reasons[:min(len(reasons), shownReasons)] {
		words += map[bool]string{true: ": ", false: ", "}[i == 0] + fmt.Sprintf("%d %s", times[i], short(plain(why), 80))
	}
	if len(reasons) > shownReasons {
		words += " and other reasons"
	}
	return words
}

func sign(a memory.Action) string {
	switch a {
	case memory.Added:
		return "+"
	case memory.Deleted, memory.Replaced:
		return "-"
	}
	return "~"
}

// inWords is the outcome of one branch as a person reads it.
func inWords(r engine.BranchReport, dry bool) string {
	words := outcomeInWords(r, dry)
	if r.Waiting > 0 {
		words += "; " + count(r.Waiting, "proposal") + " in review"
	}
	switch {
	case r.Suggestions > 0 && dry:
		words += "; " + number(r.Suggestions, "suggestion", "suggestions") + " would wait"
	case r.Suggestions > 0:
		words += "; " + number(r.Suggestions, "suggestion waits", "suggestions wait") + ": recollect review"
	}
	return words
}

func outcomeInWords(r engine.BranchReport, dry bool) string {
	switch r.Outcome {
	case memorize.Proposed:
		verb := "proposed"
		if dry {
			verb = "would propose"
		}
		return fmt.Sprintf("%s %s from %s; %s in memory", verb, count(len(r.Changes), "change"), count(r.NewTurns, "new turn"), count(r.Items, "item"))
	case memorize.Memorized:
		verb := "memorized"
		if dry {
			verb = "would memorize"
		}
		return fmt.Sprintf("%s %s from %s; %s in memory", verb, count(len(r.Changes), "change"), count(r.NewTurns, "new turn"), count(r.Items, "item"))
	case memorize.Unchanged:
		if r.Reason == memorize.ReasonNone && r.Items == 0 {
			return "no history of this branch was found (recollect branches lists those that have some)"
		}
		if r.NewTurns == 0 {
			return fmt.Sprintf("unchanged, nothing new was said; %s in memory", count(r.Items, "item"))
		}
		if r.Reason == memorize.ReasonWaits {
			return fmt.Sprintf("unchanged, %s for the model; %s in memory", number(r.NewTurns, "new turn waits", "new turns wait"), count(r.Items, "item"))
		}
		return fmt.Sprintf("unchanged, %s say nothing that is not known; %s in memory", count(r.NewTurns, "new turn"), count(r.Items, "item"))
	case memorize.Empty:
		if r.Reason == memorize.ReasonRejected {
			return fmt.Sprintf("nothing remembered of %s: %s", count(r.NewTurns, "new turn"), notLetIn(r))
		}
		if r.Found > 0 {
			return fmt.Sprintf("nothing sure enough to remember in %s", count(r.NewTurns, "new turn"))
		}
		return fmt.Sprintf("nothing worth remembering in %s", count(r.NewTurns, "new turn"))
	case memorize.Skipped:
		if r.Reason == memorize.ReasonTrivial {
			return "skipped, trivial: the new turns are small talk"
		}
		return "skipped, empty: nothing was answered"
	}
	return "failed: " + plain(r.Problem.Message)
}

// progress shows where a run is, on a terminal only: one bar for all branches.
type progress struct {
	bar, preparing *progressbar.ProgressBar
	out            io.Writer
}

// perBranch is how many steps of the bar a branch takes.
const perBranch = 1000

func newProgress(a *app) *progress {
	if a.json || !terminal(a.err) {
		return &progress{}
	}
	return &progress{out: unwrapped(a.err)}
}

func (p *progress) show(at engine.Progress) {
	if p.out == nil {
		return
	}
	if at.Step == engine.StepCompile {
		p.prepare(at)
		return
	}
	if p.preparing != nil {
		_ = p.preparing.Clear()
		p.preparing = nil
	}
	if p.bar == nil {
		p.bar = p.newBar(at.Branches * perBranch)
	}
	p.bar.Describe(fmt.Sprintf("%d/%d %s: %s", at.Number, at.Branches, short(branchLabel(at.Branch), 30), at.Step))
	done := (at.Number - 1) * perBranch
	if at.Total > 0 {
		done += perBranch * at.Done / at.Total
	}
	// A bar that is full is finished, which the last branch is not yet.
	_ = p.bar.Set(min(done, at.Branches*perBranch-1))
}

func (p *progress) newBar(steps int) *progressbar.ProgressBar {
	return progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(p.out),
		progressbar.OptionSetWidth(24),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionThrottle(60*time.Millisecond),
		progressbar.OptionClearOnFinish())
}

// prepare shows that a plug-in is made ready. What is over in a moment is not worth
// a bar.
func (p *progress) prepare(at engine.Progress) {
	if p.preparing == nil && (at.Done*5 < at.Total || at.Done == at.Total) {
		return
	}
	if p.preparing == nil {
		if p.bar != nil {
			_ = p.bar.Clear()
		}
		p.preparing = p.newBar(at.Total)
	}
	p.preparing.Describe("preparing the plug-ins, once")
	_ = p.preparing.Set(min(at.Done, at.Total-1))
}

func (p *progress) clear() {
	if p.preparing != nil {
		_ = p.preparing.Clear()
	}
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
