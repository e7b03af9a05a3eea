package engine

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"recollect/internal/filelock"
	"recollect/internal/maintain"
	"recollect/internal/memorize"
)

func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// Another process that a person waits for gets in between two branches, whatever
// the maintenance still has to do, and the maintenance does the rest.
func TestMaintenanceLetsOtherProcessesIn(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e, person := openSample(t, o), openSample(t, o)
	e.options.LockWait = 50 * time.Millisecond // for maintenance that never lets go
	person.options.LockWait = e.options.LockWait
	all, err := e.Branches(t.Context())
	if err != nil || len(all) < 2 {
		t.Fatal(all, err)
	}
	var in atomic.Bool
	var reports []BranchReport
	var failed error
	done := make(chan struct{})
	number := 0
	var order []bool
	r, err := e.Maintain(t.Context(), MaintainOptions{Kind: maintain.Startup, Progress: func(_ string, p Progress) {
		if p.Branch == "" || p.Number == number {
			return
		}
		if number = p.Number; number > 1 {
			order = append(order, in.Load())
			return
		}
		go func() {
			defer close(done)
			reports, failed = person.Memorize(context.Background(), MemorizeOptions{
				Branch: &p.Branch, Again: true, Progress: func(Progress) { in.Store(true) },
			})
		}()
		until(t, "the other process waits", func() bool {
			waits, err := filelock.Taken(e.state().Path(waitingLock))
			return err == nil && waits
		})
		time.Sleep(4 * person.options.LockWait) // it is patient while maintenance goes on
	}})
	<-done
	if err != nil || failed != nil || len(reports) != 1 {
		t.Fatalf("%v, %v, %+v", err, failed, reports)
	}
	if len(order) == 0 || slices.Contains(order, false) {
		t.Errorf("the maintenance went on before the person's memorize had begun: %v", order)
	}
	if len(r.Parts) != 1 || r.Parts[0].Outcome == maintain.PutOff || len(r.Parts[0].Deferred) != 0 || len(r.Parts[0].Errors) != 0 {
		t.Errorf("%+v", r.Parts)
	}
	for _, b := range all {
		if has, err := e.memories().Has(b.Name); err != nil || !has {
			t.Errorf("%s: %v, %v", b.Name, has, err)
		}
	}
}

// A process that waits and never takes the lock keeps maintenance up for a while
// only, and one that is killed not at all.
func TestStandBackEnds(t *testing.T) {
	t.Parallel()
	e := openSample(t, sample(t))
	mark, err := e.acquire(t.Context(), waitingLock, filelock.Options{Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	e.standBack(ctx)
	if ctx.Err() == nil {
		t.Fatal("nobody was waited for")
	}
	if err := mark.Release(); err != nil { // as the end of a process does
		t.Fatal(err)
	}
	e.standBack(t.Context())
	l, err := e.lockInBackground(t.Context(), "testing", time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
}

// What people wait for goes before the rest of a maintenance, and that before the
// next one.
func TestDeskLetsPeopleFirst(t *testing.T) {
	t.Parallel()
	o, l := sample(t), newListener()
	d := NewDesk(DeskOptions{Engine: o, Emit: l.hear})
	defer d.Close()
	quick := func(context.Context, *Engine, func(func(*Job))) error { return nil }
	running, asked := make(chan struct{}), make(chan struct{})
	begin := func(kind JobKind, background bool, w work) int {
		t.Helper()
		j, err := d.start(o.Dir, kind, background, w)
		if err != nil {
			t.Fatal(err)
		}
		return j.ID
	}
	var state JobState
	first := begin(JobMaintain, true, func(_ context.Context, _ *Engine, update func(func(*Job))) error {
		close(running)
		<-asked
		d.letIn(update)
		d.jobs.mu.Lock()
		state = d.jobs.all[0].State
		d.jobs.mu.Unlock()
		return nil
	})
	<-running
	second := begin(JobMaintain, true, quick)
	var suspended JobState
	person := begin(JobMemorize, false, func(context.Context, *Engine, func(func(*Job))) error {
		suspended = d.Jobs()[0].State
		return nil
	})
	other := begin(JobTry, false, quick)
	cancelled := begin(JobTry, false, func(context.Context, *Engine, func(func(*Job))) error { t.Error("has run"); return nil })
	d.Cancel(cancelled)
	close(asked)
	for _, want := range []int{person, other, cancelled, first, second} {
		if j := l.end(t); j.ID != want {
			t.Errorf("job %d ended, want %d", j.ID, want)
		}
	}
	if suspended != JobWaiting || state != JobRunning {
		t.Errorf("the maintenance was %s meanwhile and %s afterwards", suspended, state)
	}
}

// A real maintenance gives the lock up for the jobs of its own process.
func TestDeskMemorizesAmidMaintenance(t *testing.T) {
	t.Parallel()
	e := openSample(t, sample(t))
	e.options.LockWait = time.Second
	times := 0
	r, err := e.Maintain(t.Context(), MaintainOptions{Kind: maintain.Startup, LetIn: func() {
		if times++; times > 1 {
			return
		}
		reports, err := e.Memorize(t.Context(), MemorizeOptions{All: true})
		if err != nil || len(reports) != 2 || slices.ContainsFunc(reports, func(r BranchReport) bool { return r.Outcome == memorize.Failed }) {
			t.Errorf("%+v, %v", reports, err)
		}
	}})
	if err != nil || times == 0 || len(r.Parts) != 1 || r.Parts[0].Outcome == maintain.PutOff || len(r.Parts[0].Errors) > 0 {
		t.Fatalf("let in %d times, %+v, %v", times, r.Parts, err)
	}
}
