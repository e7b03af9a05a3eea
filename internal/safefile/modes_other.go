//go:build unix && !linux && !darwin

package safefile

func modeless(string) bool { return false }
