//go:build unix

package claudecli

import (
	"io"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// own makes the program the leader of a group of its own, away from the keys of
// our terminal.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// killGroup ends the program and all that it started, at once: it has nothing to
// save.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}

// watchdog waits until the pipe that it reads is closed, which happens however
// we end, and then ends the group that it was told of and takes the room away.
// Linux could end the program by itself (PDEATHSIG), but not what the program
// started, and only with the thread that started it, which costs a change of
// threads for each line.
const watchdog = `IFS= read -r group && IFS= read -r room || exit 0
read end
kill -s KILL -- "-$group" 2>/dev/null
[ -z "$room" ] || /bin/rm -rf -- "$room"`

// guard ends the program, and what it started, should we be killed.
type guard struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// newGuard may have no watchdog, where there is no shell: then only a program
// that still writes to us notices.
func newGuard() *guard {
	cmd := exec.Command("/bin/sh", "-c", watchdog)
	cmd.Env, cmd.Dir = []string{}, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no key pressed in the terminal ends it
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return &guard{}
	}
	if err := cmd.Start(); err != nil {
		pipe.Close()
		return &guard{}
	}
	return &guard{cmd: cmd, pipe: pipe}
}

func (g *guard) watch(pid int, r room) {
	if g.pipe == nil {
		return
	}
	path := r.path
	if strings.ContainsRune(path, '\n') {
		path = "" // half of it would be another folder
	}
	_, _ = io.WriteString(g.pipe, strconv.Itoa(pid)+"\n"+path+"\n")
}

// release ends the watch. By now the group is gone, and its number may belong to
// somebody else: the watchdog must not see the pipe close.
func (g *guard) release() {
	if g.cmd != nil {
		_ = g.cmd.Process.Kill()
		_ = g.cmd.Wait()
		g.pipe.Close()
	}
}
