package internal_test

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// marks are words by which clients tell who spoke. Who knows one of them decides
// something about speakers, which is for one package alone.
var marks = []string{
	"task-notification", "system-reminder", "cross-session", "command-args", "bash-stdout", "Request interrupted",
	"auto-continuation", "suggestion_accepted", "user-rejected", "the user said:", "AskUserQuestion", "ExitPlanMode",
}

// TestOneVoice keeps the decision who spoke in one place: a second one, in a
// source or in an extractor, would sooner or later believe something else.
func TestOneVoice(t *testing.T) {
	t.Parallel()
	const place = "internal/history/voice"
	found := false
	for _, f := range readModule(t) {
		if f.test || strings.HasPrefix(f.dir, "build") {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			for _, m := range marks {
				if !strings.Contains(lit.Value, m) {
					continue
				}
				if found = found || f.dir == place; f.dir != place {
					t.Errorf("%s: %q: who spoke is decided in %s", f.fset.Position(lit.Pos()), m, place)
				}
			}
			return true
		})
	}
	if !found {
		t.Errorf("%s knows none of the marks", place)
	}
}
