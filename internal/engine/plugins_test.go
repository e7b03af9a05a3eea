package engine

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recollect/internal/config"
	"recollect/internal/plugin"
)

const (
	sectionsOnly = `{"manifest":1,"id":"org.example.sections","version":"1.0.0","name":"Sections","description":"Other sections.","abi":"rc/1","roles":["schema"],"homepage":"https://example.org/",
		"schema":{"subject":"branch","title":"Branch Memory","sections":[{"id":"facts","heading":"Facts","order":1}]}}`
	echoManifest = `{"manifest":1,"id":"org.example.echo","version":"1.0.0","name":"Echo","description":"Plays every role.","abi":"rc/1","roles":["extractor","schema","policy"],
		"capabilities":{"history:read":{"reason":"r"},"storage":{"reason":"r"},"memory:read":{"reason":"r"},"llm:call":{"reason":"It asks."}},
		"config":{"type":"object","additionalProperties":false,"properties":{"depth":{"type":"integer","default":3,"minimum":1},"deep":{"type":"boolean"}}}}`
)

// addPackage adds a package of a manifest, and of a module if there is one, and
// approves it.
func addPackage(t testing.TB, e *Engine, manifest string, wasm []byte, approve bool) plugin.Entry {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "plugin.json"), []byte(manifest))
	if wasm != nil {
		write(t, filepath.Join(dir, "plugin.wasm"), wasm)
	}
	entry, err := e.AddPlugin(dir)
	if err == nil && approve {
		entry, err = e.ApprovePlugin(t.Context(), entry.ID, "", nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

// echoModule builds the guest of the plug-in host's tests that does all there is
// to do.
func echoModule(t testing.TB) []byte {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a plug-in")
	}
	out := filepath.Join(t.TempDir(), "echo.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-o", out, "../plugin/testdata/guests/echo")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	wasm, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func TestPluginViews(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	addPackage(t, e, sectionsOnly, nil, true)
	wider := strings.NewReplacer(`"version":"1.0.0"`, `"version":"1.1.0"`, `"roles":["schema"]`, `"roles":["schema"],"capabilities":{"llm:call":{"reason":"Trust me."}}`).Replace(sectionsOnly)
	pending := addPackage(t, e, wider, nil, false)
	list, err := e.PluginViews()
	if err != nil || len(list.Problems) != 0 {
		t.Fatal(list.Problems, err)
	}
	byID := map[string]PluginView{}
	for _, p := range list.Plugins {
		byID[p.ID] = p
		if p.Powers == nil || p.Roles == nil || p.UsedAs == nil || p.Limits.Memory == 0 || p.Name == "" {
			t.Errorf("%+v", p)
		}
	}
	offline := byID[config.Offline]
	if !offline.BuiltIn || !offline.Approved || !slices.Equal(offline.UsedAs, []string{"extractor"}) || len(offline.Powers) != 1 || offline.Powers[0].Grave {
		t.Errorf("%+v", offline)
	}
	if p := byID["dev.recollect.model-notes"]; len(p.Powers) == 0 || !p.Powers[0].Grave || !strings.Contains(string(p.Config), `"max_turn_chars":4000`) || len(p.Schema) == 0 {
		t.Errorf("%+v", p)
	}
	added := byID["org.example.sections"]
	if added.Version != "1.0.0" || len(added.Powers) != 0 || added.Homepage != "https://example.org/" || added.Schema != nil || added.Config != nil {
		t.Errorf("%+v", added)
	}
	if p := added.Pending; p == nil || p.Version != "1.1.0" || p.SHA256 != pending.Pending.SHA256 || len(p.Powers) != 1 || !p.Powers[0].Grave || len(p.More) != 1 {
		t.Errorf("%+v", added.Pending)
	}
	// What the settings name and what they can't be is said.
	configure(t, e, "extractors", `["dev.recollect.offline","org.example.gone"]`)
	write(t, e.path("config.json"), []byte(`{"version":1,"extractors":["dev.recollect.offline","org.example.gone"],"plugins":{"dev.recollect.ranked":{"sections":3}}}`))
	if err := e.Refresh(); err != nil {
		t.Fatal(err)
	}
	list, err = e.PluginViews()
	all := strings.Join(list.Problems, "\n")
	if err != nil || len(list.Problems) != 1 || len(list.Absent) != 1 || list.Absent[0].Plugin != "org.example.gone" || !strings.Contains(all, "dev.recollect.ranked") {
		t.Errorf("%q, %v", list.Problems, err)
	}
	if p, err := e.PluginView(config.Ranked); err != nil || string(p.Config) != `{"sections":3}` {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := e.PluginView("org.example.gone"); !plugin.IsKind(err, plugin.KindNotFound) {
		t.Error(err)
	}
}

func TestUsePlugin(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	addPackage(t, e, sectionsOnly, nil, false)
	use := func(id, role string, use bool) (PluginView, error) { return e.UsePlugin(t.Context(), id, role, use) }
	if _, err := use("org.example.sections", "schema", true); !plugin.IsKind(err, plugin.KindDenied) {
		t.Errorf("not approved: %v", err)
	}
	if _, err := e.ApprovePlugin(t.Context(), "org.example.sections", "", nil); err != nil {
		t.Fatal(err)
	}
	v, err := use("org.example.sections", "schema", true)
	if err != nil || !slices.Equal(v.UsedAs, []string{"schema"}) || e.settings().Schema != v.ID {
		t.Errorf("%+v, %v", v.UsedAs, err)
	}
	var last *LastError
	for id, role := range map[string]string{"org.example.sections": "schema", config.Ranked: "policy", config.Offline: "extractor"} {
		_, err := use(id, role, false)
		if !errors.As(err, &last) {
			t.Fatalf("%s taken out: %v", role, err)
		}
		if p := Explain(err); p.Exit != ExitRefused || p.Hint == "" || !strings.Contains(p.Message, "only "+role) {
			t.Errorf("%+v", p)
		}
	}
	if v, err = use(config.Notes, "schema", true); err != nil || len(v.UsedAs) != 1 {
		t.Errorf("%+v, %v", v.UsedAs, err)
	}
	if v, err = use("org.example.sections", "schema", false); err != nil || len(v.UsedAs) != 0 { // it is not there any more
		t.Errorf("%+v, %v", v.UsedAs, err)
	}
	if _, err := use("dev.recollect.model-notes", "extractor", true); err != nil || !slices.Equal(e.settings().Extractors, []string{config.Offline, "dev.recollect.model-notes"}) {
		t.Errorf("%v, %v", e.settings().Extractors, err)
	}
	if _, err := use("dev.recollect.model-notes", "extractor", true); err != nil || len(e.settings().Extractors) != 2 {
		t.Errorf("twice: %v, %v", e.settings().Extractors, err)
	}
	// Somebody took it out by hand; the other one is then the last.
	write(t, e.path("config.json"), []byte(`{"version":1,"extractors":["dev.recollect.model-notes","org.example.gone"]}`))
	if _, err := use("org.example.gone", "extractor", false); err != nil || !slices.Equal(e.settings().Extractors, []string{config.Offline}) {
		t.Errorf("what nobody said yes to counts: %v, %v", e.settings().Extractors, err)
	}
	trust(t, e)
	if v, err := use("org.example.gone", "extractor", false); err != nil || v.ID != "org.example.gone" {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := use("dev.recollect.model-notes", "extractor", false); !errors.As(err, &last) {
		t.Errorf("the last one: %v", err)
	}
	if _, err := use(config.Ranked, "extractor", true); !plugin.IsKind(err, plugin.KindUnsupported) {
		t.Errorf("a policy as extractor: %v", err)
	}
	if _, err := use(config.Ranked, "conductor", true); Explain(err).Exit != ExitUsage {
		t.Errorf("no such role: %v", err)
	}
	if _, err := use("org.example.none", "policy", true); !plugin.IsKind(err, plugin.KindNotFound) {
		t.Errorf("no such plug-in: %v", err)
	}
}

func TestConfigurePlugin(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	v, err := e.ConfigurePlugin(t.Context(), config.Ranked, json.RawMessage(`{"sections":["facts"]}`))
	if err != nil || !strings.Contains(string(v.Config), `["facts"]`) {
		t.Errorf("%s, %v", v.Config, err)
	}
	var bad *config.ValueError
	for _, values := range []string{`{"sections":3}`, `{"sektions":[]}`, `[]`, `3`} {
		if _, err := e.ConfigurePlugin(t.Context(), config.Ranked, json.RawMessage(values)); !errors.As(err, &bad) {
			t.Errorf("%s: %v", values, err)
		}
	}
	if v, err = e.PluginView(config.Ranked); err != nil || !strings.Contains(string(v.Config), `["facts"]`) {
		t.Errorf("%s, %v", v.Config, err)
	}
	if v, err = e.ConfigurePlugin(t.Context(), config.Ranked, json.RawMessage(`null`)); err != nil || !strings.Contains(string(v.Config), `conventions`) || strings.Contains(held(t, e.path("config.json")), "ranked") {
		t.Errorf("%s, %v", v.Config, err)
	}
	if _, err := e.ConfigurePlugin(t.Context(), "org.example.none", nil); !plugin.IsKind(err, plugin.KindNotFound) {
		t.Errorf("%v", err)
	}
}
