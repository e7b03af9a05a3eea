package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/peer"
	"recollect/internal/service"
	"recollect/internal/service/desktop"
)

type serviceCmd struct {
	Run       serviceRunCmd       `cmd:"" help:"Work in the background, with a tray where there is one, until told to stop."`
	Install   serviceInstallCmd   `cmd:"" help:"Have it started when you log in, and start it."`
	Uninstall serviceUninstallCmd `cmd:"" help:"End it, and have it started no longer."`
	Status    serviceStatusCmd    `cmd:"" help:"Say whether the service is installed, whether it runs and what it does."`
	Start     serviceStartCmd     `cmd:"" help:"Start the service that is installed."`
	Stop      serviceStopCmd      `cmd:"" help:"End the service that runs."`
	Restart   serviceRestartCmd   `cmd:"" help:"End the service that is installed and start it again."`
	Logs      serviceLogsCmd      `cmd:"" help:"Show what the service said of itself."`
	Pause     servicePauseCmd     `cmd:"" help:"Let nothing run by itself, until resumed."`
	Resume    serviceResumeCmd    `cmd:"" help:"End a pause."`
}

type serviceRunCmd struct {
	NoTray bool `help:"Show no icon in the panel."`
	Unseen bool `hidden:"" help:"Leave the console that Windows opened for it."`
}

// Run implements the command. Being told to stop is how a service ends.
func (c *serviceRunCmd) Run(a *app) error {
	if err := service.CheckPerson(os.Getenv); err != nil && os.Getenv(config.EnvHome) == "" {
		return err
	}
	if c.Unseen {
		service.Unseen()
	}
	ctx, stop := signal.NotifyContext(a, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	dirs, _, err := service.Where(os.Getenv)
	if err != nil {
		return err
	}
	log, file := service.OpenLog(dirs, a.err)
	defer file.Close()
	o := service.Options{
		Crashes: true,
		Problem: file.Trouble,
		Engine:  engine.Options{Version: programVersion()},
		Notify:  desktop.NewNotifier(log).Notify,
		Log:     log,
	}
	if a.tray != nil && !c.NoTray {
		o.Tray = a.tray(log)
	}
	err = service.Run(ctx, o)
	if errors.Is(err, peer.ErrRunning) {
		a.noteRunning()
		return nil
	}
	return err
}

// noteRunning says which service runs already.
func (a *app) noteRunning() {
	const already = "the service of this user runs already"
	c, err := a.dial()
	var told *peer.Error
	switch {
	case errors.As(err, &told):
		a.note("%s: %s", already, plain(told.Message))
		return
	case err != nil:
		a.note("%s; recollect service status tells more", already)
		return
	}
	defer c.Close()
	a.note("%s (process %d, version %s); recollect service status tells more", already, c.Hello().PID, plain(c.Hello().Version))
	if c.Hello().Version != programVersion() {
		a.note("this is version %s: to have it run instead, recollect service stop, and start this one", plain(programVersion()))
	}
}

type serviceStatusCmd struct{}

// Run implements the command.
func (c *serviceStatusCmd) Run(a *app) error {
	st, err := a.serviceStatus()
	if err != nil {
		return err
	}
	whole := a.wholeStatus(st)
	return a.print(whole, func(w io.Writer) {
		writeStatus(w, st)
		writeInstalled(w, whole)
	})
}

// serviceStatus is that of the service, or of none.
func (a *app) serviceStatus() (service.Status, error) {
	st, err := a.askStatus()
	if !errors.Is(err, peer.ErrNotRunning) && !errors.Is(err, peer.ErrGone) { // it may end in this very moment
		return st, err
	}
	dirs, _, err := service.Where(os.Getenv)
	if err != nil {
		return service.Status{}, err
	}
	paused, err := service.Paused(dirs)
	return service.Status{Paused: paused}, err
}

func (a *app) askStatus() (st service.Status, err error) {
	c, err := a.dial()
	if err != nil {
		return st, err
	}
	defer c.Close()
	err = c.Call(a, "status", nil, &st)
	return st, err
}

func writeStatus(w io.Writer, st service.Status) {
	paused := ""
	if st.Paused {
		paused = ", paused"
	}
	if !st.Running {
		fmt.Fprintf(w, "not running%s\n", paused)
		return
	}
	fmt.Fprintf(w, "running%s: process %d, version %s, since %s\n", paused, st.PID, plain(st.Version), when(st.Started))
	fmt.Fprintln(w, plain(st.Sentence))
	if st.Problem != "" {
		fmt.Fprintf(w, "problem: %s\n", plain(st.Problem))
	}
	rows := [][]string{}
	for _, j := range append(st.Jobs, st.Last...) {
		at := j.Ended
		if at.IsZero() {
			at = j.Started
		}
		state := string(j.State)
		if j.Problem != nil {
			state += ": " + short(plain(j.Problem.Message), 80)
		}
		rows = append(rows, []string{fmt.Sprint(j.ID), when(at), string(j.Kind), j.Project, state})
	}
	if len(rows) > 0 {
		table(w, []string{"JOB", "TIME", "KIND", "PROJECT", "STATE"}, rows)
	}
}

// dial talks to the service of this person.
func (a *app) dial() (*peer.Client, error) {
	_, folder, err := service.Where(os.Getenv)
	if err != nil {
		return nil, err
	}
	return peer.Dial(a, peer.DialOptions{Folder: folder, Role: peer.Service, Version: programVersion()})
}

type servicePauseCmd struct{}

// Run implements the command.
func (c *servicePauseCmd) Run(a *app) error { return a.pause(true) }

type serviceResumeCmd struct{}

// Run implements the command.
func (c *serviceResumeCmd) Run(a *app) error { return a.pause(false) }

// pause tells the service, or writes down what holds from its next start on.
func (a *app) pause(paused bool) error {
	method := "resume"
	if paused {
		method = "pause"
	}
	c, err := a.dial()
	switch {
	case errors.Is(err, peer.ErrNotRunning):
		dirs, _, err := service.Where(os.Getenv)
		if err != nil {
			return err
		}
		if err := service.SetPaused(dirs, paused); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		defer c.Close()
		if err := c.Call(a, method, nil, nil); err != nil {
			return err
		}
	}
	st, err := a.serviceStatus()
	if err != nil {
		return err
	}
	return a.print(st, func(w io.Writer) { writeStatus(w, st) })
}

type openCmd struct {
	Screen string `placeholder:"NAME" help:"The screen to show: projects, memory, review, …"`
}

// Run implements the command.
func (c *openCmd) Run(a *app) error {
	_, folder, err := service.Where(os.Getenv)
	if err != nil {
		return err
	}
	o := service.OpenOptions{Folder: folder, Version: programVersion(), Screen: c.Screen}
	if a.project != "" {
		e, err := a.open(historyFlags{})
		if err != nil {
			return err
		}
		o.Root = e.Root()
		e.Close()
	}
	opened, err := service.OpenWindow(a, o)
	if err != nil {
		return err
	}
	return a.print(opened, func(w io.Writer) {
		if opened.Started {
			fmt.Fprintf(w, "opened (process %d)\n", opened.PID)
			return
		}
		fmt.Fprintf(w, "was open, brought forward (process %d)\n", opened.PID)
	})
}
