package service

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/history"
)

// fresh is what is known of a project in which something new was noticed.
type fresh struct {
	turns   int       // that were not memorized
	noticed time.Time // when something was said last
	counted time.Time
	due     *time.Timer // counts; nil: nothing is due
	at      time.Time   // when it does
	acts    bool        // it may begin a memorize
}

func (f *fresh) stop() {
	if f.due != nil {
		f.due.Stop()
	}
	f.due = nil
}

// countEvery keeps a session in which much is said from being counted all the
// time.
const countEvery = 10 * time.Second

// noticed is told that something new was said in a project. One without a memory
// is left alone: nobody asked for it.
func (s *service) noticed(root string) {
	if info, err := os.Stat(filepath.Join(root, history.MemoryDir)); err != nil || !info.IsDir() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fresh[root]
	if f == nil {
		f = &fresh{}
		s.fresh[root] = f
	}
	f.noticed = time.Now()
	s.countIn(root, f, max(0, countEvery-time.Since(f.counted)), true)
}

// recount counts anew after a job, where something was there to count. That never
// begins another.
func (s *service) recount(root string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.fresh[root]; f != nil && f.turns > 0 {
		s.countIn(root, f, 0, false)
	}
}

// reconsider looks at all projects again after a pause.
func (s *service) reconsider() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for root, f := range s.fresh {
		if f.turns > 0 {
			s.countIn(root, f, 0, true)
		}
	}
}

// countIn has a project counted after a while, or sooner if that is due already.
// It is called under the lock.
func (s *service) countIn(root string, f *fresh, wait time.Duration, acts bool) {
	at := time.Now().Add(wait)
	if f.due != nil {
		acts = acts || f.acts
		if f.at.Before(at) {
			at = f.at
		}
	}
	f.stop()
	if s.ctx.Err() != nil {
		return
	}
	f.at, f.acts = at, acts
	f.due = time.AfterFunc(time.Until(at), func() {
		s.begin(func(ctx context.Context) { s.count(ctx, root) })
	})
}

// count counts what a project has that was not memorized, and memorizes what is
// idle, if the person wants that.
func (s *service) count(ctx context.Context, root string) {
	s.mu.Lock()
	f := s.fresh[root]
	acts := f.acts
	f.stop()
	f.counted = time.Now()
	s.mu.Unlock()
	var how config.Watch
	got, err := engine.Ask(s.desk, root, func(e *engine.Engine) (engine.Fresh, error) {
		how = e.Watching()
		return e.Fresh(ctx, time.Duration(how.Idle)*time.Minute)
	})
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.log.Warn("what is new can't be counted", "project", root, "why", err)
		return
	}
	s.mu.Lock()
	f.turns = got.Turns
	wanted := acts && how.Memorize && !s.paused
	if how.Memorize && got.Next > 0 {
		s.countIn(root, f, got.Next, true)
	}
	s.mu.Unlock()
	s.stir(true)
	s.show()
	if wanted && len(got.Idle) > 0 {
		s.log.Info("idle branches are memorized", "project", root, "branches", len(got.Idle))
		if _, err := s.desk.Memorize(root, got.Idle, engine.MemorizeOptions{Background: true}); err != nil {
			s.log.Warn("idle branches can't be memorized", "project", root, "why", err)
		}
	}
}

// unmemorized counts the turns of all projects, and says when the last one was
// noticed. It is called under the lock.
func (s *service) unmemorized() (turns int, noticed time.Time) {
	for _, f := range s.fresh {
		if f.turns > 0 && f.noticed.After(noticed) {
			noticed = f.noticed
		}
		turns += f.turns
	}
	for _, p := range s.known.projects {
		if s.fresh[p.Root] == nil {
			turns += s.newTurns(p)
		}
	}
	return turns, noticed
}

// newTurns are those of a project, as they were counted last. Nobody asked for one
// without a memory. It is called under the lock.
func (s *service) newTurns(p engine.KnownProject) int {
	switch f := s.fresh[p.Root]; {
	case f != nil:
		return f.turns
	case p.Memory && p.Counts != nil:
		return p.Counts.NewTurns
	}
	return 0
}
