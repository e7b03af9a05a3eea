package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"recollect/hostapi"
	"recollect/internal/memorize"
	"recollect/internal/memory"
)

func echo(t testing.TB, m hostapi.Manifest) *Plugin {
	t.Helper()
	return newBench(t, Limits{}).add(t, m, goGuest(t, "echo"))
}

func TestExtract(t *testing.T) {
	p := echo(t, manifest("org.example.echo"))
	h := past{turn("1", "main", "We ship on Fridays."), turn("2", "main", "Use tabs."), turn("3", "other", "Not here.")}
	items, err := founds(Extractor{Plugin: p}.Extract(t.Context(), extraction("main", h)))
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != 2 || items[0].Content != "false 19 We ship on Fridays." || items[1].Content != "true 9 Use tabs." {
		t.Errorf("items = %+v", items)
	}
	if o := items[1].Origin; o.Extractor != "org.example.echo" || len(o.Records) != 1 || o.Records[0] != "m2" {
		t.Errorf("origin = %+v", o)
	}
	if m := p.Metrics(); m.Calls != 1 || m.Faults != 0 || m.HostCalls != 1 || m.Guest <= 0 || m.Memory <= 0 || m.Fuel <= 0 || m.Load <= 0 {
		t.Errorf("metrics = %+v", m)
	}
}

func TestNothingFoundFailedAndUnsupportedDiffer(t *testing.T) {
	p := echo(t, manifest("org.example.echo"))
	items, err := founds(Extractor{Plugin: p}.Extract(t.Context(), extraction("nothing", nil)))
	if err != nil || len(items) != 0 {
		t.Errorf("nothing: %v, %v", items, err)
	}
	_, err = Extractor{Plugin: p}.Extract(t.Context(), extraction("fail:it", nil))
	var refused *hostapi.Error
	if !IsKind(err, KindFailed) || !strings.Contains(err.Error(), "no luck with it") || !errors.As(err, &refused) || refused.Code != hostapi.CodeFailed {
		t.Errorf("fail: %v", err)
	}
	for _, verb := range []string{"evolve", "no such verb"} {
		if _, err := p.Run(t.Context(), verb, []byte("{}"), Setting{}); !IsKind(err, KindUnsupported) {
			t.Errorf("%s: %v", verb, err)
		}
	}
	if _, err := p.Run(t.Context(), "extract", []byte("not JSON"), Setting{}); !IsKind(err, KindFailed) {
		t.Errorf("bad request: %v", err)
	}
	if _, err := p.Run(t.Context(), "extract", make([]byte, 9<<20), Setting{}); !IsKind(err, KindLimit) {
		t.Errorf("long request: %v", err)
	}
	out, err := p.Run(t.Context(), "extract", []byte(`{"branch":"nothing","grease":{"a":[1]}}`), Setting{})
	if err != nil || string(out.Result) != `{"items":null}` {
		t.Errorf("grease: %s, %v", out.Result, err)
	}
}

func TestEmptyAnswers(t *testing.T) {
	b := newBench(t, Limits{})
	for i, wasm := range [][]byte{tiny{}.build(), answering("{}"), answering(`{"result":null}`), answering(`{"result":{},"grease":[1]}`)} {
		p := b.add(t, manifest("org.example.empty"), wasm)
		items, err := founds(Extractor{Plugin: p}.Extract(t.Context(), extraction("x", nil)))
		if err != nil || len(items) != 0 {
			t.Errorf("answer %d: %v, %v", i, items, err)
		}
	}
}

func TestEveryCallSeesACleanInstance(t *testing.T) {
	p := echo(t, manifest("org.example.echo"))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			items, err := founds(Extractor{Plugin: p}.Extract(context.Background(), extraction("calls", nil)))
			if err != nil || len(items) != 1 || items[0].Content != "1" {
				t.Errorf("items = %v, %v", items, err)
			}
		})
	}
	wg.Wait()
}

func TestHostMethods(t *testing.T) {
	h := past{turn("1", "methods", "a"), turn("2", "other", "b")}
	x := extraction("methods", h)
	x.Memory = memory.Memory{Items: []memory.Item{
		{ID: "1", Section: "facts", State: memory.Active}, {ID: "2", Section: "other", State: memory.Active},
		{ID: "3", Section: "facts", State: memory.Removed},
	}}
	m := manifest("org.example.echo")
	m.Config = json.RawMessage(`{"type":"object","properties":{"depth":{"type":"integer","default":3}}}`)
	const denied = "denied: the plug-in has no capability "
	full := map[string]string{
		"history.branches": "1 <nil>", "history.sessions": "1 <nil>",
		"one session": `true [store/s-methods.go] "0123456 Keep it" <nil>; of all 0`, "no session": "false <nil>",
		"other branch": "denied: the plug-in may read the history of this branch only",
		"history.turn": `not_found: there is no turn "no such turn"`,
		"memory.get":   "2 <nil>",
		"llm.complete": "unavailable: no model is configured", "llm.budget": "unavailable: no model is configured",
		"storage.put": "<nil>", "storage.get": `"value" true <nil>`, "storage.list": "[key] <nil>", "storage.delete": "<nil>",
		"long key":   "invalid: a key must have 1 to 256 bytes of UTF-8",
		"config.get": "<nil> 3", "host.features": "rc/1 test 13 <nil>",
		"no.such": `not_found: there is no method "no.such"`,
	}
	none := map[string]string{
		"history.branches": `0 ` + denied + `"history:read"`, "history.sessions": `0 ` + denied + `"history:read"`,
		"other branch": denied + `"history:read"`, "history.turn": denied + `"history:read"`,
		"memory.get":   `0 ` + denied + `"memory:read"`,
		"llm.complete": denied + `"llm:call"`, "llm.budget": denied + `"llm:call"`,
		"storage.put": denied + `"storage"`, "storage.get": `"" false ` + denied + `"storage"`,
		"storage.list": `[] ` + denied + `"storage"`, "storage.delete": denied + `"storage"`, "long key": denied + `"storage"`,
		"config.get": "<nil> 7", "host.features": "rc/1 test 13 <nil>",
		"no.such": `not_found: there is no method "no.such"`,
	}
	wide := map[string]string{"history.branches": "2 <nil>", "other branch": "<nil>", "memory.get": "1 <nil>"}

	check := func(name string, m hostapi.Manifest, set Setting, want map[string]string) {
		t.Helper()
		got := contents(t, Extractor{Plugin: echo(t, m), Setting: set}, x)
		for method, w := range want {
			if got[method] != w {
				t.Errorf("%s: %s = %q, want %q", name, method, got[method], w)
			}
		}
	}
	check("all", m, Setting{Storage: t.TempDir()}, full)
	none1 := m
	none1.Capabilities = nil
	check("none", none1, Setting{Storage: t.TempDir(), Config: json.RawMessage(`{"depth":7}`)}, none)
	wide1 := m
	wide1.Capabilities = map[hostapi.Capability]hostapi.Grant{
		hostapi.CapHistoryRead: {Reason: "r", Scope: scopeProject},
		hostapi.CapMemoryRead:  {Reason: "r", Sections: []string{"facts"}},
	}
	check("project", wide1, Setting{}, wide)
}

func TestRefusalsAreLogged(t *testing.T) {
	m := manifest("org.example.echo")
	m.Capabilities = nil
	p := echo(t, m)
	out, err := p.Run(t.Context(), "extract", []byte(`{"branch":"methods"}`), Setting{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range out.Log {
		lines = append(lines, l.Text)
	}
	all := strings.Join(lines, "\n")
	if !strings.Contains(all, `host: storage.put: denied: the plug-in has no capability "storage"`) || !strings.HasSuffix(all, "tried") {
		t.Errorf("log:\n%s", all)
	}
}

func TestModel(t *testing.T) {
	calls := 0
	set := Setting{
		Complete: func(_ context.Context, p hostapi.CompleteParams) (hostapi.CompleteResult, error) {
			calls++
			return hostapi.CompleteResult{Text: p.Prompt + "!"}, nil
		},
		Budget: func(context.Context) (hostapi.BudgetResult, error) {
			return hostapi.BudgetResult{Calls: 100, Tokens: 5}, nil
		},
	}
	p := echo(t, manifest("org.example.echo"))
	got := contents(t, Extractor{Plugin: p, Setting: set}, extraction("methods", past{}))
	if got["llm.complete"] != "<nil>" || got["llm.budget"] != "<nil>" || calls != 1 {
		t.Errorf("complete = %q, budget = %q, calls = %d", got["llm.complete"], got["llm.budget"], calls)
	}
	s := newSession(t.Context(), p.Manifest, p.limits, set, "")
	defer s.close()
	s.usage.ModelCalls = 4
	if _, refused := s.llmComplete(hostapi.CompleteParams{}); refused == nil || refused.Code != hostapi.CodeBudget {
		t.Errorf("fifth call: %v", refused)
	}
	for err, code := range map[error]hostapi.Code{
		context.Canceled: hostapi.CodeCancelled, errors.New("down"): hostapi.CodeUnavailable,
		fmt.Errorf("x: %w", &hostapi.Error{Code: hostapi.CodeBudget}): hostapi.CodeBudget,
	} {
		if got := modelRefusal(err); got.Code != code {
			t.Errorf("%v: %v, want %s", err, got, code)
		}
	}
}

// A plug-in that waits for its host has all the time that it needs.
func TestClockStandsStillInTheHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSession(t.Context(), hostapi.Manifest{}, Limits{Wall: time.Second}, Setting{}, "")
		defer s.close()
		s.clock.start()
		time.Sleep(600 * time.Millisecond)
		s.clock.stop()
		time.Sleep(time.Hour)
		s.clock.start()
		time.Sleep(300 * time.Millisecond)
		if err := context.Cause(s.ctx); err != nil {
			t.Errorf("ended after 0.9 s: %v", err)
		}
		if left := s.clock.remaining(); left != 100*time.Millisecond {
			t.Errorf("%v left", left)
		}
		s.sleep(int64(time.Hour))
		synctest.Wait()
		if err := context.Cause(s.ctx); !errors.Is(err, errDeadline) {
			t.Errorf("after the deadline: %v", err)
		}
	})
}

// A list of sections in the manifest does not stand for the check in the module.
func TestStorageOutlivesCallsAndStaysApart(t *testing.T) {
	b := newBench(t, Limits{})
	one, two := b.add(t, manifest("org.example.one"), goGuest(t, "echo")), b.add(t, manifest("org.example.two"), goGuest(t, "echo"))
	here, there := Setting{Storage: t.TempDir()}, Setting{Storage: t.TempDir()}
	contents(t, Extractor{Plugin: one, Setting: here}, extraction("store:x", past{}))
	for _, tt := range []struct {
		p    *Plugin
		set  Setting
		want string
	}{{one, here, "x true"}, {two, here, "false"}, {one, there, "false"}} {
		got := contents(t, Extractor{Plugin: tt.p, Setting: tt.set}, extraction("load", nil))
		if strings.TrimSpace(got["value"]) != tt.want {
			t.Errorf("%s has %q, want %q", tt.p.Manifest.ID, got["value"], tt.want)
		}
	}
}

func TestDamagedCacheIsMadeAnew(t *testing.T) {
	cache := t.TempDir()
	wasm := answering(`{"result":{"items":[{"content":"fine"}]}}`)
	for _, damage := range []func([]byte) []byte{
		func(b []byte) []byte { return b },
		func([]byte) []byte { return nil }, func(b []byte) []byte { return b },
		func(b []byte) []byte { return b[:len(b)/2] },
		func(b []byte) []byte { return b }, func(b []byte) []byte { b[len(b)/2] ^= 0xff; return b },
	} {
		err := filepath.WalkDir(cache, func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			if err == nil && len(data) == 0 {
				t.Errorf("%s is still empty", name)
			} else if err == nil {
				err = os.WriteFile(name, damage(data), 0o600)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		b := bench{library: NewLibrary(t.TempDir(), nil)}
		b.host = NewHost(b.library, HostOptions{CacheDir: cache})
		got := contents(t, Extractor{Plugin: b.add(t, manifest("org.example.cached"), wasm)}, extraction("x", nil))
		if got[""] != "fine" {
			t.Errorf("got %v", got)
		}
		if err := b.host.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestCloseWaitsAndRefuses(t *testing.T) {
	b := newBench(t, Limits{})
	p := b.add(t, manifest("org.example.closed"), tiny{}.build())
	if err := b.host.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(t.Context(), "extract", nil, Setting{}); err == nil {
		t.Error("a closed host ran a plug-in")
	}
	if _, err := b.host.Plugin("org.example.closed"); !IsKind(err, KindDenied) {
		t.Errorf("error = %v", err)
	}
}

// founds gives the items of an extraction alone.
func founds(x memorize.Extracted, err error) ([]memory.Found, error) { return x.Found, err }
