package claudecli

import (
	"os/exec"
	"syscall"
)

// own makes the program the leader of a group of its own, and ends it with us.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}
