package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// thirdParty gives the names, versions and licences of all that is compiled into
// the two programs.
func (t *tool) thirdParty(o options) ([]byte, error) {
	found, err := t.goLicences(o)
	if err != nil {
		return nil, err
	}
	pages, err := t.npmLicences()
	if err != nil {
		return nil, err
	}
	maps.Copy(found, pages)
	var out bytes.Buffer
	out.WriteString("Recollect contains these libraries, and the font Inter, of others.\n")
	for _, name := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 78), name, strings.TrimSpace(found[name]))
	}
	return out.Bytes(), nil
}

// goLicences gives the licences of the Go modules and of Go's own library.
func (t *tool) goLicences(o options) (map[string]string, error) {
	env := []string{"GOOS=" + o.goos, "GOARCH=" + o.arch, "GOWORK=off", "CGO_ENABLED=1"}
	listed, err := t.goOutput(t.root, env, "list", "-deps", "-tags=desktop,production,webkit2_41",
		"-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", ".", "./cmd/recollect")
	if err != nil {
		return nil, err
	}
	goroot, err := t.goOutput(t.root, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for line := range strings.Lines(listed + "\nGo\t" + goroot + "\n") {
		name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || found[name] != "" {
			continue
		}
		module, _, _ := strings.Cut(name, " ")
		if found[name], err = t.licenceOf(module, dir); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// npmLicences gives the licences of the packages that the window's pages are made
// of: all that package-lock.json does not call a developer's, and Svelte, whose
// code is compiled in.
func (t *tool) npmLicences() (map[string]string, error) {
	data, err := os.ReadFile(t.path("frontend", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version string `json:"version"`
			Dev     bool   `json:"dev"`
			Peer    bool   `json:"peer"`
			License string `json:"license"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	found := map[string]string{}
	for path, p := range lock.Packages {
		name := strings.TrimPrefix(path, "node_modules/")
		if path == "" || (p.Dev && name != "svelte") {
			continue
		}
		text, err := t.licenceOf(name, t.path("frontend", filepath.FromSlash(path)))
		if err != nil {
			return nil, err
		}
		found[name+" "+p.Version+" (npm)"] = text
	}
	return found, nil
}

// licenceOf gives the licence of a module or package: what lies in its folder, else
// what build/licences has for one that carries no text. Nothing is distributed
// without one.
func (t *tool) licenceOf(name, dir string) (string, error) {
	text, err := licenceIn(dir)
	if err != nil || strings.TrimSpace(text) != "" {
		return text, err
	}
	kept := t.path("build", "licences", strings.ReplaceAll(name, "/", "-")+".txt")
	data, err := os.ReadFile(kept)
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return "", fmt.Errorf("%s has no licence in %s: put its text into %s", name, dir, kept)
	}
	return string(data), nil
}

// licenceIn gives the text of the files in dir that look like a licence or a
// notice; "" if there is none.
func licenceIn(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"}, func(p string) bool { return strings.HasPrefix(name, p) }) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		texts = append(texts, strings.ToValidUTF8(string(data), "?"))
	}
	return strings.Join(texts, "\n\n"), nil
}
