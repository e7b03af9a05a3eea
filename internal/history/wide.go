package history

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
)

// TooWide says whether a folder, absolute and free of symlinks, holds more than one
// project can: it is the root of a file system, the person's home or a folder above
// it, or the one for temporary files. Locate takes none of them for the project of a
// folder below.
func TooWide(dir string) bool {
	if filepath.Dir(dir) == dir {
		return true
	}
	for _, home := range Homes() {
		if samePath(home, dir) || keyBelow(pathKey(home), pathKey(dir)) {
			return true
		}
	}
	for _, temp := range temporary() {
		if real, err := filepath.EvalSymlinks(temp); err == nil && samePath(real, dir) {
			return true
		}
	}
	return false
}

// Homes are the person's home folders, free of symlinks: the one of the environment,
// and the one that the system has for the user, which is another one where the
// environment was changed, and the only one where it says nothing.
func Homes() []string {
	var homes []string
	add := func(dir string) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil && filepath.IsAbs(real) && (len(homes) == 0 || !samePath(homes[0], real)) {
			homes = append(homes, real)
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		add(home)
	}
	if u, err := user.Current(); err == nil {
		add(u.HomeDir)
	}
	return homes
}

func temporary() []string {
	if runtime.GOOS == "windows" {
		return []string{os.TempDir()}
	}
	return []string{os.TempDir(), "/tmp", "/var/tmp"}
}
