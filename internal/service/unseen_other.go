//go:build !windows

package service

// Unseen is of use on Windows only.
func Unseen() {}
