package service

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// A service that crashes again and again is given up, which is told with what to
// do; a start gives it another chance.
func TestSystemdGivesUp(t *testing.T) {
	m := bootMachine(t)
	program := m.build("/opt/recollect")
	m.run("loginctl", "enable-linger", person)
	until(t, "the person's manager runs", func() bool {
		_, err := m.try("test", "-S", "/run/user/"+m.uid()+"/systemd/private")
		return err == nil
	})
	words := func(args ...string) string {
		t.Helper()
		return m.run(asPerson(append([]string{program}, args...)...)...)
	}
	status := func() (s whole) {
		t.Helper()
		if err := json.Unmarshal([]byte(words("service", "status", "--json")), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	words("service", "install")
	began, kills := time.Now(), 0
	until(t, "systemd gives it up", func() bool {
		if _, err := m.try("pkill", "-KILL", "-u", person, "-x", "recollect"); err == nil {
			kills++
		}
		time.Sleep(100 * time.Millisecond)
		return strings.Contains(status().Install.Problem, "gave it up")
	})
	t.Logf("given up after %d kills, %s", kills, time.Since(began).Round(time.Second))
	if kills < 5 || kills > 12 {
		t.Errorf("given up after %d kills", kills)
	}
	s := status()
	if s.Running || s.Install.Running || !s.Install.Installed || !s.Install.Enabled || !strings.Contains(s.Install.LastExit, "killed by signal 9") {
		t.Errorf("after it was given up: %+v", s)
	}
	out := words("service", "status")
	t.Logf("status:\n%s", out)
	for _, want := range []string{"not running", "problem: systemd gave it up", "recollect service logs tells", "recollect service start tries again", "started again after a crash: "} {
		if !strings.Contains(out, want) {
			t.Errorf("service status does not say %q", want)
		}
	}
	words("service", "start")
	if s = status(); !s.Running || !s.Install.Running || s.Install.Problem != "" || s.Install.Restarts != 0 {
		t.Errorf("after a start: %+v", s)
	}
	testEndsAtOnce(t, m, program)
	words("service", "uninstall")
	if out := words("service", "status"); strings.Contains(out, "gave it up") {
		t.Errorf("after it was uninstalled:\n%s", out)
	}
}

// testEndsAtOnce has a program take the place of ours that can't work, and puts ours
// back.
func testEndsAtOnce(t *testing.T, m *machine, program string) {
	aside := program + ".aside"
	m.run("mv", program, aside)
	m.run("sh", "-c", `printf '#!/bin/sh\nsleep 0.2\nexit 7\n' >"$0" && chmod 755 "$0"`, program)
	began := time.Now()
	out, err := m.try(asPerson(aside, "service", "restart")...)
	t.Logf("a restart of one that ends at once, %s:\n%s", time.Since(began).Round(time.Second), out)
	if err == nil || !strings.Contains(out, "(last exit: exit status 7") || !strings.Contains(out, "recollect service logs may tell why") {
		t.Errorf("a restart of one that ends at once: %v\n%s", err, out)
	}
	until(t, "systemd gives it up", func() bool {
		out = m.run(asPerson(aside, "service", "status")...)
		return strings.Contains(out, "gave it up")
	})
	t.Logf("given up %s after the restart:\n%s", time.Since(began).Round(time.Second), out)
	if !strings.Contains(out, "last exit: exit status 7") {
		t.Error("it is not said how it ended")
	}
	m.run("mv", aside, program)
	m.run(asPerson(program, "service", "install")...)
	if out := m.run(asPerson(program, "service", "status")...); !strings.HasPrefix(out, "running") || strings.Contains(out, "problem: ") {
		t.Errorf("after the program was put back:\n%s", out)
	}
}
