package plugin

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"syscall"

	"golang.org/x/sys/windows"
)

// apart starts a process without a window, such that keys pressed in the console
// reach its parent only.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW | windows.BELOW_NORMAL_PRIORITY_CLASS,
	}
}

// limitSelf is for Unix: here the parent puts the child into a job.
func limitSelf(CompileLimits) error { return nil }

// limitChild puts a process into a job that bounds it and that ends with this
// process, or when release is called.
func limitChild(p *os.Process, l CompileLimits) (release func(), err error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("make a job: %w", err)
	}
	release = func() { _ = windows.CloseHandle(job) }
	info := new(windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION)
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE |
		windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS | windows.JOB_OBJECT_LIMIT_PROCESS_TIME |
		windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY | windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
	info.BasicLimitInformation.ActiveProcessLimit = 1
	info.BasicLimitInformation.PerProcessUserTimeLimit = int64(l.cpuSeconds()) * 1e7 // of 100 ns
	info.ProcessMemoryLimit = uintptr(2 * l.Memory)                                  // boundMemory is exact
	at := reflect.ValueOf(info)
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, at.Pointer(), uint32(at.Elem().Type().Size()))
	runtime.KeepAlive(info)
	if err == nil {
		var assigned error
		err = p.WithHandle(func(handle uintptr) { assigned = windows.AssignProcessToJobObject(job, windows.Handle(handle)) })
		err = errors.Join(err, assigned)
	}
	if err != nil {
		release()
		return nil, fmt.Errorf("put the compiler into a job: %w", err)
	}
	return release, nil
}
