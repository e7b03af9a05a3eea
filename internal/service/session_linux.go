package service

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// screens are the variables that a program with a window needs to find its
// screen.
var screens = []string{"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "XDG_SESSION_DESKTOP"}

// windowEnv is the environment for a program with a window; nil: this process's
// own. A service that was started before the desktop does not know the screen,
// but the manager was told of it since.
func windowEnv(ctx context.Context) []string {
	if os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "systemctl", "--user", "show-environment").Output()
	if err != nil {
		return nil
	}
	found := screenVars(string(out))
	if len(found) == 0 {
		return nil
	}
	return append(os.Environ(), found...)
}

// screenVars picks them from what systemctl prints. A value that it had to quote
// is no screen's.
func screenVars(out string) []string {
	var found []string
	for l := range strings.Lines(out) {
		l = strings.TrimRight(l, "\n")
		name, value, ok := strings.Cut(l, "=")
		if ok && value != "" && slices.Contains(screens, name) && !strings.HasPrefix(value, "$'") {
			found = append(found, l)
		}
	}
	return found
}
