package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCheckoutNamesCommitAndFolders(t *testing.T) {
	t.Parallel()
	r := mkdir(t, world(t), "repo")
	git(t, r, "init", "-q")
	if c := CheckoutOf(r); c.Commit() != "" || c.Top != r || c.Common != filepath.Join(r, ".git") {
		t.Errorf("unborn: %+v", c)
	}
	git(t, r, "commit", "-q", "--allow-empty", "-m", "one")
	id := CheckoutOf(r).Commit()
	if len(id) != 40 {
		t.Errorf("the commit is %q", id)
	}
	if err := os.WriteFile(filepath.Join(r, ".git", "MERGE_HEAD"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c := CheckoutOf(r); c.Commit() != id || c.ID == id {
		t.Errorf("with a merge under way: %+v, want %s", c, id)
	}
	for _, id := range []string{"unborn refs/heads/main", "--help", strings.Repeat("1", 39), strings.Repeat("g", 40)} {
		if got := (Checkout{ID: id, Known: true}).Commit(); got != "" {
			t.Errorf("of %q: %q", id, got)
		}
	}
	linked := filepath.Join(filepath.Dir(r), "linked")
	git(t, r, "worktree", "add", "-q", linked)
	if c := CheckoutOf(linked); c.Top != linked || c.Common != filepath.Join(r, ".git") || c.Commit() != id {
		t.Errorf("a linked worktree: %+v", c)
	}
}

func TestCheckoutTellsWhatGitBrings(t *testing.T) {
	t.Parallel()
	w := world(t)
	if c := CheckoutOf(mkdir(t, w, "plain", "sub")); c != (Checkout{Known: true}) {
		t.Errorf("without git: %+v", c)
	}
	r := mkdir(t, w, "repo")
	git(t, r, "init", "-q")
	last := CheckoutOf(r)
	if !last.Known || last.ID == "" || last.Busy {
		t.Errorf("unborn: %+v", last)
	}
	changes := func(what string, want bool) {
		t.Helper()
		now := CheckoutOf(mkdir(t, r, "sub"))
		if !now.Known || now.Same(last.ID) == want {
			t.Errorf("%s: %+v after %+v, changes: want %v", what, now, last, want)
		}
		last = now
	}
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(r, "f"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(text string) {
		t.Helper()
		put(text)
		git(t, r, "add", "f")
		git(t, r, "commit", "-q", "-m", text)
	}
	commit("one")
	changes("a commit", true)
	put("mine")
	git(t, r, "add", "f")
	changes("an edit that is staged", false)
	if last.Index.IsZero() || time.Since(last.Index) > time.Hour {
		t.Errorf("the index is of %v", last.Index)
	}
	git(t, r, "reset", "-q", "--hard")
	git(t, r, "checkout", "-q", "-b", "other")
	commit("two")
	changes("a branch with another commit", true)
	git(t, r, "checkout", "-q", "main")
	changes("back", true)
	git(t, r, "merge", "-q", "--no-ff", "--no-commit", "other")
	changes("a merge under way", true)
	git(t, r, "merge", "--abort")
	last = CheckoutOf(r)
	git(t, r, "merge", "-q", "--squash", "other")
	changes("what another branch has, without its commits", true)
	git(t, r, "reset", "-q", "--hard")
	last = CheckoutOf(r)
	git(t, r, "gc", "-q")
	now := CheckoutOf(r)
	if !now.Same(last.ID) {
		t.Errorf("packed: %+v after %+v", now, last)
	}
	last = now
	git(t, r, "checkout", "-q", "--detach", "other")
	changes("a detached head", true)
	tree := filepath.Join(w, "tree")
	git(t, r, "worktree", "add", "-q", tree, "main")
	if c := CheckoutOf(tree); !c.Known || c.ID == "" {
		t.Errorf("a work tree: %+v", c)
	}
	if err := os.WriteFile(filepath.Join(r, ".git", "index.lock"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if c := CheckoutOf(r); !c.Busy {
		t.Errorf("busy: %+v", c)
	}
	if err := os.Remove(filepath.Join(r, ".git", "HEAD")); err != nil {
		t.Fatal(err)
	}
	if c := CheckoutOf(r); c.Same(c.ID) && c.ID != "" {
		t.Errorf("without a head: %+v", c)
	}
}

func TestCheckoutWithAReftable(t *testing.T) {
	t.Parallel()
	r := mkdir(t, world(t), "repo")
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(r, ".git", name)
		mkdir(t, filepath.Dir(path))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("HEAD", "ref: refs/heads/.invalid\n")
	put("objects/x", "")
	if c := CheckoutOf(r); c.Known {
		t.Errorf("without its tables: %+v", c)
	}
	put("reftable/tables.list", "a.ref\n")
	first := CheckoutOf(r)
	if !first.Known {
		t.Errorf("%+v", first)
	}
	put("reftable/tables.list", "b.ref\n")
	if c := CheckoutOf(r); !c.Known || c.Same(first.ID) {
		t.Errorf("%+v after %+v", c, first)
	}
}
