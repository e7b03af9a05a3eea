package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"recollect/internal/engine"
	"recollect/internal/peer"
	"recollect/internal/service"
)

type serviceInstallCmd struct {
	Autostart bool   `help:"Use the desktop's autostart where there is no service manager."`
	System    bool   `help:"Install a service of the machine that works for the person named with --user. Needs root; your own needs none."`
	User      string `placeholder:"NAME" help:"Whom a service of the machine works for; not root."`
	NoStart   bool   `help:"Start it at the next login and not now."`
	Print     bool   `help:"Print what would be written, for this system, and install nothing."`
	Program   string `placeholder:"PATH" help:"With --print: where the program is, if not here."`
}

// check keeps --system and --user together.
func (c *serviceInstallCmd) check() error { return checkSystem(c.System, c.User) }

func checkSystem(system bool, user string) error {
	switch {
	case system && user == "":
		return usagef("--system needs --user NAME: the person whose memory the service keeps")
	case user != "" && !system:
		return usagef("--user goes with --system; without both, the service is your own")
	}
	return nil
}

// Run implements the command.
func (c *serviceInstallCmd) Run(a *app) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Print {
		return c.print(a)
	}
	if c.Program != "" {
		return usagef("--program goes with --print")
	}
	if err := service.CheckProject(a.project); err != nil {
		return err
	}
	i := service.NewInstaller(service.InstallOptions{Version: programVersion(), Autostart: c.Autostart, System: c.System, User: c.User, NoStart: c.NoStart})
	at, err := i.Install(a)
	if err != nil {
		return err
	}
	return a.print(at, func(w io.Writer) {
		fmt.Fprintf(w, "installed with %s: %s\n", at.Manager, plain(at.Path))
		switch {
		case c.System:
			fmt.Fprintf(w, "it starts with the machine and works for %s\n", plain(c.User))
		case at.Manager == "systemd":
			fmt.Fprintln(w, "it starts when you log in, again within seconds if it crashes, and ends when you log out (loginctl enable-linger keeps it)")
		default:
			fmt.Fprintln(w, "it starts when you log in")
		}
		if at.Running {
			fmt.Fprintf(w, "running: process %d\n", at.PID)
		}
	})
}

// print shows what an installation would write.
func (c *serviceInstallCmd) print(a *app) error {
	if c.System {
		return usagef("--print is about a service of your own")
	}
	program := c.Program
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return err
		}
	}
	if !filepath.IsAbs(program) {
		return usagef("--program takes an absolute path")
	}
	text := service.Template(runtime.GOOS, program)
	return a.print(map[string]string{"program": program, "text": text}, func(w io.Writer) { io.WriteString(w, text) })
}

type serviceUninstallCmd struct {
	System bool   `help:"Uninstall the service of the machine that works for --user."`
	User   string `placeholder:"NAME" help:"Whom it works for."`
}

// gone is what was taken away.
type gone struct {
	Removed []string `json:"removed"`
}

// Run implements the command.
func (c *serviceUninstallCmd) Run(a *app) error {
	if err := checkSystem(c.System, c.User); err != nil {
		return err
	}
	i := service.NewInstaller(service.InstallOptions{Version: programVersion(), System: c.System, User: c.User})
	removed, err := i.Uninstall(a)
	if err != nil {
		return err
	}
	if removed == nil {
		removed = []string{}
	}
	return a.print(gone{removed}, func(w io.Writer) {
		if len(removed) == 0 {
			fmt.Fprintln(w, "not installed; nothing to remove")
		}
		for _, path := range removed {
			fmt.Fprintf(w, "removed %s\n", plain(path))
		}
	})
}

func (a *app) installer() *service.Installer {
	return service.NewInstaller(service.InstallOptions{Version: programVersion()})
}

type serviceStartCmd struct{}

// Run implements the command.
func (c *serviceStartCmd) Run(a *app) error {
	if err := a.installer().Start(a); err != nil {
		return err
	}
	return (&serviceStatusCmd{}).Run(a)
}

type serviceRestartCmd struct{}

// Run implements the command.
func (c *serviceRestartCmd) Run(a *app) error {
	if err := a.installer().Restart(a); err != nil {
		return err
	}
	return (&serviceStatusCmd{}).Run(a)
}

type serviceStopCmd struct{}

type stopAnswer struct {
	Stopped bool `json:"stopped"`
	PID     int  `json:"pid,omitempty"`
}

// Run implements the command. It returns when the service has ended.
func (c *serviceStopCmd) Run(a *app) error {
	answer := stopAnswer{}
	pid, err := a.installer().Stop(a)
	if err != nil {
		return err
	}
	answer.Stopped, answer.PID = pid != 0, pid
	return a.print(answer, func(w io.Writer) {
		if pid == 0 {
			fmt.Fprintln(w, "not running")
			return
		}
		fmt.Fprintf(w, "stopped (process %d)\n", pid)
	})
}

// wholeStatus is how the service stands, with what started it.
type wholeStatus struct {
	service.Status
	Install service.Installed `json:"install"`
	Log     string            `json:"log,omitempty"` // the file; it need not be there yet
	Crash   *service.Crash    `json:"crash,omitempty"`
}

func (a *app) wholeStatus(st service.Status) wholeStatus {
	whole := wholeStatus{Status: st, Install: a.installer().State(a)}
	if dirs, _, err := service.Where(os.Getenv); err == nil {
		whole.Log, whole.Crash = service.LogFile(dirs), service.LastCrash(dirs)
	}
	return whole
}

// writeInstalled tells what a person can do something about.
func writeInstalled(w io.Writer, st wholeStatus) {
	at := st.Install
	switch {
	case at.Installed:
		how := "starts when you log in"
		if !at.Enabled {
			how = "is turned off, and not started when you log in"
		}
		fmt.Fprintf(w, "installed with %s, %s: %s\n", at.Manager, how, plain(at.Path))
		fmt.Fprintf(w, "it starts %s\n", plain(at.Program))
	case at.Supported:
		fmt.Fprintln(w, "not installed: recollect service install has it started when you log in")
	default:
		fmt.Fprintf(w, "not installed: %s\n", plain(at.Why))
	}
	if at.PID > 0 && !st.Running {
		fmt.Fprintf(w, "process %d runs, but does not answer here: it may just be starting, or has its folders elsewhere (RECOLLECT_HOME)\n", at.PID)
	}
	if at.Restarts > 0 {
		fmt.Fprintf(w, "started again after a crash: %s\n", number(at.Restarts, "time", "times"))
	}
	if at.LastExit != "" {
		fmt.Fprintf(w, "last exit: %s\n", plain(at.LastExit))
	}
	if at.Problem != "" {
		fmt.Fprintf(w, "problem: %s\n", plain(at.Problem))
	}
	if st.Running && st.Version != programVersion() {
		fmt.Fprintf(w, "another version runs than this one (%s): recollect service restart\n", plain(programVersion()))
	}
	if st.Crash != nil {
		fmt.Fprintf(w, "last crash: %s, %s\n", when(st.Crash.At), plain(st.Crash.File))
	}
	if st.Log != "" {
		fmt.Fprintf(w, "log: %s\n", plain(st.Log))
	}
}

// serviceLine is the service in a line of a status; one that can't be asked is as
// good as none, but for one that answers in words of another version.
func (a *app) serviceLine() engine.ServiceStatus {
	st, err := a.serviceStatus()
	var told *peer.Error
	if err != nil {
		return engine.ServiceStatus{Running: errors.As(err, &told)}
	}
	return engine.ServiceStatus{Running: st.Running, Paused: st.Paused, Version: st.Version}
}

func serviceWords(s engine.ServiceStatus) string {
	switch {
	case s.Running && s.Paused:
		return "the service runs, paused: recollect service resume"
	case s.Running:
		return "the service runs: recollect service status"
	}
	return "the service does not run: recollect service status"
}

// diagnoseService adds how it is with the service to what a doctor found.
func (a *app) diagnoseService(d *engine.Diagnosis) {
	at := a.installer().State(a)
	value := "not installed"
	switch {
	case at.Installed:
		value = "installed with " + at.Manager + ": " + at.Path
	case at.Why != "":
		value += ": " + at.Why
	}
	d.Facts = append(d.Facts, engine.Fact{Name: "service", Value: value})
	if at.Problem != "" {
		d.Findings = append(d.Findings, engine.Finding{Where: "service", What: at.Problem})
	}
	dirs, _, err := service.Where(os.Getenv)
	if err != nil {
		return
	}
	if crash := service.LastCrash(dirs); crash != nil && time.Since(crash.At) < crashIsNews {
		d.Findings = append(d.Findings, engine.Finding{Where: crash.File, What: "the service crashed on " + when(crash.At) + "; the file says where, and stays on this machine"})
	}
}

// crashIsNews is how long a doctor tells of a crash.
const crashIsNews = 7 * 24 * time.Hour

type serviceLogsCmd struct {
	Follow bool `short:"f" help:"Go on with what is said from now on, until Ctrl-C."`
	Lines  int  `short:"n" default:"50" placeholder:"N" help:"Show the last N lines."`
}

// maxLogLines is more than anyone reads.
const maxLogLines = 100_000

// Run implements the command. With --json each line is an object.
func (c *serviceLogsCmd) Run(a *app) error {
	if c.Lines < 0 || c.Lines > maxLogLines {
		return usagef("the number of lines is from 0 to %d", maxLogLines)
	}
	dirs, _, err := service.Where(os.Getenv)
	if err != nil {
		return err
	}
	write := func(line string) error {
		switch {
		case !a.json:
			line = plain(service.LogLine(line))
		case !json.Valid([]byte(line)): // a full disk cut it off
			return nil
		}
		_, err := fmt.Fprintln(a.out, line)
		return err
	}
	if c.Follow {
		if err := service.FollowLogs(a, dirs, c.Lines, write); !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	}
	lines, err := service.LastLogs(dirs, c.Lines)
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		a.note("the service has said nothing yet (%s)", service.LogFile(dirs))
	}
	for _, l := range lines {
		if err := write(l); err != nil {
			return err
		}
	}
	return nil
}
