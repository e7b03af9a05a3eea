package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"recollect/internal/filelock"
	"recollect/internal/printable"
)

// State is how things are in one word.
type State string

// The states. Working is for faces to say, who know what runs.
const (
	StateReady     State = "ready"
	StateWorking   State = "working"
	StateAttention State = "attention" // something waits for the person
	StateError     State = "error"     // the last run of some kind failed
)

// Status is how things are with a project, or with no project.
type Status struct {
	State    State    `json:"state"`
	Sentence string   `json:"sentence"`
	Head     Head     `json:"head"`              // of the work tree; where there is no project, none
	Problem  *Problem `json:"problem,omitempty"` // the last error; it goes with the next success
	// NewTurns are the turns that were not memorized when Branches or Memorize
	// last counted: transcripts are not looked at here.
	NewTurns int `json:"new_turns"`
	Review   int `json:"review"` // proposals that wait
	// Suggestions need no decision: they make no Sentence, and leave by themselves.
	Suggestions int `json:"suggestions"`
	Conflicts   int `json:"conflicts"`
	Plugins     int `json:"plugins"` // that wait for approval or are paused
	Damage      int `json:"damage"`  // places in files that can't be read
	// Absent are plug-ins that the settings name and that are not installed.
	Absent []Absent `json:"absent,omitempty"`
	// Asked are the settings of the project that wait for the person's yes, Trusted
	// those that have it; LeftAside is what the former are about, a word each.
	Asked     int      `json:"asked"`
	Trusted   int      `json:"trusted"`
	LeftAside []string `json:"left_aside,omitempty"`
	Last      *LastRun `json:"last,omitempty"`
	// Unseen are the items that came with the repository and that nobody here looked
	// at.
	Unseen int `json:"unseen"`
	// StaleBlocks are the files in which assistants read something older.
	StaleBlocks []StaleBlock `json:"stale_blocks,omitempty"`
	// Held says who works on the project now, "" if nobody does.
	Held string `json:"held,omitempty"`
	// LeftToday is what of the budget for models is left, in words; "" without a
	// model.
	LeftToday string `json:"left_today,omitempty"`
	// Maintenance is missing where there is no memory folder.
	Maintenance *MaintenanceStatus `json:"maintenance,omitempty"`
	// Service and Version are for the face to fill in.
	Service ServiceStatus `json:"service"`
	Version string        `json:"version"`
}

// ServiceStatus is how it is with the service in the background.
type ServiceStatus struct {
	Running bool   `json:"running"`
	Paused  bool   `json:"paused"`
	Version string `json:"version,omitempty"`
}

// Status tells how things are with the project, from what is known without
// reading any transcript or opening any plug-in. The engine may be a tolerant
// one: damaged settings are told of.
func (e *Engine) Status(ctx context.Context) (Status, error) {
	s := Status{Head: e.Head()}
	c, err := e.countsNow()
	if err != nil {
		return s, err
	}
	s.NewTurns = c.NewTurns
	if e.headError() != nil {
		s.Damage++
	}
	for _, one := range c.Memories {
		s.Damage += one.Damage
		s.Unseen += one.Unseen
		if one.Unreadable != nil {
			s.Damage++
		}
	}
	waits, damaged, err := e.waits()
	if s.Damage += damaged; err != nil {
		s.Damage++
	}
	for _, n := range waits {
		s.Review += n.proposals
		s.Suggestions += n.suggestions
	}
	open, err := e.Conflicts(false)
	if err != nil {
		s.Damage++
	}
	s.Conflicts = len(open)
	e.statusOfPlugins(&s)
	e.statusOfTrust(&s)
	s.StaleBlocks = e.staleBlocks(func(branch string) blockKey {
		m := c.Memories[branch]
		if m.Unreadable != nil {
			return blockKey{}
		}
		return blockKey{branch, m.Revision, e.choice(), e.heldIf(m.Held)}
	})
	r := e.record(e.project.Root)
	s.Problem, s.Last = r.lastProblem(), r.Memorize.Result
	m, err := e.Maintenance()
	if err != nil || m.Broken != "" {
		s.Damage++
	}
	if err == nil && len(m.Tasks) > 0 {
		s.Maintenance = &m
	}
	if who, held, err := filelock.Held(e.state().Path(projectLock)); err == nil && held {
		s.Held = cmp.Or(who, "another process")
	}
	if s.LeftToday, err = e.leftToday(ctx); err != nil {
		s.Damage++
	}
	e.conclude(&s, !c.Counted.IsZero(), len(c.Memories) > 0)
	return s, ctx.Err()
}

// PersonStatus tells how things are with no project: with the person's settings
// and plug-ins. Options.Dir does not matter.
func PersonStatus(ctx context.Context, o Options) (Status, error) {
	e, err := openPerson(o)
	if err != nil {
		return Status{}, err
	}
	defer e.Close()
	s := Status{Head: Head{State: HeadNone}}
	e.statusOfPlugins(&s)
	e.conclude(&s, false, false)
	return s, ctx.Err()
}

// statusOfPlugins counts the plug-ins that wait for the person. What is wrong
// with the library itself is damage.
func (e *Engine) statusOfPlugins(s *Status) {
	list, err := e.Plugins()
	if err != nil {
		s.Damage++
		return
	}
	s.Damage += len(list.Problems)
	s.Absent = list.Absent
	for _, p := range list.Plugins {
		if p.Pending != nil || p.Paused != "" && !p.Disabled {
			s.Plugins++
		}
	}
}

// lastProblem is what went wrong last and has not gone well since.
func (r record) lastProblem() *Problem {
	var last *Problem
	var at time.Time
	for _, run := range []run{r.Inject, r.Memorize} {
		if run.Problem != nil && !run.At.Before(at) {
			last, at = run.Problem, run.At
		}
	}
	return last
}

// conclude says in one word and one sentence what the counts come to. counted
// says that NewTurns is known, memory that something is remembered.
func (e *Engine) conclude(s *Status, counted, memory bool) {
	waits := s.waits()
	switch {
	case e.settingsErr != nil:
		p := Explain(e.settingsErr)
		s.State, s.Problem = StateAttention, &p
		s.Sentence = "The settings can't be read; until they are mended, the built-in ones hold."
	case s.Problem != nil:
		s.State, s.Sentence = StateError, "The last run failed: "+oneLine(s.Problem.Message)
	case len(waits) > 0:
		s.State, s.Sentence = StateAttention, capital(enumerate(waits))+"."
	case s.NewTurns > 0:
		s.State, s.Sentence = StateReady, capital(number(s.NewTurns, "turn is", "turns are"))+" not memorized yet."
	case counted && memory:
		s.State, s.Sentence = StateReady, "Everything is memorized."
	case counted:
		s.State, s.Sentence = StateReady, "Nothing is memorized yet."
	default:
		s.State, s.Sentence = StateReady, "Ready."
	}
}

// waits lists what waits for the person, in words.
func (s *Status) waits() []string {
	var out []string
	for _, w := range []struct {
		n         int
		one, many string
	}{
		{s.Review, "proposal waits for review", "proposals wait for review"},
		{s.Conflicts, "conflict is open", "conflicts are open"},
		{s.Plugins, "plug-in waits for you", "plug-ins wait for you"},
		{len(s.Absent), "plug-in is not installed", "plug-ins are not installed"},
		{s.Unseen, "item came with the repository and was not looked at", "items came with the repository and were not looked at"},
		{s.Asked, "setting of the project waits for your yes", "settings of the project wait for your yes"},
		{s.Damage, "place in a file can't be read", "places in files can't be read"},
	} {
		if w.n > 0 {
			out = append(out, number(w.n, w.one, w.many))
		}
	}
	return out
}

func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// enumerate gives "a", "a and b", "a, b and c".
func enumerate(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

func capital(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// oneLine cuts a message to what fits into a sentence.
func oneLine(s string) string {
	return printable.Line(strings.Join(strings.Fields(s), " "), 200)
}
