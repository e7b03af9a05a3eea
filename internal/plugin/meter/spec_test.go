package meter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// specDir finds the modules of the WebAssembly specification's tests, which
// come with the engine's source.
var specDir = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "internal", "integration_test", "spectest")
	_, err = os.Stat(filepath.Join(dir, "v2", "testdata"))
	return dir, err
})

func needSpec(t testing.TB) string {
	t.Helper()
	dir, err := specDir()
	if err != nil {
		t.Skipf("the engine's source has no specification tests here: %v", err)
	}
	return dir
}

type specCommand struct {
	Type       string
	Line       int
	Name       string
	Filename   string
	As         string
	ModuleType string `json:"module_type"`
	Action     struct {
		Type   string
		Args   []specValue
		Field  string
		Module string
	}
}

type specValue struct {
	Type  string
	Lane  string `json:"lane_type"`
	Value any
}

func (v specValue) bits() []uint64 {
	if lanes, ok := v.Value.([]any); ok {
		var out [2]uint64
		width := 128 / len(lanes)
		for i, l := range lanes {
			n := number(l)
			out[i*width/64] |= n << (i * width % 64)
		}
		return out[:]
	}
	n := number(v.Value)
	if v.Type == "externref" && v.Value != "null" {
		n++
	}
	return []uint64{n}
}

func number(v any) uint64 {
	s, _ := v.(string)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && strings.HasPrefix(s, "-") {
		return uint64(n)
	}
	n, _ := strconv.ParseUint(s, 10, 64)
	return n
}

// specLimits lets through what the specification's tests declare.
var specLimits = Options{
	Contract: &Contract{AnyImport: true},
	Limits:   Limits{MemoryPages: 1 << 16, TableEntries: 1 << 26, Params: 1000},
}

// A world runs the commands of one test, metered or not.
type world struct {
	*host
	metered bool
	named   map[string]api.Module
	last    api.Module
}

func newWorld(t *testing.T, dir string, metered bool) *world {
	w := &world{
		host:    newHost(t, wazero.NewRuntimeConfigCompiler().WithCoreFeatures(api.CoreFeaturesV2)),
		metered: metered, named: map[string]api.Module{},
	}
	wasm, err := os.ReadFile(filepath.Join(dir, "testdata", "spectest.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.InstantiateWithConfig(t.Context(), wasm, wazero.NewModuleConfig()); err != nil {
		t.Fatal(err)
	}
	return w
}

// load gives the module's instance, and the refusal of the meter if it is
// about a limit of ours rather than about the module.
func (w *world) load(wasm []byte, as string) (mod api.Module, ours, err error) {
	if w.metered {
		wasm, _, err = Instrument(wasm, specLimits)
		var e *Error
		if errors.As(err, &e) {
			if e.Kind == Malformed {
				return nil, nil, err
			}
			return nil, err, nil
		}
	}
	c, err := w.compile(wasm)
	if err == nil {
		mod, err = w.InstantiateModule(context.Background(), c, wazero.NewModuleConfig().WithName(as))
	}
	return mod, nil, err
}

// do carries out an action and tells what came of it, in words that are the
// same for the same outcome.
func (w *world) do(c *specCommand) string {
	mod := w.last
	if c.Action.Module != "" {
		mod = w.named[c.Action.Module]
	}
	if mod == nil {
		return "no module"
	}
	if c.Action.Type == "get" {
		return fmt.Sprint(mod.ExportedGlobal(c.Action.Field).Get())
	}
	var args []uint64
	for _, a := range c.Action.Args {
		args = append(args, a.bits()...)
	}
	again(mod)
	f := mod.ExportedFunction(c.Action.Field)
	res, err := f.Call(context.Background(), args...)
	if err != nil {
		if errors.Is(err, errStack) {
			return errStack.Error()
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		return first
	}
	if types := f.Definition().ResultTypes(); len(types) == len(res) {
		for i, t := range types {
			if byte(t) == byte(funcref) && res[i] != 0 {
				res[i] = 1 // a pointer, other in each world
			}
		}
	}
	return fmt.Sprint(res)
}

// Every module of the specification's tests is accepted metered exactly when
// it is plain, and every action on it comes out the same.
func TestSpecification(t *testing.T) {
	dir := needSpec(t)
	var loaded, acted, refused int
	reasons := map[string]int{}
	for _, version := range []string{"v1", "v2"} {
		files, err := filepath.Glob(filepath.Join(dir, version, "testdata", "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no tests of %s: %v", version, err)
		}
		for _, f := range files {
			t.Run(version+"/"+strings.TrimSuffix(filepath.Base(f), ".json"), func(t *testing.T) {
				l, a, r := runSpec(t, dir, f, reasons)
				loaded, acted, refused = loaded+l, acted+a, refused+r
			})
		}
	}
	t.Logf("%d modules and %d actions came out the same; %d modules are beyond our limits", loaded, acted, refused)
	for _, r := range slices.Sorted(maps.Keys(reasons)) {
		t.Logf("%4d %s", reasons[r], r)
	}
}

func runSpec(t *testing.T, dir, file string, reasons map[string]int) (loaded, acted, refused int) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var script struct{ Commands []specCommand }
	if err := json.Unmarshal(raw, &script); err != nil {
		t.Fatal(err)
	}
	plain, metered := newWorld(t, dir, false), newWorld(t, dir, true)
	for i := range script.Commands {
		c := &script.Commands[i]
		switch c.Type {
		case "assert_return", "assert_trap", "action", "assert_exhaustion":
			want, got := plain.do(c), metered.do(c)
			if want != got {
				t.Errorf("line %d: %s: plain %s, metered %s", c.Line, c.Action.Field, want, got)
			}
			acted++
			continue
		case "register":
			continue
		}
		if c.ModuleType == "text" {
			continue
		}
		wasm, err := os.ReadFile(filepath.Join(filepath.Dir(file), c.Filename))
		if err != nil {
			t.Fatal(err)
		}
		as := ""
		if next := i + 1; next < len(script.Commands) && script.Commands[next].Type == "register" {
			as = script.Commands[next].As
		}
		mod, ours, err := metered.load(wasm, as)
		if ours != nil {
			refused++
			reasons[ours.Error()]++
			if c.Type == "module" {
				plain.last, metered.last = nil, nil
			}
			continue
		}
		want, _, wantErr := plain.load(wasm, as)
		if (wantErr == nil) != (err == nil) {
			t.Errorf("line %d: %s %s: plain: %v, metered: %v", c.Line, c.Type, c.Filename, wantErr, err)
		}
		loaded++
		if c.Type == "module" {
			plain.last, metered.last = want, mod
			if c.Name != "" {
				plain.named[c.Name], metered.named[c.Name] = want, mod
			}
		}
	}
	return loaded, acted, refused
}
