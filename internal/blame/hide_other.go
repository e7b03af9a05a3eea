//go:build !windows

package blame

import "os/exec"

func hide(*exec.Cmd) {}
