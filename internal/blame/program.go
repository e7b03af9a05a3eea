package blame

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// appleGit stands where Apple's developer tools go. Where they are not installed it
// opens a window that offers them.
const appleGit = "/usr/bin/git"

// appleTools are where the git is that it starts.
var appleTools = []string{
	"/Library/Developer/CommandLineTools/usr/bin/git",
	"/Applications/Xcode.app/Contents/Developer/usr/bin/git",
}

// program finds git on the path: never one that came with the work tree itself.
func program(top string) (string, error) {
	git, err := exec.LookPath("git") // one found by a relative path is an error
	if err != nil {
		return "", ErrNoGit
	}
	if runtime.GOOS == "darwin" && git == appleGit {
		return firstOf(appleTools)
	}
	real, err := filepath.EvalSymlinks(git)
	if err != nil || within(top, git) || within(top, real) {
		return "", ErrNoGit
	}
	return git, nil
}

func firstOf(paths []string) (string, error) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", ErrNoGit
}

// within says whether a path is dir or below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
