package claudecli

import (
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/windows"
)

// own keeps keys pressed in our console from the program.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// killGroup ends the program and all that it started.
func killGroup(cmd *exec.Cmd) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	_ = cmd.Process.Kill()
}

// guard does nothing here: a program whose reader is gone ends when it writes.
type guard struct{}

func newGuard() *guard           { return &guard{} }
func (g *guard) watch(int, room) {}
func (g *guard) release()        {}
