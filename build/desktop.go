package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// goTools runs a tool of build/tools/go.mod, which keeps what only the build
// needs out of the product's go.mod.
var goTools = []string{"tool", "-modfile=build/tools/go.mod"}

func desktopFlags(fs *flag.FlagSet, o *options) {
	fs.BoolVar(&o.dev, "dev", false, "the window for tests: also serves its pages to a browser at the address in the variable devserver")
	fs.StringVar(&o.goos, "os", runtime.GOOS, "the system to build for: this one, or windows from anywhere")
	fs.StringVar(&o.arch, "arch", runtime.GOARCH, "the processor to build for: amd64, arm64")
	versionFlag(fs, o)
}

func versionFlag(fs *flag.FlagSet, o *options) {
	fs.StringVar(&o.version, "version", "", "the version to stamp in (default: what git describe says)")
}

// desktop makes the window and the command-line program beside it.
func (t *tool) desktop(o options) error {
	if err := t.canBuild(o); err != nil {
		return err
	}
	if err := t.modules(t.root); err != nil {
		return err
	}
	if err := t.plugins(); err != nil {
		return err
	}
	if err := t.bindings(); err != nil {
		return err
	}
	if err := t.frontend(); err != nil {
		return err
	}
	if err := t.window(o); err != nil {
		return err
	}
	return t.commandLine(o)
}

// canBuild checks what has to be here, brings what it may, and names the rest.
func (t *tool) canBuild(o options) error {
	if err := t.node(); err != nil {
		return err
	}
	switch {
	case o.goos == "windows":
		return nil // no C compiler is needed
	case o.goos != runtime.GOOS:
		return fmt.Errorf("a window for %s can be built on %s only, since it is linked with that system's own web view", o.goos, o.goos)
	case o.goos == "linux" && o.arch != runtime.GOARCH:
		return fmt.Errorf("a window for %s can be built on such a machine only, since it is linked with GTK", o.arch)
	case o.goos == "linux" && !webkit.here():
		if !installed("apt-get") {
			return errors.New("please install gcc, pkg-config and the development files of GTK 3 and WebKitGTK 4.1 (Fedora: gcc pkgconf-pkg-config gtk3-devel webkit2gtk4.1-devel; Arch: base-devel gtk3 webkit2gtk-4.1; openSUSE: gcc pkg-config gtk3-devel webkit2gtk3-devel)")
		}
		return t.bring(webkit)
	case o.goos == "darwin" && exec.CommandContext(t.ctx, "xcode-select", "-p").Run() != nil:
		return errors.New("please install Apple's command-line tools: xcode-select --install")
	}
	return nil
}

// windowFile is where a compiled window lies. On Linux that is beside the
// command-line program; where file names don't tell case apart, the two need
// folders of their own.
func (t *tool) windowFile(o options) string {
	name := "Recollect"
	if o.dev {
		name = "Recollect-dev"
	}
	if o.goos == "linux" {
		return t.path("build", "bin", name)
	}
	if o.goos == "windows" {
		name += ".exe"
	}
	return filepath.Join(t.portable(o), name)
}

// commandLineFile is where the command-line program for a window lies.
func (t *tool) commandLineFile(o options) string {
	switch o.goos {
	case "linux":
		return t.path("build", "bin", "recollect")
	case "windows":
		return filepath.Join(t.portable(o), "bin", "recollect.exe")
	}
	return filepath.Join(t.portable(o), "bin", "recollect")
}

func (t *tool) portable(o options) string { return t.path("build", "bin", o.goos+"-"+o.arch) }

// window compiles the window. Its flags are always the same, so that the parts
// in C are compiled once.
func (t *tool) window(o options) error {
	start := time.Now()
	env := append(pinned[:len(pinned):len(pinned)], "GOOS="+o.goos, "GOARCH="+o.arch, "CGO_ENABLED=1")
	tags, flags := "desktop,production", "-s -w"
	if o.dev {
		tags = "dev"
	}
	switch o.goos {
	case "linux":
		tags += ",webkit2_41"
	case "windows":
		env = append(env, "CGO_ENABLED=0")
		flags += " -H windowsgui"
		clean, err := t.resources(o)
		if err != nil {
			return err
		}
		defer clean()
	case "darwin":
		env = append(env, "CGO_LDFLAGS=-framework UniformTypeIdentifiers")
	}
	version := t.versionFor(o)
	flags += " -X " + versionVar + "=" + version + " -X " + module + "/app.version=" + version
	err := t.goRun(t.root, env, "build", "-trimpath", "-buildvcs=false", "-tags="+tags, "-ldflags="+flags, "-o", t.windowFile(o), ".")
	if err != nil {
		return err
	}
	t.say("desktop: %s, version %s, in %s", t.rel(t.windowFile(o)), version, time.Since(start).Round(100*time.Millisecond))
	return nil
}

// commandLine compiles the command-line program for the window's system.
func (t *tool) commandLine(o options) error {
	env := append(pinned[:len(pinned):len(pinned)], "GOOS="+o.goos, "GOARCH="+o.arch)
	err := t.goRun(t.root, env, "build", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -X "+versionVar+"="+t.versionFor(o), "-o", t.commandLineFile(o), "./cmd/recollect")
	if err == nil {
		t.say("desktop: %s", t.rel(t.commandLineFile(o)))
	}
	return err
}

func (t *tool) versionFor(o options) string {
	if o.version != "" {
		return o.version
	}
	return t.version()
}

// resources writes the icon, the manifest and the version of a Windows program
// into the root, where the Go compiler picks them up, and gives what takes them
// away again.
func (t *tool) resources(o options) (func(), error) {
	four := fourNumbers(t.versionFor(o))
	args := append(goTools[:len(goTools):len(goTools)], "go-winres", "make", "--in", "build/windows/winres.json",
		"--out", "rsrc", "--arch", o.arch, "--product-version", four, "--file-version", four)
	clean := func() { os.Remove(t.path("rsrc_windows_" + o.arch + ".syso")) }
	if err := t.goRun(t.root, []string{"GOWORK=off"}, args...); err != nil {
		clean()
		return nil, err
	}
	return clean, nil
}

// fourNumbers writes a version as Windows wants it: 1.2.3.0.
func fourNumbers(version string) string {
	version, _, _ = strings.Cut(version, "-")
	version, _, _ = strings.Cut(version, "+")
	numbers := strings.Split(version, ".")
	for len(numbers) < 4 {
		numbers = append(numbers, "0")
	}
	numbers = numbers[:4]
	for i, n := range numbers {
		if _, err := strconv.ParseUint(n, 10, 16); err != nil {
			numbers[i] = "0"
		}
	}
	return strings.Join(numbers, ".")
}
