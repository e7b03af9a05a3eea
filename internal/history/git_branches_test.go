package history

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestGitBranches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if got := GitBranches(t.Context(), dir); got != nil {
		t.Errorf("without git: %q", got)
	}
	put := func(name, text string) {
		path := filepath.Join(dir, ".git", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	id := "0123456789012345678901234567890123456789"
	put("HEAD", "ref: refs/heads/main\n")
	put("objects/x", "")
	put("refs/heads/main", id)
	put("refs/heads/feature/a.lock", "")
	put("refs/heads/feature/a", id)
	put("refs/tags/v1", id)
	put("packed-refs", "# pack-refs with: peeled fully-peeled sorted\n"+id+" refs/heads/feature/a\n"+id+" refs/heads/old/b\n^"+id+"\n"+id+" refs/remotes/origin/c\n")
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, want := GitBranches(t.Context(), sub), []string{"feature/a", "main", "old/b"}; !slices.Equal(got, want) {
		t.Errorf("GitBranches = %q, want %q", got, want)
	}
}
