//go:build unix

package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// open lists what others can look into below a folder of the person's, without
// what the tests share.
func open(t *testing.T, top string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			rel, _ := filepath.Rel(top, path)
			out = append(out, fmt.Sprintf("%s %s", rel, info.Mode()))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What the program keeps of a person is theirs alone, whatever the umask is, and
// is closed where it was open.
func TestNobodyElseReadsWhatIsKept(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.say(t, "s1", "Always use tabs for indentation in this project.")
	for _, name := range []string{"data", "cache"} {
		if err := os.MkdirAll(filepath.Join(p.home, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	all := func(t *testing.T) {
		for _, args := range []string{
			"memorize", "status", "inject", "history sessions", "projects", "maintain startup", "maintain nightly", "maintain monthly", "doctor",
			"plugin list", "config set review.enabled true --user", "memorize --again", "review", "usage", "add decisions another -b main", "service status",
		} {
			p.masked(t, strings.Fields(args)...)
		}
	}
	all(t)
	for _, name := range []string{"data", "cache"} {
		for _, f := range open(t, filepath.Join(p.home, name)) {
			t.Errorf("%s: others can look into %s", name, f)
		}
	}
	// As an older version left it.
	err := filepath.WalkDir(filepath.Join(p.home, "data"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Base(path) == "cache.key" {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	all(t)
	for _, f := range open(t, filepath.Join(p.home, "data")) {
		if strings.HasSuffix(f, "lock -rw-r--r--") || strings.HasPrefix(f, ". ") { // nobody comes to the others
			t.Errorf("others can still look into %s", f)
		}
	}
}

// masked runs the program without a umask.
func (p program) masked(t *testing.T, args ...string) {
	t.Helper()
	c := p.command()
	sh := append([]string{"-c", `umask 000; exec "$0" "$@"`, c.Path}, args...)
	p.tryCommand(t, "/bin/sh", sh...)
}
