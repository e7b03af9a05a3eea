// Package service is what works in the background: one process per person that
// memorizes when it is asked to, shows a tray where there is one, and answers
// the window and the command line over a socket.
//
// It embeds the engine as every face does; nothing else needs it to run. While
// nothing happens it does nothing: no timer runs, projects are closed and their
// memory is given back.
package service

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/peer"
)

// Options say how the service runs. The zero value runs without a tray, for the
// person of this process.
type Options struct {
	// Engine are the options of the engines; Dir and Transcripts are not used.
	Engine engine.Options
	// Tray, if not nil, is shown from the goroutine that calls Run.
	Tray Tray
	// Notify, if not nil, tells the person something. It must not block.
	Notify func(title, text string)
	// Log, if not nil, is told what goes wrong.
	Log *slog.Logger
	// Problem, if not nil, says what goes wrong outside, in words, for a Status;
	// empty: nothing.
	Problem func() string
	// Crashes has a crash of this whole process written down, see LastCrash.
	Crashes bool
	// Power, if not nil, tells what the machine runs on; nil: the system is asked.
	Power func(context.Context) Power
	// FirstLook is how long after the start it is looked what is due; zero:
	// FirstLook.
	FirstLook time.Duration
	// Idle is how long a project that nobody uses stays open; zero: IdleAfter.
	Idle time.Duration
}

// IdleAfter is how long a project that nobody uses stays open: hardly at all. An
// open one keeps its plug-ins ready, which takes some hundred megabytes, and the
// next job is most often about another one.
const IdleAfter = 10 * time.Millisecond

// Tray is an icon with a menu.
type Tray interface {
	// Run shows the tray until ctx is done. act is told what the person chooses;
	// it does not block. The error says why there can be no tray here; the service
	// goes on without. Run is called from the main goroutine.
	Run(ctx context.Context, act func(Action)) error
	// Show says what there is to see from now on, before and while Run runs. It
	// does not block.
	Show(View)
}

// Where says where the sockets of this person are.
func Where(getenv func(string) string) (dirs config.Dirs, folder string, err error) {
	dirs, err = config.UserDirs(getenv)
	return dirs, peer.Folder(dirs.Data, getenv), err
}

// service is the one that runs.
type service struct {
	options Options
	dirs    config.Dirs
	folder  string
	log     *slog.Logger
	started time.Time
	ctx     context.Context
	quit    context.CancelFunc
	desk    *engine.Desk
	server  *peer.Server
	work    sync.WaitGroup

	mu        sync.Mutex
	paused    bool
	looking   bool         // for what is new in all projects
	jobs      []engine.Job // as the last events told them
	batch     batch        // what ended since there was nothing to do
	last      batch        // the one before
	used      time.Time    // when projects were open last
	trouble   string       // what the person asked for and could not have, in words
	known     known
	fresh     map[string]*fresh // of projects in which something new was noticed, by root
	keeper    *keeper           // of what is due
	replanned chan struct{}     // that is to be looked up anew
	resting   *time.Timer       // gives memory back
	polling   *time.Timer       // reads the projects again; stopped where that is not needed
}

// Run works until ctx is done or a client says quit. It returns an error that
// wraps peer.ErrRunning if the service of this person runs already. What is
// under way at the end is cancelled, which leaves nothing half done.
func Run(ctx context.Context, o Options) error {
	if o.Engine.Getenv == nil {
		o.Engine.Getenv = os.Getenv
	}
	if o.Idle == 0 {
		o.Idle = IdleAfter
	}
	s := &service{options: o, log: o.Log, started: time.Now(), fresh: map[string]*fresh{}}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if s.dirs, s.folder, err = Where(o.Engine.Getenv); err != nil {
		return err
	}
	s.ctx, s.quit = context.WithCancel(ctx)
	defer s.quit()
	s.paused = s.readPause()
	s.keeper, s.replanned = s.newKeeper(), make(chan struct{}, 1)
	ready := make(chan struct{})
	s.desk = engine.NewDesk(engine.DeskOptions{
		By: "service", Engine: o.Engine, Idle: o.Idle, Watch: engine.Watch{History: true, Memory: true, Heads: true},
		Emit: func(e engine.Event) {
			<-ready
			s.happened(e)
		},
	})
	s.resting = time.AfterFunc(restAfter, s.relax)
	s.polling = time.AfterFunc(pollEvery, s.poll)
	s.server, err = peer.Listen(peer.Options{
		Folder: s.folder, Role: peer.Service, Version: o.Engine.Version,
		Handle: func(ctx context.Context, method string, params []byte) (any, error) {
			<-ready
			return s.handle(ctx, method, params)
		},
	})
	if err != nil {
		s.resting.Stop()
		s.polling.Stop()
		close(ready)
		return errors.Join(err, s.desk.Close())
	}
	close(ready)
	s.begin(s.keepUp)
	if o.Crashes {
		defer watchCrashes(s.dirs, s.log)()
	}
	s.live()
	return s.end()
}

// live is the time between the start and the end.
func (s *service) live() {
	s.log.Info("the service runs", "pid", os.Getpid(), "version", s.options.Engine.Version)
	s.show()
	if t := s.options.Tray; t != nil {
		s.refresh()
		if err := t.Run(s.ctx, s.act); err != nil {
			s.log.Warn("no tray", "why", err)
		}
	}
	s.polling.Stop()
	<-s.ctx.Done()
}

// end stops everything, and answers until that is done.
func (s *service) end() error {
	s.quit()
	s.resting.Stop()
	s.mu.Lock() // begin is not in the middle of it
	for _, f := range s.fresh {
		f.stop()
	}
	s.mu.Unlock()
	s.work.Wait()
	err := s.desk.Close()
	s.log.Info("the service ends")
	return errors.Join(err, s.server.Close())
}

// restAfter is how long after the last work memory is given back.
const restAfter = 5 * time.Second

// stir puts that off. opens says that projects may be open now.
func (s *service) stir(opens bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if opens {
		s.used = time.Now()
	}
	s.resting.Reset(restAfter)
}

// relax gives back what is free, and, once the projects are closed, all that
// can be had again.
func (s *service) relax() {
	s.mu.Lock()
	busy := s.looking || len(s.jobs) > 0
	open := s.options.Idle - time.Since(s.used)
	s.mu.Unlock()
	switch {
	case busy: // what ends it stirs again
	case open > 0:
		debug.FreeOSMemory()
		s.resting.Reset(open + restAfter)
	default:
		Rest()
	}
}

// begin runs f beside all else; f ends with the service.
func (s *service) begin(f func(ctx context.Context)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() == nil {
		s.work.Go(func() { f(s.ctx) })
	}
}
