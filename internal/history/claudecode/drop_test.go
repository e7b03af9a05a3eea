package claudecode

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestDropIndex(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old, young := filepath.Join(dir, "new-1.idx"), filepath.Join(dir, "new-2.idx")
	other := indexFile(dir, "/other.jsonl")
	for _, path := range []string{indexFile(dir, "/a.jsonl"), other, old, young} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ago := time.Now().Add(-2 * staleIndex)
	if err := os.Chtimes(old, ago, ago); err != nil {
		t.Fatal(err)
	}
	if n, err := DropIndex(dir, []string{"/a.jsonl", "/none.jsonl"}); n != 1 || err != nil {
		t.Error(n, err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(left) != 2 || left[0] != other && left[1] != other {
		t.Errorf("left: %q", left)
	}
	if n, err := DropIndex(filepath.Join(dir, "none"), []string{"/a.jsonl"}); n != 0 || err != nil {
		t.Error(n, err)
	}
}
