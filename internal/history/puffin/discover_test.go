package puffin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/history"
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

func TestTimesThatAreStillToCome(t *testing.T) {
	t.Parallel()
	now := time.Now()
	far := now.Add(10 * 365 * 24 * time.Hour)
	home := t.TempDir()
	save(t, filepath.Join(home, folderName, fileName), docT{Branches: map[string]*branchT{"main": {ID: "main", Prompts: []promptT{
		{ID: "1", Content: "P1", Timestamp: far.UnixMilli(), Response: answer("s1", "A1", far.UnixMilli())},
		{ID: "2", Content: "P2", Timestamp: now.Add(-time.Hour).Unix(), Response: answer("s2", "A2", now.Add(-time.Hour).UnixMilli())},
		{ID: "3", Content: "P3", Timestamp: far.UnixMilli(), Response: answer("s2", "A3", far.UnixMilli())},
	}}}})
	h, err := New(Options{}).Open(t.Context(), history.Scope{Project: history.Project{Root: home}})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	var order []string
	for _, r := range h.Refs("*") {
		order = append(order, r.ID)
		if r.Time.After(now) {
			t.Errorf("%s was said at %v", r.ID, r.Time)
		}
	}
	if strings.Join(order, " ") != "1 2 3" {
		t.Errorf("order %v", order)
	}
	for _, s := range h.Sessions() {
		if s.LastActive.After(now) {
			t.Errorf("%s was active at %v", s.ID, s.LastActive)
		}
	}
}
