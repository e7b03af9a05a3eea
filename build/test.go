package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func testFlags(fs *flag.FlagSet, o *options) {
	fs.BoolVar(&o.noRace, "norace", false, "leave the race detector out")
	fs.StringVar(&o.only, "only", "", "run only these steps, by name and separated by commas")
	fs.StringVar(&o.from, "from", "", "begin with this step")
	fs.BoolVar(&o.list, "list", false, "name the steps and run none")
}

// wasmPackages must compile for plug-ins. Their tests need not: they run
// natively, against a host in memory.
var wasmPackages = []string{"./hostapi/...", "./plugins/..."}

// racePackages are those whose goroutines share something. The rest would only
// run twice, and several times slower.
var racePackages = []string{
	"./internal/atomicfile", "./internal/filelock", "./internal/history/...", "./internal/memory", "./internal/memorize",
	"./internal/inject", "./internal/plugin", "./internal/engine", "./internal/llm/...", "./internal/keyring",
	"./internal/folderwatch", "./internal/maintain", "./internal/peer", "./internal/service/...", "./app/...",
}

func (t *tool) all(steps []step) error {
	var report strings.Builder
	failed := 0
	for _, s := range steps {
		if t.ctx.Err() != nil {
			return errors.New("interrupted")
		}
		t.say("== %s", s.name)
		start := time.Now()
		err := s.run()
		took := time.Since(start).Round(100 * time.Millisecond)
		var skipped errSkipped
		switch {
		case err == nil:
			fmt.Fprintf(&report, "  ok       %-28s %s\n", s.name, took)
		case errors.As(err, &skipped):
			fmt.Fprintf(&report, "  left out %-28s %v\n", s.name, err)
		default:
			failed++
			t.say("%s: %v", s.name, err)
			fmt.Fprintf(&report, "  FAILED   %-28s %s, %v\n", s.name, took, err)
		}
	}
	t.say("== summary\n%s", strings.TrimRight(report.String(), "\n"))
	if failed > 0 {
		return fmt.Errorf("%d of %d steps failed", failed, len(steps))
	}
	return nil
}

// modules puts the Go modules that go.mod names into Go's module cache. It is
// the only thing that the build tool installs outside CI; see peers.
func (t *tool) modules(dir string) error {
	cache, err := t.goOutput(dir, nil, "env", "GOMODCACHE")
	if err != nil {
		return err
	}
	t.say("modules: installs the Go modules of %s into %s where they are missing, and nothing else", t.rel(filepath.Join(dir, "go.mod")), cache)
	return t.goRun(dir, []string{"GOWORK=off"}, "mod", "download")
}

func (t *tool) vet(env []string, packages ...string) error {
	return t.goRun(t.root, env, append([]string{"vet"}, packages...)...)
}

func (t *tool) example(dir string) error {
	env := []string{"GOWORK=off"}
	if err := t.goRun(dir, env, "vet", "./..."); err != nil {
		return err
	}
	return t.goRun(dir, env, "test", "./...")
}

// race needs a C compiler, which a machine with only Go has not.
func (t *tool) race(leaveOut bool) error {
	if leaveOut {
		return errSkipped{"-norace was given"}
	}
	env := []string{"CGO_ENABLED=1"}
	probe := t.command(t.root, env, "go", "build", "-race", "runtime/cgo")
	var said bytes.Buffer
	probe.Stdout, probe.Stderr = &said, &said
	if probe.Run() != nil {
		return errSkipped{"no C compiler that the race detector could use on " + runtime.GOOS + "/" + runtime.GOARCH}
	}
	// The detector makes the compiler of plug-ins some twenty times slower.
	args := []string{"test", "-race", "-short", "-timeout", "45m"}
	for _, p := range racePackages {
		if exists(t.path(strings.TrimSuffix(p, "/..."))) {
			args = append(args, p)
		}
	}
	return t.goRun(t.root, env, args...)
}

// gofmt lists files that gofmt would change. It formats by itself: not every
// installation of Go has the program.
func (t *tool) gofmt() error {
	bad := 0
	err := filepath.WalkDir(t.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipDir(t.rel(path)):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		ok, err := formatted(path)
		if !ok {
			bad++
			t.say("%s: not as gofmt writes it", t.rel(path))
			if err != nil {
				t.say("\t%v", err)
			}
		}
		return nil
	})
	if err == nil && bad > 0 {
		err = fmt.Errorf("%d files are not formatted", bad)
	}
	return err
}

func formatted(path string) (bool, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	want, err := format.Source(src)
	return bytes.Equal(src, want), err
}

// skipDir names folders whose files are not the project's own source.
func skipDir(rel string) bool {
	switch filepath.Base(rel) {
	case ".git", "testdata", "node_modules":
		return true
	}
	return rel == "build/bin" || rel == "plugins/dist"
}

// modulesBelow lists the folders directly in dir that are Go modules.
func modulesBelow(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "go.mod"))
	for i, f := range files {
		files[i] = filepath.Dir(f)
	}
	return files, err
}
