package service

import (
	"strings"
	"testing"
)

var awkward = []string{
	"/usr/bin/recollect",
	"/home/o'brien/.local/bin/recollect",
	`/opt/we ird $HOME %h "q" \b é/recollect`,
	`C:\Program Files\Recollect\bin\recollect.exe`,
	"/opt/a&b<c>/recollect",
	"/opt/`id`/$(id)/recollect",
}

// Every text says which program it starts, whatever that is called.
func TestProgramIsReadBack(t *testing.T) {
	t.Parallel()
	for _, p := range awkward {
		checkReadBack(t, plan{Program: p, Env: []string{"RECOLLECT_HOME=/data/100% \"mine\""}})
	}
}

func checkReadBack(t *testing.T, p plan) {
	t.Helper()
	if got := programOfUnit(unitText(p)); got != p.Program {
		t.Errorf("unit: %q, want %q", got, p.Program)
	}
	if got, off := programOfEntry(entryText(p)); got != p.Program || off {
		t.Errorf("entry: %q, %t, want %q", got, off, p.Program)
	}
	if got := programOfAgent(agentText(p, "label")); got != p.Program {
		t.Errorf("agent: %q, want %q", got, p.Program)
	}
	if strings.Contains(p.Program, `"`) { // no path has one where there is a Run key
		return
	}
	if got := programOfRunKey(runKeyText(p)); got != p.Program {
		t.Errorf("Run key: %q, want %q", got, p.Program)
	}
}

func FuzzProgramIsReadBack(f *testing.F) {
	for _, p := range awkward {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		if p == "" || p != strings.TrimSpace(p) || strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Skip("refused before it is written")
		}
		checkReadBack(t, plan{Program: p})
	})
}

func FuzzForeignTexts(f *testing.F) {
	f.Add(unitText(plan{Program: "/x"}))
	f.Add(entryText(plan{Program: "/x"}))
	f.Add(agentText(plan{Program: "/x"}, "label"))
	f.Fuzz(func(_ *testing.T, text string) {
		programOfUnit(text)
		programOfEntry(text)
		programOfAgent(text)
		programOfRunKey(text)
	})
}

func TestUnitText(t *testing.T) {
	t.Parallel()
	want := `# Written by: recollect service install
[Unit]
Description=Recollect: keeps the memory of your assistants
ConditionFileIsExecutable=/opt/a b %%h/recollect
StartLimitIntervalSec=60
StartLimitBurst=10

[Service]
Type=exec
ExecStart="/opt/a b %%h/recollect" service run
Environment="PATH=/a b:/c%%"
Restart=on-failure
RestartSec=2
TimeoutStopSec=30
KillMode=process
OOMPolicy=continue
LimitCORE=0
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK

[Install]
WantedBy=default.target
`
	if got := unitText(plan{Program: "/opt/a b %h/recollect", Env: []string{"PATH=/a b:/c%"}}); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := unitText(plan{Program: `/o'b/$x "y"`}); !strings.Contains(got, `ExecStart=/usr/bin/env "/o'b/$$x \"y\"" service run`) {
		t.Errorf("got\n%s", got)
	}
	machine := unitText(plan{Program: "/x", User: "bob", UID: "1000"})
	for _, line := range []string{"User=bob", "Requires=user@1000.service", "After=user@1000.service", "Environment=XDG_RUNTIME_DIR=/run/user/1000", "WantedBy=multi-user.target"} {
		if !strings.Contains(machine, line+"\n") {
			t.Errorf("no %s in\n%s", line, machine)
		}
	}
}

func TestEntryText(t *testing.T) {
	t.Parallel()
	got := entryText(plan{Program: `/opt/a b "q" $x %h \z/recollect`, Env: []string{"RECOLLECT_HOME=/d"}})
	want := `Exec=env "RECOLLECT_HOME=/d" "/opt/a b \\"q\\" \\$x %%h \\\\z/recollect" service run`
	if !strings.Contains(got, want+"\n") {
		t.Errorf("no %s in\n%s", want, got)
	}
	for _, off := range []string{"Hidden=true\n", "X-GNOME-Autostart-enabled=false\n"} {
		if _, is := programOfEntry(got + off); !is {
			t.Errorf("an entry with %q is not off", off)
		}
	}
}

func TestTemporary(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/tmp/recollect": true, "/tmp/go-build1/b001/exe/recollect": true, "/home/x/.cache/go-build/ab/recollect": true, "/var/tmp/x/recollect": true,
		"/usr/bin/recollect": false, "/tmpfiles/recollect": false, "/home/x/tmp/recollect": false,
	} {
		if got := temporary(path); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}
