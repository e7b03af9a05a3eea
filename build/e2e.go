package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// e2e drives the window's pages in Chromium, against the real program.
func (t *tool) e2e() error {
	if err := t.canShow(browser); err != nil {
		return err
	}
	if err := t.built(options{goos: "linux", arch: runtime.GOARCH, dev: true}); err != nil {
		return err
	}
	return t.nodeTests("browser", nil)
}

// windowSmoke drives the real window through WebKit's inspector, in the languages
// that a machine without settings and a person's machine have, and then together
// with the background service, a panel and a keyring.
func (t *tool) windowSmoke() error {
	if err := t.canShow(); err != nil {
		return err
	}
	if err := t.built(options{goos: "linux", arch: runtime.GOARCH}); err != nil {
		return err
	}
	var errs []error
	for _, lang := range []string{"C", "en_US.UTF-8"} {
		t.say("window: LANG=%s", lang)
		errs = append(errs, t.nodeTests("window", []string{"RECOLLECT_E2E_LANG=" + lang}))
	}
	// Elsewhere a test says what it lacks, and the others run.
	if inCI() {
		if err := t.bring(panel, keyring, secrets); err != nil {
			return errors.Join(append(errs, err)...)
		}
	}
	errs = append(errs, t.nodeTests("session", nil))
	return errors.Join(errs...)
}

// canShow checks that a window can be shown without a monitor.
func (t *tool) canShow(more ...peer) error {
	if runtime.GOOS != "linux" {
		return errSkipped{"the window is driven on Linux only"}
	}
	if err := t.require(append([]peer{webkit, screen}, more...)...); err != nil {
		return err
	}
	if err := t.orSkip(t.node()); err != nil {
		return err
	}
	return t.nodeModules()
}

// built compiles a window if none is there.
func (t *tool) built(o options) error {
	if exists(t.windowFile(o)) && exists(t.commandLineFile(o)) {
		return nil
	}
	return t.desktop(o)
}

// nodeFlags let Node 20 speak to an inspector, without a word about it.
var nodeFlags = []string{"--experimental-websocket", "--disable-warning=ExperimentalWarning"}

// nodeTests runs the tests in a folder of frontend/e2e, one file after the other:
// each starts a window of its own.
func (t *tool) nodeTests(folder string, env []string) error {
	files, err := filepath.Glob(t.path("frontend", "e2e", folder, "*.e2e.mjs"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("frontend/e2e/%s has no tests", folder)
	}
	slices.Sort(files)
	args := slices.Concat(nodeFlags, []string{"--test", "--test-concurrency=1", "--test-timeout=300000", "--test-reporter=spec"}, files)
	if err := t.command(t.path("frontend"), env, "node", args...).Run(); err != nil {
		return fmt.Errorf("frontend/e2e/%s: %w", folder, err)
	}
	return nil
}

// desktopBench measures the window and the service on a screen without a monitor.
func (t *tool) desktopBench() error {
	if err := t.bring(webkit, screen); err != nil {
		return err
	}
	if err := t.desktop(options{goos: runtime.GOOS, arch: runtime.GOARCH}); err != nil {
		return err
	}
	t.say("")
	if err := t.command(t.path("frontend"), nil, "node", append(nodeFlags, "e2e/measure.mjs")...).Run(); err != nil {
		return fmt.Errorf("measuring the window: %w", err)
	}
	return nil
}

// maxPicture is what a screenshot in the documents may weigh.
const maxPicture = 150_000

// screenshots takes pictures of every screen, light and dark, of the sample of
// frontend/e2e, and makes them small.
func (t *tool) screenshots() error {
	if err := t.bring(webkit, screen, browser, quantiser); err != nil {
		return err
	}
	if err := t.desktop(options{goos: runtime.GOOS, arch: runtime.GOARCH, dev: true}); err != nil {
		return err
	}
	dir := t.path("docs", "screenshots")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := t.command(t.path("frontend"), nil, "node", "e2e/screenshots.mjs", dir).Run(); err != nil {
		return fmt.Errorf("screenshots: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.png"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := t.quantise(file); err != nil {
			return err
		}
	}
	t.say("screenshots: %d in %s", len(files), t.rel(dir))
	return nil
}

func (t *tool) quantise(file string) error {
	c := t.command(t.root, nil, "pngquant", "--force", "--skip-if-larger", "--strip", "--speed=1", "--output", file, "256", file)
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	// 98 and 99 mean that the picture is as small as it gets already.
	if err := c.Run(); err != nil && c.ProcessState.ExitCode() < 98 {
		return fmt.Errorf("pngquant: %w\n%s", err, said.String())
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.Size() > maxPicture {
		return fmt.Errorf("%s has %d bytes, more than %d", t.rel(file), info.Size(), maxPicture)
	}
	return nil
}

// inspect looks into the packages as those who install them would.
func (t *tool) inspect() error {
	dir := t.path("build", "bin", "packages")
	one := func(pattern string) string {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(found) != 1 {
			return filepath.Join(dir, pattern)
		}
		return found[0]
	}
	out, err := os.MkdirTemp("", "recollect-package-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out)
	share := filepath.Join(out, "usr", "share")
	for _, args := range [][]string{
		{"sha256sum", "--check", "--quiet", "SHA256SUMS"},
		{"lintian", "--allow-root", "--fail-on=error", "--suppress-tags=bad-distribution-in-changes-file", one("*.deb")},
		{"dpkg-deb", "-x", one("*.deb"), out},
		{filepath.Join(out, "usr", "bin", "recollect"), "--version"},
		{filepath.Join(out, "usr", "bin", "Recollect"), "-version"},
		{"desktop-file-validate", filepath.Join(share, "applications", appID+".desktop")},
		{"appstreamcli", "validate", "--no-net", filepath.Join(share, "metainfo", appID+".metainfo.xml")},
	} {
		if err := t.command(dir, nil, args[0], args[1:]...).Run(); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(args[0]), err)
		}
	}
	var listed bytes.Buffer
	c := t.command(dir, nil, "rpm", "-qlp", one("*.rpm"))
	c.Stdout = &listed
	if err := c.Run(); err != nil {
		return fmt.Errorf("rpm: %w", err)
	}
	for _, want := range []string{"/usr/bin/recollect", "/usr/bin/Recollect", "/usr/share/applications/" + appID + ".desktop"} {
		if !strings.Contains("\n"+listed.String(), "\n"+want+"\n") {
			return fmt.Errorf("the .rpm lacks %s:\n%s", want, listed.String())
		}
	}
	return t.firstWeek(one("*.tar.gz"), out)
}

// firstWeek unpacks the archive as README tells it, and has the program in it live
// through a new user's first week.
func (t *tool) firstWeek(archive, into string) error {
	root := filepath.Join(into, "local")
	if err := os.Mkdir(root, 0o755); err != nil {
		return err
	}
	if err := t.command(root, nil, "tar", "-xzf", archive, "--strip-components=1").Run(); err != nil {
		return fmt.Errorf("tar: %w", err)
	}
	env := []string{"RECOLLECT_TEST_PACKAGED=" + filepath.Join(root, "bin", "recollect")}
	return t.goRun(t.root, env, "test", "-count=1", "-run", "^TestWeek$", "./internal/cli")
}
