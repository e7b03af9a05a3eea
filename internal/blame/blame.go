// Package blame asks git who wrote the lines of a file of a repository that
// somebody else may have made.
//
// Git that runs in such a repository starts what the repository's settings tell it
// to. So it is never run there: it gets an empty git directory of ours, with
// settings of ours, and of the repository nothing but its objects, which are data.
package blame

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"recollect/internal/safefile"
)

// Limit is how long git may take for one file.
const Limit = 3 * time.Second

const (
	grace     = 200 * time.Millisecond // for the pipe of a git that was ended
	maxOutput = 8 << 20                // bytes of git's answer
	maxAlloc  = "256m"                 // of one piece of memory that git takes
)

// Source is a file at a commit.
type Source struct {
	// Top is the work tree's root. A git program that lies in it is not run.
	Top string
	// Common is the repository's common git directory.
	Common string
	Commit string // its id: 40 or 64 hexadecimal digits
	Path   string // of the file, from the top of the commit's tree, with slashes
}

// Line is one line of the file, without its ending, and who wrote it, as the
// commit says: anybody can have put any name there, of any length and characters.
type Line struct{ Author, Text string }

// Errors that callers test for with errors.Is.
var (
	// ErrNoGit says that there is no git program that may be run.
	ErrNoGit = errors.New("there is no git program")
	// ErrRefused says that the repository's objects are not such as git may be
	// pointed to.
	ErrRefused = errors.New("the repository's objects are not read")
)

var commitID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`) })

// File gives the lines of a file with their authors. It takes at most Limit; an
// error that is none of the above is git's, or that of a deadline.
func File(ctx context.Context, s Source) ([]Line, error) {
	if !commitID().MatchString(s.Commit) || s.Common == "" || !filepath.IsLocal(filepath.FromSlash(s.Path)) {
		return nil, ErrRefused
	}
	// Where history was cut off, git would name who made the first commit after that.
	if _, err := os.Lstat(filepath.Join(s.Common, "shallow")); !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: the repository is shallow", ErrRefused)
	}
	objects := filepath.Join(s.Common, "objects")
	if err := check(objects); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	git, err := program(s.Top)
	if err != nil {
		return nil, err
	}
	room, err := makeRoom(len(s.Commit) == 64)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(room)
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, git, "--no-replace-objects", "--literal-pathspecs", "blame", "--porcelain", "--no-textconv", "--encoding=UTF-8", s.Commit, "--", s.Path)
	cmd.Dir, cmd.Env, cmd.WaitDelay = room, environment(room, objects), grace
	hide(cmd)
	var out capped
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		if out.long {
			err = errLong
		} else if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, fmt.Errorf("git blame: %w", err)
	}
	return parse(out.data), nil
}

const (
	maxObjectFolders = 1024    // two digits of an id each, and a few more
	maxPacks         = 100_000 // files
)

// check refuses a folder of objects that others can write or that leads elsewhere:
// by a link, or by alternates, which name any folder of this machine or another.
// What waits, as a pipe, is refused too, as far as a look at the folders tells.
func check(objects string) error {
	for _, dir := range []string{filepath.Dir(objects), objects} {
		info, err := os.Lstat(dir)
		if err == nil && !info.IsDir() {
			err = safefile.ErrNotFolder
		}
		if err == nil {
			err = safefile.CheckOthers(dir)
		}
		if err != nil {
			return err
		}
	}
	for _, f := range []struct {
		dir  string
		most int
	}{{".", maxObjectFolders}, {"info", maxObjectFolders}, {"pack", maxPacks}} {
		entries, err := safefile.ReadDir(filepath.Join(objects, f.dir), f.most)
		if f.dir != "." && errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.IsDir() && !e.Type().IsRegular() {
				return fmt.Errorf("%s: %w", e.Name(), safefile.ErrNotRegular)
			}
			if f.dir == "info" && e.Name() == "alternates" {
				return fmt.Errorf("%s: %w", e.Name(), safefile.ErrOutside)
			}
		}
	}
	return nil
}

// makeRoom makes the git directory that git is run in.
func makeRoom(sha256 bool) (room string, err error) {
	if room, err = os.MkdirTemp("", "recollect-git-"); err != nil {
		return "", err
	}
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	if sha256 {
		config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n"
	}
	for _, dir := range []string{"refs", "objects"} {
		err = errors.Join(err, os.Mkdir(filepath.Join(room, dir), 0o700))
	}
	// A branch that is not there, so that nothing is taken from its commit.
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/none\n", "config": config} {
		err = errors.Join(err, os.WriteFile(filepath.Join(room, name), []byte(text), 0o600))
	}
	if err != nil {
		os.RemoveAll(room)
		return "", err
	}
	return room, nil
}

// environment is git's whole environment. No setting of a repository's, the
// system's or the person's is in it.
func environment(room, objects string) []string {
	env := []string{
		"GIT_DIR=" + room, "GIT_OBJECT_DIRECTORY=" + objects,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_CONFIG_COUNT=0",
		"GIT_ATTR_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_PAGER=cat", "GIT_ALLOC_LIMIT=" + maxAlloc, "LC_ALL=C",
		"HOME=" + room, "XDG_CONFIG_HOME=" + room, "TMPDIR=" + room, "TMP=" + room, "TEMP=" + room,
	}
	for _, name := range []string{"PATH", "PATHEXT", "SystemRoot", "SystemDrive", "windir"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// capped keeps what is written to it, up to maxOutput.
type capped struct {
	data []byte
	long bool // there was more
}

var errLong = errors.New("the answer is too long")

// Write implements io.Writer.
func (c *capped) Write(p []byte) (int, error) {
	if c.long = c.long || len(c.data)+len(p) > maxOutput; c.long {
		return 0, errLong
	}
	c.data = append(c.data, p...)
	return len(p), nil
}
