//go:build unix

package service

import "syscall"

// apart starts a program that signals to this one's terminal do not reach.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
