package engine

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"recollect/internal/memorize"
)

// listener keeps the events of a desk.
type listener struct {
	mu     sync.Mutex
	events []Event
	ended  chan Job
}

func newListener() *listener { return &listener{ended: make(chan Job, 100)} }

func (l *listener) hear(e Event) {
	l.mu.Lock()
	l.events = append(l.events, e)
	l.mu.Unlock()
	if e.Name == EventEnded {
		l.ended <- *e.Job
	}
}

func (l *listener) end(t *testing.T) Job {
	t.Helper()
	select {
	case j := <-l.ended:
		return j
	case <-time.After(2 * time.Minute):
		t.Fatal("no job ended")
		return Job{}
	}
}

func TestDeskMemorizesAndTells(t *testing.T) {
	t.Parallel()
	o, l := sample(t), newListener()
	d := NewDesk(DeskOptions{Engine: o, Emit: l.hear})
	defer d.Close()
	begun, err := d.Memorize(o.Dir, nil, MemorizeOptions{DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	if begun.ID == 0 || begun.Project != "ebb" || begun.Kind != JobPreview || begun.State != JobWaiting {
		t.Errorf("the job began as %+v", begun)
	}
	preview := l.end(t)
	if preview.State != JobDone || len(preview.Reports) != 2 {
		t.Fatalf("the preview ended as %+v", preview)
	}
	memory, err := Ask(d, o.Dir, func(e *Engine) (Shown, error) { return e.Show(nil, "") })
	if err != nil || memory.Exists {
		t.Fatalf("a preview has written: %+v, %v", memory, err)
	}
	if _, err := d.Memorize(o.Dir, []string{"main"}, MemorizeOptions{}); err != nil {
		t.Fatal(err)
	}
	done := l.end(t)
	if len(done.Reports) != 1 || done.Reports[0].Outcome != memorize.Memorized {
		t.Fatalf("the memorize ended as %+v", done)
	}
	if done.Ended.Before(done.Started) || done.Started.IsZero() {
		t.Errorf("it took from %v to %v", done.Started, done.Ended)
	}
	if got := d.Jobs(); len(got) != 2 || got[1].State != JobDone {
		t.Errorf("the jobs are %+v", got)
	}
	d.Dismiss(begun.ID)
	if got := d.Jobs(); len(got) != 1 {
		t.Errorf("%d jobs are left", len(got))
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	changed := 0
	for _, e := range l.events {
		if e.Changed != nil && e.Changed.What == "memory" {
			changed++
		}
	}
	if changed != 1 {
		t.Errorf("%d events say that the memory changed", changed)
	}
}

func TestDeskRunsJobsInOrderAndCancels(t *testing.T) {
	t.Parallel()
	o, l := sample(t), newListener()
	d := NewDesk(DeskOptions{Engine: o, Emit: l.hear})
	defer d.Close()
	running := make(chan struct{})
	long := func(ctx context.Context, _ *Engine, update func(func(*Job))) error {
		update(func(j *Job) { j.Step = "read" })
		close(running)
		<-ctx.Done()
		return ctx.Err()
	}
	first, err := d.start(o.Dir, JobMemorize, false, long)
	if err != nil {
		t.Fatal(err)
	}
	ran := false
	second, err := d.start(o.Dir, JobMemorize, false, func(context.Context, *Engine, func(func(*Job))) error { ran = true; return nil })
	if err != nil {
		t.Fatal(err)
	}
	third, err := d.start(o.Dir, JobMemorize, false, func(context.Context, *Engine, func(func(*Job))) error { return errNoFolder })
	if err != nil {
		t.Fatal(err)
	}
	<-running
	d.Cancel(second.ID)
	d.Cancel(first.ID)
	for _, want := range []struct {
		id    int
		state JobState
	}{{first.ID, JobCancelled}, {second.ID, JobCancelled}, {third.ID, JobFailed}} {
		if j := l.end(t); j.ID != want.id || j.State != want.state {
			t.Errorf("job %d ended as %s, want %d as %s", j.ID, j.State, want.id, want.state)
		}
	}
	if ran {
		t.Error("a job that was cancelled while it waited has run")
	}
}

func TestDeskSeesNewSettingsAndReleasesIdleEngines(t *testing.T) {
	t.Parallel()
	o := sample(t)
	d := NewDesk(DeskOptions{Engine: o, Idle: time.Millisecond})
	defer d.Close()
	budget := func() any {
		got, err := Ask(d, o.Dir, func(e *Engine) (any, error) { return e.Setting("inject.budget") })
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := budget(); got != 1000 {
		t.Errorf("the budget is %v", got)
	}
	write(t, filepath.Join(o.Dir, ".recollect", "config.json"), []byte(`{"version": 1, "inject": {"budget": 500}}`))
	if got := budget(); got != 500 {
		t.Errorf("after the change the budget is %v", got)
	}
	for range 1000 {
		d.mu.Lock()
		open := len(d.open)
		d.mu.Unlock()
		if open == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("an idle engine stays open")
}

func TestDeskRefusesAfterClose(t *testing.T) {
	t.Parallel()
	o := sample(t)
	d := NewDesk(DeskOptions{Engine: o})
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Memorize(o.Dir, nil, MemorizeOptions{}); err == nil {
		t.Error("a job began on a closed desk")
	}
	d.Tell(o.Dir, "memory")
	if err := d.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}
