package service

import "io/fs"

// owned can't be told here from what a file's description holds.
func owned(fs.FileInfo) bool { return true }
