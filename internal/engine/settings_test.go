package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"recollect/internal/atomicfile"
	"recollect/internal/config"
)

func settingOf(t *testing.T, e *Engine, key string) SettingView {
	t.Helper()
	views, err := e.Settings()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(views, func(v SettingView) bool { return v.Name == key })
	if i < 0 {
		t.Fatalf("no setting %s", key)
	}
	return views[i]
}

func TestSettingsSayWhereTheyComeFrom(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	if v := settingOf(t, e, "inject.budget"); v.From != "default" || v.Value != 1000 || *v.Min != config.MinBudget || v.Kind != config.Int {
		t.Errorf("%+v", v)
	}
	if _, err := e.SetSetting(t.Context(), "inject.budget", json.RawMessage("600"), config.User); err != nil {
		t.Fatal(err)
	}
	if v := settingOf(t, e, "inject.budget"); v.From != "user" || v.Value != 600 {
		t.Errorf("%+v", v)
	}
	configure(t, e, "inject.budget", "500")
	if v := settingOf(t, e, "inject.budget"); v.From != "project" || v.Value != 500 {
		t.Errorf("%+v", v)
	}
	if v := settingOf(t, e, "policy"); v.Kind != config.Choice || !slices.Equal(v.Choices, []string{config.Ranked}) {
		t.Errorf("%+v", v)
	}
	if v := settingOf(t, e, "extractors"); v.Kind != config.List || !slices.Contains(v.Choices, config.Offline) || slices.Contains(v.Choices, config.Ranked) {
		t.Errorf("%+v", v)
	}
	data, err := json.Marshal(settingOf(t, e, "model.provider"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"key":"model.provider"`, `"kind":"choice"`, `"value":"none"`, `"from":"default"`, `"choices":["none"`, `"doc":"`} {
		if !strings.Contains(string(data), part) {
			t.Errorf("%s is not in %s", part, data)
		}
	}
	// By hand, meanwhile.
	write(t, e.path("config.json"), []byte(`{"version":1,"inject":{"budget":400}}`))
	if v := settingOf(t, e, "inject.budget"); v.Value != 400 || e.settings().Inject.Budget != 400 {
		t.Errorf("%+v", v)
	}
	write(t, e.path("config.json"), []byte(`{"version":2}`))
	before := held(t, e.path("config.json"))
	_, err = e.Settings()
	var file *config.FileError
	if !errors.As(err, &file) {
		t.Errorf("a newer file: %v", err)
	}
	if _, err := e.SetSetting(t.Context(), "inject.budget", json.RawMessage("700"), config.Project); !errors.As(err, &file) || held(t, e.path("config.json")) != before {
		t.Errorf("a newer file: %v", err)
	}
	if e.settings().Inject.Budget != 400 {
		t.Error("settings in force went with a file that can't be read")
	}
}

// Writers of different settings at once lose none, and readers see whole ones.
func TestSettingsChangeTogether(t *testing.T) {
	t.Parallel()
	o := sample(t)
	first := openEngine(t, o)
	if _, err := first.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{"inject.budget": "750", "inject.enabled": "false", "sources": `["puffin"]`, "model.name": `"m"`, "review.enabled": "true", "budget.run_calls": "7"}
	var wg sync.WaitGroup
	for key, value := range values {
		for _, where := range []config.Origin{config.User, config.Project} {
			wg.Go(func() {
				e, err := Open(o)
				if err != nil {
					t.Error(err)
					return
				}
				defer e.Close()
				if _, err := e.SetSetting(t.Context(), key, json.RawMessage(value), where); err != nil {
					t.Errorf("%s (%s): %v", key, where, err)
				}
			})
		}
		wg.Go(func() { first.settings().Get(key); first.Refresh() })
	}
	wg.Wait()
	for _, where := range []config.Origin{config.User, config.Project} {
		for key, value := range values {
			before, after, err := config.Encode(first.file(where), key, json.RawMessage(value))
			if err != nil || string(before) != string(after) {
				t.Errorf("%s of %s: %v\n%s", key, where, err, before)
			}
		}
	}
}

func TestSettingThatIsSoIsNotWritten(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	configure(t, e, "inject.budget", "700")
	before, err := os.Stat(e.path("config.json"))
	if err != nil {
		t.Fatal(err)
	}
	configure(t, e, "inject.budget", "700")
	if after, err := os.Stat(e.path("config.json")); err != nil || !os.SameFile(before, after) {
		t.Errorf("written again: %v", err)
	}
}

// An edit by hand is never overwritten with what was read before it.
func TestSettingsKeepAnEditByHand(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	if _, err := e.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	file := e.path("config.json")
	for round := range 25 {
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := range 6 {
				value := json.RawMessage([]string{"true", "false"}[i%2])
				if _, err := e.SetSetting(t.Context(), "review.enabled", value, config.Project); err != nil && !errors.Is(err, atomicfile.ErrChanged) {
					t.Error(err)
				}
			}
		})
		budget := 100 + round
		write(t, file+".by-hand", fmt.Appendf(nil, `{"version":1,"inject":{"budget":%d}}`, budget))
		if err := os.Rename(file+".by-hand", file); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		if f, err := e.load(); err != nil || f.Inject.Budget != budget {
			t.Fatalf("round %d: a budget of %d, %v", round, f.Inject.Budget, err)
		}
	}
}

func TestAProjectIsNotGivenWhatCountsForThePersonOnly(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	_, err = e.SetSetting(t.Context(), "ui.notify", json.RawMessage("false"), config.Project)
	if !errors.Is(err, config.ErrPersonOnly) {
		t.Fatalf("a project's ui.notify: %v", err)
	}
	if p := Explain(err); p.Code != "settings" || p.Exit != ExitUsage || !strings.Contains(p.Hint, "--user") {
		t.Errorf("it is explained as %+v", p)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, ".recollect")); err == nil {
		t.Error("the refusal has made a memory folder")
	}
	if _, err := e.SetSetting(t.Context(), "ui.notify", json.RawMessage("false"), config.User); err != nil {
		t.Fatal(err)
	}
	if on, err := e.Setting("ui.notify"); err != nil || on != false {
		t.Errorf("the person's is %v, %v", on, err)
	}
	if _, err := e.SetSetting(t.Context(), "ui.theme", nil, config.Project); err != nil {
		t.Errorf("what a project says in vain can't be taken out: %v", err)
	}
}
