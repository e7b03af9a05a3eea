package service

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/peer"
	"recollect/internal/printable"
)

func report(o memorize.Outcome, changes, conflicts int) engine.BranchReport {
	r := engine.BranchReport{Report: memorize.Report{Outcome: o, Branch: "secret-branch"}}
	for range changes {
		r.Changes = append(r.Changes, memory.Change{Action: memory.Added, Content: "secret"})
	}
	r.Changes = append(r.Changes, memory.Change{Action: memory.Kept, Content: "secret"})
	r.Conflicts = make([]memory.Conflict, conflicts)
	return r
}

func TestBatch(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 28, 10, 42, 0, 0, time.Local)
	clock := printable.Clock(at)
	done := func(project string, r ...engine.BranchReport) engine.Job {
		return engine.Job{Project: project, State: engine.JobDone, Reports: r, Ended: at}
	}
	problem := &engine.Problem{Message: "the disk\nis full"}
	broken := report(memorize.Failed, 0, 0)
	broken.Problem = problem
	for name, tt := range map[string]struct {
		all      bool
		jobs     []engine.Job
		state    State
		quiet    bool
		sentence string
	}{
		"changes":   {jobs: []engine.Job{done("shop", report(memorize.Memorized, 1, 0), report(memorize.Memorized, 2, 0))}, state: StateIdle, sentence: "shop: 3 changes in 2 branches, " + clock},
		"one":       {jobs: []engine.Job{done("shop", report(memorize.Memorized, 1, 0))}, state: StateIdle, sentence: "shop: 1 change in 1 branch, " + clock},
		"nothing":   {jobs: []engine.Job{done("shop", report(memorize.Unchanged, 0, 0))}, state: StateIdle, quiet: true, sentence: "shop: nothing new, " + clock},
		"no branch": {jobs: []engine.Job{done("shop")}, state: StateIdle, quiet: true, sentence: "shop: nothing new, " + clock},
		"review":    {jobs: []engine.Job{done("shop", report(memorize.Proposed, 2, 0))}, state: StateAttention, sentence: "shop: 2 proposals to review, " + clock},
		"conflicts": {jobs: []engine.Job{done("shop", report(memorize.Memorized, 1, 1))}, state: StateAttention, sentence: "shop: 1 change in 1 branch, 1 conflict to decide, " + clock},
		"failed": {jobs: []engine.Job{{Project: "shop", State: engine.JobFailed, Problem: problem, Ended: at}}, state: StateError,
			sentence: "shop: failed, the disk is full, " + clock},
		"a branch failed": {jobs: []engine.Job{done("shop", broken, report(memorize.Memorized, 1, 0))}, state: StateError,
			sentence: "shop: 1 change in 1 branch, 1 failed, " + clock},
		"cancelled": {jobs: []engine.Job{{Project: "shop", State: engine.JobCancelled, Ended: at}}, state: StateIdle, quiet: true, sentence: "shop: cancelled, " + clock},
		"several": {jobs: []engine.Job{done("a", report(memorize.Memorized, 1, 0)), done("b", report(memorize.Memorized, 1, 0))}, state: StateIdle,
			sentence: "2 projects: 2 changes in 2 branches, " + clock},
		"all, nothing": {all: true, state: StateIdle, quiet: true, sentence: "All projects: nothing new, " + clock},
		"a long name":  {jobs: []engine.Job{done(strings.Repeat("x", 100))}, state: StateIdle, quiet: true, sentence: strings.Repeat("x", 39) + "…: nothing new, " + clock},
	} {
		b := batch{all: tt.all, ended: at}
		if b.empty() == tt.all {
			t.Errorf("%s: empty = %t at the start", name, b.empty())
		}
		for _, j := range tt.jobs {
			b.add(j)
		}
		if b.state() != tt.state || b.quiet() != tt.quiet || b.sentence() != tt.sentence {
			t.Errorf("%s: %s, quiet %t, %q; want %s, %t, %q", name, b.state(), b.quiet(), b.sentence(), tt.state, tt.quiet, tt.sentence)
		}
		if strings.Contains(b.sentence()+b.words(), "secret") {
			t.Errorf("%s tells what is remembered: %q", name, b.sentence())
		}
		b.seen = true
		if b.state() != StateIdle {
			t.Errorf("%s: once seen it is %s", name, b.state())
		}
	}
}

func TestProgressInWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		job  engine.Job
		want string
	}{
		{engine.Job{Project: "shop"}, "Memorizing shop"},
		{engine.Job{Project: "shop", Step: "read", Number: 1, Branches: 1, Done: 0, Total: 10}, "Memorizing shop: reading"},
		{engine.Job{Project: "shop", Step: "extract", Number: 2, Branches: 5, Done: 3, Total: 10}, "Memorizing shop, branch 2 of 5: finding what is worth keeping, 30 %"},
		{engine.Job{Project: "a\u202eb\nc", Step: "new", Done: 20, Total: 10}, "Memorizing ab c, 100 %"},
	} {
		if got := progress(tt.job); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestSameNames(t *testing.T) {
	t.Parallel()
	s := &service{}
	for _, root := range []string{"/a/web", "/b/web", "/c/api"} {
		s.known.projects = append(s.known.projects, engine.KnownProject{Root: root, Name: root[3:]})
	}
	v := s.view()
	if v.Current != (Project{Name: "web in /a", Root: "/a/web"}) || v.Recent[1].Name != "web in /b" || v.Recent[2].Name != "api" {
		t.Errorf("names %+v", v.Recent)
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		code string
		exit int
		hint bool
	}{
		{fmt.Errorf("x: %w", peer.ErrNotRunning), "not_running", engine.ExitFailed, true},
		{fmt.Errorf("%w, but it does not answer", peer.ErrRunning), "running", engine.ExitBusy, false},
		{&peer.UnsafeError{Path: "/run", Why: "open"}, "refused", engine.ExitRefused, true},
		{&peer.Error{Code: "busy", Message: "busy", Hint: "wait"}, "busy", engine.ExitBusy, true},
		{&peer.Error{Code: peer.CodeRefused, Message: "no"}, "refused", engine.ExitRefused, false},
		{peer.ErrGone, "gone", engine.ExitFailed, true},
		{ErrNoWindow, "not_installed", engine.ExitFailed, true},
		{config.ErrUnknownKey, "settings", engine.ExitUsage, true},
		{errors.New("else"), "failed", engine.ExitFailed, false},
	} {
		p := Explain(tt.err)
		if p.Code != tt.code || p.Exit != tt.exit || (p.Hint != "") != tt.hint || p.Message == "" {
			t.Errorf("%v: %+v", tt.err, p)
		}
	}
}

// A result that is too large for a message is told without its details.
func TestLargeResults(t *testing.T) {
	t.Parallel()
	r := report(memorize.Memorized, 1, 0)
	r.Changes[0].Content = strings.Repeat("x", peer.MaxMessage)
	jobs := fitting([]engine.Job{{ID: 1, Reports: []engine.BranchReport{r}}})
	if got := jobs[0].Reports[0]; got.Changes != nil || got.Outcome != memorize.Memorized || len(got.Warnings) != 1 {
		t.Errorf("what was told: %+v", got)
	}
	if len(r.Changes) == 0 {
		t.Error("the job itself was changed")
	}
	small := report(memorize.Memorized, 1, 0)
	if jobs := fitting([]engine.Job{{Reports: []engine.BranchReport{small}}}); len(jobs[0].Reports[0].Changes) != 2 {
		t.Error("a small result lost its details")
	}
}
