package internal_test

import "testing"

// The plan has to say no to what it forbids: a rule that never fires looks just
// like one that is kept.
func TestForbidden(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		from, to string
		test     bool
		allowed  bool
	}{
		{from: "internal/memorize", to: "internal/memory", allowed: true},
		{from: "internal/history/claudecode", to: "internal/history", allowed: true},
		{from: "internal/history", to: "internal/history/claudecode", allowed: true},
		{from: "internal/history/claudecode", to: "internal/atomicfile", allowed: true},
		{from: "internal/plugin/meter", to: "internal/plugin", allowed: true},
		{from: "internal/plugin", to: "hostapi", allowed: true},
		{from: "internal/engine", to: "plugins", allowed: true},
		{from: "internal/cli", to: "internal/engine", allowed: true},
		{from: "internal/cli", to: "internal/service", allowed: true},
		{from: "internal/service", to: "internal/peer", allowed: true},
		{from: "app/tray", to: "internal/service", allowed: true},
		{from: "cmd/recollect", to: "internal/cli", allowed: true},
		{from: "hostapi/guest", to: "hostapi", allowed: true},
		{from: "plugins/notes", to: "hostapi/guest", allowed: true},
		{from: "plugins/offline", to: "plugins/offline/words", allowed: true},
		{from: "internal/memorize", to: "hostapi", test: true, allowed: true},

		{from: "internal/memory", to: "internal/memorize"},
		{from: "internal/memory", to: "internal/history"},
		{from: "internal/memorize", to: "internal/inject"},
		{from: "internal/memorize", to: "internal/plugin"},
		{from: "internal/memorize", to: "hostapi"},
		{from: "internal/tokens", to: "internal/atomicfile"},
		{from: "internal/tokens", to: "internal/memory", test: true},
		{from: "internal/plugin", to: "internal/engine"},
		{from: "internal/cli", to: "plugins"},
		{from: "internal/service", to: "internal/cli"},
		{from: "internal/service", to: "app/tray"},
		{from: "internal/peer", to: "internal/config"},
		{from: "internal/new", to: "internal/memory"},
		{from: "internal/engine", to: "internal/new"},
		{from: "hostapi", to: "internal/memory"},
		{from: "plugins/notes", to: "plugins/offline"},
		{from: "plugins/notes", to: "internal/memory"},
		{from: "examples/extractor-go", to: "internal/memory"},
		{from: "build", to: "internal/config"},
	} {
		why := forbidden(file{dir: tt.from, test: tt.test}, tt.to)
		if (why == "") != tt.allowed {
			t.Errorf("%s → %s: allowed = %t, want %t (%s)", tt.from, tt.to, why == "", tt.allowed, why)
		}
	}
}

// vague are names that say nothing about what is in a package.
var vague = []string{"util", "utils", "common", "helper", "helpers", "misc", "shared", "base", "types", "lib"}
