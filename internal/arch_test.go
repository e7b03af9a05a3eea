// Package internal_test enforces the floor plan of ARCHITECTURE.md by reading
// the source. It builds nothing, so it also judges a tree that does not compile.
package internal_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "recollect"

// floors are the packages by layer, lowest first; a folder below one of them
// belongs to it. A package imports those of lower floors, and what lies in its
// own top folder.
var floors = [][]string{
	{"internal/safefile"},
	{"internal/atomicfile", "internal/filelock", "internal/folderwatch", "internal/tokens", "internal/secrets", "internal/printable", "internal/keyring", "internal/blame", "internal/lookup", "internal/unmerged", "frontend"},
	{"internal/history", "internal/llm", "internal/memory", "internal/config", "internal/peer", "internal/release"},
	{"internal/memorize", "internal/inject", "internal/recall", "internal/maintain"},
	{"internal/plugin"},
	{"internal/engine"},
	{"internal/service"},
	{"internal/cli", "app"},
	{"cmd/recollect", "."},
}

// elsewhere are the folders that are no floor: what they may import of the
// module, and why no more.
var elsewhere = []struct {
	dir     string
	imports []string
	why     string
}{
	{"hostapi", []string{"hostapi"}, "the contract must build anywhere, for anyone"},
	{"plugins", []string{"hostapi"}, "a built-in goes through the same door as a stranger's plug-in"},
	{"examples", []string{"hostapi"}, "an example can use only what its reader can"},
	{"build", nil, "the build tool must work on a tree whose packages do not compile"},
}

// contractUsers are the floors that may know the wire types and the embedded
// packages.
var contractUsers = []struct {
	pkg   string
	users []string
	why   string
}{
	{"hostapi", []string{"internal/plugin", "internal/engine", "internal/cli"}, "wire types and domain types meet in internal/plugin and nowhere else"},
	{"plugins", []string{"internal/engine"}, "the engine alone knows which plug-ins ship with the program"},
}

// door is something of the outside world that one place deals with.
type door struct {
	imports []string // import paths, with all below them
	rooms   []string // folders that may use it
	tests   bool     // tests may use it anywhere
	why     string
}

var doors = []door{
	{[]string{"github.com/tetratelabs/wazero"}, []string{"internal/plugin"}, false, "the Wasm engine can be replaced as long as one package knows it"},
	{[]string{"github.com/alecthomas/kong"}, []string{"internal/cli"}, false, "the command line is one face among several"},
	{[]string{"github.com/wailsapp/wails"}, []string{"app"}, false, "the CLI must build without a desktop"},
	{[]string{"github.com/kardianos/service"}, []string{"internal/service"}, false, "the service is one face among several"},
	{[]string{"github.com/pkg/browser"}, []string{"app"}, false, "only the window shows folders, and never what a transcript names"},
	{[]string{"fyne.io/systray"}, []string{"app/tray"}, false, "it takes the main thread, and only one program has a tray"},
	{[]string{"github.com/gen2brain/beeep"}, []string{"internal/service"}, false, "what works in the background tells when it is done"},
	{[]string{"net"}, []string{"internal/llm", "internal/peer", "app"}, true, "nothing leaves the machine except through a model client; a peer is on this machine"},
	{[]string{"net/http", "crypto/tls"}, []string{"internal/llm", "app"}, true, "nothing leaves the machine except through a model client"},
	{[]string{"os/exec"}, []string{"build", "internal/llm", "internal/plugin", "internal/service", "internal/blame"}, true, "starting programs is for the build tool, model clients, the compiler's child, who opens the window, and who asks git for authors from where no repository's settings count"},
	{[]string{"unsafe"}, []string{"hostapi/guest"}, false, "only a guest has to hand out addresses"},
}

// harmless lies below a door's import path but does not go through it.
var harmless = []string{"net/url", "net/netip"}

// writers may change files; all others ask one of them. For reading see openers.
var writers = map[string]string{
	"internal/atomicfile":         "it is the way files are written",
	"internal/safefile":           "it is the way files are opened, and folders beneath which they are written",
	"internal/filelock":           "a lock is a file",
	"internal/service":            "its log, what a crash left, and what uninstalling takes away",
	"internal/peer":               "a socket has a name, which a process that died leaves behind",
	"internal/plugin":             "packages, plug-ins' storage and the cache of compiled code",
	"internal/keyring":            "the file with a key, where a person asks for one",
	"internal/llm/ledger":         "the record of calls, which is appended to",
	"internal/history/claudecode": "its index, a cache of its own",
	"internal/history/archive":    "it takes away what is beyond its limit, and sets aside what is damaged",
	"internal/blame":              "the empty git directory that git runs in, gone after the call",
	"internal/memory":             "folders and versions of its store",
	"internal/llm/claudecli":      "the empty folder that the program runs in, gone after the call",
	"internal/llm/llmtest":        "golden files, when a test is told to rewrite them",
	"internal/engine/enginetest":  "the sample project of tests, in folders of theirs",
	"internal/plugin/plugintest":  "it builds the tests that it stands in",
	"build":                       "it makes the program",
}

// writes are the functions of package os that change files. Making a folder
// harms nothing that is there and is not among them.
var writes = []string{
	"WriteFile", "Create", "CreateTemp", "OpenFile", "MkdirTemp", "Rename", "Remove",
	"RemoveAll", "Truncate", "Symlink", "Link", "Chmod", "Chtimes", "CopyFS",
}

const maxLines = 400

// file is one Go file of the module.
type file struct {
	rel    string // to the module's root, with slashes
	dir    string
	test   bool
	lines  int
	syntax *ast.File
	fset   *token.FileSet
}

func TestFloorPlan(t *testing.T) {
	t.Parallel()
	files := readModule(t)
	for _, f := range files {
		checkName(t, f)
		checkInit(t, f)
		checkImports(t, f)
		checkDoors(t, f)
		checkWrites(t, f)
		checkOpens(t, f)
	}
	checkManifestOnly(t, files)
}

// checkManifestOnly keeps the engine and the faces to the words of a manifest,
// which people are shown: payloads end in internal/plugin.
func checkManifestOnly(t *testing.T, files []file) {
	words := map[string]bool{"ABI": true}
	for _, f := range files {
		if f.rel != "hostapi/manifest.go" {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				words[n.Name.Name] = true
			case *ast.ValueSpec:
				for _, name := range n.Names {
					words[name.Name] = true
				}
			}
			return true
		})
	}
	for _, f := range files {
		if f.test || !anyInside(f.dir, []string{"internal/engine", "internal/cli"}) {
			continue
		}
		f.selectors("hostapi", func(sel *ast.SelectorExpr) {
			if !words[sel.Sel.Name] {
				t.Errorf("%s: hostapi.%s: the engine and the faces know a plug-in's manifest and nothing else of the wire", f.pos(sel), sel.Sel.Name)
			}
		})
	}
}

func checkName(t *testing.T, f file) {
	if f.lines > maxLines && !ast.IsGenerated(f.syntax) {
		t.Errorf("%s has %d lines: more than %d is more than one subject; split it by subject", f.rel, f.lines, maxLines)
	}
	if slices.Contains(vague, f.syntax.Name.Name) {
		t.Errorf("%s: package %s: the name must say what is in it", f.rel, f.syntax.Name.Name)
	}
}

func checkInit(t *testing.T, f file) {
	for _, d := range f.syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			t.Errorf("%s: init runs without anyone calling it; build the value where it is needed", f.pos(fn))
		}
	}
}

func checkImports(t *testing.T, f file) {
	for _, target := range f.ownImports() {
		if why := forbidden(f, target); why != "" {
			t.Errorf("%s imports %s: %s", f.rel, target, why)
		}
	}
}

// forbidden says why a file may not import a package of the module.
func forbidden(f file, target string) string {
	if target == f.dir {
		return "" // an external test
	}
	for _, e := range elsewhere {
		if inside(f.dir, e.dir) && floorOf(f.dir) < 0 {
			if inside(target, f.dir) || anyInside(target, e.imports) {
				return ""
			}
			return e.why
		}
	}
	for _, c := range contractUsers {
		if inside(target, c.pkg) {
			if anyInside(f.dir, c.users) || f.test {
				return ""
			}
			return c.why
		}
	}
	from, to := floorOf(f.dir), floorOf(target)
	switch {
	case from < 0:
		return "the folder is not in the floor plan: add it to ARCHITECTURE.md and here"
	case to < 0:
		return "what is imported is not in the floor plan"
	case to > from:
		return "arrows go down only; declare the interface that you need and let a higher floor bring it"
	case to == from && house(f.dir) != house(target):
		return "neighbours of one floor do not know each other; a higher floor brings them together"
	}
	return ""
}

func checkDoors(t *testing.T, f file) {
	for _, imp := range f.imports() {
		if slices.Contains(harmless, imp) {
			continue
		}
		for _, d := range doors {
			if anyInside(imp, d.imports) && !anyInside(f.dir, d.rooms) && (!f.test || !d.tests) {
				t.Errorf("%s imports %s: only %s may: %s", f.rel, imp, strings.Join(d.rooms, ", "), d.why)
			}
		}
		if inside(f.dir, "hostapi") || inside(f.dir, "plugins") || inside(f.dir, "examples") {
			if first, _, _ := strings.Cut(imp, "/"); strings.Contains(first, ".") && !f.test {
				t.Errorf("%s imports %s: the contract and what is built on it use the standard library only", f.rel, imp)
			}
		}
	}
}

// checkWrites goes by names: os.Rename in a file that imports "os". Tests may do
// as they like.
func checkWrites(t *testing.T, f file) {
	if f.test || anyInside(f.dir, slices.Collect(maps.Keys(writers))) {
		return
	}
	f.selectors("os", func(sel *ast.SelectorExpr) {
		if slices.Contains(writes, sel.Sel.Name) {
			t.Errorf("%s: os.%s: files are written through internal/atomicfile, which survives a crash and keeps edits made meanwhile",
				f.pos(sel), sel.Sel.Name)
		}
	})
}

// TestWritersExist notices rules that have lost their object, such as a
// renamed package.
func TestWritersExist(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	if _, err := os.Stat(filepath.Join(root, "internal", "atomicfile")); err != nil {
		t.Skip("no package that writes yet")
	}
	for dir := range writers {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(dir))); err != nil {
			t.Errorf("%s may write files but is not there: take it out of the list", dir)
		}
	}
}

func readModule(t *testing.T) []file {
	root := moduleRoot(t)
	fset := token.NewFileSet()
	var files []file
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			switch path.Base(rel) {
			case ".git", "testdata", "node_modules", "bin", "dist":
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") {
			return nil
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if strings.HasPrefix(string(src), "//go:build ignore\n") {
			return nil // run by hand, part of no package
		}
		syntax, err := parser.ParseFile(fset, rel, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("%s can't be read: %w", rel, err)
		}
		files = append(files, file{
			rel: rel, dir: path.Dir(rel), test: strings.HasSuffix(rel, "_test.go"),
			lines: strings.Count(string(src), "\n"), syntax: syntax, fset: fset,
		})
		return nil
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d Go files were found: %v", len(files), err)
	}
	return files
}

func moduleRoot(t *testing.T) string {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	return root
}

func (f file) pos(n ast.Node) string {
	p := f.fset.Position(n.Pos())
	return f.rel + ":" + strconv.Itoa(p.Line)
}

// selectors visits what the file uses of a package, by the package's name.
func (f file) selectors(pkg string, visit func(*ast.SelectorExpr)) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == pkg {
				visit(sel)
			}
		}
		return true
	})
}

func (f file) imports() []string {
	var out []string
	for _, s := range f.syntax.Imports {
		if p, err := strconv.Unquote(s.Path.Value); err == nil {
			out = append(out, p)
		}
	}
	return out
}

// ownImports are the imports of the module itself, as folders.
func (f file) ownImports() []string {
	var out []string
	for _, p := range f.imports() {
		if rel, ok := strings.CutPrefix(p, module+"/"); ok {
			out = append(out, rel)
		}
	}
	return out
}

// floorOf is the number of a folder's floor; -1 if it is on none.
func floorOf(dir string) int {
	return slices.IndexFunc(floors, func(floor []string) bool {
		return slices.ContainsFunc(floor, func(h string) bool { return h == dir || h != "." && inside(dir, h) })
	})
}

// house is the entry of the floor plan that a folder lies in.
func house(dir string) string {
	for _, floor := range floors {
		for _, h := range floor {
			if inside(dir, h) {
				return h
			}
		}
	}
	return dir
}

// inside says whether a path is dir or below it.
func inside(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }

func anyInside(p string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(d string) bool { return inside(p, d) })
}
