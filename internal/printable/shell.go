package printable

import (
	"regexp"
	"runtime"
	"strings"
)

var bareWord = regexp.MustCompile(`^[A-Za-z0-9_./@%+=:,-]+$`)

// ShellWord quotes a text for the person's shell where that is needed, on Windows for
// PowerShell. What can't be seen is shown as Line shows it.
func ShellWord(s string) string {
	s = Line(s, len(s))
	if bareWord.MatchString(s) {
		return s
	}
	quote := `'\''`
	if runtime.GOOS == "windows" {
		quote = "''"
	}
	return "'" + strings.ReplaceAll(s, "'", quote) + "'"
}
