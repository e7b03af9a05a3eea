package engine

import (
	"os"
	"path/filepath"
	"testing"
)

func TestInitAddsAttributesBehindAPersons(t *testing.T) {
	t.Parallel()
	const ours = "/branches/*.md merge=union\n/branches/*.items.jsonl merge=union\n"
	for name, c := range map[string]struct{ before, after string }{
		"none":         {"", ours},
		"theirs":       {"*.json eol=lf", "*.json eol=lf\n" + ours},
		"windows":      {"*.json eol=lf\r\n", "*.json eol=lf\r\n/branches/*.md merge=union\r\n/branches/*.items.jsonl merge=union\r\n"},
		"their choice": {"/branches/*.md -merge\n", "/branches/*.md -merge\n/branches/*.items.jsonl merge=union\n"},
	} {
		e := openSample(t, sample(t))
		file := filepath.Join(e.path(), ".gitattributes")
		if c.before != "" {
			if err := os.MkdirAll(e.path(), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(c.before), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if _, err := e.Init(t.Context()); err != nil {
				t.Fatal(name, err)
			}
			if got, err := os.ReadFile(file); err != nil || string(got) != c.after {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
}
