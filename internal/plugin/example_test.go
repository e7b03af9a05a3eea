package plugin

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"recollect/internal/memory"
)

// TestExample builds the example as its README says and lives through its life
// in a library.
func TestExample(t *testing.T) {
	dir := filepath.Join("..", "..", "examples", "extractor-go")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the example is not here")
	}
	target := t.TempDir()
	must(t, os.CopyFS(target, os.DirFS(dir)))
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-o", filepath.Join(target, "plugin.wasm"), ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}

	b := newBench(t, Limits{})
	e, err := b.library.Add(target)
	must(t, err)
	if _, err := b.host.Plugin(e.ID); !IsKind(err, KindDenied) {
		t.Errorf("before approval: %v", err)
	}
	must(t, b.library.Approve(e.ID, e.SHA256))
	p, err := b.host.Plugin(e.ID)
	must(t, err)
	must(t, p.Prepare(t.Context()))
	x := extraction("main", past{turn("0", "main", "old"), turn("1", "main", "Gotcha: the cache lies\nthanks")})
	x.Sections = []memory.Section{{ID: "facts"}, {ID: "bug-patterns"}}
	items, err := founds(Extractor{Plugin: p}.Extract(t.Context(), x))
	if err != nil || len(items) != 1 || items[0].Content != "the cache lies" || items[0].Section != "bug-patterns" {
		t.Errorf("items = %+v, %v", items, err)
	}
	must(t, b.library.Disable(e.ID))
	if _, err := b.host.Plugin(e.ID); !IsKind(err, KindDenied) {
		t.Errorf("disabled: %v", err)
	}
}
