//go:build unix

package plugin

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// apart starts a process such that keys pressed in the terminal reach its parent
// only, and that it ends with its parent where the system can do that.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
}

// limitChild is for Windows: here the child limits itself, see limitSelf.
func limitChild(*os.Process, CompileLimits) (release func(), err error) { return func() {}, nil }

// limitSelf bounds this process before it reads what a stranger wrote. What the
// system does not bound (memory, other than on Linux), [boundMemory] does.
func limitSelf(l CompileLimits) error {
	if err := setLimit(unix.RLIMIT_CPU, l.cpuSeconds()); err != nil {
		return err
	}
	if err := setLimit(unix.RLIMIT_CORE, 0); err != nil {
		return err
	}
	if err := setLimit(unix.RLIMIT_FSIZE, maxMachine); err != nil {
		return err
	}
	if err := setLimit(unix.RLIMIT_NOFILE, 64); err != nil {
		return err
	}
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, 5) // a person waits: polite, not last
	return limitData(l.Memory)
}

// setLimit lowers a limit for good.
func setLimit(which int, n uint64) error {
	var r unix.Rlimit
	if err := unix.Getrlimit(which, &r); err != nil {
		return os.NewSyscallError("getrlimit", err)
	}
	lowerTo(&r.Cur, n)
	lowerTo(&r.Max, n)
	return os.NewSyscallError("setrlimit", unix.Setrlimit(which, &r))
}

// lowerTo is generic because the systems differ in the type.
func lowerTo[T int64 | uint64](v *T, n uint64) {
	if uint64(*v) > n {
		*v = T(n)
	}
}
