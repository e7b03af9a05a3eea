package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/config"
	"recollect/internal/llm/llmtest"
	"recollect/internal/memorize"
	"recollect/internal/plugin"
)

// files is every file below a folder with its content, but for locks.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".lock" {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// onBranch gives the sample's history of the branch main to another branch.
func onBranch(t testing.TB, o Options, branch string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(o.Getenv("CLAUDE_CONFIG_DIR"), "projects", "*", "*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, name, bytes.ReplaceAll(data, []byte(`"gitBranch":"main"`), fmt.Appendf(nil, `"gitBranch":%q`, branch)))
	}
}

func TestTryOffline(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e := openEngine(t, o)
	var steps []string
	tried, err := e.Try(t.Context(), nil, "offline", func(p Progress) { steps = append(steps, fmt.Sprint(p.Branch, " ", p.Step)) })
	if err != nil {
		t.Fatal(err)
	}
	if tried.Branch != "main" || tried.Extractor != config.Offline || len(tried.Items) == 0 || tried.Took <= 0 || tried.Memory <= 0 || tried.ModelCalls != 0 || tried.Unread != 0 {
		t.Errorf("%+v", tried)
	}
	if isFolder(e.path()) {
		t.Error("a try made the memory folder")
	}
	if len(steps) == 0 || !strings.HasPrefix(steps[0], "main ") {
		t.Errorf("%q", steps)
	}
	goes := 0
	for _, it := range tried.Items {
		if it.Known != "" || it.Origin.Session == "" && it.Rejected == "" {
			t.Errorf("nothing is remembered: %+v", it)
		}
		if it.Rejected == "" {
			goes++
		}
	}
	main := "main"
	reports, err := e.Memorize(t.Context(), MemorizeOptions{Branch: &main})
	if err != nil || reports[0].Items > goes {
		t.Fatalf("%d would go in, %+v, %v", goes, reports, err)
	}
	shown, err := e.Show(&main, "")
	if err != nil {
		t.Fatal(err)
	}
	before := files(t, e.path())
	again, err := e.Try(t.Context(), &main, config.Offline, nil)
	if err != nil || len(again.Items) != len(tried.Items) {
		t.Fatal(len(again.Items), err)
	}
	known := map[string]bool{}
	for _, it := range again.Items {
		known[it.Known] = true
	}
	for _, it := range shown.Items {
		if !known[it.ID] {
			t.Errorf("nothing that was found is %q", it.Content)
		}
	}
	if _, _, err := e.Forget(t.Context(), &main, []string{shown.Items[0].ID}); err != nil {
		t.Fatal(err)
	}
	before = files(t, e.path())
	again, err = e.Try(t.Context(), &main, config.Offline, nil)
	if err != nil {
		t.Fatal(err)
	}
	rejected := false
	for _, it := range again.Items {
		rejected = rejected || it.Rejected != "" && it.Content == shown.Items[0].Content
	}
	if !rejected {
		t.Errorf("%q was taken out and would come back", shown.Items[0].Content)
	}
	for path, text := range files(t, e.path()) {
		if before[path] != text {
			t.Errorf("the try wrote %s", path)
		}
	}
	none := "no-such-branch"
	tried, err = e.Try(t.Context(), &none, config.Offline, nil)
	if err != nil || len(tried.Items) != 0 || tried.Items == nil || len(tried.Warnings) != 1 {
		t.Errorf("%+v, %v", tried, err)
	}
}

func TestTryRefuses(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	if _, err := e.Try(t.Context(), nil, "org.example.none", nil); Explain(err).Code != "plugin_not_found" {
		t.Errorf("%v", err)
	}
	if _, err := e.Try(t.Context(), nil, config.Ranked, nil); !plugin.IsKind(err, plugin.KindUnsupported) {
		t.Errorf("%v", err)
	}
	if _, err := e.Try(t.Context(), nil, "model-notes", nil); !errors.Is(err, memorize.ErrUnavailable) || Explain(err).Code != "no_model" {
		t.Errorf("without a model: %v, %+v", err, Explain(err))
	}
	if _, err := e.EnablePlugin(config.Offline, false); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Try(t.Context(), nil, config.Offline, nil); !plugin.IsKind(err, plugin.KindDenied) {
		t.Errorf("disabled: %v", err)
	}
}

// A stranger's plug-in that stores, logs and asks a model.
func TestTryKeepsNothing(t *testing.T) {
	t.Parallel()
	wasm := echoModule(t)
	o := sample(t)
	onBranch(t, o, "methods")
	e := openEngine(t, o)
	addPackage(t, e, echoManifest, wasm, true)
	server := llmtest.NewServer(t, llmtest.Reply{Text: "hi", InputTokens: 70, OutputTokens: 5})
	for key, value := range map[string]string{"model.provider": `"openai"`, "model.base_url": fmt.Sprintf("%q", server.URL), "model.name": `"tiny"`} {
		if _, err := e.SetSetting(t.Context(), key, json.RawMessage(value), config.User); err != nil {
			t.Fatal(err)
		}
	}
	branch := "methods"
	if _, err := e.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := files(t, e.path())
	tried, err := e.Try(t.Context(), &branch, "org.example.echo", nil)
	if err != nil {
		t.Fatal(err)
	}
	if tried.ModelCalls != 1 || tried.Tokens != 75 {
		t.Errorf("%d calls, %d tokens", tried.ModelCalls, tried.Tokens)
	}
	if n := len(tried.Log); n == 0 || tried.Log[n-1].Text != "tried" || tried.Log[n-1].Level != "info" {
		t.Errorf("log %+v", tried.Log)
	}
	stored := false
	for _, it := range tried.Items {
		stored = stored || it.Section == "storage.get" && strings.Contains(it.Content, `"value" true`)
		if it.Rejected == "" { // it names no evidence
			t.Errorf("%+v", it)
		}
	}
	if !stored {
		t.Error("the plug-in did not see what it stored")
	}
	for path, text := range files(t, e.path()) {
		if before[path] != text {
			t.Errorf("the try wrote %s: %q", path, text)
		}
	}
	// The budget holds, and a trial can be stopped.
	if _, err := e.SetSetting(t.Context(), "budget.run_calls", json.RawMessage("0"), config.User); err != nil {
		t.Fatal(err)
	}
	asked := len(server.Requests())
	over, err := e.Try(t.Context(), &branch, "org.example.echo", nil)
	if err != nil || over.Tokens != 0 || len(server.Requests()) != asked {
		t.Errorf("beyond the budget: %d tokens, %d requests, %v", over.Tokens, len(server.Requests())-asked, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = e.Try(ctx, &branch, "org.example.echo", func(Progress) { cancel() })
	if Explain(err).Code != "cancelled" {
		t.Errorf("stopped: %v", err)
	}
	// The log is kept, in the data of the person.
	log, err := e.PluginLog("org.example.echo")
	if err != nil || len(log) != len(tried.Log)+len(over.Log) {
		t.Errorf("%+v, %v", log, err)
	}
	if err := e.RemovePlugin("org.example.echo"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.PluginLog("org.example.echo"); Explain(err).Code != "plugin_not_found" {
		t.Errorf("%v", err)
	}
}

// A dry run of a memorize stores nothing for plug-ins either.
func TestDryRunsStoreNothing(t *testing.T) {
	t.Parallel()
	wasm := echoModule(t)
	o := sample(t)
	onBranch(t, o, "store:x")
	e := openEngine(t, o)
	addPackage(t, e, echoManifest, wasm, true)
	branch := "store:x"
	run := func(dry bool) {
		t.Helper()
		reports, err := e.Memorize(t.Context(), MemorizeOptions{Branch: &branch, Extractors: []string{"echo"}, DryRun: dry})
		if err != nil || reports[0].Outcome != memorize.Memorized {
			t.Fatalf("%+v, %v", reports, err)
		}
	}
	run(true)
	if isFolder(e.state().Path("storage")) {
		t.Error("a dry run stored")
	}
	run(false)
	if !isFolder(e.state().Path("storage", "plugin-org.example.echo")) {
		t.Error("a run stored nothing")
	}
}

// BenchmarkTry is what a person waits for who tries the offline extractor on the
// sample's branch.
func BenchmarkTry(b *testing.B) {
	e := openEngine(b, sample(b))
	for b.Loop() {
		if tried, err := e.Try(b.Context(), nil, config.Offline, nil); err != nil || len(tried.Items) == 0 {
			b.Fatal(len(tried.Items), err)
		}
	}
}
