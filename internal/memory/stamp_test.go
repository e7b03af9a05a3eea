package memory

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestStamp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := NewStore(in(dir, filepath.Join(dir, "branches")), At(in(dir, filepath.Join(dir, "local"))), StoreOptions{})
	if got := s.Stamp("main"); got != "" {
		t.Errorf("no memory has the stamp %q", got)
	}
	m := Memory{Branch: "main", Items: []Item{{Section: "facts", Content: "The depot opens at six."}}}
	if _, err := s.Save(t.Context(), m, ""); err != nil {
		t.Fatal(err)
	}
	if got := s.Stamp("main"); got != "" {
		t.Errorf("a memory written just now has the stamp %q", got)
	}
	files := []string{filepath.Join(dir, "branches", "main.md"), filepath.Join(dir, "branches", "main.items.jsonl")}
	seen := map[string]bool{}
	for i, path := range append(files, files...) {
		at := time.Now().Add(-time.Hour - time.Duration(i)*time.Second)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		got := s.Stamp("main")
		if i == 0 {
			continue // the other file is still new
		}
		if got == "" || seen[got] || got != s.Stamp("main") {
			t.Errorf("change %d gives %q", i, got)
		}
		seen[got] = true
	}
	if err := os.Remove(files[1]); err != nil {
		t.Fatal(err)
	}
	if got := s.Stamp("main"); got != "" {
		t.Errorf("half a memory has the stamp %q", got)
	}
}
