package service

import (
	"strconv"
	"time"

	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/peer"
)

// happened is told by the desk, from one goroutine at a time.
func (s *service) happened(e engine.Event) {
	if e.Changed == nil || !e.Changed.Noticed {
		s.publish(e)
	}
	if e.Job == nil {
		if e.Changed != nil && e.Changed.What == "history" {
			s.noticed(e.Changed.Root)
		}
		if e.Changed != nil && e.Changed.What == "settings" {
			s.replan()
		}
		if e.Changed != nil && e.Changed.What != "history" {
			s.countSoon()
		}
		return
	}
	// Any job may have made a memory folder, or have changed what is due.
	if e.Name == engine.EventEnded {
		s.keeper.ended(*e.Job)
		s.recount(e.Job.Root)
		s.replan()
	}
	s.stir(true)
	s.mu.Lock()
	s.note(*e.Job)
	s.mu.Unlock()
	if e.Name == engine.EventEnded {
		s.settle()
		return
	}
	s.show()
}

// note keeps what is known of the jobs that have not ended. It is called under
// the lock.
func (s *service) note(j engine.Job) {
	for i := range s.jobs {
		if s.jobs[i].ID != j.ID {
			continue
		}
		if j.Final() {
			s.jobs = append(s.jobs[:i], s.jobs[i+1:]...)
			s.batch.add(j)
		} else {
			s.jobs[i] = j
		}
		return
	}
	if j.Final() {
		s.batch.add(j)
		return
	}
	s.trouble = ""
	s.jobs = append(s.jobs, j)
}

// settle looks whether all is done, and tells what came of it.
func (s *service) settle() {
	s.mu.Lock()
	done := !s.looking && len(s.jobs) == 0 && !s.batch.empty()
	b := s.batch
	if done {
		if b.ended.IsZero() {
			b.ended = time.Now()
		}
		s.last, s.batch = b, batch{}
	}
	s.mu.Unlock()
	if done {
		s.stir(true)
		s.notify(b)
		s.refresh()
		s.countSoon()
	}
	s.show()
}

// notify tells a person who does not look, in counts: others may see the screen.
func (s *service) notify(b batch) {
	if s.options.Notify == nil || b.quiet() || s.ctx.Err() != nil {
		return
	}
	settings, err := config.Load(s.dirs.File())
	if err != nil {
		settings = config.Default()
	}
	if settings.UI.Notify {
		s.options.Notify("Recollect", b.what()+" is done: "+b.words()+".")
	}
}

// publish tells the clients. A result that is too large for a message is told
// without its details.
func (s *service) publish(e engine.Event) {
	if s.server == nil {
		return
	}
	p := peer.Event{Name: e.Name, Lossy: e.Name == engine.EventJob, Data: e.Changed}
	if e.Job != nil {
		p.Data, p.Key = e.Job, "job "+strconv.Itoa(e.Job.ID)
	}
	err := s.server.Publish(p)
	if err != nil && e.Job != nil {
		p.Data = slim(*e.Job)
		err = s.server.Publish(p)
	}
	if err != nil {
		s.log.Warn("an event could not be told", "event", e.Name, "why", err)
	}
}

// slim is a job without the details of its reports.
func slim(j engine.Job) engine.Job {
	reports := make([]engine.BranchReport, len(j.Reports))
	for i, r := range j.Reports {
		r.Changes, r.Conflicts, r.Rejected = nil, nil, nil
		r.Warnings = append(r.Warnings, "the details of this run are too many to be told here; the memory has them")
		reports[i] = r
	}
	j.Reports = reports
	return j
}
