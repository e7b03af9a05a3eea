package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// envPackaged names the program of a package; without it the story of the first week
// is run with the program that was built for these tests.
const envPackaged = "RECOLLECT_TEST_PACKAGED"

// TestWeek is a new user's first week from an empty home on: no folder is named to the
// program, so that each is where it is on a person's machine.
func TestWeek(t *testing.T) {
	t.Parallel()
	p := stories(t, filepath.Join("testdata", "week"))
	setup := p.Setup
	p.Setup = func(e *testscript.Env) error {
		if err := setup(e); err != nil {
			return err
		}
		for _, name := range []string{"RECOLLECT_HOME", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"} {
			e.Setenv(name, "")
		}
		for _, who := range []string{"AUTHOR", "COMMITTER"} {
			e.Setenv("GIT_"+who+"_NAME", "t")
			e.Setenv("GIT_"+who+"_EMAIL", "t@example.invalid")
		}
		if program := os.Getenv(envPackaged); program != "" {
			e.Setenv("PATH", filepath.Dir(program)+string(filepath.ListSeparator)+e.Getenv("PATH"))
		}
		return nil
	}
	testscript.Run(t, p)
}
