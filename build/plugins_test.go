package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree is a module with one plug-in, as small as Go makes them.
var tree = map[string]string{
	"go.mod":                      "module recollect\n\ngo 1.26.0\n",
	"go.sum":                      "",
	"hostapi/hostapi.go":          "package hostapi\n\nconst ABI = \"rc/1\"\n",
	"plugins/tiny/plugin.json":    "{\"id\":\"x.tiny\"}\n",
	"plugins/tiny/main.go":        "package main\n\nimport \"recollect/hostapi\"\n\n//go:wasmexport size\nfunc size() int32 { return int32(len(hostapi.ABI)) }\n\nfunc main() {}\n",
	"plugins/tiny/testdata/a.txt": "a",
	"plugins/nothing/notes.txt":   "no plug-in",
}

func TestPluginsAreReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles two times")
	}
	var modules [2][]byte
	for i, folder := range []string{"a", "somewhere else/deep"} {
		root := filepath.Join(t.TempDir(), folder)
		put(t, root, tree)
		tool, out := testTool(t, root)
		// What a person may have set must not change the result.
		if i == 1 {
			t.Setenv("GOFLAGS", "-tags=surprise")
			t.Setenv("CGO_ENABLED", "1")
			t.Setenv("GOEXPERIMENT", "greenteagc")
		}
		if err := tool.plugins(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var err error
		if modules[i], err = os.ReadFile(filepath.Join(root, "plugins", "dist", "tiny", moduleName)); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			checkSkipping(t, root)
		}
	}
	if string(modules[0]) != string(modules[1]) {
		t.Errorf("two folders gave different bytes (%d and %d)", len(modules[0]), len(modules[1]))
	}
}

// checkSkipping goes through what must and must not compile again.
func checkSkipping(t *testing.T, root string) {
	t.Helper()
	dist := filepath.Join(root, "plugins", "dist")
	for _, tt := range []struct {
		what  string
		files map[string]string
		want  string
	}{
		{"nothing", nil, "up to date"},
		{"test data", map[string]string{"plugins/tiny/testdata/a.txt": "b", "plugins/tiny/x_test.go": "package main\n"}, "up to date"},
		{"the result", map[string]string{"plugins/dist/tiny/plugin.wasm": "half"}, "compiled tiny"},
		{"the manifest", map[string]string{"plugins/tiny/plugin.json": "{}\n"}, "compiled tiny"},
		{"the contract", map[string]string{"hostapi/hostapi.go": "package hostapi\n\nconst ABI = \"rc/one\"\n"}, "compiled tiny"},
		{"the notes", map[string]string{"plugins/dist/.stamps.json": "{"}, "compiled tiny"},
		{"back again", tree, "compiled tiny"},
	} {
		put(t, root, tt.files)
		tool, out := testTool(t, root)
		if err := tool.plugins(); err != nil {
			t.Fatalf("%s changed: %v", tt.what, err)
		}
		if !strings.Contains(out.String(), tt.want) {
			t.Errorf("%s changed: printed %q, want %q", tt.what, out, tt.want)
		}
	}
	put(t, root, map[string]string{"plugins/dist/gone/plugin.wasm": "old", "plugins/dist/README.md": "kept"})
	tool, _ := testTool(t, root)
	if err := tool.plugins(); err != nil {
		t.Fatal(err)
	}
	if exists(filepath.Join(dist, "gone")) || !exists(filepath.Join(dist, "README.md")) || !exists(filepath.Join(dist, "tiny")) {
		t.Error("only the package without a source has to go")
	}
	entries, err := os.ReadDir(dist)
	if err != nil || len(entries) != 3 {
		t.Errorf("left in dist: %v, %v", entries, err)
	}
}
