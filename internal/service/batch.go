package service

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/internal/engine"
	"recollect/internal/maintain"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/printable"
)

// batch is what came of the jobs that ran without a pause between them. It holds
// counts and names of projects, and nothing of what is remembered.
type batch struct {
	all       bool // it is a "memorize all"
	project   string
	names     []string // roots and names of the projects
	jobs      int
	maintains int // of them
	changes   int
	proposed  int // branches whose changes wait for review
	branches  int // with a change
	conflicts int
	failed    int // jobs and branches
	cancelled int
	problem   *engine.Problem // the first one
	ended     time.Time
	seen      bool // the person opened the window since
}

// empty says whether nothing happened yet.
func (b batch) empty() bool { return b.jobs == 0 && !b.all }

func (b *batch) add(j engine.Job) {
	b.jobs++
	b.ended = j.Ended
	b.project = j.Project
	if name := j.Root + "\n" + j.Project; name == "\n" || !slices.Contains(b.names, name) {
		b.names = append(slices.Clip(b.names), name)
	}
	switch j.State {
	case engine.JobFailed:
		b.fail(j.Problem)
	case engine.JobCancelled:
		b.cancelled++
	}
	if j.Kind == engine.JobMaintain {
		b.maintains++
	}
	if j.Maintained != nil {
		b.maintained(*j.Maintained)
	}
	for _, r := range j.Reports {
		n := changed(r.Changes)
		if r.Outcome == memorize.Proposed {
			b.proposed += n
		} else {
			b.changes += n
		}
		if n > 0 {
			b.branches++
		}
		b.conflicts += len(r.Conflicts)
		if r.Problem != nil {
			b.fail(r.Problem)
		}
	}
}

// maintained adds what came of a maintenance: what changed in memories. What was
// packed, made anew or put off is nothing to tell a person of who did not ask.
func (b *batch) maintained(r maintain.Report) {
	for _, p := range r.Parts {
		if p.Name == "memorize" || p.Name == "tidy" {
			b.changes += p.Changes
			b.branches += p.Branches
			b.conflicts += p.Conflicts
		}
		if p.Outcome == maintain.Failed || p.Outcome == maintain.Partly {
			b.fail(&engine.Problem{Code: "failed", Message: p.Words, Hint: "recollect status tells more", Exit: engine.ExitFailed})
		}
	}
}

// what is the work in a word.
func (b batch) what() string {
	if b.jobs > 0 && b.jobs == b.maintains {
		return "Maintenance"
	}
	return "Memorize"
}

func changed(changes []memory.Change) int {
	n := 0
	for _, c := range changes {
		if c.Action != memory.Kept {
			n++
		}
	}
	return n
}

func (b *batch) fail(p *engine.Problem) {
	b.failed++
	if b.problem == nil {
		b.problem = p
	}
}

// quiet says whether there is nothing to tell a person who does not look.
func (b batch) quiet() bool {
	return b.changes == 0 && b.proposed == 0 && b.conflicts == 0 && b.failed == 0
}

// state is what the icon shows of it.
func (b batch) state() State {
	switch {
	case b.seen:
		return StateIdle
	case b.failed > 0:
		return StateError
	case b.proposed > 0 || b.conflicts > 0:
		return StateAttention
	}
	return StateIdle
}

// words tell in counts what came of it.
func (b batch) words() string {
	var parts []string
	if b.changes > 0 {
		parts = append(parts, fmt.Sprintf("%s in %s", count(b.changes, "change"), count(b.branches, "branch")))
	}
	if b.proposed > 0 {
		parts = append(parts, count(b.proposed, "proposal")+" to review")
	}
	if b.conflicts > 0 {
		parts = append(parts, count(b.conflicts, "conflict")+" to decide")
	}
	if b.failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", b.failed))
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, ", ")
	case b.cancelled > 0:
		return "cancelled"
	}
	return "nothing new"
}

// sentence is words with what they are about and when.
func (b batch) sentence() string {
	about := b.project
	if b.all || len(b.names) > 1 {
		about = count(len(b.names), "project")
		if b.jobs == 0 {
			about = "All projects"
		}
	}
	if about == "" {
		about = b.what()
	}
	words := b.words()
	if b.failed > 0 && b.problem != nil && b.changes+b.proposed+b.conflicts == 0 {
		words = "failed, " + b.problem.Message
	}
	return short(about, 40) + ": " + short(words, 80) + ", " + printable.Clock(b.ended)
}

// count is "1 change", "2 changes", "2 branches".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "ch") {
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// short is one line of at most n characters.
func short(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < 0x20 || r >= 0x7f && r < 0xa0 || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
