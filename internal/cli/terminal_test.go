//go:build linux || darwin

package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/rivo/uniseg"
)

var (
	stylesOnly = regexp.MustCompile("\x1b\\[[0-9;]*m")
	progressed = regexp.MustCompile("[^\n]*\r\x1b\\[K")
)

// On a terminal what is printed fits and stands out; NO_COLOR and a terminal that
// knows no styles are heard, and a program that reads gets every line as it is.
func TestOnATerminal(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	project, home := filepath.Join(top, "project"), filepath.Join(top, "home")
	for _, dir := range []string{project, home} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command := func(env []string, args ...string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Dir = project
		cmd.Env = append(os.Environ(), append([]string{envProgram + "=1", "RECOLLECT_HOME=" + home, "CLAUDE_CONFIG_DIR=" + filepath.Join(top, "claude"), "NO_COLOR=", "TERM=xterm"}, env...)...)
		return cmd
	}
	long := "Prices are integer cents 价格总是以整数分存储 everywhere in this project, and never floats, because rounding per line hides cents in the totals of long invoices."
	for _, args := range [][]string{{"init"}, {"add", "conventions", long}, {"add", "facts", "The service listens on port 8080"}} {
		if out, err := command(nil, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	seen := func(columns int, env []string, args ...string) string {
		t.Helper()
		tty, err := pty.StartWithSize(command(env, args...), &pty.Winsize{Rows: 24, Cols: uint16(columns)})
		if err != nil {
			t.Fatal(err)
		}
		defer tty.Close()
		var b bytes.Buffer
		_, _ = io.Copy(&b, tty) // Linux ends it with an error
		return strings.ReplaceAll(b.String(), "\r\n", "\n")
	}
	for _, columns := range widths {
		for i, args := range [][]string{
			{"show"}, {"show", "--ids"}, {"branches"}, {"inject", "--dry-run"}, {"config", "list"}, {"plugin", "list"}, {"plugin", "info", "offline"},
			{"projects"}, {"status"}, {"doctor"}, {"model"}, {}, {"show", "--versions"}, {"history", "sessions"}, {"uninstall", "--dry-run"}, {"show", "-b", "nosuch"},
		} {
			if columns > 80 && i > 3 { // what fits there fits here
				break
			}
			out := seen(columns, nil, args...)
			for _, line := range strings.Split(progressed.ReplaceAllString(stylesOnly.ReplaceAllString(out, ""), ""), "\n") {
				if n := uniseg.StringWidth(line); n > columns {
					t.Errorf("%v at %d columns: %q has %d", args, columns, line, n)
				}
			}
			if strings.Contains(stylesOnly.ReplaceAllString(out, ""), "\x1b") && !strings.Contains(out, "\r") {
				t.Errorf("%v moves the cursor: %q", args, out)
			}
		}
	}
	for says, args := range map[string][]string{
		"\x1b[32m+- Prices":       {"inject", "--dry-run"},
		"\x1b[1m## Conventions":   {"show"},
		"\x1b[1mBRANCH":           {"branches"},
		"\x1b[31;1mrecollect:":    {"show", "-b", "nosuch"},
		"\x1b[1mVERSION  SAVED  ": {"show", "--versions"},
	} {
		if out := seen(200, nil, args...); !strings.Contains(out, says) {
			t.Errorf("%v: %q is not in %q", args, says, out)
		}
		for _, env := range []string{"NO_COLOR=1", "TERM=dumb"} {
			if out := seen(200, []string{env}, args...); strings.Contains(out, "\x1b[") {
				t.Errorf("%v with %s: %q", args, env, out)
			}
		}
	}
	if out := seen(40, nil, "show", "--json"); strings.Contains(out, "\x1b") || !strings.Contains(out, long) {
		t.Errorf("JSON: %q", out)
	}
	out, err := command(nil, "show").Output()
	if err != nil || bytes.Contains(out, []byte("\x1b")) || !bytes.Contains(out, []byte(long[:len(long)-1])) {
		t.Errorf("no terminal: %q, %v", out, err)
	}
}
