package history

import (
	"os"
	"path/filepath"
	"testing"
)

func put(t *testing.T, text string, elems ...string) {
	t.Helper()
	path := filepath.Join(elems...)
	mkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Whatever an archive brings as .git, the folder stays a project by itself and has
// nobody else's conversations.
func TestAGitDirThatNamesOtherFolders(t *testing.T) {
	t.Parallel()
	tests := map[string]func(t *testing.T, w, dir, other, tree string){
		".git names another repository": func(t *testing.T, w, dir, other, tree string) {
			put(t, "gitdir: "+filepath.Join(other, ".git")+"\n", dir, ".git")
		},
		".git names another's worktree": func(t *testing.T, w, dir, other, tree string) {
			put(t, "gitdir: "+filepath.Join(other, ".git", "worktrees", "tree")+"\n", dir, ".git")
		},
		".git is a link to another repository": func(t *testing.T, w, dir, other, tree string) {
			if err := os.Symlink(filepath.Join(other, ".git"), filepath.Join(dir, ".git")); err != nil {
				t.Skip(err)
			}
		},
		"commondir names another repository": func(t *testing.T, w, dir, other, tree string) {
			git(t, dir, "init", "-q")
			put(t, filepath.Join(other, ".git")+"\n", dir, ".git", "commondir")
			put(t, filepath.Join(dir, ".git")+"\n", dir, ".git", "gitdir")
		},
		"the folder's worktree is another's folder": func(t *testing.T, w, dir, other, tree string) {
			git(t, dir, "init", "-q")
			put(t, filepath.Join(tree, ".git")+"\n", dir, ".git", "worktrees", "x", "gitdir")
			put(t, "../..\n", dir, ".git", "worktrees", "x", "commondir")
			put(t, "ref: refs/heads/main\n", dir, ".git", "worktrees", "x", "HEAD")
			put(t, filepath.Join(other, ".git")+"\n", dir, ".git", "worktrees", "y", "gitdir")
			put(t, filepath.Join(w, "secret", ".git")+"\n", dir, ".git", "worktrees", "z", "gitdir")
			put(t, filepath.Join(w, "gone", ".git")+"\n", dir, ".git", "worktrees", "g", "gitdir")
		},
		"its worktrees lie in another repository": func(t *testing.T, w, dir, other, tree string) {
			git(t, dir, "init", "-q")
			if err := os.Symlink(filepath.Join(other, ".git", "worktrees"), filepath.Join(dir, ".git", "worktrees")); err != nil {
				t.Skip(err)
			}
		},
		"core.worktree names another's folder": func(t *testing.T, w, dir, other, tree string) {
			git(t, dir, "init", "-q")
			git(t, dir, "config", "core.worktree", other)
		},
		"a worktree of its own, whose main one is another's folder": func(t *testing.T, w, dir, other, tree string) {
			git(t, dir, "init", "-q", "--bare", ".bare")
			bare := filepath.Join(dir, ".bare")
			put(t, "[core]\n\tbare = false\n\tworktree = "+other+"\n", bare, "config")
			put(t, "gitdir: "+filepath.Join(bare, "worktrees", "x")+"\n", dir, ".git")
			put(t, filepath.Join(dir, ".git")+"\n", bare, "worktrees", "x", "gitdir")
			put(t, "../..\n", bare, "worktrees", "x", "commondir")
			put(t, "ref: refs/heads/main\n", bare, "worktrees", "x", "HEAD")
		},
		"the configuration includes another's": func(t *testing.T, w, dir, other, tree string) {
			git(t, dir, "init", "-q")
			put(t, "[core]\n\tworktree = "+other+"\n", w, "theirs.config")
			put(t, "[include]\n\tpath = "+filepath.Join(w, "theirs.config")+"\n", dir, ".git", "config")
		},
		"HEAD is a link": func(t *testing.T, w, dir, other, tree string) {
			git(t, dir, "init", "-q")
			head := filepath.Join(dir, ".git", "HEAD")
			if err := os.Remove(head); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(w, "secret", "words"), head); err != nil {
				t.Skip(err)
			}
		},
	}
	for name, set := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world(t)
			other := repo(t, w, "other")
			mkdir(t, other, MemoryDir)
			tree := filepath.Join(w, "tree")
			git(t, other, "worktree", "add", "-q", "-b", "t", tree)
			put(t, "secret", w, "secret", "words")
			dir := mkdir(t, w, "dir")
			set(t, w, dir, other, tree)
			p := wantRoot(t, dir, dir)
			for _, w := range p.Worktrees {
				if !within(dir, w) {
					t.Errorf("it has the worktree %s", w)
				}
			}
			if p.GitCommonDir != "" && !within(dir, p.GitCommonDir) {
				t.Errorf("its repository is %s", p.GitCommonDir)
			}
			wantOwns(t, p, true, dir, filepath.Join(dir, "src"))
			wantOwns(t, p, false, other, tree, filepath.Join(tree, "src"), filepath.Join(w, "secret"), filepath.Join(w, "gone"))
			_, _ = GitBranch(dir)
			o := wantRoot(t, tree, other)
			wantOwns(t, o, true, tree)
			wantOwns(t, o, false, dir)
		})
	}
}
