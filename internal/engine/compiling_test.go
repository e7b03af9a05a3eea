package engine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"recollect/internal/config"
	"recollect/internal/plugin"
)

// The first memorize tells that plug-ins are made ready, which a later one need not.
func TestMemorizeTellsThatPluginsAreMadeReady(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles plug-ins")
	}
	o := sample(t)
	// Other tests share what is compiled.
	if err := os.RemoveAll(filepath.Join(o.Getenv(config.EnvHome), "cache", "compiled")); err != nil {
		t.Fatal(err)
	}
	for _, first := range []bool{true, false} {
		e := openEngine(t, o)
		told := 0
		_, err := e.Memorize(t.Context(), MemorizeOptions{All: true, Again: true, Progress: func(p Progress) {
			if p.Step == StepCompile {
				told++
				if p.Plug == "" || p.Branches < 1 || p.Number < 1 || p.Done > p.Total {
					t.Errorf("%+v", p)
				}
			}
		}})
		if err != nil || (told > 0) != first {
			t.Errorf("first %t: told %d times, %v", first, told, err)
		}
		if e.follower.Load() != nil {
			t.Error("it is followed on")
		}
	}
}

func TestPreparePlugins(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e := openEngine(t, o)
	if _, err := e.EnablePlugin(config.ModelNotes, false); err != nil {
		t.Fatal(err)
	}
	done, err := e.PreparePlugins(t.Context())
	if err != nil || len(done.Problems) > 0 || !slices.Contains(done.Ready, config.Offline) || slices.Contains(done.Ready, config.ModelNotes) {
		t.Errorf("%+v, %v", done, err)
	}
	o.Compiling = func(c plugin.Compiling) { t.Errorf("%s is compiled again", c.Plugin) }
	if _, err := openEngine(t, o).Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
		t.Error(err)
	}
}

func TestCompiledMovesOn(t *testing.T) {
	t.Parallel()
	last := -1
	for _, after := range []time.Duration{0, time.Second, 2 * time.Second, 8 * time.Second} {
		now := compiled(plugin.Compiling{Elapsed: after})
		if now <= last || now >= compileTotal {
			t.Errorf("after %v: %d", after, now)
		}
		last = now
	}
	if compiled(plugin.Compiling{Done: true}) != compileTotal {
		t.Error("it does not come to its end")
	}
}
