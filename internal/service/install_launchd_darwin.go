package service

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	manage "github.com/kardianos/service"
)

// managers gives what starts programs here.
func managers(o InstallOptions) (main, desktop, machine manager, none error) {
	if o.System {
		return nil, nil, nil, &RefusedError{"a service of the machine could not read a person's keychain on macOS", "install it without --system"}
	}
	home := o.Getenv("HOME")
	if !filepath.IsAbs(home) {
		return nil, nil, nil, &NoManagerError{Why: "no home folder is known"}
	}
	return &launchd{filepath.Join(home, "Library", "LaunchAgents", label+".plist")}, nil, nil, nil
}

// launchd manages an agent of the person.
type launchd struct{ path string }

var (
	agentPID  = regexp.MustCompile(`"PID" = (\d+);`)
	agentExit = regexp.MustCompile(`"LastExitStatus" = (\d+);`)
)

// look implements manager.
func (l *launchd) look(ctx context.Context) Installed {
	at := Installed{Manager: "launchd", Path: l.path, asks: true}
	text, found, ours := readOurs(l.path)
	at.Installed, at.foreign, at.Enabled = found, found && !ours, found
	at.Program = programOfAgent(text)
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "launchctl", "list", label).Output()
	if err != nil {
		return at // it is not loaded
	}
	if m := agentPID.FindSubmatch(out); m != nil {
		at.PID, _ = strconv.Atoi(string(m[1]))
	}
	at.Running = at.PID > 0
	if m := agentExit.FindSubmatch(out); m != nil && !at.Running {
		at.LastExit = "wait status " + string(m[1])
	}
	return at
}

// install implements manager.
func (l *launchd) install(_ context.Context, p plan) (bool, error) {
	text := agentText(p, label)
	if before, found, _ := readOurs(l.path); found {
		if before == text {
			return false, nil
		}
		if err := l.manage("", manage.Service.Uninstall); err != nil {
			return false, err
		}
	}
	return true, l.manage(text, manage.Service.Install)
}

// uninstall implements manager.
func (l *launchd) uninstall(context.Context) error {
	if _, err := os.Lstat(l.path); err != nil {
		return nil
	}
	return l.manage("", manage.Service.Uninstall)
}

// start implements manager. An agent that is loaded and ended is started, one
// that is not loaded starts when it is.
func (l *launchd) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if exec.CommandContext(ctx, "launchctl", "list", label).Run() == nil {
		return exec.CommandContext(ctx, "launchctl", "start", label).Run()
	}
	return l.manage("", manage.Service.Start)
}

// stop implements manager. It stays unloaded until it is started or the person
// logs in.
func (l *launchd) stop(context.Context) error { return l.manage("", manage.Service.Stop) }

func (l *launchd) manage(text string, do func(manage.Service) error) error {
	svc, err := manage.New(idle{}, &manage.Config{
		Name: strings.TrimSuffix(filepath.Base(l.path), ".plist"), Executable: "/usr/bin/true",
		Option: manage.KeyValue{"UserService": true, "LaunchdConfig": text},
	})
	if err != nil {
		return err
	}
	return do(svc)
}

// idle stands in for a program that the library would run.
type idle struct{}

// Start implements the library's interface.
func (idle) Start(manage.Service) error { return nil }

// Stop implements the library's interface.
func (idle) Stop(manage.Service) error { return nil }
