package blame

import (
	"os/exec"
	"syscall"
)

// hide keeps the system from opening a console for git where we have none.
func hide(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true} }
