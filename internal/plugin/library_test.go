package plugin

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"recollect/hostapi"
)

func builtinFS(id string) fs.FS {
	return fstest.MapFS{
		"plugin.json": {Data: []byte(strings.Replace(minimal, "org.example.x", id, 1))},
		"plugin.wasm": {Data: answering(`{"result":{"items":[{"content":"built in"}]}}`)},
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestLifeOfAPlugin(t *testing.T) {
	l := NewLibrary(t.TempDir(), nil)
	h := NewHost(l, HostOptions{})
	defer h.Close()
	const id = "org.example.life"
	m := manifest(id)
	m.Capabilities = map[hostapi.Capability]hostapi.Grant{hostapi.CapStorage: {Reason: "keeps notes"}}
	says := func(want string) {
		t.Helper()
		p, err := h.Plugin(id)
		if err != nil {
			t.Fatal(err)
		}
		if got := contents(t, Extractor{Plugin: p}, extraction("x", nil)); got[""] != want {
			t.Errorf("says %q, want %q", got[""], want)
		}
	}
	refused := func(want string) {
		t.Helper()
		if _, err := h.Plugin(id); !IsKind(err, KindDenied) || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q", err, want)
		}
	}

	e, err := l.Add(packageDir(t, m, answering(`{"result":{"items":[{"content":"one"}]}}`)))
	must(t, err)
	if e.Approved || e.Pending == nil || e.Pending.More != nil || e.SHA256 != e.Pending.SHA256 {
		t.Fatalf("new: %+v", e)
	}
	refused("not approved")
	if err := l.Approve(id, strings.Repeat("0", 64)); err == nil || !strings.Contains(err.Error(), "another one") {
		t.Errorf("wrong digest: %v", err)
	}
	must(t, l.Approve(id, e.Pending.SHA256))
	must(t, l.Approve(id, e.Pending.SHA256)) // twice is as good as once
	says("one")
	must(t, l.Disable(id))
	refused("disabled")
	must(t, l.Enable(id))

	m.Version = "2.0.0"
	m.Capabilities[hostapi.CapHistoryRead] = hostapi.Grant{Reason: "reads all", Scope: scopeProject}
	e, err = l.Add(packageDir(t, m, answering(`{"result":{"items":[{"content":"two"}]}}`)))
	must(t, err)
	if e.Manifest.Version != "1.0.0" || e.Pending.Manifest.Version != "2.0.0" || len(e.Pending.More) != 1 || !strings.HasPrefix(e.Pending.More[0], "history:read: It reads what you and the assistant said on every branch") {
		t.Fatalf("update: %+v", e)
	}
	says("one")
	must(t, l.Approve(id, e.Pending.SHA256))
	says("two")
	if n := len(packages(t, l)); n != 1 {
		t.Errorf("%d packages are kept", n)
	}

	must(t, l.Remove(id))
	if _, err := h.Plugin(id); !IsKind(err, KindNotFound) {
		t.Errorf("removed: %v", err)
	}
	for _, err := range []error{l.Remove(id), l.Disable(id), l.Approve(id, e.SHA256)} {
		if !IsKind(err, KindNotFound) {
			t.Errorf("removed: %v", err)
		}
	}
	if n := len(packages(t, l)); n != 0 {
		t.Errorf("%d packages are kept", n)
	}
}

func packages(t *testing.T, l *Library) []os.DirEntry {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(l.dir, "packages"))
	must(t, err)
	return entries
}

func TestChangedPackageIsRefused(t *testing.T) {
	b := newBench(t, Limits{})
	p := b.add(t, manifest("org.example.changed"), answering(`{}`))
	write(t, filepath.Join(b.library.packageDir(p.SHA256), "plugin.wasm"), answering(`{"result":null}`))
	if _, err := p.Run(t.Context(), "extract", nil, Setting{}); !IsKind(err, KindInvalid) || !strings.Contains(err.Error(), "changed after it was approved") {
		t.Errorf("error = %v", err)
	}
	must(t, os.RemoveAll(b.library.packageDir(p.SHA256)))
	if _, err := p.Run(t.Context(), "extract", nil, Setting{}); !IsKind(err, KindInvalid) {
		t.Errorf("error = %v", err)
	}
	if _, problems := b.library.List(); len(problems) != 1 || !strings.Contains(problems[0], "missing") {
		t.Errorf("problems = %v", problems)
	}
}

func TestGrantsInTheStateDoNotCount(t *testing.T) {
	b := newBench(t, Limits{})
	m := manifest("org.example.grants")
	m.Capabilities = nil
	e, err := b.library.Add(packageDir(t, m, answering(`{}`)))
	must(t, err)
	must(t, b.library.Approve(e.ID, e.SHA256))
	name := filepath.Join(b.library.dir, stateName)
	data, err := os.ReadFile(name)
	must(t, err)
	write(t, name, []byte(strings.Replace(string(data), `"roles":`, `"capabilities":{"storage":{"reason":"r"}},"roles":`, 1)))
	p, err := b.host.Plugin(e.ID)
	must(t, err)
	if _, err := p.Run(t.Context(), "extract", nil, Setting{}); !IsKind(err, KindInvalid) {
		t.Errorf("error = %v", err)
	}
}

func TestBuiltins(t *testing.T) {
	l := NewLibrary(t.TempDir(), []fs.FS{builtinFS("org.example.built"), fstest.MapFS{}})
	h := NewHost(l, HostOptions{})
	defer h.Close()
	p, err := h.Plugin("org.example.built")
	must(t, err)
	if got := contents(t, Extractor{Plugin: p}, extraction("x", nil)); got[""] != "built in" {
		t.Errorf("got %v", got)
	}
	must(t, l.Disable("org.example.built"))
	if _, err := h.Plugin("org.example.built"); !IsKind(err, KindDenied) {
		t.Errorf("error = %v", err)
	}
	must(t, l.Enable("org.example.built"))
	if err := l.Remove("org.example.built"); err == nil {
		t.Error("a built-in was removed")
	}
	if _, err := l.Add(packageDir(t, manifest("org.example.built"), answering("{}"))); err == nil {
		t.Error("a built-in was replaced")
	}
	entries, problems := l.List()
	if len(entries) != 1 || !entries[0].BuiltIn || !entries[0].Approved || len(problems) != 1 {
		t.Errorf("list = %+v, %v", entries, problems)
	}
}

func TestDamagedState(t *testing.T) {
	for name, content := range map[string]string{
		"damaged": "{", "empty": "", "foreign": `{"hello":"world"}`, "another id": `{"version":1,"plugins":{"org.example.y":{"approved":{"sha256":"` + strings.Repeat("0", 64) + `"}}}}`,
		"a path": `{"version":1,"plugins":{"":{"approved":{"sha256":"../../x"}}}}`, "newer": `{"version":9}`,
	} {
		t.Run(name, func(t *testing.T) {
			l := NewLibrary(t.TempDir(), []fs.FS{builtinFS("org.example.built")})
			e, err := l.Add(packageDir(t, manifest("org.example.kept"), answering("{}")))
			must(t, err)
			must(t, l.Approve(e.ID, e.SHA256))
			file := filepath.Join(l.dir, stateName)
			write(t, file, []byte(content))
			entries, problems := l.List()
			if len(entries) != 1 || len(problems) != 1 {
				t.Errorf("list = %v, %v", entries, problems)
			}
			if _, err := l.Get("org.example.built"); err != nil {
				t.Error(err)
			}
			if _, err := l.Get("org.example.kept"); !IsKind(err, KindNotFound) {
				t.Errorf("error = %v", err)
			}
			_, err = l.Add(packageDir(t, manifest("org.example.other"), answering("{}")))
			if name == "newer" {
				if err == nil {
					t.Error("a newer state was overwritten")
				}
				return
			}
			must(t, err)
			if aside, err := filepath.Glob(file + ".damaged-*"); err != nil || len(aside) != 1 {
				t.Errorf("set aside: %v, %v", aside, err)
			}
			if e, err := l.Get("org.example.kept"); err != nil || e.Approved {
				t.Errorf("kept = %+v, %v", e, err)
			}
		})
	}
}

func TestManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 8 {
		id := fmt.Sprint("org.example.n", i)
		path := packageDir(t, manifest(id), answering(`{}`))
		wg.Go(func() {
			l := NewLibrary(dir, nil)
			if e, err := l.Add(path); err != nil {
				t.Error(err)
			} else if err := l.Approve(id, e.SHA256); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	entries, problems := NewLibrary(dir, nil).List()
	if len(entries) != 8 || len(problems) != 0 {
		t.Errorf("%d entries, %v", len(entries), problems)
	}
	for _, e := range entries {
		if !e.Approved {
			t.Errorf("%s is not approved", e.ID)
		}
	}
}

func TestStorageQuota(t *testing.T) {
	st := store{filepath.Join(t.TempDir(), "p")}
	ctx := t.Context()
	keys := []string{"a", "A", "../../evil", "con", "a/b", "ü", "\x00\n\"", strings.Repeat("k", maxKeyBytes)}
	for _, k := range keys {
		must(t, st.put(ctx, k, "value\nof "+k))
	}
	for _, k := range keys {
		if v, err := st.get(k); err != nil || v != "value\nof "+k {
			t.Errorf("%q: %q, %v", k, v, err)
		}
	}
	if got, err := st.list(""); err != nil || len(got) != len(keys) {
		t.Errorf("list = %q, %v", got, err)
	}
	big := strings.Repeat("x", maxValueBytes)
	for i := range 9 {
		must(t, st.put(ctx, fmt.Sprint("big", i), big))
	}
	must(t, st.put(ctx, "big0", big)) // replacing takes no more room
	if err := st.put(ctx, "big9", big); err != errQuota {
		t.Errorf("over quota: %v", err)
	}
	for i := range 9 {
		must(t, st.delete(ctx, fmt.Sprint("big", i)))
	}
	must(t, st.delete(ctx, "absent"))
	for i := len(keys); i < maxKeys; i++ {
		write(t, st.file(fmt.Sprint("key", i)), fmt.Appendf(nil, "%q\n", fmt.Sprint("key", i)))
	}
	if err := st.put(ctx, "one more", ""); err != errQuota {
		t.Errorf("over the number of keys: %v", err)
	}
	write(t, st.file("key500"), []byte("damaged"))
	if _, err := st.get("key500"); err == nil {
		t.Error("a damaged value was read")
	}
	if got, err := st.list("key50"); err != nil || len(got) != 10 {
		t.Errorf("list = %q, %v", got, err)
	}
}

func BenchmarkListOf100(b *testing.B) {
	l := NewLibrary(b.TempDir(), nil)
	st := state{Version: 1, Plugins: map[string]record{}}
	for i := range 100 {
		m := manifest(fmt.Sprint("org.example.n", i))
		st.Plugins[m.ID] = record{Approved: &version{SHA256: strings.Repeat("0", 64), Manifest: m}}
	}
	data, err := json.Marshal(st)
	must(b, err)
	write(b, filepath.Join(l.dir, stateName), data)
	for b.Loop() {
		if _, err := l.Get("org.example.n5"); err != nil {
			b.Fatal(err)
		}
	}
}
