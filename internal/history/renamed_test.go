package history

import (
	"path/filepath"
	"testing"
)

func TestRenamedFrom(t *testing.T) {
	t.Parallel()
	w := world(t)
	r := repo(t, w, "repo")
	want := func(branch, from string) {
		t.Helper()
		if got := RenamedFrom(filepath.Join(r, "sub"), branch); got != from {
			t.Errorf("%s was %q, want %q", branch, got, from)
		}
	}
	git(t, r, "commit", "-q", "--allow-empty", "-m", "1")
	git(t, r, "checkout", "-q", "-b", "feature/a")
	want("feature/a", "")
	git(t, r, "branch", "-m", "feature/a", "feature/b")
	want("feature/b", "feature/a")
	git(t, r, "commit", "-q", "--allow-empty", "-m", "2")
	want("feature/b", "feature/a")
	git(t, r, "branch", "-m", "feature/c")
	want("feature/c", "feature/b")
	git(t, r, "branch", "feature/b")
	want("feature/c", "") // it is there again
	git(t, r, "pack-refs", "--all")
	want("feature/c", "")
	git(t, r, "branch", "-q", "-D", "feature/b")
	want("feature/c", "feature/b")
	for _, name := range []string{"", "main", "../main", "none"} {
		want(name, "")
	}
}
