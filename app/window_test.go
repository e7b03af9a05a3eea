package app

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"recollect/frontend"
	"recollect/internal/config"
	"recollect/internal/engine"
)

func TestAnErrorReachesThePageAsText(t *testing.T) {
	t.Parallel()
	text, ok := explained(&config.ValueError{Key: "inject.budget", Value: "3", Want: "more"}).(string)
	if !ok {
		t.Fatal("no text: the page would show [object Object]")
	}
	var p engine.Problem
	if err := json.Unmarshal([]byte(text), &p); err != nil || p.Code != "settings" || p.Message == "" {
		t.Errorf("%s: %+v, %v", text, p, err)
	}
}

func TestWhatIsServedHasThePolicy(t *testing.T) {
	t.Parallel()
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	for _, path := range []string{"/", "/index.html", "/assets/x.js", "/nothing"} {
		w := httptest.NewRecorder()
		guarded(func(string) string { return "" })(next).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		policy := w.Header().Get("Content-Security-Policy")
		if policy != frontend.Policy() || !strings.HasPrefix(policy, "default-src 'none'") {
			t.Errorf("%s: policy %q", path, policy)
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
			t.Errorf("%s: the policy allows too much: %s", path, policy)
		}
	}
}
