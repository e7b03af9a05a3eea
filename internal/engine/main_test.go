package engine

import (
	"os"
	"path/filepath"
	"testing"

	"recollect/internal/config"
	"recollect/internal/engine/enginetest"
	"recollect/internal/plugin"
	"recollect/internal/plugin/plugintest"
)

func TestMain(m *testing.M) {
	plugintest.CompileFast(os.Args[1:])
	if handled, code := plugin.RunChild(os.Args[1:], os.Stdin, os.Stdout); handled {
		os.Exit(code)
	}
	if os.Getenv(envAdd) != "" {
		os.Exit(addOne())
	}
	os.Exit(m.Run())
}

// sample lays out the sample project and gives what opens it.
func sample(t testing.TB) Options {
	t.Helper()
	s := enginetest.LayOut(t, filepath.Join("..", ".."))
	env := map[string]string{config.EnvHome: s.Home, "CLAUDE_CONFIG_DIR": s.Claude}
	return Options{Dir: s.Project, Version: "test", Getenv: func(name string) string { return env[name] }}
}

func write(t testing.TB, path string, data []byte) { t.Helper(); enginetest.Write(t, path, data) }
