package puffin

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestDiscover(t *testing.T) {
	t.Parallel()
	dir, index := t.TempDir(), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	file := filepath.Join(at("one"), folderName, fileName)
	doc := docT{Branches: map[string]*branchT{"fix": {ID: "fix", Prompts: []promptT{
		{ID: "1", Content: "P1", Timestamp: 1_700_000_000_000, Response: answer("s1", "A1", 1_700_000_001_000)},
		{ID: "2", Content: "P2", Timestamp: 1_700_000_002_000, Response: answer("s2", "A2", 1_700_000_003_000)},
	}}}}
	save(t, file, doc)
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(at("broken"), folderName, fileName), []byte("no history"))
	if err := os.Mkdir(at("none"), 0o755); err != nil {
		t.Fatal(err)
	}
	roots := []string{at("none"), at("one"), at("broken"), at("one"), at("missing"), ""}
	for run := range 3 {
		d, err := New(Options{IndexDir: index}).Discover(t.Context(), roots)
		if err != nil || !d.Found || len(d.Used) != 1 || len(d.Damage) != 1 {
			t.Fatalf("run %d: %+v, %v", run, d, err)
		}
		u := d.Used[0]
		if u.Dir != at("one") || u.Sessions != 2 || u.LastActive.UnixMilli() != 1_700_000_003_000 {
			t.Errorf("run %d: %+v", run, u)
		}
		if run == 1 {
			write(t, filepath.Join(index, "found.json"), []byte("{"))
		}
	}
	d, err := New(Options{}).Discover(t.Context(), []string{at("none")})
	if err != nil || d.Found || len(d.Used) != 0 {
		t.Errorf("%+v, %v", d, err)
	}
	doc.Branches["fix"].Prompts = doc.Branches["fix"].Prompts[:1]
	save(t, file, doc)
	if d, err = New(Options{IndexDir: index}).Discover(t.Context(), roots); err != nil || d.Used[0].Sessions != 1 {
		t.Errorf("after a change: %+v, %v", d, err)
	}
}
