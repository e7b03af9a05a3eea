package blame

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// repository is one in a temporary folder, with the file m.md: a line by each of
// two authors.
type repository struct {
	t   *testing.T
	top string
}

func newRepository(t *testing.T, args ...string) repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := repository{t, top}
	r.git(append([]string{"init", "-q", "-b", "main"}, args...)...)
	r.commit("Ada", "one\n")
	r.commit("Bob", "one\ntwo\r\n")
	return r
}

func (r repository) git(args ...string) string {
	r.t.Helper()
	c := exec.CommandContext(r.t.Context(), "git", append([]string{"-c", "core.autocrlf=false"}, args...)...)
	c.Dir = r.top
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_COMMITTER_NAME=c", "GIT_COMMITTER_EMAIL=c@example.org", "GIT_ALLOW_PROTOCOL=file")
	out, err := c.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r repository) commit(author, text string) {
	r.t.Helper()
	r.write("m.md", text)
	r.git("add", "m.md")
	r.git("commit", "-q", "-m", "m", "--author", author+" <a@example.org>")
}

func (r repository) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.top, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		r.t.Fatal(err)
	}
}

func (r repository) source() Source {
	return Source{Top: r.top, Common: filepath.Join(r.top, ".git"), Commit: r.git("rev-parse", "HEAD"), Path: "m.md"}
}

var both = []Line{{"Ada", "one"}, {"Bob", "two"}}

func TestFile(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := newRepository(t, "--object-format="+format)
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			t.Setenv("TMP", temp)
			got, err := File(t.Context(), r.source())
			if err != nil || !reflect.DeepEqual(got, both) {
				t.Errorf("got %q, %v, want %q", got, err, both)
			}
			r.git("gc", "-q")
			if got, err = File(t.Context(), r.source()); err != nil || !reflect.DeepEqual(got, both) {
				t.Errorf("packed: got %q, %v, want %q", got, err, both)
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// TestNothingOfTheRepositoryRuns sets what makes git start programs, and shows that
// it would by git itself.
func TestNothingOfTheRepositoryRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	r := newRepository(t)
	s := r.source()
	marker := filepath.Join(t.TempDir(), "marker")
	r.write("evil", "#!/bin/sh\necho \"$0 $*\" >>'"+marker+"'\nexit 1\n")
	evil := filepath.Join(r.top, "evil")
	r.write(".gitattributes", "* diff=evil filter=evil\n")
	r.write(".mailmap", "Eve <e@example.org> <a@example.org>\n")
	r.git("add", ".gitattributes", ".mailmap")
	r.git("commit", "-q", "-m", "attributes", "--author", "Eve <e@example.org>")
	s.Commit = r.git("rev-parse", "HEAD")
	r.write("included", "[core]\n\tfsmonitor = "+evil+"\n")
	r.write("hooks/post-index-change", "#!/bin/sh\nexec '"+evil+"'\n")
	config, err := os.ReadFile(filepath.Join(r.top, ".git", "config"))
	if err != nil {
		t.Fatal(err)
	}
	r.write(".git/config", string(config)+fmt.Sprintf(`
[core]
	fsmonitor = %[1]s
	hooksPath = %[2]s/hooks
	pager = %[1]s
	sshCommand = %[1]s
	gitProxy = %[1]s
	attributesFile = %[2]s/.gitattributes
	alternateRefsCommand = %[1]s
	repositoryformatversion = 1
[extensions]
	partialClone = origin
[remote "origin"]
	url = ssh://example.invalid/r
	promisor = true
[diff]
	external = %[1]s
[diff "evil"]
	textconv = %[1]s
	command = %[1]s
[filter "evil"]
	clean = %[1]s
	smudge = %[1]s
	process = %[1]s
	required = true
[gpg]
	program = %[1]s
[log]
	showSignature = true
[alias]
	blame = !%[1]s
[pager]
	blame = %[1]s
[blame]
	ignoreRevsFile = %[2]s/included
[include]
	path = %[2]s/included
`, evil, r.top))
	got, err := File(t.Context(), s)
	if err != nil || !reflect.DeepEqual(got, both) {
		t.Errorf("got %q, %v, want %q", got, err, both)
	}
	// An object that is not there, which a promisor remote would be asked for.
	blob := r.gitQuietly("rev-parse", s.Commit+":m.md")
	os.Remove(marker)
	if err := os.Remove(filepath.Join(s.Common, "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	if got, err := File(t.Context(), s); err == nil {
		t.Errorf("got %q of a file that is not there", got)
	}
	if text, err := os.ReadFile(marker); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it was run: %s, %v", text, err)
	}
	r.gitQuietly("status")
	if _, err := os.Stat(marker); err != nil {
		t.Errorf("the repository is not hostile: %v", err)
	}
}

// gitQuietly runs git in a hostile repository, which may fail.
func (r repository) gitQuietly(args ...string) string {
	c := exec.CommandContext(r.t.Context(), "git", args...)
	c.Dir = r.top
	out, _ := c.Output()
	return strings.TrimSpace(string(out))
}

func TestRefused(t *testing.T) {
	for name, spoil := range map[string]func(*testing.T, repository, *Source){
		"no id":       func(_ *testing.T, _ repository, s *Source) { s.Commit = "HEAD" },
		"an option":   func(_ *testing.T, _ repository, s *Source) { s.Commit = "--contents=/etc/passwd" },
		"outside":     func(_ *testing.T, _ repository, s *Source) { s.Path = "../m.md" },
		"no common":   func(_ *testing.T, _ repository, s *Source) { s.Common = "" },
		"no objects":  func(t *testing.T, _ repository, s *Source) { s.Common = t.TempDir() },
		"alternates":  func(_ *testing.T, r repository, _ *Source) { r.write(".git/objects/info/alternates", "/elsewhere\n") },
		"file as one": func(_ *testing.T, r repository, s *Source) { r.write("x/objects", ""); s.Common = r.top + "/x" },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			s := r.source()
			spoil(t, r, &s)
			if got, err := File(t.Context(), s); !errors.Is(err, ErrRefused) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

// TestUnknown has files and commits that git can't tell of.
func TestUnknown(t *testing.T) {
	r := newRepository(t)
	s := r.source()
	s.Path = "not there.md"
	if got, err := File(t.Context(), s); err == nil || errors.Is(err, ErrRefused) {
		t.Errorf("of no file: %q, %v", got, err)
	}
	s = r.source()
	s.Commit = strings.Repeat("1", 40)
	if got, err := File(t.Context(), s); err == nil || errors.Is(err, ErrRefused) {
		t.Errorf("of no commit: %q, %v", got, err)
	}
	shallow := repository{t, t.TempDir()}
	shallow.git("clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(r.top), ".")
	if got, err := File(t.Context(), shallow.source()); !errors.Is(err, ErrRefused) {
		t.Errorf("of a shallow clone: %q, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := File(ctx, r.source()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %q, %v", got, err)
	}
}

func TestNoGit(t *testing.T) {
	r := newRepository(t)
	s := r.source()
	r.write("tools/git", "#!/bin/sh\n")
	r.write("tools/git.exe", "")
	for name, path := range map[string]string{
		"none": t.TempDir(), "the project's": filepath.Join(r.top, "tools"), "relative": "tools",
	} {
		t.Run(name, func(t *testing.T) {
			if name == "relative" {
				t.Chdir(r.top)
			}
			t.Setenv("PATH", path)
			if got, err := File(t.Context(), s); !errors.Is(err, ErrNoGit) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestParse(t *testing.T) {
	const a, b = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	in := a + " 1 1 1\nauthor Ada\nauthor-mail <a>\nsummary author Eve\nfilename m\n\tone\n" +
		b + " 2 2 2\nauthor B\x1b[31mob\nsummary \nboundary\nfilename m\n\t\ttwo\r\n" + b + " 3 3\n\tauthor x\n" + a + " 2 4 1\n\t\n"
	want := []Line{{"Ada", "one"}, {"B\x1b[31mob", "\ttwo"}, {"B\x1b[31mob", "author x"}, {"Ada", ""}}
	if got := parse([]byte(in)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("11 1 1 1\nauthor A\n\tone\n11 2 2\n\ttwo"))
	f.Add([]byte("\t\n\n\tx\nauthor \n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		lines := parse(in)
		tabs := 0
		for _, l := range strings.Split(string(in), "\n") {
			if strings.HasPrefix(l, "\t") {
				tabs++
			}
		}
		if len(lines) != tabs {
			t.Errorf("%d lines of %d", len(lines), tabs)
		}
		for _, l := range lines {
			if strings.Contains(l.Text, "\n") || strings.Contains(l.Author, "\n") {
				t.Errorf("%q has several lines", l)
			}
		}
	})
}
