package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// pluginBenchDir is a module of its own, so that the program does not depend on
// what it is compared with.
const pluginBenchDir = "internal/plugin/bench"

// pluginBench runs the comparison of plug-in hosts, which prints its own tables.
// It works on copies of its go.mod and go.sum: what the program requires may
// have moved on since they were written.
func (t *tool) pluginBench() error {
	dir := t.path(filepath.FromSlash(pluginBenchDir))
	if !exists(filepath.Join(dir, "go.mod")) {
		return nil
	}
	tmp, err := os.MkdirTemp("", "recollect-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(tmp, name), data, 0o600); err != nil {
			return err
		}
	}
	t.say("plug-in hosts: installs the Go modules of %s/go.mod where they are missing, and builds its guests in a temporary folder", pluginBenchDir)
	env := []string{"GOWORK=off", fmt.Sprintf("GOFLAGS=-mod=mod -buildvcs=false -modfile=%s", filepath.Join(tmp, "go.mod"))}
	return t.goRun(dir, env, "run", ".")
}
