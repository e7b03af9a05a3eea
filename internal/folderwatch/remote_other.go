//go:build !linux

package folderwatch

func remote(string) bool { return false }
