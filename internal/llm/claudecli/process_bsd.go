//go:build unix && !linux

package claudecli

import (
	"os/exec"
	"syscall"
)

// own makes the program the leader of a group of its own.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}
