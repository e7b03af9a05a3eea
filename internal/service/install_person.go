package service

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"recollect/internal/safefile"
)

// RefusedError says that something is not done, to be safe. Nothing was
// written.
type RefusedError struct {
	Why  string
	What string // to do instead
}

// Error implements error.
func (e *RefusedError) Error() string { return e.Why }

// CheckPerson refuses what would write into a home that is not that of the
// person who asks, or into none.
func CheckPerson(getenv func(string) string) error {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	home := getenv(name)
	switch info, err := os.Stat(home); {
	case home == "":
		return &RefusedError{"no home folder is known: " + name + " is not set", "run it from a login shell of the person whose memory it is"}
	case !filepath.IsAbs(home):
		return &RefusedError{fmt.Sprintf("%s is not an absolute path: %q", name, home), "run it from a login shell"}
	case err != nil || !info.IsDir():
		return &RefusedError{fmt.Sprintf("the home folder %s is not there", home), "run it from a login shell"}
	case os.Geteuid() == 0 && other(getenv) != "":
		return &RefusedError{"you are root on behalf of " + other(getenv) + ": what is written now would belong to root",
			"run it as " + other(getenv) + ", without sudo; recollect service install --system --user " + other(getenv) + " makes a service that starts with the machine"}
	case !safefile.Ours(info):
		return &RefusedError{fmt.Sprintf("the home folder %s belongs to another user", home), "run it as the person whose memory it is"}
	}
	return nil
}

// other is the person that root acts for; "": root is itself.
func other(getenv func(string) string) string {
	for _, name := range []string{"SUDO_USER", "DOAS_USER"} {
		if user := getenv(name); user != "root" && user != "" {
			return user
		}
	}
	return ""
}

// CheckProject refuses to install anything on behalf of a project of somebody
// else.
func CheckProject(root string) error {
	if root == "" {
		return nil
	}
	return safefile.CheckOthers(root)
}

// program gives the absolute path of the program to start, and refuses one that
// will not be there tomorrow. A name in PATH is taken before what it links to:
// an update leaves the name.
func program(asked string) (string, error) {
	p := asked
	if p == "" {
		self, err := os.Executable()
		if err != nil {
			return "", &RefusedError{"this program does not know where it lies", "start it by its full path"}
		}
		p = self
	}
	if named, err := exec.LookPath(filepath.Base(p)); err == nil && filepath.IsAbs(named) && same(named, p) {
		p = named
	}
	switch {
	case !filepath.IsAbs(p):
		return "", &RefusedError{"the program's path is not absolute: " + p, "start it by its full path"}
	case strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f }), strings.Contains(p, "{{"), strings.Contains(p, `"`) && runtime.GOOS == "windows":
		return "", &RefusedError{fmt.Sprintf("the program's path has characters that can't be written down safely: %q", p), "put it into another folder"}
	case temporary(p):
		return "", &RefusedError{p + " lies in a folder for temporary files, which the system clears",
			"build or copy the program to a place where it stays, such as ~/.local/bin, and run the command there"}
	case !runs(p):
		return "", &RefusedError{p + " is not a program, or no longer", "start the program from where it is now"}
	}
	return p, nil
}

// temporary says whether a file will not stay where it is.
func temporary(path string) bool {
	if strings.Contains(filepath.ToSlash(path), "/go-build") {
		return true
	}
	dirs := []string{os.TempDir()}
	if runtime.GOOS != "windows" {
		dirs = append(dirs, "/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/folders")
	}
	return slices.ContainsFunc(dirs, func(dir string) bool {
		rel, err := filepath.Rel(dir, path)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}

// carried are the variables that say where things are. A service does not get
// them from a shell's files; secrets are not among them.
var carried = []string{"RECOLLECT_HOME", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}

// carry gives those that are set, and PATH if asked for, in which the claude
// program is looked for.
func carry(getenv func(string) string, path bool) []string {
	var env []string
	add := func(name, value string) {
		if value != "" && filepath.IsAbs(strings.SplitN(value, string(filepath.ListSeparator), 2)[0]) &&
			!strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) && !strings.Contains(value, "{{") {
			env = append(env, name+"="+value)
		}
	}
	for _, name := range carried {
		add(name, getenv(name))
	}
	if path {
		parts := slices.DeleteFunc(filepath.SplitList(getenv("PATH")), func(p string) bool { return !filepath.IsAbs(p) })
		add("PATH", strings.Join(parts, string(filepath.ListSeparator)))
	}
	return env
}

// FindProgram finds the command line beside the window's program, below it, or
// in PATH.
func FindProgram() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	name := "recollect"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	dir := filepath.Dir(self)
	for _, p := range []string{filepath.Join(dir, "bin", name), filepath.Join(dir, name)} {
		if runs(p) && !same(p, self) {
			return p, nil
		}
	}
	if p, err := exec.LookPath(name); err == nil && filepath.IsAbs(p) && !same(p, self) {
		return p, nil
	}
	return "", &RefusedError{"the program recollect, which works in the background, is not beside the window nor in PATH", "install it"}
}
