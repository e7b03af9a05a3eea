package service

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// apart starts a program that signals to this one's console do not reach.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}
