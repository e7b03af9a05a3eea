package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// appID names the app in the folders of a Linux desktop.
const appID = "dev.recollect.Recollect"

// maintainer stands in the packages.
const maintainer = "The Recollect authors <maintainers@recollect.dev>"

func packageFlags(fs *flag.FlagSet, o *options) { versionFlag(fs, o) }

// bundle is one run of the verb package.
type bundle struct {
	t       *tool
	version string
	when    time.Time // of every file in a package
	dir     string    // where the packages go
	stage   string    // what is in them, laid out as below /
	made    []string
}

// pack makes the packages of this Linux machine and the installer for Windows.
// The same commit gives the same bytes.
func (t *tool) pack(o options) error {
	if runtime.GOOS != "linux" {
		return errors.New("packages are made on Linux, those for Windows too")
	}
	if err := t.bring(installer); err != nil {
		return err
	}
	linux := options{goos: "linux", arch: runtime.GOARCH, version: t.versionFor(o)}
	if err := t.desktop(linux); err != nil {
		return err
	}
	windows := options{goos: "windows", arch: "amd64", version: linux.version}
	if err := errors.Join(t.window(windows), t.commandLine(windows)); err != nil {
		return err
	}
	b := &bundle{t: t, version: linux.version, when: t.commitTime(), dir: t.path("build", "bin", "packages"), stage: t.path("build", "bin", "stage")}
	if err := errors.Join(os.RemoveAll(b.dir), os.RemoveAll(b.stage), os.MkdirAll(b.dir, 0o755)); err != nil {
		return err
	}
	defer os.RemoveAll(b.stage)
	for _, step := range []func() error{
		func() error { return b.layOut(linux) }, b.linuxPackages, b.archive,
		func() error { return b.windowsInstaller(windows) }, b.sums,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	for _, path := range b.made {
		t.say("package: %s", t.rel(path))
	}
	return nil
}

// commitTime is when what is built was committed, or what SOURCE_DATE_EPOCH says.
func (t *tool) commitTime() time.Time {
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		cmd := t.command(t.root, nil, "git", "log", "-1", "--format=%ct")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, nil
		if cmd.Run() == nil {
			seconds = strings.TrimSpace(out.String())
		}
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Unix(n, 0).UTC()
}

// layOut puts everything where it is to be installed.
func (b *bundle) layOut(o options) error {
	licences, err := b.t.thirdParty(o)
	if err != nil {
		return err
	}
	read := func(parts ...string) []byte {
		data, e := os.ReadFile(b.t.path(parts...))
		err = errors.Join(err, e)
		return data
	}
	text := func(parts ...string) []byte {
		s := strings.ReplaceAll(string(read(parts...)), "@VERSION@", b.version)
		return []byte(strings.ReplaceAll(s, "@DATE@", b.when.Format(time.DateOnly)))
	}
	unit, e := b.unit()
	err = errors.Join(err, e)
	told, e := b.told()
	err = errors.Join(err, e)
	change := fmt.Sprintf("recollect (%s) stable; urgency=medium\n\n  * See the commits for what changed.\n\n -- %s  %s\n", debVersion(b.version), maintainer, b.when.Format(time.RFC1123Z))
	files := map[string][]byte{
		"usr/bin/Recollect":                                       read("build", "bin", "Recollect"),
		"usr/bin/recollect":                                       read("build", "bin", "recollect"),
		"usr/share/applications/" + appID + ".desktop":            text("build", "linux", appID+".desktop"),
		"usr/share/metainfo/" + appID + ".metainfo.xml":           text("build", "linux", appID+".metainfo.xml"),
		"usr/share/icons/hicolor/scalable/apps/" + appID + ".svg": read("build", "icons", "recollect.svg"),
		"usr/share/man/man1/recollect.1.gz":                       zipped(told["man"]),
		"usr/share/man/man1/Recollect.1.gz":                       zipped([]byte(".so man1/recollect.1\n")),
		"usr/share/bash-completion/completions/recollect":         told["completion bash"],
		"usr/share/zsh/site-functions/_recollect":                 told["completion zsh"],
		"usr/share/fish/vendor_completions.d/recollect.fish":      told["completion fish"],
		"usr/share/doc/recollect/recollect.service":               unit,
		"usr/share/doc/recollect/copyright":                       read("build", "linux", "copyright"),
		"usr/share/doc/recollect/third-party.gz":                  zipped(licences),
		"usr/share/doc/recollect/README.md.gz":                    zipped(read("README.md")),
		"usr/share/doc/recollect/changelog.gz":                    zipped([]byte(change)),
		"deb/lintian-overrides":                                   read("build", "linux", "lintian-overrides"),
	}
	for _, size := range []string{"16", "24", "32", "48", "64", "128", "256", "512"} {
		files["usr/share/icons/hicolor/"+size+"x"+size+"/apps/"+appID+".png"] = read("build", "icons", size+".png")
	}
	if err != nil {
		return err
	}
	return b.put(files)
}

// told is what the program itself says for packages: its manual page and what makes
// shells complete its commands.
func (b *bundle) told() (map[string][]byte, error) {
	told := map[string][]byte{}
	for _, words := range []string{"man", "completion bash", "completion zsh", "completion fish"} {
		var out bytes.Buffer
		c := b.t.command(b.t.root, []string{"SOURCE_DATE_EPOCH=" + strconv.FormatInt(b.when.Unix(), 10)}, b.t.program(), strings.Fields(words)...)
		c.Stdout = &out
		if err := c.Run(); err != nil {
			return nil, fmt.Errorf("recollect %s: %w", words, err)
		}
		told[words] = out.Bytes()
	}
	return told, nil
}

// installedProgram is where a person who unpacks the archive for the whole machine
// has the program.
const installedProgram = "/usr/local/bin/recollect"

// unit is the service's unit of systemd, as recollect service install writes it, for
// those who write it themselves.
func (b *bundle) unit() ([]byte, error) {
	var out bytes.Buffer
	c := b.t.command(b.t.root, nil, b.t.program(), "service", "install", "--print", "--program", installedProgram)
	c.Stdout = &out
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("recollect service install --print: %w", err)
	}
	return out.Bytes(), nil
}

// put writes files below the stage with the time and the rights that packages
// keep.
func (b *bundle) put(files map[string][]byte) error {
	for name, data := range files {
		path := filepath.Join(b.stage, filepath.FromSlash(name))
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(name, "usr/bin/") {
			mode = 0o755
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, mode); err != nil {
			return err
		}
		if err := os.Chmod(path, mode); err != nil {
			return err
		}
	}
	return filepath.WalkDir(b.stage, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, b.when, b.when))
	})
}

// linuxPackages makes the packages for Debian's and for Red Hat's family.
func (b *bundle) linuxPackages() error {
	env := []string{
		"GOWORK=off", "RECOLLECT_ARCH=" + runtime.GOARCH, "RECOLLECT_VERSION=" + b.version, "RECOLLECT_STAGE=" + b.stage,
		"RECOLLECT_MAINTAINER=" + maintainer, "SOURCE_DATE_EPOCH=" + strconv.FormatInt(b.when.Unix(), 10),
	}
	for _, kind := range []string{"deb", "rpm"} {
		target := filepath.Join(b.dir, "recollect-"+b.version+"-linux-"+runtime.GOARCH+"."+kind)
		args := append(goTools[:len(goTools):len(goTools)], "nfpm", "package", "--config", "build/linux/nfpm.yaml", "--packager", kind, "--target", target)
		if err := b.t.goRun(b.t.root, env, args...); err != nil {
			return err
		}
		b.made = append(b.made, target)
	}
	return nil
}

// archive makes the .tar.gz for every other Linux: what lies below /usr, to be
// unpacked below /usr/local or ~/.local.
func (b *bundle) archive() error {
	name := "recollect-" + b.version + "-linux-" + runtime.GOARCH
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(packed)
	usr := filepath.Join(b.stage, "usr")
	add := func(rel string, data []byte, mode fs.FileMode) error {
		h := &tar.Header{Name: name + "/" + rel, Mode: int64(mode), Size: int64(len(data)), ModTime: b.when, Format: tar.FormatPAX}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		_, err := w.Write(data)
		return err
	}
	// A package has it from its system; an archive brings it.
	licence, err := os.ReadFile(b.t.path("LICENSE"))
	if err != nil {
		return err
	}
	if err := add("share/doc/recollect/LICENSE", licence, 0o644); err != nil {
		return err
	}
	err = filepath.WalkDir(usr, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(usr, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return add(filepath.ToSlash(rel), data, info.Mode().Perm())
	})
	if err := errors.Join(err, w.Close(), packed.Close()); err != nil {
		return err
	}
	target := filepath.Join(b.dir, name+".tar.gz")
	b.made = append(b.made, target)
	return os.WriteFile(target, out.Bytes(), 0o644)
}

// windowsInstaller makes the installer that carries both programs.
func (b *bundle) windowsInstaller(o options) error {
	licences, err := b.t.thirdParty(o)
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(b.t.path("LICENSE"))
	if err != nil {
		return err
	}
	files := b.t.portable(o)
	for name, text := range map[string][]byte{"LICENSE.txt": licence, "third-party.txt": licences} {
		if err := os.WriteFile(filepath.Join(files, name), crlf(text), 0o644); err != nil {
			return err
		}
	}
	target := filepath.Join(b.dir, "recollect-"+b.version+"-windows-"+o.arch+"-setup.exe")
	env := []string{"SOURCE_DATE_EPOCH=" + strconv.FormatInt(b.when.Unix(), 10)}
	c := b.t.command(b.t.path("build", "windows"), env, "makensis", "-V2", "-NOCD",
		"-DVERSION="+b.version, "-DVERSION4="+fourNumbers(b.version), "-DFILES="+files, "-DOUTPUT="+target, "recollect.nsi")
	if err := c.Run(); err != nil {
		return fmt.Errorf("makensis: %w", err)
	}
	b.made = append(b.made, target)
	return nil
}

// sums writes SHA256SUMS, as sha256sum -c reads it.
func (b *bundle) sums() error {
	var out strings.Builder
	for _, path := range slices.Sorted(slices.Values(b.made)) {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		fmt.Fprintf(&out, "%s  %s\n", hex.EncodeToString(sum[:]), filepath.Base(path))
	}
	target := filepath.Join(b.dir, "SHA256SUMS")
	b.made = append(b.made, target)
	return os.WriteFile(target, []byte(out.String()), 0o644)
}

func zipped(data []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	w.Write(data) //nolint:errcheck // a buffer takes everything
	w.Close()     //nolint:errcheck // a buffer takes everything
	return out.Bytes()
}

func crlf(data []byte) []byte {
	plain := bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(plain, []byte("\n"), []byte("\r\n"))
}

// debVersion writes a semantic version as nfpm has it in a Debian package: what
// comes before a release sorts before it.
func debVersion(version string) string {
	numbers, pre, found := strings.Cut(version, "-")
	if !found {
		return version
	}
	return numbers + "~" + pre
}
