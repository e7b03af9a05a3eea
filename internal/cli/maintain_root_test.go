package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"recollect/internal/engine"
)

// What root wrote into somebody's project could no longer be changed by them.
func TestRootDoesNotMaintainAnothersProject(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be let into everybody's folders")
	}
	project := t.TempDir()
	t.Setenv("RECOLLECT_HOME", t.TempDir())
	t.Setenv("CLAUDE_CONFIG_DIR", t.TempDir())
	if err := os.Chown(project, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := Main([]string{"maintain", "nightly", "--project", project}, strings.NewReader(""), &out, &errs)
	if code != engine.ExitRefused || !strings.Contains(errs.String(), "belongs to another user") {
		t.Errorf("exit %d, %s%s", code, &out, &errs)
	}
	left, err := os.ReadDir(project)
	if err != nil || len(left) != 0 {
		t.Errorf("it has written %v, %v", left, err)
	}
}
