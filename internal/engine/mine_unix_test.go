//go:build unix

package engine

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
	"recollect/internal/engine/enginetest"
	"recollect/internal/maintain"
	"recollect/internal/memory"
	"recollect/internal/safefile"
)

// listing gives all that lies below a folder, with sizes.
func listing(t *testing.T, top string) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			out[path] = info.ModTime().UnixNano()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// writing calls everything that would write into the project.
func writing(t *testing.T, e *Engine, item string) map[string]error {
	ctx, main := t.Context(), "main"
	return map[string]error{
		"init":     second(e.Init(ctx)),
		"memorize": second(e.Memorize(ctx, MemorizeOptions{Again: true})),
		"inject":   second(e.Inject(ctx, InjectOptions{Branch: &main})),
		"remove":   second(e.Inject(ctx, InjectOptions{Branch: &main, Remove: true})),
		"maintain": second(e.Maintain(ctx, MaintainOptions{Kind: maintain.Full})),
		"setting":  second(e.SetSetting(ctx, "inject.budget", json.RawMessage("900"), config.Project)),
		"edit":     second(e.Edit(ctx, main, memory.Edit{Do: memory.Remove, ID: item})),
		"undo":     second(e.UndoEdit(ctx, main, "x")),
		"clear":    second(e.ClearMemory(ctx, main)),
		"version":  second(e.RestoreVersion(ctx, main, "x")),
		"restore":  second(e.Restore(t.Context(), &main, "x")),
		"forget":   func() error { _, _, err := e.Forget(t.Context(), &main, []string{item}); return err }(),
		"branch":   second(e.ForgetBranch(t.Context(), &main)),
		"review":   second(e.UndoReview(ctx, "x")),
		"archive":  second(e.ArchiveSessions(ctx)),
		"import":   second(e.ImportPuffin(ctx, e.Root())),
	}
}

// Where somebody else can write, everything can be read and nothing is written.
func TestAProjectThatOthersCanWriteIn(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder to somebody else")
	}
	o := sample(t)
	e := openEngine(t, o)
	if _, err := e.Memorize(t.Context(), MemorizeOptions{}); err != nil {
		t.Fatal(err)
	}
	main := "main"
	shown, err := e.Show(&main, "")
	if err != nil || len(shown.Items) == 0 {
		t.Fatalf("nothing was memorized: %v", err)
	}
	item := shown.Items[0].ID
	memoryFolder := filepath.Join(e.Root(), ".recollect")
	for name, change := range map[string]func(uid int, mode fs.FileMode) error{
		"the project is another's":       func(uid int, _ fs.FileMode) error { return os.Chown(e.Root(), uid, -1) },
		"the memory is another's":        func(uid int, _ fs.FileMode) error { return os.Chown(memoryFolder, uid, -1) },
		"all can write in the project":   func(_ int, mode fs.FileMode) error { return os.Chmod(e.Root(), 0o755|mode) },
		"all can write among the memory": func(_ int, mode fs.FileMode) error { return os.Chmod(memoryFolder, 0o755|mode) },
	} {
		if err := change(12345, 0o002); err != nil {
			t.Fatal(err)
		}
		before := listing(t, e.Root())
		for what, err := range writing(t, e, item) {
			var others *safefile.OthersError
			if !errors.As(err, &others) {
				t.Errorf("%s: %s: %v", name, what, err)
			}
			if p := Explain(err); p.Exit != ExitRefused || p.Hint == "" {
				t.Errorf("%s: %s: %+v", name, what, p)
			}
		}
		if d := cmp.Diff(before, listing(t, e.Root())); d != "" {
			t.Errorf("%s: something was written (-before +after):\n%s", name, d)
		}
		if again, err := e.Show(&main, ""); err != nil || len(again.Items) != len(shown.Items) {
			t.Errorf("%s: it can't be read: %v", name, err)
		}
		if err := change(0, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(e.Root(), 12345, -1); err != nil {
		t.Fatal(err)
	}
	enginetest.Write(t, filepath.Join(memoryFolder, "config.json"), []byte(`{"version": 1, "safe": {"folders": ["/"]}}`))
	if err := e.mayWrite(); err == nil {
		t.Error("the project said itself that it is safe")
	}
	if _, err := e.SetSetting(t.Context(), "safe.folders", json.RawMessage(`["`+filepath.Dir(e.Root())+`"]`), config.User); err != nil {
		t.Fatal(err)
	}
	if err := e.mayWrite(); err != nil {
		t.Errorf("the person trusts the folder: %v", err)
	}
}
