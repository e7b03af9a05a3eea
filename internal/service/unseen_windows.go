package service

import "golang.org/x/sys/windows"

// Unseen leaves the console that the system opened for this program, which then
// closes.
func Unseen() { _, _, _ = windows.NewLazySystemDLL("kernel32.dll").NewProc("FreeConsole").Call() }
