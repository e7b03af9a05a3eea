package app

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/service"
)

// A clone's settings do in the window what they do elsewhere: nothing, until the
// person said yes.
func TestACloneInTheWindow(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusInternalServerError)
	}))
	t.Cleanup(server.Close)
	b, _, project := desk(t)
	t.Setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
	file := filepath.Join(project, ".recollect", config.ProjectName)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	text := `{"version":1,"model":{"provider":"openai","name":"m","base_url":"` + server.URL + `/v1"},"budget":{"day_calls":-1}}`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if s, err := b.Status(project); err != nil || s.Asked != 4 || s.State != engine.StateAttention || !slices.Equal(s.LeftAside, []string{"budget", "model"}) {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := b.TestModel(project); err == nil {
		t.Error("a model was asked that the clone names")
	}
	views, err := b.Settings(project)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(views, func(v engine.SettingView) bool { return v.Name == "model.provider" })
	if v := views[i]; v.Value != config.NoProvider || v.From != config.BuiltIn || string(v.Asked) != `"openai"` {
		t.Errorf("%+v", v)
	}
	// What the person sets is theirs, and no yes to the rest.
	views, err = b.SetSetting(project, "model.provider", json.RawMessage(`"openai"`), false)
	if err != nil {
		t.Fatal(err)
	}
	if v := views[i]; v.Value != config.OpenAI || v.From != config.User || v.Asked != nil {
		t.Errorf("%+v", v)
	}
	if s, err := b.Status(project); err != nil || s.Asked != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != text {
		t.Errorf("%s, %v", now, err)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("the server that the clone names was asked %d times", n)
	}
}

func TestAYesIsToWhatThePageHasShown(t *testing.T) {
	b, _, project := desk(t)
	asks := func(settings string) {
		t.Helper()
		dir := filepath.Join(project, ".recollect")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(settings), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	look := func(want engine.TrustStatus) engine.Trust {
		t.Helper()
		now, err := b.Trust(project)
		if err != nil || now.Status != want {
			t.Fatalf("%+v, %v; want %s", now, err, want)
		}
		return now
	}
	if now := look(engine.TrustNothing); now.Claims == nil {
		t.Error("no list of claims: the page wants an empty one")
	}
	asks(`{"version": 1, "budget": {"day_dollars": 50}}`)
	shown := look(engine.TrustAsked)
	asks(`{"version": 1, "budget": {"day_dollars": 500}}`)
	if _, err := b.GiveTrust(project, shown.Digest, nil); err == nil || service.Explain(err).Code != "changed" {
		t.Fatalf("%v: want the code by which the page shows it anew", err)
	}
	shown = look(engine.TrustAsked)
	if now, err := b.GiveTrust(project, shown.Digest, nil); err != nil || now.Status != engine.TrustGiven || now.At.IsZero() {
		t.Fatalf("%+v, %v", now, err)
	}
	look(engine.TrustGiven)
	asks(`{"version": 1, "budget": {"day_dollars": 5000}}`)
	look(engine.TrustChanged)
	if now, err := b.RevokeTrust(project); err != nil || now.Status != engine.TrustAsked {
		t.Fatalf("%+v, %v", now, err)
	}
	look(engine.TrustAsked)
}
