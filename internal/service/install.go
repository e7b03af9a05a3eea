package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"recollect/internal/config"
	"recollect/internal/peer"
)

// Installed says whether and how the service is started by the system.
type Installed struct {
	// Supported says that it can be installed here; if not, Why says why not.
	Supported bool   `json:"supported"`
	Why       string `json:"why,omitempty"`
	Manager   string `json:"manager,omitempty"` // "systemd", "systemd (machine)", "launchd", "autostart" or "logon"; that which has it, or would
	Installed bool   `json:"installed"`
	Enabled   bool   `json:"enabled"` // it is started when the person logs in
	Running   bool   `json:"running"` // the manager started it and it has not ended; false where a manager only starts
	PID       int    `json:"pid,omitempty"`
	Restarts  int    `json:"restarts,omitempty"`  // after crashes, since the manager was asked to start it
	LastExit  string `json:"last_exit,omitempty"` // in words
	Path      string `json:"path,omitempty"`      // the unit, or what takes its place
	Program   string `json:"program,omitempty"`   // that is started
	Problem   string `json:"problem,omitempty"`   // in words, with what to do

	foreign bool // what is at Path was not written by us
	asks    bool // the manager can be asked to stop and knows what runs
	starts  bool // a start mends the problem
}

// InstallOptions say what is installed. The zero value is a service of the
// person who asks, of this program.
type InstallOptions struct {
	Getenv  func(string) string // nil: os.Getenv
	Version string
	Program string // to start; empty: this one
	// Autostart asks for an entry of the desktop's autostart where there is no
	// service manager.
	Autostart bool
	// System asks for a service of the machine that works for User, who must be
	// another than root.
	System bool
	User   string
	// NoStart installs without starting.
	NoStart bool
}

// manager starts programs when a person logs in. The errors of its methods that
// change something are told to the person as they are.
type manager interface {
	// look gives all but Supported and Why. What can't be found out is left empty.
	look(ctx context.Context) Installed
	// install writes down what to start, and says whether that is another than
	// before. It is called again for what is installed already.
	install(ctx context.Context, p plan) (changed bool, err error)
	// uninstall takes back all of install, also half of it, and is called after
	// stop.
	uninstall(ctx context.Context) error
	start(ctx context.Context) error
	stop(ctx context.Context) error
}

// NoManagerError says that nothing here would start the service.
type NoManagerError struct {
	Why  string
	What string // to do about it; may be empty
}

// Error implements error.
func (e *NoManagerError) Error() string { return e.Why }

// Hint says what to do.
func (e *NoManagerError) Hint() string {
	const hint = "recollect service install --autostart starts it when you log in to a desktop; recollect service run works as long as it runs; recollect maintain startup, by hand or from cron, does the same work once"
	if e.What == "" {
		return hint
	}
	return e.What + "; or: " + hint
}

// Installer has the system start the service, and no longer.
type Installer struct {
	o       InstallOptions
	dirs    config.Dirs
	folder  string  // of the sockets
	refused error   // why nothing may be written
	main    manager // nil: none
	none    error   // why there is no main
	entry   manager // the desktop's autostart; nil: none
	machine manager // a service of the machine that works for this person; nil: none
	program func(asked string) (string, error)
}

// answerIn is how long a service that was started has to answer.
const answerIn = 20 * time.Second

// NewInstaller looks at the system and writes nothing.
func NewInstaller(o InstallOptions) *Installer {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	i := &Installer{o: o, program: program}
	i.main, i.entry, i.machine, i.none = managers(o)
	if o.System { // nothing of root's own is asked about
		i.refused = i.none
		return i
	}
	i.refused = CheckPerson(o.Getenv)
	var err error
	if i.dirs, i.folder, err = Where(o.Getenv); i.refused == nil {
		i.refused = err
	}
	return i
}

// State says how it is.
func (i *Installer) State(ctx context.Context) Installed {
	at, _ := i.find(ctx)
	m, err := i.choose()
	if err == nil {
		_, err = i.program(i.o.Program)
	}
	switch {
	case i.refused != nil:
		at.Why = i.refused.Error()
	case m == nil || err != nil:
		at.Why = err.Error()
	default:
		at.Supported = true
	}
	return at
}

// find looks where it is installed: in the manager, or nil.
func (i *Installer) find(ctx context.Context) (Installed, manager) {
	var first Installed
	for n, m := range []manager{i.main, i.machine, i.entry} {
		if m == nil {
			continue
		}
		at := m.look(ctx)
		if at.Installed && !at.foreign {
			if at.Program != "" && !runs(at.Program) {
				at.starts = false
				at.Problem = "the program that it starts is no longer there: " + at.Program + "; recollect service install, with the program where it is now, mends that"
			}
			return at, m
		}
		if n == 0 {
			first = Installed{Manager: at.Manager}
		}
	}
	return first, nil
}

// choose gives the manager to install with.
func (i *Installer) choose() (manager, error) {
	switch {
	case i.main != nil:
		return i.main, nil
	case i.entry != nil && i.o.Autostart:
		return i.entry, nil
	}
	return nil, i.none
}

// Install has the service started from now on, and starts it. Done again it
// mends what changed since.
func (i *Installer) Install(ctx context.Context) (Installed, error) {
	if i.refused != nil {
		return Installed{}, i.refused
	}
	m, err := i.choose()
	if err != nil {
		return Installed{}, err
	}
	name, err := i.program(i.o.Program)
	if err != nil {
		return Installed{}, err
	}
	if at := m.look(ctx); at.foreign {
		return Installed{}, &RefusedError{at.Path + " was not written by Recollect and is left as it is", "look at it, and take it away if you don't need it"}
	}
	if _, before := i.find(ctx); before != nil && before != m {
		if err := i.take(ctx, before); err != nil {
			return Installed{}, err
		}
	}
	changed, err := i.put(ctx, m, plan{Program: name, Env: carry(i.o.Getenv, m != i.entry)})
	if err != nil {
		return Installed{}, err
	}
	if !i.o.NoStart {
		if err := i.begin(ctx, m, changed); err != nil {
			return i.State(ctx), err
		}
	}
	return i.State(ctx), nil
}

// put writes down what to start. What fails is taken back.
func (i *Installer) put(ctx context.Context, m manager, p plan) (changed bool, err error) {
	if i.o.System { // it works in another's home, where root writes nothing
		if changed, err = m.install(ctx, p); err != nil {
			err = errors.Join(err, m.uninstall(ctx))
		}
		return changed, err
	}
	first := !m.look(ctx).Installed
	if err := i.remember(p.Program, filepath.Dir(m.look(ctx).Path)); err != nil {
		return false, err
	}
	if changed, err = m.install(ctx, p); err != nil && first {
		err = errors.Join(err, m.uninstall(ctx), i.forget())
	}
	return changed, err
}

// begin starts what was installed, in place of what a person may have started
// by hand and of what was there before.
func (i *Installer) begin(ctx context.Context, m manager, changed bool) error {
	at := m.look(ctx)
	if at.Running && !changed {
		return nil
	}
	if at.Running {
		if err := m.stop(ctx); err != nil {
			return err
		}
	}
	if i.o.System {
		return m.start(ctx)
	}
	if !changed && !at.asks && i.answers(ctx) {
		return nil
	}
	if _, err := Quit(ctx, i.folder, i.o.Version); err != nil {
		return err
	}
	if err := m.start(ctx); err != nil {
		return err
	}
	return i.await(ctx, m)
}

// await waits until the service answers, but not for one that ends again and again.
func (i *Installer) await(ctx context.Context, m manager) error {
	const often = 2
	for began := time.Now(); ; {
		c, err := peer.Dial(ctx, peer.DialOptions{Folder: i.folder, Role: peer.Service, Version: i.o.Version, Wait: answerIn / 10})
		switch {
		case err == nil:
			return c.Close()
		case !errors.Is(err, peer.ErrNotRunning):
			return err
		}
		if at := m.look(ctx); at.asks && (at.Restarts >= often || at.starts) {
			return fmt.Errorf("it was started, but ends at once (last exit: %s): recollect service logs may tell why", at.LastExit)
		}
		if time.Since(began) > answerIn {
			return fmt.Errorf("it was started, but does not answer within %s: recollect service logs may tell why", answerIn)
		}
	}
}

// ErrNotInstalled says that the system does not start the service.
var ErrNotInstalled = errors.New("the service is not installed")

// Start starts the service that is installed, unless it runs.
func (i *Installer) Start(ctx context.Context) error {
	at, m := i.find(ctx)
	switch {
	case m == nil && i.refused != nil:
		return i.refused
	case m == nil && i.none != nil:
		return errors.Join(ErrNotInstalled, i.none)
	case m == nil:
		return ErrNotInstalled
	case at.Problem != "" && !at.starts:
		return &RefusedError{at.Problem, "recollect service install"}
	case i.refused != nil:
		return i.refused
	}
	if i.o.System {
		return m.start(ctx)
	}
	if i.answers(ctx) {
		return nil
	}
	if err := m.start(ctx); err != nil {
		return err
	}
	return i.await(ctx, m)
}

// answers says whether a service of the person runs, whoever started it.
func (i *Installer) answers(ctx context.Context) bool {
	c, err := peer.Dial(ctx, peer.DialOptions{Folder: i.folder, Role: peer.Service, Version: i.o.Version})
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// Stop ends the service that runs, by its manager if that started it, so that it
// stays ended. It gives the process that was asked; 0: none runs.
func (i *Installer) Stop(ctx context.Context) (pid int, err error) {
	if i.refused != nil && i.folder == "" {
		return 0, i.refused
	}
	if at, m := i.find(ctx); m != nil && at.asks && at.Running {
		if err := m.stop(ctx); err != nil {
			return 0, err
		}
		pid = at.PID
	}
	if i.o.System {
		return pid, nil
	}
	quit, err := Quit(ctx, i.folder, i.o.Version)
	if pid == 0 {
		pid = quit
	}
	return pid, err
}

// Restart is Stop and Start.
func (i *Installer) Restart(ctx context.Context) error {
	if _, m := i.find(ctx); m == nil {
		return i.Start(ctx) // it says why not
	}
	if _, err := i.Stop(ctx); err != nil {
		return err
	}
	return i.Start(ctx)
}

// Uninstall ends the service and has the system start it no longer, wherever it
// is installed. It gives what it took away; nothing if nothing was there.
func (i *Installer) Uninstall(ctx context.Context) ([]string, error) {
	if i.refused != nil {
		return nil, i.refused
	}
	var gone []string
	var failed error
	for _, m := range []manager{i.main, i.machine, i.entry} {
		if m == nil {
			continue
		}
		at := m.look(ctx)
		if !at.Installed || at.foreign {
			continue
		}
		if err := i.take(ctx, m); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		gone = append(gone, at.Path)
	}
	if i.o.System || failed != nil {
		return gone, failed
	}
	if _, err := Quit(ctx, i.folder, i.o.Version); err != nil {
		return gone, err
	}
	logs, err := removeLogs(i.dirs)
	gone = append(gone, logs...)
	return gone, errors.Join(err, peer.Clear(i.folder, peer.Service), i.forget())
}

// take stops and uninstalls.
func (i *Installer) take(ctx context.Context, m manager) error {
	if at := m.look(ctx); at.asks && at.Running {
		if err := m.stop(ctx); err != nil {
			return err
		}
	}
	return m.uninstall(ctx)
}
