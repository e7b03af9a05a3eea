package history

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// git runs git in dir with no configuration but its own.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	cmd := exec.CommandContext(t.Context(), "git", append([]string{
		"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main",
		"-c", "protocol.file.allow=always", "-c", "commit.gpgsign=false",
	}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "GIT_") }),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// world is a folder, free of symlinks and of any project above it.
func world(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func mkdir(t *testing.T, elems ...string) string {
	t.Helper()
	dir := filepath.Join(elems...)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func repo(t *testing.T, elems ...string) string {
	t.Helper()
	dir := mkdir(t, elems...)
	git(t, dir, "init", "-q")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func locate(t *testing.T, dir string) Project {
	t.Helper()
	p, err := Locate(dir)
	if err != nil {
		t.Fatalf("Locate(%s): %v", dir, err)
	}
	return p
}

func wantRoot(t *testing.T, dir, root string) Project {
	t.Helper()
	p := locate(t, dir)
	if p.Root != root {
		t.Errorf("Locate(%s).Root = %s, want %s", dir, p.Root, root)
	}
	return p
}

func wantOwns(t *testing.T, p Project, want bool, cwds ...string) {
	t.Helper()
	for _, cwd := range cwds {
		if got := p.Owns(cwd); got != want {
			t.Errorf("%s owns %s = %v, want %v", p.Root, cwd, got, want)
		}
	}
}

func TestLocateWithoutGit(t *testing.T) {
	t.Parallel()
	w := world(t)
	plain := mkdir(t, w, "plain", "sub")
	mkdir(t, w, "inited", MemoryDir)
	deep := mkdir(t, w, "inited", "a", "b")
	nested := mkdir(t, w, "inited", "nested", MemoryDir)

	wantRoot(t, plain, plain)
	p := wantRoot(t, deep, filepath.Join(w, "inited"))
	if p.GitCommonDir != "" || p.Worktrees != nil {
		t.Errorf("git where none is: %+v", p)
	}
	if p.Name() != "inited" {
		t.Errorf("name %q", p.Name())
	}
	wantRoot(t, filepath.Dir(nested), filepath.Dir(nested))
	wantRoot(t, filepath.Join(w, "inited", "gone", "x"), filepath.Join(w, "inited"))
	wantRoot(t, filepath.Join(w, "never", "x"), filepath.Join(w, "never", "x"))

	file := filepath.Join(w, "plain", "file.txt")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	wantRoot(t, file, filepath.Join(w, "plain"))
	wantRoot(t, filepath.Join(file, "below"), filepath.Join(file, "below"))

	wantOwns(t, p, true, p.Root, deep, filepath.Join(p.Root, "gone", "x"), p.Root+"/", p.Root+"/a/../a")
	wantOwns(t, p, false, "", ".", "a", w, plain, p.Root+"-2", filepath.Dir(nested), nested, p.Root+"\x00", strings.Repeat("/a", maxPath))
	// A project that was never initialised is its tree as well.
	wantOwns(t, locate(t, filepath.Join(w, "plain")), true, plain)
}

func TestLocateSymlinks(t *testing.T) {
	t.Parallel()
	w := world(t)
	mkdir(t, w, "real", MemoryDir)
	sub := mkdir(t, w, "real", "sub")
	for link, to := range map[string]string{"link": "real", "sublink": sub, "dangling": "nothing", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(w, link)); err != nil {
			t.Skip("no symlinks here:", err)
		}
	}
	p := wantRoot(t, filepath.Join(w, "link", "sub"), filepath.Join(w, "real"))
	wantRoot(t, filepath.Join(w, "sublink", "gone"), filepath.Join(w, "real"))
	wantRoot(t, filepath.Join(w, "dangling"), filepath.Join(w, "dangling"))
	wantOwns(t, p, true, filepath.Join(w, "sublink"), filepath.Join(w, "link", "gone"))
	wantOwns(t, p, false, filepath.Join(w, "loop"), filepath.Join(w, "dangling"))
	if _, err := Locate(filepath.Join(w, "loop")); err == nil {
		t.Error("a loop of symlinks is located")
	}
}

func TestLocateRepository(t *testing.T) {
	t.Parallel()
	w := world(t)
	r := repo(t, w, "repo")
	sub := mkdir(t, r, "pkg", "a")
	clone := repo(t, r, "vendor", "clone")
	mono := mkdir(t, r, "mono")
	mkdir(t, mono, MemoryDir)
	mkdir(t, r, "not", ".git") // an empty .git is none

	p := wantRoot(t, sub, r)
	if p.GitCommonDir != filepath.Join(r, ".git") {
		t.Errorf("common dir %s", p.GitCommonDir)
	}
	wantRoot(t, filepath.Join(r, "not"), r)
	wantRoot(t, filepath.Join(r, ".git", "hooks"), r)
	wantRoot(t, clone, clone)
	m := wantRoot(t, filepath.Join(mono, "x"), mono)
	if m.GitCommonDir != p.GitCommonDir {
		t.Errorf("a part of a repository has common dir %q", m.GitCommonDir)
	}
	wantOwns(t, p, true, r, sub, filepath.Join(r, "gone"), filepath.Join(r, "not"))
	wantOwns(t, p, false, w, clone, filepath.Join(clone, "x"), mono, filepath.Join(mono, "x"))
	wantOwns(t, m, true, mono, filepath.Join(mono, "x"))
	wantOwns(t, m, false, r, sub, clone)

	// A repository below a memory folder is a project of its own.
	mkdir(t, w, MemoryDir)
	wantRoot(t, sub, r)
	outer := wantRoot(t, w, w)
	wantOwns(t, outer, false, r, sub)
	wantOwns(t, outer, true, filepath.Join(w, "other"))
}

func TestLocateWorktrees(t *testing.T) {
	t.Parallel()
	w := world(t)
	r := repo(t, w, "repo")
	mkdir(t, r, MemoryDir)
	mkdir(t, r, "mono", MemoryDir)
	out, in := filepath.Join(w, "repo-out"), filepath.Join(r, ".claude", "worktrees", "in")
	git(t, r, "worktree", "add", "-q", "-b", "out", out)
	git(t, r, "worktree", "add", "-q", "-b", "in", in)
	outMono := mkdir(t, out, "mono", "x")
	mkdir(t, out, MemoryDir) // committed, so checked out here too
	mkdir(t, out, "new", MemoryDir)

	p := wantRoot(t, r, r)
	if want := []string{in, out}; !slices.Equal(p.Worktrees, want) && !slices.Equal(p.Worktrees, []string{out, in}) {
		t.Errorf("worktrees %v, want %v", p.Worktrees, want)
	}
	wantRoot(t, out, r)
	wantRoot(t, filepath.Join(in, "deep", "gone"), r)
	wantRoot(t, outMono, filepath.Join(r, "mono"))
	wantRoot(t, filepath.Join(out, "new"), filepath.Join(out, "new"))
	m := locate(t, filepath.Join(r, "mono"))

	check := func() {
		t.Helper()
		wantOwns(t, p, true, out, in, filepath.Join(out, "src"), filepath.Join(in, "src"))
		wantOwns(t, p, false, outMono)
		wantOwns(t, m, true, outMono)
		wantOwns(t, m, false, out, in, filepath.Join(out, "src"))
	}
	check()
	// Removed behind git's back: registered, but nothing leads back from there any
	// more, so only who remembers knows it.
	for _, dir := range []string{out, in} {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	old := p
	p, m = locate(t, r), locate(t, filepath.Join(r, "mono"))
	wantOwns(t, p, false, out, filepath.Join(out, "src"))
	p.Worktrees, m.Worktrees = old.Worktrees, old.Worktrees
	check()
	// Removed for good: only who remembers knows the one outside.
	git(t, r, "worktree", "prune")
	p = locate(t, r)
	if len(p.Worktrees) != 0 {
		t.Errorf("worktrees after pruning: %v", p.Worktrees)
	}
	wantOwns(t, p, true, in)
	wantOwns(t, p, false, out)
	p.Worktrees, m.Worktrees = old.Worktrees, old.Worktrees
	check()
	// Another repository took its place.
	repo(t, out)
	wantOwns(t, p, false, out, filepath.Join(out, "src"))
}

func TestLocateSubmodule(t *testing.T) {
	t.Parallel()
	w := world(t)
	lib, r := repo(t, w, "lib"), repo(t, w, "repo")
	git(t, r, "submodule", "--quiet", "add", lib, "sub")
	sub := filepath.Join(r, "sub")
	p := wantRoot(t, mkdir(t, sub, "x"), sub)
	if want := filepath.Join(r, ".git", "modules", "sub"); p.GitCommonDir != want {
		t.Errorf("common dir %s, want %s", p.GitCommonDir, want)
	}
	wantOwns(t, locate(t, r), false, sub)
	tree := filepath.Join(w, "sub-tree")
	git(t, sub, "worktree", "add", "-q", "-b", "x", tree)
	wantRoot(t, tree, sub)
	wantOwns(t, p, true, tree)
}

func TestLocateBare(t *testing.T) {
	t.Parallel()
	w := world(t)
	src := repo(t, w, "src")
	hidden := filepath.Join(w, "hidden")
	git(t, w, "clone", "-q", "--bare", src, filepath.Join(hidden, ".bare"))
	a, b := filepath.Join(hidden, "a"), filepath.Join(hidden, "b")
	git(t, filepath.Join(hidden, ".bare"), "worktree", "add", "-q", "-b", "a", a)
	git(t, filepath.Join(hidden, ".bare"), "worktree", "add", "-q", "-b", "b", b)
	p := wantRoot(t, a, hidden)
	wantRoot(t, b, hidden)
	wantOwns(t, p, true, a, b, filepath.Join(b, "x"), hidden)
	if err := os.WriteFile(filepath.Join(hidden, ".git"), []byte("gitdir: ./.bare\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	wantRoot(t, hidden, hidden)
	wantRoot(t, b, hidden)

	named := filepath.Join(w, "repos", "x.git")
	git(t, w, "clone", "-q", "--bare", src, named)
	tree := filepath.Join(w, "x-tree")
	git(t, named, "worktree", "add", "-q", "-b", "t", tree)
	p = wantRoot(t, tree, named)
	wantRoot(t, named, named)
	wantOwns(t, p, true, tree)
	wantOwns(t, p, false, filepath.Join(w, "repos"), hidden)
}

func TestLocateSeparateGitDir(t *testing.T) {
	t.Parallel()
	w := world(t)
	r := mkdir(t, w, "r")
	git(t, r, "init", "-q", "--separate-git-dir", filepath.Join(w, "elsewhere"))
	git(t, r, "commit", "-q", "--allow-empty", "-m", "first")
	tree := filepath.Join(w, "tree")
	git(t, r, "worktree", "add", "-q", "-b", "t", tree)
	// Nothing there says that it is r's, as nothing in somebody else's repository
	// would.
	p := wantRoot(t, r, r)
	wantOwns(t, p, true, r)
	wantOwns(t, p, false, tree)
	git(t, r, "config", "core.worktree", r)
	p = wantRoot(t, r, r)
	wantOwns(t, p, true, r, tree, filepath.Join(tree, "x"))
	wantRoot(t, tree, r)
}

func TestLocateIgnoresGitEnvironment(t *testing.T) {
	w := world(t)
	r, other := repo(t, w, "repo"), repo(t, w, "other")
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_COMMON_DIR", filepath.Join(other, ".git"))
	wantRoot(t, r, r)
}

func TestLocateBrokenLink(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"nowhere": "gitdir: ../missing/.git/worktrees/x\n",
		"empty":   "", "junk": "\x00\xff\n", "self": "gitdir: .git\n",
	} {
		w := world(t)
		dir := mkdir(t, w, name)
		if err := os.WriteFile(filepath.Join(dir, ".git"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		p := wantRoot(t, mkdir(t, dir, "x"), dir)
		if p.GitCommonDir != "" {
			t.Errorf("%s: common dir %s", name, p.GitCommonDir)
		}
		if _, err := GitBranch(dir); err == nil {
			t.Errorf("%s: has a branch", name)
		}
	}
}

func TestOwnsWindowsPaths(t *testing.T) {
	t.Parallel()
	tests := []struct {
		root, cwd string
		want      bool
	}{
		{`C:\Work\scales`, `c:\Work\scales`, true},
		{`C:\Work\scales`, `c:/work/SCALES/`, true},
		{`c:/work/scales`, `C:\Work\scales\src\..\lib`, true},
		{`\\?\C:\Work\scales`, `c:\work\scales`, true},
		{`C:\Work\scales`, `C:\Work\scales2`, false},
		{`C:\Work\scales`, `C:\Work`, false},
		{`C:\Work\scales`, `D:\Work\scales`, false},
		{`C:\Work\scales`, `/c/Work/scales`, false},
		{`C:\Work\scales`, `C:\Work\scales\..\other`, false},
		{`C:\`, `c:/x`, true},
		{`D:\其他\目录`, `d:/其他/目录/x`, true},
		{`D:\其他\目录`, `D:\桌面\称重`, false},
		{`\\Server\Share\x`, `//server/share/X/y`, runtime.GOOS == "windows"},
		{`\\Server\Share\x`, `\\server\SHARE\X\y`, true},
		{`\\Server\Share\x`, `\\?\UNC\server\share\x`, true},
		{`/home/dev/x`, `C:\home\dev\x`, false},
		{`C:\Work\scales`, "", false},
	}
	for _, tt := range tests {
		p := Project{Root: tt.root}
		if got := p.Owns(tt.cwd); got != tt.want {
			t.Errorf("%s owns %s = %v, want %v", tt.root, tt.cwd, got, tt.want)
		}
	}
	p := Project{Root: `C:\Work\scales`, Worktrees: []string{`C:\Work\scales-wt`}}
	wantOwns(t, p, true, `c:/work/scales-wt/x`)
	if p.Name() != "scales" {
		t.Errorf("name %q", p.Name())
	}
	if runtime.GOOS != "windows" {
		wantRoot(t, `c:/Work/./scales/`, `C:\Work\scales`)
	}
}

func TestOwnsExactBytes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("paths of other systems")
	}
	// Folders that share one slug of Claude Code's are different projects.
	names := []string{"/home/dev/my_app", "/home/dev/my-app", "/home/dev/my/app", "/home/dev/My_app", "/home/dev/caf\u00e9", "/home/dev/cafe\u0301"}
	for _, root := range names {
		for _, cwd := range names {
			wantOwns(t, Project{Root: root}, root == cwd, cwd, cwd+"/sub")
		}
	}
}

func BenchmarkOwns(b *testing.B) {
	dir := b.TempDir()
	p, err := Locate(dir)
	if err != nil {
		b.Fatal(err)
	}
	cwd := filepath.Join(dir, "a", "b", "c")
	for b.Loop() {
		if !p.Owns(cwd) {
			b.Fatal("not ours")
		}
	}
}
