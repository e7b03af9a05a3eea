package history

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGitBranch(t *testing.T) {
	t.Parallel()
	w := world(t)
	r := repo(t, w, "repo")
	want := func(dir, branch string) {
		t.Helper()
		got, err := GitBranch(dir)
		if err != nil || got != branch {
			t.Errorf("GitBranch(%s) = %q, %v; want %q", dir, got, err, branch)
		}
	}
	want(r, "main")
	want(filepath.Join(r, "gone", "x"), "main")
	want(mkdir(t, w, "plain"), NoBranch)
	git(t, r, "checkout", "-q", "-b", "feature/größe")
	want(r, "feature/größe")
	tree := filepath.Join(w, "tree")
	git(t, r, "worktree", "add", "-q", "-b", "tree/a", tree)
	want(mkdir(t, tree, "sub"), "tree/a")
	want(r, "feature/größe")
	git(t, tree, "checkout", "-q", "--detach")
	want(tree, Detached)
	unborn := mkdir(t, w, "unborn")
	git(t, unborn, "init", "-q")
	want(unborn, "main")

	// Old versions of git made HEAD a symlink.
	head := filepath.Join(unborn, ".git", "HEAD")
	if err := os.Remove(head); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("refs/heads/old/way", head); err == nil {
		want(unborn, "old/way")
		if err := os.Remove(head); err != nil {
			t.Fatal(err)
		}
	}
	for _, content := range []string{"ref: refs/heads/.invalid\n", "ref: refs/heads/\n"} {
		if err := os.WriteFile(head, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := GitBranch(unborn); err == nil {
			t.Errorf("%q gives branch %q", content, got)
		}
	}
}

func TestBranchLabel(t *testing.T) {
	for _, name := range []string{NoBranch, Detached, "main", "no"} {
		label := BranchLabel(name)
		if got := BranchName(label); got != name {
			t.Errorf("%q is read as %q, which stands for %q", name, label, got)
		}
		if label == NoBranch || BranchSubject(name) == NoBranch {
			t.Errorf("%q is shown as it is stored", name)
		}
	}
}
