package main

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestNodeMajor(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]int{"v20.20.2": 20, "v18.13.0": 18, "22.1.0": 22, "": 0, "nonsense": 0} {
		if got := nodeMajor(said); got != want {
			t.Errorf("nodeMajor(%q) = %d, want %d", said, got, want)
		}
	}
}

func TestFourNumbers(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"1.2.3":                        "1.2.3.0",
		"1.2.3-4-g8f1978e0a1b2":        "1.2.3.0",
		"0.0.0-dev+8f1978e0a1b2.dirty": "0.0.0.0",
		"dev":                          "0.0.0.0",
		"1.2.3.4.5":                    "1.2.3.4",
		"70000.1":                      "0.1.0.0",
	} {
		if got := fourNumbers(version); got != want {
			t.Errorf("fourNumbers(%q) = %q, want %q", version, got, want)
		}
	}
}

func TestDebVersion(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{"1.2.3": "1.2.3", "0.0.0-dev+8f1978": "0.0.0~dev+8f1978"} {
		if got := debVersion(version); got != want {
			t.Errorf("debVersion(%q) = %q, want %q", version, got, want)
		}
	}
}

func TestSameLock(t *testing.T) {
	t.Parallel()
	const wanted = `{"packages": {"": {"version": "0.0.0"}, "node_modules/a": {"version": "1.0.0"}, "node_modules/b": {"version": "2.0.0", "optional": true}}}`
	for name, tt := range map[string]struct {
		noted string
		want  bool
	}{
		"the same":                  {`{"packages": {"node_modules/a": {"version": "1.0.0"}, "node_modules/b": {"version": "2.0.0"}}}`, true},
		"without an optional one":   {`{"packages": {"node_modules/a": {"version": "1.0.0"}}}`, true},
		"another optional one":      {`{"packages": {"node_modules/a": {"version": "1.0.0"}, "node_modules/b": {"version": "1.0.0"}}}`, false},
		"another version":           {`{"packages": {"node_modules/a": {"version": "1.0.1"}}}`, false},
		"nothing":                   {`{}`, false},
		"damaged, so as if nothing": {`{"packages"`, false},
	} {
		dir := t.TempDir()
		put(t, dir, map[string]string{"wanted": wanted, "noted": tt.noted})
		if got, err := sameLock(filepath.Join(dir, "wanted"), filepath.Join(dir, "noted")); err != nil || got != tt.want {
			t.Errorf("%s: %v, %v, want %v", name, got, err, tt.want)
		}
	}
	if same, err := sameLock(filepath.Join(t.TempDir(), "none"), ""); err == nil || same {
		t.Errorf("without package-lock.json: %v, %v", same, err)
	}
}

func TestChosenSteps(t *testing.T) {
	t.Parallel()
	steps := []step{{name: "one"}, {name: "two"}, {name: "three"}}
	for _, tt := range []struct {
		o    options
		want string
	}{
		{options{}, "one two three"},
		{options{only: "three, one"}, "three one"},
		{options{from: "two"}, "two three"},
	} {
		some, err := chosen(steps, tt.o)
		var names []string
		for _, s := range some {
			names = append(names, s.name)
		}
		if got := strings.Join(names, " "); err != nil || got != tt.want {
			t.Errorf("%+v: %q, %v, want %q", tt.o, got, err, tt.want)
		}
	}
	for _, o := range []options{{only: "four"}, {from: "four"}} {
		if _, err := chosen(steps, o); err == nil || !strings.Contains(err.Error(), "four") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestStepNamesAreUnique(t *testing.T) {
	t.Parallel()
	tool, _ := testTool(t, t.TempDir())
	steps, err := tool.steps(options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range steps {
		if slices.Contains(names, s.name) || strings.Contains(s.name, ",") {
			t.Errorf("%q can't be chosen", s.name)
		}
		names = append(names, s.name)
	}
}

func TestPackagesOf(t *testing.T) {
	t.Parallel()
	is := func(here bool) func() bool { return func() bool { return here } }
	got := packagesOf([]peer{{is(true), []string{"a"}}, {is(false), []string{"b", "c"}}, {is(false), []string{"c", "d"}}})
	if !slices.Equal(got, []string{"b", "c", "d"}) {
		t.Errorf("got %q", got)
	}
}

func TestPlainFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, map[string]string{"a/b.js": "one\r\ntwo\n\n"})
	path := filepath.Join(dir, "a", "b.js")
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := plainFiles(dir); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || string(data) != "one\ntwo\n" {
		t.Errorf("%q, %v", data, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o111 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestStageIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	when := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	b := &bundle{stage: t.TempDir(), when: when}
	if err := b.put(map[string][]byte{"usr/bin/x": []byte("1"), "usr/share/y": zipped([]byte("2"))}); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"usr/bin/x": 0o755, "usr/share/y": 0o644} {
		info, err := os.Stat(filepath.Join(b.stage, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != mode || !info.ModTime().Equal(when) {
			t.Errorf("%s: %v, %v", name, info.Mode(), info.ModTime())
		}
	}
}

// An archive brings all that is laid out, the licence of the program too, below one
// folder.
func TestArchive(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put(t, root, map[string]string{
		"LICENSE": "Ours.", "stage/usr/bin/recollect": "program", "stage/usr/share/man/man1/recollect.1.gz": "manual", "stage/deb/x": "not here",
	})
	tool, _ := testTool(t, root)
	b := &bundle{t: tool, version: "1.2.3", when: time.Unix(1_700_000_000, 0), dir: root, stage: filepath.Join(root, "stage")}
	if err := b.archive(); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(b.made[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for r := tar.NewReader(packed); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		found[h.Name] = string(text)
	}
	top := "recollect-1.2.3-linux-" + runtime.GOARCH + "/"
	want := map[string]string{top + "bin/recollect": "program", top + "share/man/man1/recollect.1.gz": "manual", top + "share/doc/recollect/LICENSE": "Ours."}
	if !maps.Equal(found, want) {
		t.Errorf("%q", found)
	}
}
