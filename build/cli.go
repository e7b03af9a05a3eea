package main

import (
	"bytes"
	"os/exec"
	"strings"
	"time"
)

// versionVar is the variable that the version is stamped into.
const versionVar = module + "/internal/cli.version"

// cli compiles the plug-ins and then the program that embeds them.
func (t *tool) cli() error {
	if err := t.modules(t.root); err != nil {
		return err
	}
	if err := t.plugins(); err != nil {
		return err
	}
	start := time.Now()
	version := t.version()
	err := t.goRun(t.root, pinned, "build", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -X "+versionVar+"="+version, "-o", t.program(), "./cmd/recollect")
	if err != nil {
		return err
	}
	t.say("cli: %s, version %s, in %s", t.rel(t.program()), version, time.Since(start).Round(100*time.Millisecond))
	return nil
}

// program is where the compiled command-line program is.
func (t *tool) program() string { return t.path("build", "bin", programName("recollect")) }

// version names what is being built: the tag, or the commit where there is no
// tag, or "dev" where git or its history is missing.
func (t *tool) version() string {
	if !exists(t.path(".git")) {
		return "dev"
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(t.ctx, "git", "-C", t.root, "describe", "--tags", "--match=v*", "--always", "--abbrev=12", "--dirty")
	cmd.Stdout = &out
	if cmd.Run() != nil {
		return "dev"
	}
	return versionOf(strings.TrimSpace(out.String()))
}

// versionOf reads what git describe says as a semantic version.
func versionOf(described string) string {
	if tag, ok := strings.CutPrefix(described, "v"); ok {
		return tag
	}
	if described == "" {
		return "dev"
	}
	return "0.0.0-dev+" + strings.ReplaceAll(described, "-dirty", ".dirty")
}
