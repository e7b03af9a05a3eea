package engine

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
	"recollect/internal/history"
)

// trust says yes to what the project asks for.
func trust(t testing.TB, e *Engine) {
	t.Helper()
	asked, err := e.Trust(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if given, err := e.GiveTrust(t.Context(), asked.Digest); err != nil || given.Status != TrustGiven {
		t.Fatalf("%+v, %v", given, err)
	}
}

// asks writes the settings file that came with a project.
func asks(t testing.TB, e *Engine, settings string) {
	t.Helper()
	write(t, e.path("config.json"), []byte(`{"version":1,`+settings+`}`))
	if err := e.Refresh(); err != nil {
		t.Fatal(err)
	}
}

func TestTrustIsToWhatWasShown(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	is := func(what string, want TrustStatus, model string) Trust {
		t.Helper()
		got, err := e.Trust(t.Context())
		if err != nil || got.Status != want || e.settings().Model.Name != model {
			t.Errorf("%s: %+v, model %q, %v", what, got, e.settings().Model.Name, err)
		}
		return got
	}
	is("nothing is there", TrustNothing, "")
	asks(t, e, `"review":{"enabled":true},"inject":{"budget":200}`)
	is("what is harmless", TrustNothing, "")

	asks(t, e, `"model":{"name":"m"},"budget":{"day_calls":-1}`)
	shown := is("asked", TrustAsked, "")
	if d := cmp.Diff([]string{"budget", "model"}, e.LeftAside()); d != "" {
		t.Error(d)
	}
	asks(t, e, `"model":{"name":"m"},"budget":{"day_calls":9999}`)
	if _, err := e.GiveTrust(t.Context(), shown.Digest); !errors.Is(err, ErrClaimsChanged) {
		t.Errorf("a yes to what is not there any more: %v", err)
	}
	is("still asked", TrustAsked, "")
	trust(t, e)
	if got := is("given", TrustGiven, "m"); got.At.IsZero() || len(e.LeftAside()) > 0 || e.settings().Budget.Day.Calls != 9999 {
		t.Errorf("%+v, %v", got, e.settings().Budget)
	}

	asks(t, e, `"model":{"name":"m"},"budget":{"day_calls":10000}`)
	is("more", TrustChanged, "")
	asks(t, e, `"model":{"name":"m"}`)
	is("less", TrustChanged, "")
	asks(t, e, `"budget":{"day_calls":9999},"review":{"enabled":true},"model":{"name":"m"}`)
	is("the same beside something harmless", TrustGiven, "m")
	// The person raises their own budget: what the project asks for is less now.
	if _, err := e.SetSetting(t.Context(), "budget.day_calls", json.RawMessage("20000"), ""); err != nil {
		t.Fatal(err)
	}
	is("a part counts by itself now", TrustGiven, "m")

	if got, err := e.RevokeTrust(t.Context()); err != nil || got.Status != TrustAsked || !got.At.IsZero() {
		t.Errorf("%+v, %v", got, err)
	}
	is("revoked", TrustAsked, "")
}

// What a person puts into the project's file by a command has their yes; what came
// with the project has not got it thereby.
func TestWhatIsTypedIsGiven(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	set := func(name, value string, where config.Origin) (string, error) {
		var raw json.RawMessage
		if value != "" {
			raw = json.RawMessage(value)
		}
		return e.SetSetting(t.Context(), name, raw, where)
	}
	for _, c := range []struct {
		name, value string
		where       config.Origin
		project     bool
	}{
		{"model.provider", `"openai"`, "", false},
		{"budget.day_calls", "5", "", false},
		{"extractors", `["dev.recollect.offline"]`, "", false},
		{"ui.notify", "false", "", false},
		{"inject.budget", "2000", "", false},
		{"inject.budget", "500", "", true},
		{"review.enabled", "true", "", true},
		{"model.name", `"m"`, config.Project, true},
		{"model.base_url", `"https://models.example"`, config.Project, true},
		{"model.name", "", "", true},
	} {
		file, err := set(c.name, c.value, c.where)
		if err != nil || (file == e.path("config.json")) != c.project {
			t.Errorf("%s = %s: in %s, %v", c.name, c.value, file, err)
		}
	}
	if got, err := e.Trust(t.Context()); err != nil || got.Status != TrustGiven || len(got.Claims) != 1 || e.settings().Model.BaseURL == "" {
		t.Errorf("%+v, %v", got, err)
	}
	asks(t, e, `"model":{"base_url":"https://models.example","name":"x"}`)
	before := held(t, e.path("config.json"))
	if _, err := set("sources", `["puffin"]`, config.Project); !errors.Is(err, ErrWaiting) || Explain(err).Exit != ExitRefused || held(t, e.path("config.json")) != before {
		t.Errorf("beside what waits: %v", err)
	}
	if _, err := e.UsePlugin(t.Context(), "dev.recollect.model-notes", "extractor", true); !errors.Is(err, ErrWaiting) {
		t.Errorf("beside what waits: %v", err)
	}
	if _, err := set("inject.budget", "100", config.Project); err != nil {
		t.Errorf("what is free can't be set beside what waits: %v", err)
	}
	if got, err := e.Trust(t.Context()); err != nil || got.Status != TrustChanged {
		t.Errorf("%+v, %v", got, err)
	}
}

// What says that the person said yes is no word of the project's, and a damaged one
// is no yes.
func TestDamagedYesIsNone(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	asks(t, e, `"model":{"name":"m"}`)
	trust(t, e)
	for _, text := range []string{"", "{", `{"version":2,"settings":{"model.name":"m"}}`, `[]`} {
		write(t, e.state().Path(yesName), []byte(text))
		if err := e.Refresh(); err != nil || e.settings().Model.Name != "" {
			t.Errorf("%q: %v, %q", text, err, e.settings().Model.Name)
		}
	}
	trust(t, e)
	if err := os.Remove(e.state().Path(yesName)); err != nil {
		t.Fatal(err)
	}
	if err := e.Refresh(); err != nil || e.settings().Model.Name != "" {
		t.Errorf("without it: %v", err)
	}
}

// An engine that is kept open takes notice of a yes that is taken back elsewhere.
func TestDeskNoticesARevoke(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e := openEngine(t, o)
	asks(t, e, `"model":{"name":"m"}`)
	d := NewDesk(DeskOptions{Engine: o})
	defer d.Close()
	name := func() (name string) {
		if err := d.Use(o.Dir, func(e *Engine) error { name = e.settings().Model.Name; return nil }); err != nil {
			t.Error(err)
		}
		return name
	}
	if got := name(); got != "" {
		t.Errorf("before: %q", got)
	}
	trust(t, e)
	if got := name(); got != "m" {
		t.Errorf("given: %q", got)
	}
	if _, err := e.RevokeTrust(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := name(); got != "" {
		t.Errorf("revoked: %q", got)
	}
}

// The settings of a clone with a link in place of its file lead nowhere.
func TestProjectSettingsAreReadBeneathTheProject(t *testing.T) {
	t.Parallel()
	o := sample(t)
	elsewhere := filepath.Join(t.TempDir(), "config.json")
	write(t, elsewhere, []byte(`{"version":1,"inject":{"budget":60}}`))
	dir := filepath.Join(o.Dir, history.MemoryDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(dir, "config.json")); err != nil {
		t.Skipf("links can't be made here: %v", err)
	}
	if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "out of") {
		t.Errorf("%v", err)
	}
}

// A person who wants the memory that came does not have to take the settings.
func TestAYesToOneKind(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	asks(t, e, `"model":{"name":"m"}`)
	write(t, e.path("branches", "main.md"), []byte("# Branch Memory: main\n\n## Conventions\n\n- one that came\n"))
	main := "main"
	is := func(model string, unseen int, left ...string) Trust {
		t.Helper()
		now, err := e.Trust(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if u, err := e.Unseen(&main); err != nil || len(u.Items) != unseen {
			t.Errorf("%d items are unseen, want %d, %v", len(u.Items), unseen, err)
		}
		if d := cmp.Diff(left, e.LeftAside()); d != "" || e.settings().Model.Name != model {
			t.Errorf("the model is %q, want %q; left aside: %s", e.settings().Model.Name, model, d)
		}
		return now
	}
	shown := is("", 1, "model")
	if _, err := e.GiveTrust(t.Context(), shown.Digest, ClaimMemory); err != nil {
		t.Fatal(err)
	}
	shown = is("", 0, "model")
	if shown.Status != TrustChanged {
		t.Errorf("%s, want %s", shown.Status, TrustChanged)
	}
	if _, err := e.GiveTrust(t.Context(), shown.Digest, ClaimSetting); err != nil {
		t.Fatal(err)
	}
	is("m", 0)
}

// What was declined is told no more until it is something else, and counts as
// little as before.
func TestWhatIsDeclinedIsNotTold(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	asks(t, e, `"model":{"name":"m"}`)
	shown, err := e.Trust(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.DeclineTrust(t.Context(), "another"); !errors.Is(err, ErrClaimsChanged) {
		t.Errorf("a no to what was not shown: %v", err)
	}
	told := func(want ...string) {
		t.Helper()
		if d := cmp.Diff(want, e.ToldAside()); d != "" {
			t.Error(d)
		}
	}
	told("model")
	if now, err := e.DeclineTrust(t.Context(), shown.Digest); err != nil || now.Status != TrustAsked {
		t.Errorf("%+v, %v", now, err)
	}
	told()
	if len(e.LeftAside()) != 1 || e.settings().Model.Name != "" {
		t.Errorf("%v is left aside, the model is %q", e.LeftAside(), e.settings().Model.Name)
	}
	asks(t, e, `"model":{"name":"m2"}`)
	told("model")
	asks(t, e, `"model":{"name":"m"}`)
	told()
	if _, err := e.RevokeTrust(t.Context()); err != nil {
		t.Fatal(err)
	}
	told("model")
}
