package app

import (
	"encoding/json"
	"testing"

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
