package engine

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/maintain"
	"recollect/internal/memorize"
	"recollect/internal/memory"
)

// What a newer version wrote is refused with words, or is a cache that is made
// again; it is never damaged, and nothing that is remembered is lost.
func TestWhatANewerVersionWroteIsSafe(t *testing.T) {
	t.Parallel()
	one := func(old, now string) func([]byte) []byte {
		return func(b []byte) []byte { return bytes.Replace(b, []byte(old), []byte(now), 1) }
	}
	json := one(`"version":1`, `"version":2`)
	spaced := one(`"version": 1`, `"version": 2`)
	for _, tt := range []struct {
		name string
		file string // a pattern below the folder of the sample
		bump func([]byte) []byte
		keep bool // it stays byte for byte; else it is a cache
		code string
	}{
		{"items", "ebb/.recollect/branches/main.items.jsonl", one("recollect/memory/1", "recollect/memory/2"), true, "newer"},
		{"conflicts", "ebb/.recollect/conflicts.json", func(b []byte) []byte { return []byte(`{"version":2,"conflicts":{"new":"shape"}}`) }, true, "newer"},
		{"settings", "ebb/.recollect/config.json", spaced, true, "settings"},
		{"person's settings", "home/config/config.json", func([]byte) []byte { return []byte(`{"version":2,"new":1}`) }, true, "settings"},
		{"maintenance log", "ebb/.recollect/maintenance-log.json", func([]byte) []byte { return []byte(`{"version":2,"new":"shape"}`) }, true, "newer"},
		{"seen", "home/data/projects/*/seen/main.json", json, false, ""},
		{"review", "home/data/projects/*/review/main.json", func([]byte) []byte { return []byte(`{"version":3,"branch":"main","new":[]}`) }, true, "newer"},
		{"prepared", "home/data/projects/*/prepared/main.json", one(`"version":4`, `"version":5`), false, ""},
		{"work trees", "home/data/projects/*/worktrees.json", func([]byte) []byte { return []byte(`{"version":2,"worktrees":["/x"]}`) }, true, ""},
		{"version", "home/data/projects/*/history/main/000001.version", one("recollect/version/1", "recollect/version/2"), true, ""},
		{"place", "home/data/projects/*/place.json", json, true, ""},
		{"project", "home/data/projects/*.json", spaced, true, ""},
		{"plug-ins", "home/data/plugins/plugins.json", func([]byte) []byte { return []byte(`{"version":2,"plugins":[]}`) }, true, ""},
		{"activity", "home/data/plugins/activity.json", func([]byte) []byte { return []byte(`{"version":2,"new":"shape"}`) }, true, ""},
		{"archive", "home/data/archive/*/*.jsonl.gz", newerArchive, true, ""},
		{"counts", "home/cache/counts/*.json", json, false, ""},
		{"index", "home/cache/index/claude-code/*.idx", flip, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := sample(t)
			dir := filepath.Dir(o.Dir)
			e := openSample(t, o)
			if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Branches(t.Context()); err != nil {
				t.Fatal(err)
			}
			before := itemsOf(t, e)
			kept := map[string][]byte{}
			paths, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(tt.file)))
			if len(paths) == 0 {
				first := strings.Replace(tt.file, "home/data/projects/*/", "home/data/projects/"+filepath.Base(e.state().Top())+"/", 1)
				paths = []string{filepath.Join(dir, filepath.FromSlash(first))}
			}
			for _, path := range paths {
				old, _ := os.ReadFile(path)
				now := tt.bump(old)
				if bytes.Equal(old, now) {
					t.Fatalf("%s has no version to raise: %.100q", path, old)
				}
				write(t, path, now)
				kept[path] = now
			}
			if len(kept) == 0 {
				t.Fatal("there is no such file")
			}
			say(t, o, "later", "We always paint the buoys red before the season.")
			codes := useAll(t.Context(), o)
			if tt.code != "" && !strings.Contains(codes, tt.code) {
				t.Errorf("nothing was refused with %q: %s", tt.code, codes)
			}
			for path, now := range kept {
				after, err := os.ReadFile(path)
				if tt.keep && (err != nil || !bytes.Equal(after, now)) {
					t.Errorf("%s was changed: %v\n%.200q", path, err, after)
				}
			}
			if tt.name == "items" { // it is not read by what it says of itself
				return
			}
			if tt.name == "settings" || tt.name == "person's settings" {
				for path := range kept {
					if err := os.Remove(path); err != nil {
						t.Fatal(err)
					}
				}
			}
			after := itemsOf(t, openSample(t, o))
			for id := range before {
				if _, ok := after[id]; !ok {
					t.Errorf("item %s is lost", id)
				}
			}
		})
	}
}

func flip(b []byte) []byte {
	b = bytes.Clone(b)
	if i := bytes.IndexByte(b, '\n'); i > 0 { // the line that says the version
		b[i-1]++
	}
	return b
}

func newerArchive(b []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return b
	}
	text, _ := io.ReadAll(z)
	text = bytes.Replace(text, []byte("recollect/archive/1"), []byte("recollect/archive/2"), 1)
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(text)
	_ = w.Close()
	return out.Bytes()
}

func itemsOf(t *testing.T, e *Engine) map[string]string {
	t.Helper()
	m, err := e.Show(new("main"), "")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, it := range m.Items {
		out[it.ID] = it.Content
	}
	return out
}

// useAll does what people do, and gives the codes of all that went wrong.
func useAll(ctx context.Context, o Options) (codes string) {
	note := func(err error) {
		if err != nil {
			codes += " " + Explain(err).Code
		}
	}
	e, err := Open(o)
	note(err)
	if err != nil {
		return codes
	}
	defer e.Close()
	reports, err := e.Memorize(ctx, MemorizeOptions{All: true, Again: true})
	note(err)
	for _, r := range reports {
		if r.Outcome == memorize.Failed {
			codes += " " + r.Problem.Code
		}
	}
	_, err = e.Edit(ctx, "main", memory.Edit{Do: memory.Add, Section: "conventions", Content: "Buoys are red, always."})
	note(err)
	_, err = e.Inject(ctx, InjectOptions{})
	note(err)
	_, err = e.Branches(ctx)
	note(err)
	_, err = e.Conflicts(true)
	note(err)
	_, err = e.Review(ctx)
	note(err)
	_, err = e.Plugins()
	note(err)
	_, err = e.ArchiveSessions(ctx)
	note(err)
	_, err = e.Maintain(ctx, MaintainOptions{Kind: maintain.Startup})
	note(err)
	_, err = e.Status(ctx)
	note(err)
	_, err = e.Doctor(ctx, true)
	note(err)
	return codes
}
