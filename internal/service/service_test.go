package service

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/engine"
	"recollect/internal/peer"
)

const fact = "We decided to use PostgreSQL 16 for the orders database, always run make lint before a commit."

func TestMemorizeFromTray(t *testing.T) {
	t.Parallel()
	w, p := newWorld(t), &panel{}
	w.said(t, "older", fact)
	time.Sleep(20 * time.Millisecond)
	shop := w.said(t, "shop", fact)
	c, end := w.run(t, p)
	until(t, "the projects are shown", func() bool { return p.last().Current.Root == shop })
	if v := p.last(); len(v.Recent) != 2 || v.Recent[1].Name != "older" || v.State != StateIdle || v.Line != "Ready" {
		t.Errorf("before: %+v", v)
	}
	p.choose(t, Action{Verb: DoMemorize, Root: p.last().Current.Root})
	until(t, "the memory is written", func() bool { return strings.Contains(w.memory(shop), "PostgreSQL") })
	until(t, "the result is shown", func() bool { v := p.last(); return v.State == StateIdle && strings.HasPrefix(v.Line, "shop: ") })
	if !p.saw(func(v View) bool { return v.State == StateWorking && strings.HasPrefix(v.Line, "Memorizing shop") }) {
		t.Error("the work was not shown")
	}
	notes := w.notified()
	if len(notes) != 1 || !strings.Contains(notes[0], "in 1 branch") {
		t.Errorf("notifications %q", notes)
	}
	for _, secret := range []string{"PostgreSQL", "lint", "main", "shop"} {
		if strings.Contains(strings.Join(notes, ""), secret) {
			t.Errorf("the notification tells %q: %q", secret, notes)
		}
	}
	jobs := call[[]engine.Job](t, c, "jobs", nil)
	if len(jobs) != 1 || jobs[0].State != engine.JobDone || len(jobs[0].Reports) != 1 {
		t.Errorf("jobs %+v", jobs)
	}
	st := call[Status](t, c, "status", nil)
	if !st.Running || st.PID != os.Getpid() || st.Version != "1.0" || len(st.Last) != 1 || st.Last[0].Reports != nil {
		t.Errorf("status %+v", st)
	}
	call[any](t, c, "dismiss", jobRequest{jobs[0].ID})
	if left := call[[]engine.Job](t, c, "jobs", nil); len(left) != 0 {
		t.Errorf("after it was dismissed: %+v", left)
	}
	p.choose(t, Action{Verb: DoQuit})
	<-c.Ended()
	end()
}

// "Memorize all" does what is new, in every project that has a memory, and is
// quiet where there is nothing.
func TestMemorizeAll(t *testing.T) {
	t.Parallel()
	w, p := newWorld(t), &panel{}
	a, b := w.said(t, "a", fact), w.said(t, "b", fact)
	unasked := w.said(t, "unasked", fact)
	gone := w.said(t, "gone", fact)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	c, _ := w.run(t, p)
	p.choose(t, Action{Verb: DoMemorizeAll})
	until(t, "there is nothing to do", func() bool { return strings.Contains(p.last().Line, errNoMemory.Error()) })
	for _, root := range []string{a, b} {
		if err := os.Mkdir(filepath.Join(root, ".recollect"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	finished := func() bool { v := p.last(); return v.State == StateIdle && strings.Contains(v.Line, "project") }
	p.choose(t, Action{Verb: DoMemorizeAll})
	until(t, "all is done", finished)
	if w.memory(a) == "" || w.memory(b) == "" {
		t.Error("a project was left out")
	}
	if w.memory(unasked) != "" {
		t.Error("a memory was made that nobody asked for")
	}
	if line := p.last().Line; !strings.HasPrefix(line, "2 projects: ") {
		t.Errorf("line %q", line)
	}
	if _, err := os.Stat(gone); err == nil {
		t.Error("a folder that is gone was made again")
	}
	w.said(t, "b", "From now on the API must return errors as problem JSON, we decided that today.")
	call[any](t, c, "memorize_all", nil)
	until(t, "the second is done", func() bool { return finished() && strings.HasPrefix(p.last().Line, "1 project: ") })
	call[any](t, c, "memorize_all", nil)
	until(t, "the third is done", func() bool { return finished() && strings.HasPrefix(p.last().Line, "All projects: nothing new") })
	if jobs := call[[]engine.Job](t, c, "jobs", nil); len(jobs) != 3 {
		t.Errorf("%d jobs, want 3", len(jobs))
	}
	if notes := w.notified(); len(notes) != 2 {
		t.Errorf("notifications %q, want two: nothing new is no news", notes)
	}
}

func TestNotifyIsASetting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	shop := w.said(t, "shop", fact)
	w.write(t, "home/config/config.json", []byte(`{"version": 1, "ui": {"notify": false}}`))
	c, _ := w.run(t, nil)
	job := call[engine.Job](t, c, "memorize", memorizeRequest{})
	if job.Root != shop {
		t.Errorf("the current project is %s, want %s", job.Root, shop)
	}
	until(t, "it is done", func() bool { return len(call[Status](t, c, "status", nil).Last) == 1 })
	if notes := w.notified(); w.memory(shop) == "" || len(notes) != 0 {
		t.Errorf("notifications %q", notes)
	}
}

func TestSubscriber(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	shop := w.said(t, "shop", fact)
	c, _ := w.run(t, nil)
	sub, err := peer.Subscribe(t.Context(), peer.DialOptions{Folder: w.folder, Role: peer.Service})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	call[engine.Job](t, c, "memorize", memorizeRequest{Root: shop, All: true, Branches: []string{"ignored"}})
	for seen := map[string]bool{}; ; {
		e, err := sub.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		seen[e.Name] = true
		if e.Name == engine.EventEnded {
			if !seen[engine.EventJob] || !strings.Contains(string(e.Data), `"outcome":"memorized"`) {
				t.Errorf("heard %v, then %s", seen, e.Data)
			}
			break
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, _ := w.run(t, nil)
	for method, tt := range map[string]struct {
		params any
		want   string
	}{
		"unknown":  {nil, peer.CodeMethod},
		"cancel":   {"seven", "usage"},
		"memorize": {nil, "not_found"},
		"open":     {nil, "not_installed"},
	} {
		if method == "open" && windowIsInstalled() {
			continue
		}
		if got := code(c.Call(t.Context(), method, tt.params, nil)); got != tt.want {
			t.Errorf("%s: %s, want %s", method, got, tt.want)
		}
	}
	if got := code(c.Call(t.Context(), "memorize", memorizeRequest{Root: filepath.Join(w.dir, "nowhere")}, nil)); got != "project" {
		t.Errorf("a folder that is not there: %s", got)
	}
	call[any](t, c, "cancel", jobRequest{99})
}

func windowIsInstalled() bool {
	_, err := findWindow()
	return err == nil
}

func TestOnlyOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, nil)
	if err := Run(t.Context(), w.options(nil)); !errors.Is(err, peer.ErrRunning) {
		t.Errorf("the second: %v, want ErrRunning", err)
	}
}

func TestPauseIsKept(t *testing.T) {
	t.Parallel()
	w, p := newWorld(t), &panel{}
	c, end := w.run(t, p)
	p.choose(t, Action{Verb: DoPause})
	until(t, "it is paused", func() bool { return p.last().Paused })
	if !call[Status](t, c, "status", nil).Paused {
		t.Error("the status does not tell")
	}
	end()
	p = &panel{}
	c, _ = w.run(t, p)
	until(t, "it is still paused", func() bool { return p.last().Paused && p.last().Line == "Paused: nothing runs by itself" })
	call[any](t, c, "resume", nil)
	until(t, "it goes on", func() bool { return !p.last().Paused })
	dirs, _, err := Where(w.getenv)
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "home/data/service.json", []byte("{damaged"))
	if paused, err := Paused(dirs); err == nil || paused {
		t.Errorf("a damaged file: %t, %v", paused, err)
	}
}

// The end of the service cancels what is under way, and nothing is half done.
func TestEndCancels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 50 {
		w.said(t, "shop", fact)
	}
	c, end := w.run(t, nil)
	sub, err := peer.Subscribe(t.Context(), peer.DialOptions{Folder: w.folder, Role: peer.Service})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	for range 20 {
		call[engine.Job](t, c, "memorize", memorizeRequest{})
	}
	end()
	states := map[string]int{}
	for {
		e, err := sub.Next(t.Context())
		if err != nil {
			break
		}
		if e.Name == engine.EventEnded {
			for _, s := range []string{"done", "cancelled", "failed"} {
				if strings.Contains(string(e.Data), `"state":"`+s+`"`) {
					states[s]++
				}
			}
		}
	}
	if states["failed"] > 0 || states["cancelled"] == 0 || states["cancelled"]+states["done"] != 20 {
		t.Errorf("the jobs ended as %v", states)
	}
	if notes := w.notified(); len(notes) > 1 {
		t.Errorf("notifications %q", notes)
	}
}
