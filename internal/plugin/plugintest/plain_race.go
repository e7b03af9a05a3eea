//go:build race && linux

package plugintest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

const suffix = ".plain"

// CompileFast is called first in a TestMain, with the program's arguments without
// its name. The race detector makes the compiler of plug-ins some twenty times
// slower, and nothing of ours shares anything with it: so in a run with the detector
// the children that compile are those of the same tests built without it.
func CompileFast(args []string) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	plain := self + suffix
	if len(args) == 1 && strings.HasPrefix(args[0], "recollect:compile") {
		_ = syscall.Exec(plain, append([]string{os.Args[0]}, args...), os.Environ()) // else this one compiles
		return
	}
	if _, err := os.Stat(plain); err == nil {
		return
	}
	build := exec.Command("go", "test", "-c", "-o", plain+".new", ".")
	if said, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "plugintest: compiling with the detector: %v\n%s", err, said)
		return
	}
	_ = os.Rename(plain+".new", plain)
}
