//go:build !linux

package service

import "context"

// windowEnv is the environment for a program with a window; nil: this process's
// own, which is that of the desktop.
func windowEnv(context.Context) []string { return nil }
