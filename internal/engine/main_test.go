package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/config"
	"recollect/internal/plugin"
)

func TestMain(m *testing.M) {
	if handled, code := plugin.RunChild(os.Args[1:], os.Stdin, os.Stdout); handled {
		os.Exit(code)
	}
	if os.Getenv(envAdd) != "" {
		os.Exit(addOne())
	}
	os.Exit(m.Run())
}

// sample lays out the sample project with its history in folders of the test
// and gives what opens it. The compiled plug-ins are those of all tests.
func sample(t testing.TB) Options {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project, home := filepath.Join(dir, "ebb"), filepath.Join(dir, "home")
	cache := filepath.Join(os.TempDir(), "recollect-test-compiled")
	for _, d := range []string{filepath.Join(project, ".git", "objects"), filepath.Join(project, ".git", "refs", "heads"),
		filepath.Join(home, "cache"), filepath.Join(home, "data", "plugins"), cache} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(cache, filepath.Join(home, "cache", "compiled")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(home, "data", "plugins", "cache.key"), bytes.Repeat([]byte("k"), 32))
	write(t, filepath.Join(project, ".git", "HEAD"), []byte("ref: refs/heads/main\n"))
	source := filepath.Join("..", "..", "build", "sample")
	if err := os.CopyFS(project, os.DirFS(filepath.Join(source, "project"))); err != nil {
		t.Fatal(err)
	}
	transcripts, err := filepath.Glob(filepath.Join(source, "history", "*.jsonl"))
	if err != nil || len(transcripts) == 0 {
		t.Fatal("the sample has no history", err)
	}
	slug := strings.NewReplacer("/", "-", "\\", "-", ":", "-", ".", "-").Replace(project)
	for _, name := range transcripts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte("@PROJECT@"), []byte(filepath.ToSlash(project)))
		write(t, filepath.Join(dir, "claude", "projects", slug, filepath.Base(name)), text)
	}
	env := map[string]string{config.EnvHome: home, "CLAUDE_CONFIG_DIR": filepath.Join(dir, "claude")}
	return Options{Dir: project, Version: "test", Getenv: func(name string) string { return env[name] }}
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
