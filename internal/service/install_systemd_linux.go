package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	manage "github.com/kardianos/service"
)

// managers gives what starts programs here.
func managers(o InstallOptions) (main, desktop, machine manager, none error) {
	if o.System {
		s, err := newMachine(o.User)
		if err != nil {
			return nil, nil, nil, err
		}
		return s, nil, nil, nil
	}
	desktop = newEntry(o.Getenv)
	s := &systemd{name: "recollect"}
	if home := o.Getenv("HOME"); filepath.IsAbs(home) {
		s.path = filepath.Join(home, ".config", "systemd", "user", "recollect.service")
	}
	if u, err := user.Current(); err == nil {
		m := &systemd{name: "recollect-" + u.Username, path: machinePath(u.Username), machine: true}
		if _, found, _ := readOurs(m.path); found {
			machine = m
		}
	}
	if none = userManager(o.Getenv); none == nil {
		return s, desktop, machine, nil
	}
	if _, found, _ := readOurs(s.path); found { // what is there can be taken away all the same
		s.gone = none
		return s, desktop, machine, nil
	}
	return nil, desktop, machine, none
}

// userManager says why systemd does not manage services of this person.
func userManager(getenv func(string) string) error {
	if err := machineManager(); err != nil {
		return err
	}
	dir := getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		dir = "/run/user/" + strconv.Itoa(os.Geteuid())
	}
	if _, err := os.Stat(filepath.Join(dir, "systemd", "private")); err != nil {
		return &NoManagerError{"systemd runs here, but not for you as a user: no session of yours is open",
			"log in rather than use su, or have an administrator run loginctl enable-linger for you"}
	}
	return nil
}

func machineManager() error {
	if info, err := os.Stat("/run/systemd/system"); err != nil || !info.IsDir() {
		return &NoManagerError{Why: "there is no service manager here that starts services of a person: systemd does not run (a container, WSL 1, or another init system)"}
	}
	if _, err := exec.LookPath("systemctl"); err != nil {
		return &NoManagerError{Why: "systemd runs here, but systemctl is not in PATH"}
	}
	return nil
}

func machinePath(name string) string { return "/etc/systemd/system/recollect-" + name + ".service" }

// newMachine is a service of the machine that works for a person.
func newMachine(name string) (*systemd, error) {
	u, err := user.Lookup(name)
	switch {
	case err != nil:
		return nil, &RefusedError{"there is no user " + strconv.Quote(name), "name the person whose memory it is: --user NAME"}
	case u.Uid == "0":
		return nil, &RefusedError{"a service of the machine does not work for root", "name the person whose memory it is: --user NAME"}
	case os.Geteuid() != 0:
		return nil, &RefusedError{"only root can install a service of the machine", "sudo recollect service install --system --user " + name + "; without --system it is your own and needs no root"}
	}
	if err := machineManager(); err != nil {
		return nil, err
	}
	return &systemd{name: "recollect-" + u.Username, path: machinePath(u.Username), machine: true, user: u.Username, uid: u.Uid}, nil
}

// systemd manages a unit of the person, or of the machine.
type systemd struct {
	name      string // of the unit
	path      string
	machine   bool
	user, uid string // that a unit of the machine is for
	gone      error  // why it can't be asked
}

// look implements manager.
func (s *systemd) look(ctx context.Context) Installed {
	at := Installed{Manager: "systemd", Path: s.path, asks: s.gone == nil}
	if s.machine {
		at.Manager = "systemd (machine)"
	}
	text, found, ours := readOurs(s.path)
	at.Installed, at.foreign = found, found && !ours
	at.Program = programOfUnit(text)
	if s.gone != nil {
		at.Problem = s.gone.Error()
		return at
	}
	out, err := s.ask(ctx, "show", s.name+".service", "--property=UnitFileState,ActiveState,SubState,MainPID,NRestarts,Result,ExecMainCode,ExecMainStatus,ExecMainExitTimestamp,ConditionResult")
	if err != nil {
		at.Problem = err.Error()
		return at
	}
	tellUnit(&at, out)
	return at
}

// tellUnit reads what systemctl show prints.
func tellUnit(at *Installed, out string) {
	p := map[string]string{}
	for l := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSpace(l), "=")
		p[name] = value
	}
	at.Enabled = p["UnitFileState"] == "enabled"
	at.Running = p["ActiveState"] == "active" || p["ActiveState"] == "activating" || p["ActiveState"] == "deactivating"
	at.PID, _ = strconv.Atoi(p["MainPID"])
	at.Restarts, _ = strconv.Atoi(p["NRestarts"])
	status := p["ExecMainStatus"]
	switch p["ExecMainCode"] { // as waitid has it: 0 is none yet
	case "1":
		at.LastExit = "exit status " + status
	case "2", "3":
		at.LastExit = "killed by signal " + status
	default:
		return
	}
	if when := p["ExecMainExitTimestamp"]; when != "" {
		at.LastExit += ", " + when
	}
	if p["Result"] == "start-limit-hit" || p["ActiveState"] == "failed" {
		at.starts = true
		at.Problem = "systemd gave it up (" + p["Result"] + "): recollect service logs tells what happened, recollect service start tries again"
	}
}

// install implements manager.
func (s *systemd) install(ctx context.Context, p plan) (bool, error) {
	if s.gone != nil {
		return false, s.gone
	}
	p.User, p.UID = s.user, s.uid
	if s.machine {
		p.Env = nil // those of root are not the person's
	}
	text := unitText(p)
	if before, found, _ := readOurs(s.path); found {
		if before == text && s.look(ctx).Enabled {
			return false, nil
		}
		if err := s.remove(ctx); err != nil {
			return false, err
		}
	}
	err := s.manage(ctx, text, manage.Service.Install)
	if err != nil { // the library drops what systemd says
		_, why := s.ask(ctx, "enable", s.name+".service")
		err = errors.Join(err, why)
	}
	return true, err
}

// uninstall implements manager.
func (s *systemd) uninstall(ctx context.Context) error {
	if err := s.remove(ctx); err != nil {
		return err
	}
	if s.gone == nil {
		// A unit that failed is kept in mind until it is forgotten.
		_, _ = s.ask(ctx, "reset-failed", s.name+".service")
	}
	return nil
}

// remove disables the unit and removes its file; by hand if systemd can't be
// asked, as in the middle of a failed install.
func (s *systemd) remove(ctx context.Context) error {
	var refused *RefusedError
	switch err := s.manage(ctx, "", manage.Service.Uninstall); {
	case err == nil, errors.As(err, &refused):
		return err
	}
	wants := "default.target.wants"
	if s.machine {
		wants = "multi-user.target.wants"
	}
	dir := filepath.Dir(s.path)
	err := errors.Join(remove(filepath.Join(dir, wants, s.name+".service")), remove(s.path))
	removeEmpty([]string{filepath.Join(dir, wants)})
	if s.gone == nil {
		_, _ = s.ask(ctx, "daemon-reload")
	}
	return err
}

// start implements manager. One that crashed too often is given another chance.
func (s *systemd) start(ctx context.Context) error {
	if err := s.closed(); err != nil {
		return err
	}
	_, _ = s.ask(ctx, "reset-failed", s.name+".service")
	if _, err := s.ask(ctx, "start", s.name+".service"); err != nil {
		last := s.look(ctx).LastExit
		if last == "" {
			last = "none known"
		}
		return fmt.Errorf("it could not be started (last exit: %s), recollect service logs may tell why: %w", last, err)
	}
	return nil
}

// stop implements manager.
func (s *systemd) stop(ctx context.Context) error {
	if err := s.closed(); err != nil {
		return err
	}
	_, err := s.ask(ctx, "stop", s.name+".service")
	return err
}

// closed says why nothing may be changed.
func (s *systemd) closed() error {
	if s.machine && os.Geteuid() != 0 {
		return &RefusedError{"the service was installed for the machine, and only root can change that", "sudo recollect service uninstall --system --user NAME"}
	}
	return s.gone
}

// managerWait is how long the manager has for one request; stopping takes up to
// half a minute by itself.
const managerWait = 60 * time.Second

// manage has the library do something with a unit of this text. The library
// knows no limit of time.
func (s *systemd) manage(ctx context.Context, text string, do func(manage.Service) error) error {
	if err := s.closed(); err != nil {
		return err
	}
	s.findRuntime()
	ctx, cancel := context.WithTimeout(ctx, managerWait)
	defer cancel()
	svc, err := manage.New(idle{}, &manage.Config{
		Name: s.name, Executable: "/proc/self/exe",
		Option: manage.KeyValue{"UserService": !s.machine, "SystemdScript": text},
	})
	if err != nil {
		return err
	}
	if p := svc.Platform(); p != "linux-systemd" {
		return &NoManagerError{Why: "there is no systemd here, but " + p}
	}
	done := make(chan error, 1)
	go func() { done <- do(svc) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("systemd did not answer: %w", ctx.Err())
	}
}

// findRuntime names the folder of the person's manager, where a login did not:
// systemctl finds it in no other way.
func (s *systemd) findRuntime() {
	if !s.machine && os.Getenv("XDG_RUNTIME_DIR") == "" {
		_ = os.Setenv("XDG_RUNTIME_DIR", "/run/user/"+strconv.Itoa(os.Geteuid()))
	}
}

// idle stands in for a program that the library would run.
type idle struct{}

// Start implements the library's interface.
func (idle) Start(manage.Service) error { return nil }

// Stop implements the library's interface.
func (idle) Stop(manage.Service) error { return nil }

// ask runs systemctl.
func (s *systemd) ask(ctx context.Context, args ...string) (string, error) {
	s.findRuntime()
	if !s.machine {
		args = append([]string{"--user"}, args...)
	}
	ctx, cancel := context.WithTimeout(ctx, managerWait)
	defer cancel()
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, "systemctl", args...)
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("systemctl: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return out.String(), nil
}
