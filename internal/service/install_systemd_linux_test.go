package service

import (
	"strings"
	"testing"
)

func TestTellUnit(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		out     string
		want    Installed
		problem string
	}{
		"running": {out: "MainPID=42\nNRestarts=3\nResult=success\nExecMainCode=0\nExecMainStatus=0\nUnitFileState=enabled\nActiveState=active\nSubState=running\n",
			want: Installed{Enabled: true, Running: true, PID: 42, Restarts: 3}},
		"ended": {out: "MainPID=0\nNRestarts=0\nResult=success\nExecMainCode=1\nExecMainStatus=0\nExecMainExitTimestamp=Sat 2026-11-28 03:00:00 UTC\nUnitFileState=disabled\nActiveState=inactive\n",
			want: Installed{LastExit: "exit status 0, Sat 2026-11-28 03:00:00 UTC"}},
		"gave up": {out: "MainPID=0\nNRestarts=10\nResult=start-limit-hit\nExecMainCode=3\nExecMainStatus=6\nUnitFileState=enabled\nActiveState=failed\n",
			want: Installed{Enabled: true, Restarts: 10, LastExit: "killed by signal 6", starts: true}, problem: "gave it up (start-limit-hit)"},
		"between": {out: "ActiveState=activating\nSubState=auto-restart\nResult=exit-code\nExecMainCode=1\nExecMainStatus=2\nNRestarts=1\n",
			want: Installed{Running: true, Restarts: 1, LastExit: "exit status 2"}},
		"nothing": {},
	}
	for name, tt := range tests {
		var got Installed
		tellUnit(&got, tt.out)
		problem := got.Problem
		got.Problem = ""
		if got != tt.want || (tt.problem == "") != (problem == "") || !strings.Contains(problem, tt.problem) {
			t.Errorf("%s: %+v, %q", name, got, problem)
		}
	}
}

func FuzzTellUnit(f *testing.F) {
	f.Add("MainPID=42\nExecMainCode=1\nActiveState=failed\n")
	f.Fuzz(func(_ *testing.T, out string) { tellUnit(&Installed{}, out) })
}
