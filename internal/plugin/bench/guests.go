package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// guest is one guest in one language.
type guest struct {
	name   string
	extism string // the rc/1 guest that does the same, for a guest of Extism
	build  func(*workshop, string) error
	wasm   []byte // nil if it can't be built here
}

func allGuests() []*guest {
	return []*guest{
		{name: "C", build: func(w *workshop, out string) error { return w.clang(out, "rc1.c") }},
		{name: "Rust", build: (*workshop).rust},
		{name: "AssemblyScript", build: (*workshop).assembly},
		{name: "Go", build: func(w *workshop, out string) error { return w.goBuild(out, "go") }},
		{name: "Extism C", extism: "C", build: func(w *workshop, out string) error { return w.clang(out, "extism.c") }},
		{name: "Extism Go", extism: "Go", build: func(w *workshop, out string) error { return w.goBuild(out, "goextism") }},
	}
}

// workshop builds guests into a folder.
type workshop struct {
	ctx context.Context
	dir string
}

// errNoTool marks a language whose compiler is not here.
type errNoTool struct{ what string }

func (e errNoTool) Error() string { return e.what }

// make builds a guest; one without its compiler stays without a module.
func (w *workshop) make(g *guest) error {
	out := filepath.Join(w.dir, strings.ReplaceAll(g.name, " ", "-")+".wasm")
	err := g.build(w, out)
	var missing errNoTool
	if errors.As(err, &missing) {
		fmt.Fprintf(os.Stderr, "%s is left out: %s\n", g.name, missing.what)
		return nil
	}
	if err == nil {
		g.wasm, err = os.ReadFile(out)
	}
	if err != nil {
		return fmt.Errorf("the guest in %s: %w", g.name, err)
	}
	return nil
}

func (w *workshop) run(env []string, name string, args ...string) error {
	cmd := exec.CommandContext(w.ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, said)
	}
	return nil
}

func (w *workshop) goBuild(out, name string) error {
	return w.run([]string{"GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0"}, "go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", out, "./guests/"+name)
}

func (w *workshop) clang(out, glue string) error {
	clang, err := exec.LookPath("clang")
	if _, err2 := exec.LookPath("wasm-ld"); err != nil || err2 != nil {
		return errNoTool{"it needs clang, lld, wasi-libc and libclang-rt-dev-wasm32, as Debian names them"}
	}
	return w.run(nil, clang, "--target=wasm32-wasi", "-O2", "-mexec-model=reactor", "-Wl,--strip-debug", "-o", out, "guests/c/job.c", "guests/c/"+glue)
}

func (w *workshop) rust(out string) error {
	const target = "wasm32-unknown-unknown"
	for _, rustc := range []string{"rustc", "/usr/bin/rustc"} {
		root, err := exec.CommandContext(w.ctx, rustc, "--print", "sysroot").Output()
		if err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(strings.TrimSpace(string(root)), "lib", "rustlib", target)); err == nil {
			return w.run(nil, rustc, "--target", target, "-O", "-C", "panic=abort", "-C", "strip=symbols", "--crate-type", "cdylib", "-o", out, "guests/rust/job.rs")
		}
	}
	return errNoTool{"it needs a rustc with the target " + target + " (Debian: rustc and libstd-rust-dev-wasm32)"}
}

func (w *workshop) assembly(out string) error {
	asc := filepath.Join("guests", "as", "node_modules", "assemblyscript", "bin", "asc.js")
	node, err := exec.LookPath("node")
	if _, err2 := os.Stat(asc); err != nil || err2 != nil {
		return errNoTool{"it needs Node and \"npm install\" in internal/plugin/bench/guests/as"}
	}
	return w.run(nil, node, asc, "guests/as/job.ts", "-O3", "--runtime", "minimal", "--use", "abort=", "--exportStart", "_initialize", "-o", out)
}
