package printable

import (
	"runtime"
	"testing"
)

func TestShellWord(t *testing.T) {
	quote := `'\''`
	if runtime.GOOS == "windows" {
		quote = "''"
	}
	for s, want := range map[string]string{
		"main": "main", "feat/a-b.c": "feat/a-b.c", "": "''", "two words": "'two words'", "it's $HOME": "'it" + quote + "s $HOME'", "日本語": "'日本語'",
	} {
		if got := ShellWord(s); got != want {
			t.Errorf("%q gives %s, want %s", s, got, want)
		}
	}
}
