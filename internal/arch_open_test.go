package internal_test

import (
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// opens are the functions that open files or folders, by package: those that wait
// for the other end of a pipe, read without an end, or follow what was exchanged
// meanwhile.
var opens = map[string][]string{
	"os":       {"Open", "OpenFile", "ReadFile", "ReadDir", "DirFS", "OpenRoot", "OpenInRoot", "CopyFS"},
	"ioutil":   {"ReadFile", "ReadDir", "ReadAll", "WriteFile", "TempFile", "TempDir"},
	"filepath": {"Walk", "WalkDir", "Glob"},
}

// openers may call them; all others ask internal/safefile.
var openers = map[string]string{
	"internal/safefile":          "it is the way files are opened",
	"internal/atomicfile":        "it makes files beneath a folder that it holds open, and asks safefile for what is there",
	"build":                      "it reads this repository, which its developer chose",
	"internal/secrets/library":   "a generator that a developer runs",
	"internal/plugin/bench":      "a comparison that a developer runs",
	"internal/llm/llmtest":       "golden files of tests",
	"internal/engine/enginetest": "the sample project of tests",
	"internal/plugin/plugintest": "it builds the tests that it stands in",
}

func checkOpens(t *testing.T, f file) {
	if f.test || anyInside(f.dir, slices.Collect(maps.Keys(openers))) {
		return
	}
	for pkg, names := range opens {
		f.selectors(pkg, func(sel *ast.SelectorExpr) {
			if slices.Contains(names, sel.Sel.Name) {
				t.Errorf("%s: %s.%s: files are opened through internal/safefile, which waits for nobody, reads up to a limit and looks at what it opened",
					f.pos(sel), pkg, sel.Sel.Name)
			}
		})
	}
}

// TestOpenersExist notices exceptions that have lost their object.
func TestOpenersExist(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	for p := range openers {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(p))); err != nil {
			t.Errorf("%s may open files but is not there: take it out of the list", p)
		}
	}
}
