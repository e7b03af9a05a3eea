package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/config"
)

// BenchmarkOpenWithHundredPlugins is what every command pays for the plug-ins of
// a person, whether it calls one or not.
func BenchmarkOpenWithHundredPlugins(b *testing.B) {
	home, project := b.TempDir(), b.TempDir()
	plugins := map[string]any{}
	for i := range 100 {
		id := fmt.Sprintf("org.example.p%d", i)
		plugins[id] = map[string]any{"approved": map[string]any{"sha256": strings.Repeat("0", 64), "manifest": map[string]any{
			"manifest": 1, "id": id, "version": "1.0.0", "name": "Example", "abi": "rc/1", "roles": []string{"extractor"},
			"description": strings.Repeat("It reads what was said. ", 15),
			"capabilities": map[string]any{
				"history:read": map[string]any{"reason": "Reads what was said.", "scope": "branch"},
				"storage":      map[string]any{"reason": "Keeps what it has seen."},
			},
			"config": json.RawMessage(`{"type":"object","properties":{"depth":{"type":"integer","default":3}}}`),
		}}}
	}
	data, err := json.MarshalIndent(map[string]any{"version": 1, "plugins": plugins}, "", "  ")
	if err != nil {
		b.Fatal(err)
	}
	dir := filepath.Join(home, "data", "plugins")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "plugins.json"), data, 0o600); err != nil {
		b.Fatal(err)
	}
	o := Options{Dir: project, Version: "bench", Getenv: func(name string) string {
		if name == config.EnvHome {
			return home
		}
		return ""
	}}
	for _, id := range []string{"", "dev.recollect.ranked", "org.example.p50"} {
		b.Run("gets "+id, func(b *testing.B) {
			for b.Loop() {
				e, err := Open(o)
				if err != nil {
					b.Fatal(err)
				}
				if id != "" {
					if _, err := e.plugin(id, ""); err != nil {
						b.Fatal(err)
					}
				}
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
