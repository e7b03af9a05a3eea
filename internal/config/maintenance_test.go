package config

import (
	"strings"
	"testing"
	"time"
)

func TestParseSchedule(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"0 2 * * *": true, "*/15 0-6 1,15 * MON-FRI": true, "0 0 29 2 *": true, "0 3 * * 0": true,
		"": false, "0 2 * *": false, "0 0 2 * * *": false, "@daily": false, "@every 1h": false, "TZ=UTC 0 2 * * *": false,
		"CRON_TZ=Asia/Tokyo 0 2 * * *": false, "TZ=0": false, "60 2 * * *": false, "0 24 * * *": false, "0 0 30 2 *": false,
		"0 0 31 4,6 *": false, "* * * * 8": false, "a b c d e": false, "-1 * * * *": false, "*/0 * * * *": false,
		strings.Repeat(" ", 300): false,
	} {
		if _, err := ParseSchedule(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestMaintenanceKeys(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		ok         bool
	}{
		{"maintenance.nightly", "30 1 * * *", true}, {"maintenance.nightly", "", true}, {"maintenance.weekly", "sometimes", false},
		{"maintenance.enabled", "false", true}, {"maintenance.enabled", "2 * * * *", false}, {"maintenance.yearly", "0 0 1 1 *", false},
	} {
		if _, err := Parse(tt.name, tt.text); (err == nil) != tt.ok {
			t.Errorf("%s = %q: %v", tt.name, tt.text, err)
		}
	}
	d := DefaultMaintenance()
	for _, text := range []string{d.Nightly, d.Weekly, d.Monthly} {
		if !validSchedule(text) {
			t.Errorf("the default %q is no schedule", text)
		}
	}
}

func FuzzParseSchedule(f *testing.F) {
	for _, s := range []string{"0 2 * * *", "TZ=UTC", "@every 1s", "*/5 1-3,7 L * ?", "0 0 29 2 *", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSchedule(text)
		if err != nil {
			return
		}
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		if next := s.Next(at); !next.After(at) {
			t.Fatalf("%q: %v is not after %v", text, next, at)
		}
	})
}
