package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// oldestNode is the oldest major version of Node that the frontend's tools run
// with.
const oldestNode = 20

// builtName is the file in node_modules that says what dist was made of.
const builtName = ".recollect-built"

// node checks that Node and npm are here and new enough.
func (t *tool) node() error {
	const please = "please install Node %d or newer, with npm: your system's package if it is new enough, else from https://nodejs.org/en/download"
	said, err := exec.CommandContext(t.ctx, "node", "--version").Output()
	if err != nil {
		return fmt.Errorf("the window's pages are built with Node, which is not here: "+please, oldestNode)
	}
	version := strings.TrimSpace(string(said))
	if major := nodeMajor(version); major < oldestNode {
		return fmt.Errorf("Node is here as %s: "+please, version, oldestNode)
	}
	if !installed("npm") {
		return errors.New("Node is here without npm: please install the package npm as well")
	}
	return nil
}

// nodeMajor reads what node --version prints; 0 if it is something else.
func nodeMajor(version string) int {
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	n, err := strconv.Atoi(major)
	if err != nil {
		return 0
	}
	return n
}

// npm runs npm in the frontend's folder.
func (t *tool) npm(args ...string) error {
	c := t.command(t.path("frontend"), []string{"NO_COLOR=1", "NO_UPDATE_NOTIFIER=1"}, "npm", args...)
	if err := c.Run(); err != nil {
		return fmt.Errorf("npm %s: %w", strings.Join(args, " "), err)
	}
	return nil
}

// nodeModules installs what package-lock.json names, if node_modules holds
// something else.
func (t *tool) nodeModules() error {
	if err := t.node(); err != nil {
		return err
	}
	same, err := sameLock(t.path("frontend", "package-lock.json"), t.path("frontend", "node_modules", ".package-lock.json"))
	if err != nil || same {
		return err
	}
	t.say("frontend: installs the packages of frontend/package-lock.json into frontend/node_modules")
	return t.npm("ci", "--no-audit", "--no-fund")
}

// lock is what counts of a package-lock.json.
type lock struct {
	Packages map[string]struct {
		Version  string `json:"version"`
		Optional bool   `json:"optional"`
	} `json:"packages"`
}

// sameLock tells whether npm noted as installed what the wanted file names.
func sameLock(wanted, noted string) (bool, error) {
	var want, have lock
	data, err := os.ReadFile(wanted)
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(data, &want); err != nil {
		return false, fmt.Errorf("package-lock.json: %w", err)
	}
	if data, err = os.ReadFile(noted); err != nil || json.Unmarshal(data, &have) != nil {
		return false, nil
	}
	for path, p := range want.Packages {
		got, ok := have.Packages[path]
		if path != "" && (ok || !p.Optional) && got.Version != p.Version {
			return false, nil
		}
	}
	return true, nil
}

// frontend makes frontend/dist, unless it was made of the same files before.
func (t *tool) frontend() error {
	if err := t.nodeModules(); err != nil {
		return err
	}
	made, err := t.frontendInputs()
	if err != nil {
		return err
	}
	note, dist := t.path("frontend", "node_modules", builtName), t.path("frontend", "dist")
	before, _ := os.ReadFile(note)
	if string(before) == made && exists(filepath.Join(dist, "index.html")) {
		t.say("frontend: up to date in frontend/dist")
		return nil
	}
	if err := t.npm("run", "--silent", "build"); err != nil {
		return err
	}
	// Vite empties the folder; the file keeps go:embed content in a fresh checkout.
	if err := os.WriteFile(filepath.Join(dist, ".gitkeep"), nil, 0o644); err != nil {
		return err
	}
	return os.WriteFile(note, []byte(made), 0o644)
}

// frontendInputs is a hash over all that dist is made of.
func (t *tool) frontendInputs() (string, error) {
	h := sha256.New()
	root := t.path("frontend")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch rel, _ := filepath.Rel(root, path); rel {
			case "node_modules", "dist", "e2e":
				return fs.SkipDir
			}
			return nil
		}
		sum, err := hashFile(path)
		fmt.Fprintln(h, t.rel(path), sum)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// frontendTests checks types, style and components.
func (t *tool) frontendTests() error {
	if err := t.orSkip(t.node()); err != nil {
		return err
	}
	if err := t.nodeModules(); err != nil {
		return err
	}
	var errs []error
	for _, script := range []string{"check", "lint", "test"} {
		errs = append(errs, t.npm("run", "--silent", script))
	}
	return errors.Join(errs...)
}

// orSkip turns what a person's machine lacks into a skipped step; in CI it stays
// a failure.
func (t *tool) orSkip(err error) error {
	if err == nil || inCI() {
		return err
	}
	return errSkipped{err.Error()}
}

// bindings has Wails write what the frontend calls Go by, frontend/wailsjs, from
// the bound methods. It needs no GTK. The result is committed.
func (t *tool) bindings() error {
	dist := t.path("frontend", "dist")
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dist, ".gitkeep"), nil, 0o644); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "recollect-bindings-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	generator := filepath.Join(dir, programName("bindings"))
	if err := t.goRun(t.root, pinned, "build", "-trimpath", "-buildvcs=false", "-tags=bindings,webkit2_41", "-o", generator, "."); err != nil {
		return err
	}
	// A home of its own: writing a few files must not touch a person's.
	home := []string{"HOME=" + dir, "RECOLLECT_HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_DATA_HOME=" + dir}
	c := t.command(t.root, home, generator)
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Run(); err != nil {
		return fmt.Errorf("bindings: %w\n%s", err, lastLines(said.String(), 20))
	}
	return plainFiles(t.path("frontend", "wailsjs"))
}

// plainFiles takes the executable bit off, which Wails sets on all it writes, and
// ends each file with one line feed.
func plainFiles(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		tidy := append(bytes.TrimRight(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), "\n\t "), '\n')
		if !bytes.Equal(data, tidy) {
			if err := os.WriteFile(path, tidy, 0o644); err != nil {
				return err
			}
		}
		return os.Chmod(path, 0o644)
	})
}

// bindingsCurrent fails if the committed bindings are not what the bound methods
// give.
func (t *tool) bindingsCurrent() error {
	before, err := t.tree("frontend/wailsjs")
	if err != nil {
		return err
	}
	if err := t.bindings(); err != nil {
		return err
	}
	after, err := t.tree("frontend/wailsjs")
	if err == nil && before != after {
		err = errors.New("frontend/wailsjs was not as the bound methods of app want it: commit what is there now")
	}
	return err
}

// tree is a hash over the names and contents below a folder; "" if it is absent.
func (t *tool) tree(rel string) (string, error) {
	if !exists(t.path(rel)) {
		return "", nil
	}
	h := sha256.New()
	err := filepath.WalkDir(t.path(rel), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		sum, err := hashFile(path)
		fmt.Fprintln(h, t.rel(path), sum)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
