package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// wasmFlags compile a plug-in. Nothing of the machine goes into the result: no
// paths, no version control, no build id.
var wasmFlags = []string{"-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid="}

var wasmTarget = []string{"GOOS=wasip1", "GOARCH=wasm"}

// Names in a compiled package. hostapi has them as well, but the build tool must
// work on a tree whose packages do not compile.
const (
	manifestName = "plugin.json"
	moduleName   = "plugin.wasm"
)

// stampsName is the file in plugins/dist that says what the packages were made
// of.
const stampsName = ".stamps.json"

// stamp says what a compiled package was made of and what came out.
type stamp struct {
	Inputs   string `json:"inputs"`   // see inputs
	Manifest string `json:"manifest"` // SHA-256 of plugin.json
	Module   string `json:"module"`   // SHA-256 of plugin.wasm
}

// plugins compiles every built-in whose inputs or results are not as the stamps
// say.
func (t *tool) plugins() error {
	names, err := pluginFolders(t.path("plugins"))
	if err != nil {
		return err
	}
	dist := t.path("plugins", "dist")
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	old := readStamps(filepath.Join(dist, stampsName))
	now := map[string]stamp{}
	built := 0
	for _, name := range names {
		in, err := t.inputs(name)
		if err != nil {
			return err
		}
		if s, ok := old[name]; ok && s.Inputs == in && s.holds(filepath.Join(dist, name)) {
			now[name] = s
			continue
		}
		start := time.Now()
		if now[name], err = t.compilePlugin(name, in); err != nil {
			return fmt.Errorf("plug-in %s: %w", name, err)
		}
		built++
		t.say("plugins: compiled %s in %s", name, time.Since(start).Round(100*time.Millisecond))
	}
	if err := removeStale(dist, names); err != nil {
		return err
	}
	if !maps.Equal(old, now) {
		if err := writeStamps(filepath.Join(dist, stampsName), now); err != nil {
			return err
		}
	}
	if built == 0 {
		t.say("plugins: %d up to date in plugins/dist", len(names))
	}
	return nil
}

// pluginFolders lists the folders of dir that hold a manifest and a main.go.
func pluginFolders(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && exists(filepath.Join(dir, e.Name(), manifestName)) && exists(filepath.Join(dir, e.Name(), "main.go")) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// compilePlugin builds one package beside its place and then moves it there.
func (t *tool) compilePlugin(name, inputs string) (stamp, error) {
	dist := t.path("plugins", "dist")
	tmp, err := os.MkdirTemp(dist, ".new-"+name+"-")
	if err != nil {
		return stamp{}, err
	}
	defer os.RemoveAll(tmp)
	if err := os.Chmod(tmp, 0o755); err != nil {
		return stamp{}, err
	}
	args := append([]string{"build"}, wasmFlags...)
	args = append(args, "-o", filepath.Join(tmp, moduleName), "./plugins/"+name)
	if err := t.goRun(t.root, slices.Concat(pinned, wasmTarget), args...); err != nil {
		return stamp{}, err
	}
	manifest, err := os.ReadFile(t.path("plugins", name, manifestName))
	if err != nil {
		return stamp{}, err
	}
	if err := os.WriteFile(filepath.Join(tmp, manifestName), manifest, 0o644); err != nil {
		return stamp{}, err
	}
	s := stamp{Inputs: inputs}
	if s.Manifest, err = hashFile(filepath.Join(tmp, manifestName)); err != nil {
		return stamp{}, err
	}
	if s.Module, err = hashFile(filepath.Join(tmp, moduleName)); err != nil {
		return stamp{}, err
	}
	return s, replaceDir(tmp, filepath.Join(dist, name))
}

// replaceDir moves the folder from to to. What was there is moved aside first:
// a reader sees the old folder, the new one, or for a moment none, never half of
// one.
func replaceDir(from, to string) error {
	aside := from + ".old"
	if err := os.Rename(to, aside); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return os.RemoveAll(aside)
}

// removeStale deletes packages whose source is gone, or they would be embedded
// for ever, and what an interrupted run left.
func removeStale(dist string, names []string) error {
	entries, err := os.ReadDir(dist)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(names, e.Name()) {
			if err := os.RemoveAll(filepath.Join(dist, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// inputs is a hash over all that a package is made of. A plug-in imports
// nothing of the module but hostapi (internal/arch_test.go sees to it), so these
// files are all there is.
func (t *tool) inputs(name string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), pinned, wasmTarget, wasmFlags)
	for _, top := range []string{"go.mod", "go.sum", "hostapi", filepath.Join("plugins", name)} {
		err := filepath.WalkDir(t.path(top), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir() || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			sum, err := hashFile(path)
			fmt.Fprintln(h, t.rel(path), sum)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// holds says whether the package in dir is the one that the stamp tells of.
func (s stamp) holds(dir string) bool {
	manifest, err := hashFile(filepath.Join(dir, manifestName))
	if err != nil || manifest != s.Manifest {
		return false
	}
	module, err := hashFile(filepath.Join(dir, moduleName))
	return err == nil && module == s.Module
}

// readStamps gives no stamps where the file can't be used: then all is built.
func readStamps(path string) map[string]stamp {
	stamps := map[string]stamp{}
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(data, &stamps) != nil {
		return map[string]stamp{}
	}
	return stamps
}

func writeStamps(path string, stamps map[string]stamp) error {
	data, err := json.MarshalIndent(stamps, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", append(data, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func hashFile(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
